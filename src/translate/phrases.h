/*
 * phrases.h - phrase pairs of aligned rows, gathered and written as a table of translations.
 */
#ifndef DPL_TRANSLATE_PHRASES_H
#define DPL_TRANSLATE_PHRASES_H

#include "doppel/translate.h"

#include "io/container.h"

enum { DPL__MOST_PHRASE = 8 };

/* Phrase pairs on their way to the table. Owned. */
typedef struct dpl__phrases dpl__phrases;

dpl_status dpl__phrases_new(dpl__phrases **out, dpl__spill *spill, unsigned max_phrase,
                            unsigned max_options, dpl_error *err);
void dpl__phrases_free(dpl__phrases *p);

/* p of a word given another. back: of the source given the target. */
typedef struct dpl__word_model {
    double (*p)(void *user, uint32_t source, uint32_t target, bool back);
    void *user;
} dpl__word_model;

/* A row of numbered words with its links, source first. */
typedef struct dpl__phrase_row {
    const uint32_t *source, *target;
    size_t n_source, n_target;
    const dpl_link *links; /* by source, then target */
    size_t n_links;
} dpl__phrase_row;

/* Extracts all phrase pairs of a row that no link leaves. */
dpl_status dpl__phrases_extract(dpl__phrases *p, const dpl__phrase_row *row,
                                const dpl__word_model *model, dpl_error *err);
/* One pair of words that counts as `count`. */
dpl_status dpl__phrases_add_word(dpl__phrases *p, uint32_t source, uint32_t target,
                                 double count, const dpl__word_model *model, dpl_error *err);
/* Scores the translations of each phrase, keeps the best and writes the sections. */
dpl_status dpl__phrases_write(dpl__phrases *p, dpl__writer *w, dpl_phrases_summary *s,
                              dpl_error *err);

#endif
