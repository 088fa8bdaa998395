/*
 * recall_check.h - which share of the true pairs a search found, from a sample of left rows.
 *
 * The sample is searched exactly before the search begins; what the search finds is then held
 * against it as it comes. Owned.
 */
#ifndef DPL_PAIRS_RECALL_CHECK_H
#define DPL_PAIRS_RECALL_CHECK_H

#include "pairs/searches.h"

typedef struct dpl__sampled_row {
    uint32_t row;
    uint64_t first; /* of its true pairs in `rights` */
    uint64_t n_found;
} dpl__sampled_row;

typedef struct dpl__recall_check {
    dpl_ctx *ctx;
    double threshold;
    uint32_t n_left;
    DPL_VEC(dpl__sampled_row) rows; /* rising */
    DPL_VEC(uint32_t) rights;       /* rising within a row */
    size_t at;                      /* the sampled row that comes next */
    double seconds;
} dpl__recall_check;

/* Which rows of left are looked at. */
typedef struct dpl__recall_sample {
    size_t n; /* rows drawn */
    uint64_t seed;
    const dpl_part *part; /* of these every part->n-th, from part->number on; NULL: all */
} dpl__recall_sample;

/* Draws rows of left by the seed and searches them exactly. */
dpl_status dpl__recall_check_init(dpl__recall_check *r, dpl_ctx *ctx, const dpl__sides *sides,
                                  double threshold, const dpl__recall_sample *sample,
                                  dpl__spill *spill, dpl_error *err);
/* The same from true pairs that were found elsewhere: begin, then the rows as they rise, each
 * with its pairs, then end. */
void dpl__recall_check_begin(dpl__recall_check *r, dpl_ctx *ctx, uint32_t n_left);
dpl_status dpl__recall_check_row(dpl__recall_check *r, uint32_t row, const uint32_t *rights,
                                 size_t n, dpl_error *err);
void dpl__recall_check_end(dpl__recall_check *r);
void dpl__recall_check_clear(dpl__recall_check *r);
/* Pairs found, in the order of a sink. */
void dpl__recall_check_add(dpl__recall_check *r, const dpl_pair *pairs, size_t n);
void dpl__recall_check_write(const dpl__recall_check *r, dpl_recall_check *out);

/* The interval of a share n_found / n_true when rows are drawn with all their pairs; found[i]
 * of true[i] in row i, out of n_all rows. Wilson's, with as many effective pairs as the spread
 * between rows leaves. */
void dpl__recall_check_interval(dpl_recall_check *out, const uint64_t *truth,
                                const uint64_t *found, size_t n_rows, uint64_t n_all);

#endif
