/*
 * write_lexicon.h - words, tables and perhaps a model become a lexicon file.
 */
#ifndef DPL_LEXICON_WRITE_LEXICON_H
#define DPL_LEXICON_WRITE_LEXICON_H

#include "doppel/lexicon.h"

#include "lexicon/cell_table.h"
#include "lexicon/sort_words.h"
#include "lexicon/wordmodel.h"

/* The parts of a lexicon; the left side is the source. Borrowed. */
typedef struct dpl__lexicon_parts {
    const char *lang[2]; /* canonical; "" when not known */
    bool is_stemmed;
    bool is_pretokenized;      /* trained on words between blanks */
    dpl__strings words[2];     /* folded, in byte order */
    dpl__strings written[2];   /* each as a text writes it; none: not known */
    const uint64_t *counts[2]; /* of each word; NULL: not known, or as the model has them */
    dpl__table table[2]; /* [DPL__LEFT]: p(right|left), a row for each left word; [DPL__RIGHT]:
                            p(left|right); all above 0, to 1 */
    const dpl__wordmodel *model; /* of the same words; NULL: none */
    /* How it was made: members of a JSON object, `"model1":5,"hmm":5`; may be empty. */
    dpl_str made;
    const dpl_prune *prune; /* with the defaults filled in or not; NULL: not pruned */
} dpl__lexicon_parts;

/* Where a lexicon goes: to a file, or, when out is not NULL, to an opened lexicon that has no
 * path. */
typedef struct dpl__lexicon_destination {
    const char *path;
    dpl_lexicon **out;
} dpl__lexicon_destination;

/* The same parts give the same bytes; n_bytes, which may be NULL, receives how many. */
dpl_status dpl__lexicon_write_to(uint64_t *n_bytes, dpl_ctx *ctx,
                                 const dpl__lexicon_destination *to,
                                 const dpl__lexicon_parts *parts, dpl_error *err);
/* The same to a file, through a temporary name. */
dpl_status dpl__lexicon_write(uint64_t *n_bytes, dpl_ctx *ctx, const char *out_path,
                              const dpl__lexicon_parts *parts, dpl_error *err);

/* Zeros become the defaults; options may be NULL. */
dpl_prune dpl__prune_defaults(const dpl_prune *options);

/* Prunes each row by the options (NULL: the defaults), as doppel/lexicon.h describes; counts[i]
 * belongs to entry i, NULL: not known. Entries that are too improbable or too rare go first,
 * then the best of the others stay; of equals the lower number. What says nothing, 0 or next to
 * it, always goes. In place. */
dpl_status dpl__prune(dpl__table *table, dpl_ctx *ctx, const float *counts,
                      const dpl_prune *options, dpl_error *err);

#endif
