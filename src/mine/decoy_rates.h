/*
 * decoy_rates.h - how likely is it that a pair of documents is a translation?
 *
 * Nobody tells which pairs are right, but the order of scores tells how wrong ones look. A
 * match is before all other pairs of its two rows, a decoy behind one of them (mutual_pairs.h).
 * Of scores with an exponential tail, k times the gap between the k-th and the next one has the
 * same distribution for every k (Renyi 1953). So twice the gap below a decoy is as large as the
 * gap below a wrong match, and there are as many of both: this is how decoys are raised. Behind
 * a right pair a decoy is the first of the wrong ones, and counts as it is, but such a pair
 * leaves no wrong match. What is right is what decoys do not explain: the local false discovery
 * rate falls with the score (isotonic regression), and needs no right pair to be known.
 */
#ifndef DPL_MINE_DECOY_RATES_H
#define DPL_MINE_DECOY_RATES_H

#include "base/base.h"

/* Scores are the larger the likelier. */
typedef struct dpl__scored_decoy {
    double score, raised; /* as it is; with twice the gap */
    uint32_t above;       /* number of the pair before it; DPL__NO_MATCH: one that is wrong */
} dpl__scored_decoy;

#define DPL__NO_MATCH UINT32_MAX

typedef struct dpl__decoy_rates_input {
    const double *scores; /* of the pairs */
    size_t n_pairs;
    const dpl__scored_decoy *decoys;
    size_t n_decoys;
} dpl__decoy_rates_input;

/* Of a pair. */
typedef struct dpl__decoy_rate {
    double p; /* probability that it is right */
} dpl__decoy_rate;

/* out[i] of pair i. The same for any number of threads. */
dpl_status dpl__decoy_rates_fit(dpl__decoy_rate *out, dpl_ctx *ctx,
                                const dpl__decoy_rates_input *in, dpl_error *err);

#endif
