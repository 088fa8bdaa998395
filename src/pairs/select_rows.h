/*
 * select_rows.h - what selection remembers of each row: its best partners, its nearest scores.
 * Owned.
 */
#ifndef DPL_PAIRS_SELECT_ROWS_H
#define DPL_PAIRS_SELECT_ROWS_H

#include "base/base.h"

/* A partner of a row as a number: the larger, the better. By score, then the lower row. */
static inline uint64_t dpl__partner(float score, uint32_t row)
{
    assert(score == score); /* not a number has no place in the order */
    uint32_t bits;
    memcpy(&bits, &score, sizeof bits);
    bits = bits >> 31 ? ~bits : bits | 0x80000000u; /* rises with the score, never 0 */
    return (uint64_t)bits << 32 | (uint32_t)~row;
}

static inline uint32_t dpl__partner_row(uint64_t partner)
{
    return ~(uint32_t)partner;
}

static inline float dpl__partner_score(uint64_t partner)
{
    uint32_t bits = (uint32_t)(partner >> 32);
    float score;
    bits = bits >> 31 ? bits ^ 0x80000000u : ~bits;
    memcpy(&score, &bits, sizeof score);
    return score;
}

/* The n best partners of every row: a heap each, the worst of them at its root. */
typedef struct dpl__partners {
    dpl_ctx *ctx;
    uint32_t n_rows;
    unsigned n;
    uint64_t *best; /* 0: none yet */
} dpl__partners;

/* DPL_E_LIMIT when they do not fit into the context's memory. */
dpl_status dpl__partners_init(dpl__partners *p, dpl_ctx *ctx, uint32_t n_rows, unsigned n,
                              dpl_error *err);
void dpl__partners_clear(dpl__partners *p);
/* Forgets the partners of all rows. */
void dpl__partners_forget(dpl__partners *p);
/* Is it among the n best so far? */
bool dpl__partners_offer(dpl__partners *p, uint32_t row, uint64_t partner);

static inline bool dpl__partners_has(const dpl__partners *p, uint32_t row, uint64_t partner)
{
    assert(row < p->n_rows);
    return partner >= p->best[(size_t)row * p->n];
}

/* The k highest scores of every row, then half of their mean. */
typedef struct dpl__nearest_scores {
    dpl_ctx *ctx;
    uint32_t n_rows;
    unsigned k;
    float *scores; /* a heap each, the lowest at its root; the threshold where there is none */
    double *halves;
} dpl__nearest_scores;

dpl_status dpl__nearest_init(dpl__nearest_scores *n, dpl_ctx *ctx, uint32_t n_rows, unsigned k,
                             float threshold, dpl_error *err);
void dpl__nearest_clear(dpl__nearest_scores *n);
void dpl__nearest_offer(dpl__nearest_scores *n, uint32_t row, float score);
/* Ends offering: halves[row] is there, scores is not any more. */
dpl_status dpl__nearest_finish(dpl__nearest_scores *n, dpl_error *err);

#endif
