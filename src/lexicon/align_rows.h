/*
 * align_rows.h - the rows of a corpus and a word model become word alignments.
 */
#ifndef DPL_LEXICON_ALIGN_ROWS_H
#define DPL_LEXICON_ALIGN_ROWS_H

#include "lexicon/symmetrize.h"
#include "lexicon/wordmodel.h"

typedef enum dpl__align_method {
    DPL__ALIGN_POSTERIOR, /* high mean posterior of both directions: the default */
    DPL__ALIGN_SYMMETRIZE /* Viterbi alignments of both directions, symmetrised */
} dpl__align_method;

/* Zero in a field means its default. */
typedef struct dpl__align_rows_options {
    dpl__align_method method;
    dpl__symmetry symmetry; /* for DPL__ALIGN_SYMMETRIZE */
    double threshold;       /* for DPL__ALIGN_POSTERIOR: mean of both; default 0.5 */
    size_t max_tokens;      /* rows with more on a side have no links; default 200 */
} dpl__align_rows_options;

typedef struct dpl__row_link {
    uint16_t left, right; /* numbers of words in the row */
} dpl__row_link;

/* Takes the links of each row in turn, by left word, then by right word; on the caller's
 * thread. Borrowed during the call. */
typedef dpl_status dpl__row_links_fn(void *user, size_t row, const dpl__row_link *links,
                                     size_t n, dpl_error *err);

/* What receives the links. */
typedef struct dpl__row_links_sink {
    dpl__row_links_fn *take;
    void *user;
} dpl__row_links_sink;

/* The corpus has the model's words under the model's numbers; numbers from the model's n_words
 * on are words that it does not have. The corpus's n_words must not be below the model's. */
dpl_status dpl__align_rows(dpl_ctx *ctx, const dpl__wordmodel *model,
                           const dpl__encoded *corpus, const dpl__align_rows_options *options,
                           const dpl__row_links_sink *to, dpl_error *err);

#endif
