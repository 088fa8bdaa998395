/*
 * rising.h - the k nearest of rows and columns from candidates of signatures, with cuts that
 * rise.
 *
 * A candidate is a pair with a distance, in whole numbers: Hamming distance of bits, or any
 * other that says with which probability a pair of a cosine is at most so far apart. A pair of
 * cosine s is visible when its distance is at most cut(s): that holds for the wanted share of
 * pairs, whatever their cosine. Lists are the k best of the visible pairs. A row whose list is
 * full with a last score of t needs no pair beyond cut(t) any more: a visible one with a better
 * score has a smaller distance. So cuts of rows follow the lists, fall in distance as they rise
 * in score, and the lists do not depend on the order in which candidates come.
 */
#ifndef DPL_PAIRS_RISING_H
#define DPL_PAIRS_RISING_H

#include "pairs/neighbour_lists.h"

enum { DPL__CUT_STEPS = 1024 };

/* of[i]: the cut of pairs with a cosine from i to i + 1 steps; does not rise with i. */
typedef struct dpl__score_cuts {
    uint32_t of[DPL__CUT_STEPS + 1];
} dpl__score_cuts;

/* Cuts for signatures of this method and length that let this share of visible pairs pass. */
void dpl__score_cuts_of(dpl__score_cuts *out, dpl_sign_method method, unsigned n,
                        double recall);

static inline uint32_t dpl__score_cut(const dpl__score_cuts *c, double score)
{
    return c->of[score <= 0 ? 0 : score >= 1 ? DPL__CUT_STEPS : (int)(score * DPL__CUT_STEPS)];
}

/* Locked: any number of threads may ask and give, each with its own worker number. */
typedef struct dpl__rising dpl__rising;

/* The lists are empty. Everything is borrowed. */
dpl_status dpl__rising_new(dpl__rising **out, dpl__neighbour_lists *lists,
                           const dpl__sides *sides, double threshold,
                           const dpl__score_cuts *cuts, dpl_error *err);
void dpl__rising_free(dpl__rising *r);
/* Distance up to which a pair of this row may matter to it. */
uint32_t dpl__rising_cut(const dpl__rising *r, int side, uint32_t row);
/* read_cuts of a dpl_best, user being a dpl__rising. */
void dpl__rising_read(void *user, int side, uint32_t first, uint32_t n, uint32_t *out);
/* take of a dpl_best: scores what may belong to a list. A pair may come more than once. */
dpl_status dpl__rising_take(void *user, unsigned worker, const dpl_near_pair *pairs, size_t n,
                            dpl_error *err);
/* The same for many pairs that come on the caller's thread: on all threads. */
dpl_status dpl__rising_take_all(void *user, unsigned worker, const dpl_near_pair *pairs,
                                size_t n, dpl_error *err);
/* Pairs that were scored. */
uint64_t dpl__rising_scored(const dpl__rising *r);

#endif
