/*
 * confidence.h - how likely is it that a pair of documents is a translation?
 *
 * Nobody tells which pairs are right, but wrong ones can be made: take every document's chosen
 * counterpart away and choose again. What is chosen then, the decoys, looks like what is chosen
 * for documents that have no counterpart, as in target and decoy searches of other fields
 * (Elias and Gygi 2007; Kall et al. 2007). The pairs are a mixture of wrong ones, which look
 * like decoys, and right ones, which a logistic model tells from them.
 */
#ifndef DPL_MINE_CONFIDENCE_H
#define DPL_MINE_CONFIDENCE_H

#include "base/base.h"

enum { DPL__MOST_FEATURES = 12 };

/* What is known about a pair, each the larger the likelier. */
typedef struct dpl__features {
    double x[DPL__MOST_FEATURES];
} dpl__features;

/* Weights of features that are scaled to mean 0 and variance 1. */
typedef struct dpl__confidence {
    size_t n_features;
    double mean[DPL__MOST_FEATURES], scale[DPL__MOST_FEATURES], weight[DPL__MOST_FEATURES];
    double bias;
    double alone; /* share of documents without counterpart, of the smaller side */
} dpl__confidence;

/* A pair that was chosen for documents whose own pair was taken away. As long as that one was
 * right, so that what is left is wrong, this is how wrong pairs look; otherwise it is the
 * second best of wrong ones. */
typedef struct dpl__decoy {
    dpl__features features;
    uint32_t taken[2]; /* numbers of the pairs taken away; DPL__NO_PAIR: none was */
} dpl__decoy;

#define DPL__NO_PAIR UINT32_MAX

typedef struct dpl__confidence_input {
    const dpl__features *pairs;
    size_t n_pairs;
    const dpl__decoy *decoys;
    size_t n_decoys;
    size_t n_features;
    uint32_t n_docs;    /* of the smaller side */
    uint32_t n_side[2]; /* documents of both sides; 0: not known, and the number of wrong pairs
                           is what the model says */
    bool is_cautious;   /* with n_side: of that number and what the model says, the larger */
} dpl__confidence_input;

/* Weights are at least 0: a feature that would count against a pair is left out. p[i] becomes
 * the probability that pair i is right. */
dpl_status dpl__confidence_fit(dpl__confidence *out, double *p, dpl_ctx *ctx,
                               const dpl__confidence_input *in, dpl_error *err);

#endif
