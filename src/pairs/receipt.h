/*
 * receipt.h - which share of the true pairs a search found, from a sample of left rows.
 *
 * The sample is searched exactly before the search begins; what the search finds is then held
 * against it as it comes. Owned.
 */
#ifndef DPL_SRC_RECEIPT_H
#define DPL_SRC_RECEIPT_H

#include "pairs/search.h"

typedef struct dpl__sampled_row {
    uint32_t row;
    uint64_t first; /* of its true pairs in `rights` */
    uint64_t n_found;
} dpl__sampled_row;

typedef struct dpl__receipt {
    dpl_ctx *ctx;
    double threshold;
    uint32_t n_left;
    DPL_VEC(dpl__sampled_row) rows; /* rising */
    DPL_VEC(uint32_t) rights;       /* rising within a row */
    size_t at;                      /* the sampled row that comes next */
    double seconds;
} dpl__receipt;

/* Draws n rows of left by the seed and searches them exactly. */
dpl_status dpl__receipt_init(dpl__receipt *r, dpl_ctx *ctx, const dpl__sides *sides,
                             double threshold, size_t n, uint64_t seed, dpl__spill *spill,
                             dpl_error *err);
void dpl__receipt_clear(dpl__receipt *r);
/* Pairs found, in the order of a sink. */
void dpl__receipt_add(dpl__receipt *r, const dpl_pair *pairs, size_t n);
void dpl__receipt_write(const dpl__receipt *r, dpl_receipt *out);

/* The interval of a share n_found / n_true when rows are drawn with all their pairs; found[i]
 * of true[i] in row i, out of n_all rows. Wilson's, with as many effective pairs as the spread
 * between rows leaves. */
void dpl__receipt_interval(dpl_receipt *out, const uint64_t *truth, const uint64_t *found,
                           size_t n_rows, uint64_t n_all);

#endif
