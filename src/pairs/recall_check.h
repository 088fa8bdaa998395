/*
 * recall_check.h - which share of the true answers a search found, from a sample of rows.
 *
 * Three parts: rows are drawn, in one of four ways; the pairs of a sample are found exactly and
 * held against what a search finds; and counts of rows become a share with its interval. Every
 * recall check draws and sums up here; where answers are no pairs at a threshold (the k
 * nearest, clusters), the caller counts what a row has and what was found of it.
 */
#ifndef DPL_PAIRS_RECALL_CHECK_H
#define DPL_PAIRS_RECALL_CHECK_H

#include "base/hash.h"
#include "pairs/searches.h"

/* ---- drawing rows ------------------------------------------------------------------- */

/* n of [0, total), rising, every set equally likely. Returns how many: all if there are fewer.
 */
size_t dpl__draw_any(uint32_t *rows, size_t n, uint32_t total, uint64_t seed);
/* The same, one from each of n equal stretches. */
size_t dpl__draw_stretches(uint32_t *rows, size_t n, uint32_t total, dpl__rng *rng);
/* Evenly spaced ones, the first among them. */
size_t dpl__draw_spaced(uint32_t *rows, size_t n, uint32_t total);
/* Draws the rows with the lowest lots, lowest first; ties by row. The same contents are drawn
 * in any order of the rows. */
typedef uint64_t dpl__lot_of(const void *user, uint32_t row);
size_t dpl__draw_lowest(uint32_t *rows, size_t n, uint32_t total, dpl__lot_of *lot_of,
                        const void *user);

/* ---- counts to a share -------------------------------------------------------------- */

/* Sampled rows and what was found of their answers. */
typedef struct dpl__recall_rows {
    size_t n;
    uint64_t n_all; /* rows that they were drawn from */
    void (*count)(const void *user, size_t i, uint64_t *n_true, uint64_t *n_found);
    const void *user;
} dpl__recall_rows;

/* Counts, share and interval; the other fields of *out stay. The interval of n_found / n_true
 * when rows are drawn with all their answers: Wilson's, with as many effective answers as the
 * spread between rows leaves. */
void dpl__recall_sum(dpl_recall_check *out, const dpl__recall_rows *rows);
/* The same from arrays: found[i] of truth[i] in row i. */
void dpl__recall_check_interval(dpl_recall_check *out, const uint64_t *truth,
                                const uint64_t *found, size_t n_rows, uint64_t n_all);

/* ---- pairs at a threshold ----------------------------------------------------------- */

typedef struct dpl__sampled_row {
    uint32_t row;
    uint64_t first; /* of its true pairs in `rights` */
    uint64_t n_found;
} dpl__sampled_row;

/* Owned. */
typedef struct dpl__recall_check {
    dpl_ctx *ctx;
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
    const dpl_part *part;  /* of these every part->n-th, from part->number on; NULL: all */
    const uint32_t *range; /* of these those in [range[0], range[1]); NULL: all */
    bool is_spaced;        /* evenly spaced, not drawn by the seed */
    double threshold;      /* of true pairs */
} dpl__recall_sample;

/* Draws rows of left, of which there are n_left. */
dpl_status dpl__recall_check_draw(dpl__recall_check *r, dpl_ctx *ctx, uint32_t n_left,
                                  const dpl__recall_sample *sample, dpl_error *err);
/* All true pairs of the rows drawn, in the order of a sink. */
dpl_status dpl__recall_check_take(dpl__recall_check *r, const dpl_pair *pairs, size_t n,
                                  dpl_error *err);
/* Draws rows of left and searches them exactly: both of the above. */
dpl_status dpl__recall_check_init(dpl__recall_check *r, const dpl__sides *sides,
                                  const dpl__recall_sample *sample, dpl__spill *spill,
                                  dpl_error *err);
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

#endif
