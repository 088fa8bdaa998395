/*
 * few_pairs.h - confidence of candidates where few documents have a counterpart.
 *
 * A model of right pairs cannot be learnt from twenty of them among six hundred candidates. So
 * the features are weighted as in other collections, and only where the right ones are, how
 * many there are, and how fast wrong ones become fewer is estimated.
 */
#ifndef DPL_MINE_FEW_PAIRS_H
#define DPL_MINE_FEW_PAIRS_H

#include "mine/round.h"

/* Weighted sum of the features of a candidate; about 3 for right pairs, -7 for others. */
double dpl__few_pairs_score(const dpl__unit *unit, const dpl__match *match,
                            const dpl__alignment_features *alignment);

/* p[i] becomes the probability that the candidate with scores[i] is right. A higher score has
 * no lower probability. Returns how many are expected to be right. */
double dpl__few_pairs_fit(double *p, const double *scores, size_t n);

#endif
