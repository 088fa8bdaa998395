/*
 * siblings.h - how many documents of two sides resemble each other as siblings do.
 *
 * Siblings differ from each other in a few words, as descriptions of packages from one source
 * do. A document whose counterpart does not exist is paired with a sibling of it, which no
 * score tells from a right pair. But siblings are within sides as well as between them: of
 * those whose side is chance, half are on one side, both on the left or both on the right. So
 * there are as many between the sides as within both.
 */
#ifndef DPL_MINE_SIBLINGS_H
#define DPL_MINE_SIBLINGS_H

#include "mine/round.h"

enum { DPL__SIBLING_BINS = 20 };

/* Pairs of documents of one side, each the other's nearest, of both sides together: how many
 * have a cosine in each bin, from sibling_cosine to 1. */
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
