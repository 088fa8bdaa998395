/*
 * few_docs.h - confidence of the candidates of few documents.
 *
 * A model cannot be learnt from a handful of candidates, but whether two documents are
 * translations is seen in them: most of the text of one can be aligned, far more than of the
 * decoys, and aligned sentences have the usual ratio of lengths, which needs no lexicon. So the
 * features have the weights that other small collections gave them, and only the share of right
 * pairs is estimated.
 */
#ifndef DPL_MINE_FEW_DOCS_H
#define DPL_MINE_FEW_DOCS_H

#include "mine/round.h"

/* Whether so few candidates were found. */
bool dpl__are_few_docs(const dpl__doc_candidates *found);

/* How much can be aligned by chance: of decoys, and of some that are counted before all others.
 */
double dpl__few_docs_chance(const dpl__alignment_features *decoys, size_t n);

/* Natural logarithm of how much likelier such features are of right pairs than of wrong ones.
 * Short documents say little. */
double dpl__few_docs_odds(const dpl__unit *unit, const dpl__match *match,
                          const dpl__alignment_features *alignment, double chance);

/* p[i] becomes the probability that the candidate with odds[i] is right, where right ones are
 * alike. Returns the evidence that any of them is: the natural logarithm of how much likelier
 * their features are with this share of right ones than with none. */
double dpl__few_docs_fit(double *p, const double *odds, size_t n);

/* Whether documents look otherwise than those that fixed weights come from: a model learnt from
 * them is sure of many pairs and of hardly anything else, and the weights expect that few of
 * these pairs are right. Siblings are not told apart that clearly. */
bool dpl__is_learnt_clearly(const double *learnt, size_t n, double right);

#endif
