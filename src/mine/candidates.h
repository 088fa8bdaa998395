/*
 * candidates.h - the nearest documents of the other side, both ways, and the pairs among them.
 */
#ifndef DPL_SRC_CANDIDATES_H
#define DPL_SRC_CANDIDATES_H

#include "doppel/pairs.h"

#include "base/vec.h"
#include "lexicon/bitext.h"

#define DPL__NO_ROW UINT32_MAX

enum {
    DPL__NEAREST = 8, /* of each row */
    DPL__AROUND = 4   /* of these, what a margin is measured by */
};

typedef struct dpl__near {
    uint32_t row; /* of the other side; DPL__NO_ROW: there are no more */
    float score;
} dpl__near;

/* Frozen. Zeroed memory with a context may be cleared. */
typedef struct dpl__candidates {
    dpl_ctx *ctx;
    uint32_t n[2];      /* rows */
    dpl__near *near[2]; /* DPL__NEAREST of each row, best first */
    double threshold;   /* cosines below it are not here */
    dpl_pairs_summary searched;
} dpl__candidates;

dpl_status dpl__candidates_find(dpl__candidates *out, dpl_ctx *ctx, const dpl_vectors *left,
                                const dpl_vectors *right, const dpl_pairs_options *options,
                                dpl_error *err);
void dpl__candidates_clear(dpl__candidates *c);

/* Two rows of which each is the other's best by margin. */
typedef struct dpl__match {
    uint32_t row[2];
    float score;   /* the cosine */
    float margin;  /* divided by the mean of what is around both (doppel/pairs.h) */
    float lead[2]; /* divided by the second best of either side */
} dpl__match;

typedef DPL_VEC(dpl__match) dpl__matches;

/* By left row. partner[left row] is the right row that a row must not be matched with, as if
 * the two did not know of each other, or DPL__NO_ROW; NULL: no such thing. */
dpl_status dpl__matches_find(dpl__matches *out, const dpl__candidates *c,
                             const uint32_t *partner, dpl_error *err);

#endif
