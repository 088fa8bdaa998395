/*
 * few_pairs.h - confidence of candidates where few documents have a counterpart.
 *
 * A model of right pairs cannot be learnt from twenty of them among six hundred candidates. So
 * the features are weighted as in other collections, and only where the right ones are, how
 * many there are, and how fast wrong ones become fewer is estimated; how many wrong ones look
 * like right ones is counted within the sides.
 */
#ifndef DPL_MINE_FEW_PAIRS_H
#define DPL_MINE_FEW_PAIRS_H

#include "mine/siblings.h"

/* Weighted sum of the features of a candidate; about 3 for right pairs, -7 for others. */
double dpl__few_pairs_score(const dpl__unit *unit, const dpl__match *match,
                            const dpl__alignment_features *alignment);

/* p[i] becomes the probability that the candidate with scores[i] is right. A higher score has
 * no lower probability. n_docs: of the smaller side. Returns how many are expected to be right.
 */
double dpl__few_pairs_fit(double *p, const double *scores, size_t n,
                          const dpl__siblings *siblings, double n_docs);

/* The lowest of the probabilities p of pairs that are best taken: those with the highest
 * expected F1. Where right pairs are in doubt, that is below one half. p is put in order. */
double dpl__few_pairs_cut(double *p, size_t n);

#endif
