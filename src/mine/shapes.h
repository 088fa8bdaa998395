/*
 * shapes.h - what documents of two languages have in common without any word: length,
 * sentences, marks, repetition, rarity of their words.
 *
 *     dpl__shapes shapes;
 *     DPL_TRY(dpl__shapes_measure(&shapes, corpus, sides, err));
 *     dpl__shapes_learn(&shapes, pairs, n);    // how far each sign agrees in these pairs
 *     ... dpl__shapes_gain(&shapes, left, right) ...
 *     dpl__shapes_clear(&shapes);
 *
 * Each sign is a logarithm, without what the signs before it explain, with mean 0 and variance
 * 1 on its side. Two documents that are no pair have independent ones; of pairs they correlate.
 */
#ifndef DPL_MINE_SHAPES_H
#define DPL_MINE_SHAPES_H

#include "mine/round.h"

enum { DPL__SHAPES = 16 }; /* the last two are 0 */

/* Owned. Zeroed memory may be cleared. */
typedef struct dpl__shapes {
    dpl_ctx *ctx;
    uint32_t n_docs[2];
    float *z[2];             /* DPL__SHAPES of each document */
    float *base[2];          /* of each document: part of its gain that is its own */
    double rho[DPL__SHAPES]; /* correlation of a sign in pairs */
    float square[DPL__SHAPES], product[DPL__SHAPES], sum; /* of the gain */
} dpl__shapes;

/* Left documents of pairs are those of sides[0]. */
dpl_status dpl__shapes_measure(dpl__shapes *out, const dpl__comparable *corpus,
                               const int sides[2], dpl_error *err);
void dpl__shapes_clear(dpl__shapes *shapes);

/* From no pairs: what is usual. */
void dpl__shapes_learn(dpl__shapes *shapes, const dpl_doc_pair *pairs, size_t n);

/* Log-likelihood ratio of two documents being a pair. */
static inline float dpl__shapes_gain(const dpl__shapes *s, uint32_t left, uint32_t right)
{
    const float *a = s->z[0] + (size_t)left * DPL__SHAPES,
                *b = s->z[1] + (size_t)right * DPL__SHAPES;
    float sums[4] = {0, 0, 0, 0};
    for (int k = 0; k < DPL__SHAPES; k += 4)
        for (int i = 0; i < 4; i++)
            sums[i] += s->product[k + i] * a[k + i] * b[k + i];
    return s->sum + s->base[0][left] + s->base[1][right] + (sums[0] + sums[1]) +
           (sums[2] + sums[3]);
}

#endif
