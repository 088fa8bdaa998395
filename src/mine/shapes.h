/*
 * shapes.h - what documents of two languages have in common without any word: length,
 * sentences, marks, repetition, rarity of their words.
 *
 *     dpl__shapes shapes;
 *     DPL_TRY(dpl__shapes_measure(&shapes, corpus, sides, err));
 *     dpl__shapes_learn(&shapes, pairs, n);    // how far each sign agrees in these pairs
 *     ... dpl__shapes_gains(gains, &shapes, 0, left, block) ...
 *     dpl__shapes_clear(&shapes);
 *
 * Each sign is a logarithm, without what the signs before it explain, with mean 0 and variance
 * 1 on its side. Two documents that are no pair have independent ones; of pairs they correlate.
 */
#ifndef DPL_MINE_SHAPES_H
#define DPL_MINE_SHAPES_H

#include "mine/round.h"

enum { DPL__SHAPES = 16 /* the last two are 0 */, DPL__SHAPES_BLOCK = 32 };

/* Owned. Zeroed memory may be cleared. */
typedef struct dpl__shapes {
    dpl_ctx *ctx;
    uint32_t n_docs[2];
    float *z[2];             /* DPL__SHAPES of each document */
    float *base[2];          /* of each document: part of its gain that is its own */
    float *signs[2];         /* z by block, then by sign; of the left side times its product */
    double rho[DPL__SHAPES]; /* correlation of a sign in pairs */
    float square[DPL__SHAPES], product[DPL__SHAPES], sum; /* of the gain */
} dpl__shapes;

/* Left documents of pairs are those of sides[0]. */
dpl_status dpl__shapes_measure(dpl__shapes *out, const dpl__comparable *corpus,
                               const int sides[2], dpl_error *err);
void dpl__shapes_clear(dpl__shapes *shapes);

/* Learns correlations from pairs; without pairs they are the usual ones. */
void dpl__shapes_learn(dpl__shapes *shapes, const dpl_doc_pair *pairs, size_t n);

/* The log-likelihood ratio of a document, on the left (at: 0) or right (1), being a pair with
 * each of DPL__SHAPES_BLOCK documents of the other side from block * DPL__SHAPES_BLOCK on.
 * Those behind the last document have no meaning. */
void dpl__shapes_gains(float out[DPL__SHAPES_BLOCK], const dpl__shapes *shapes, int at,
                       uint32_t doc, uint32_t block);

#endif
