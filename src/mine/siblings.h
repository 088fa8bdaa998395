/*
 * siblings.h - how many documents of two sides resemble each other as siblings do.
 *
 * Siblings differ from each other in a few words, as descriptions of packages from one source
 * do. A document whose counterpart does not exist is paired with a sibling of it, which no
 * score tells from a right pair. But siblings are within sides as well as between them: two
 * whose side is chance are both on the left or both on the right as often as a^2 + b^2 says,
 * and one on each side as often as 2 a b, for a and b documents. So there are as many between
 * sides of the same size as within both, and fewer where one is small.
 */
#ifndef DPL_MINE_SIBLINGS_H
#define DPL_MINE_SIBLINGS_H

#include "mine/round.h"

enum { DPL__SIBLING_BINS = 20 };

/* Siblings between the sides, by what is within them (two documents, each the other's nearest):
 * how many have a cosine in each bin, from sibling_cosine to 1. */
typedef struct dpl__siblings {
    double n[DPL__SIBLING_BINS];
    double words; /* of a document, on average */
} dpl__siblings;

/* By words of the side's own language; near-copies (copies.h) are one document. */
dpl_status dpl__siblings_find(dpl__siblings *out, const dpl__comparable *corpus,
                              dpl_error *err);

/* Mean cosine of a bin. */
double dpl__siblings_cosine(size_t bin);

#endif
