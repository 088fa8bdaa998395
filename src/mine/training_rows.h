/*
 * training_rows.h - sentence pairs of two collections become a lexicon.
 *
 *     dpl__training_rows rows = {.ctx = ctx, .collection = {left, right}};
 *     while (pairs) DPL_TRY(dpl__training_rows_add(&rows, left_tokens, n, right_tokens, m,
 * err)); DPL_TRY(dpl__training_rows_train(&summary, &rows, "lexicon.dpl", err));
 *     dpl__training_rows_clear(&rows);
 *
 * Words are the collections' terms, so nothing is tokenized again, and the lexicon meets the
 * terms it came from as they are.
 */
#ifndef DPL_MINE_TRAINING_ROWS_H
#define DPL_MINE_TRAINING_ROWS_H

#include "doppel/lexicon.h"

#include "base/vec.h"
#include "lexicon/encoded.h"
#include "mine/stage.h"

/* Rows, as term numbers of the two collections. Owned. */
typedef struct dpl__training_rows {
    dpl_ctx *ctx;
    const dpl_collection *collection[2];
    const char *lang[2];    /* canonical */
    bool is_stemmed;        /* both collections */
    bool is_mirrored;       /* train with the sides swapped, which decides about rounding */
    bool is_trial;          /* stems stay stems: nobody reads them */
    double tokens_per_word; /* rows may be longer by this; 0: each word is one token */
    DPL_VEC(uint64_t) ends[2];
    DPL_VEC(uint32_t) tokens[2];
} dpl__training_rows;

dpl_status dpl__training_rows_add(dpl__training_rows *rows, const uint32_t *left, size_t n_left,
                                  const uint32_t *right, size_t n_right, dpl_error *err);
void dpl__training_rows_clear(dpl__training_rows *rows);

/* Rows without words on both sides teach nothing: why says so, and there is no file. The
 * summary's `read` stays empty. */
dpl_status dpl__training_rows_train(dpl_train_summary *summary, dpl__reason *why,
                                    dpl__training_rows *rows, const char *out_path,
                                    dpl_error *err);

#endif
