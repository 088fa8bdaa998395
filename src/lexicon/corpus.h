/*
 * corpus.h - parallel text becomes numbers: rows through the tokens stage, words numbered.
 *
 *     DPL_TRY(dpl__corpus_open(&corpus, ctx, &options, err));
 *     while (rows) DPL_TRY(dpl__corpus_add(corpus, rows, n_rows, err));
 *     DPL_TRY(dpl__corpus_bitext(&bitext, corpus, err));
 *
 * Owned. Marks between words (punctuation, symbols; runs of the same one together) are words
 * here, too, because they say where words belong; tables leave them out.
 */
#ifndef DPL_SRC_CORPUS_H
#define DPL_SRC_CORPUS_H

#include "doppel/lexicon.h"

#include "lexicon/bitext.h"
#include "lexicon/words.h"

typedef struct dpl__corpus dpl__corpus;

typedef struct dpl__corpus_options {
    const char *lang[2]; /* canonical; "" when not known */
    bool is_pretokenized, stem;
    bool has_places;              /* keep where each word stands in its row */
    const dpl__strings *known[2]; /* words that have these numbers already; NULL: none */
} dpl__corpus_options;

dpl_status dpl__corpus_new(dpl__corpus **out, dpl_ctx *ctx, const dpl__corpus_options *options,
                           dpl_error *err);
void dpl__corpus_free(dpl__corpus *corpus);

/* Appends rows, on all threads. The numbers of new words follow from the order of rows alone.
 */
dpl_status dpl__corpus_add(dpl__corpus *corpus, const dpl_bitext_row *rows, size_t n,
                           dpl_error *err);
/* Forgets the rows, not the words. */
void dpl__corpus_reset(dpl__corpus *corpus);

/* All rows, with classes; borrowed until the corpus changes. */
dpl_status dpl__corpus_bitext(dpl__bitext *out, dpl__corpus *corpus, dpl_error *err);
dpl_str dpl__corpus_word(const dpl__corpus *corpus, int side, uint32_t word);
/* With has_places: begin and end (bytes in the row's text) of each token, parallel to the
 * bitext's tokens. */
const uint32_t *dpl__corpus_places(const dpl__corpus *corpus, int side);

#endif
