/*
 * growth.h - from a few pairs to many, by words that are significantly often together.
 *
 *     dpl__growth_input in = {.corpus = corpus, .names = &names, .seeds = {pairs, n}};
 *     DPL_TRY(dpl__grow(&found, &in, err));
 *
 * Each round learns which words of one side are in the same pairs as words of the other, by
 * the log-likelihood ratio (Dunning 1993), and how far shapes of documents agree (shapes.h).
 * What two documents have in common is evidence in natural logarithms; the best mutual matches
 * are the next pairs, more than the round before. A document that is in a pair is compared
 * without what this pair taught.
 */
#ifndef DPL_MINE_GROWTH_H
#define DPL_MINE_GROWTH_H

#include "mine/names.h"

typedef struct dpl__growth_input {
    const dpl__comparable *corpus;
    const dpl__names *names; /* links that are always there */
    dpl__pair_list seeds;    /* best first */
    /* After each round; may be NULL. */
    void (*tell)(void *user, const dpl__matches *taken, size_t n_taken);
    void *user;
} dpl__growth_input;

/* Matches whose rows are documents, best first; the first *n_taken of them are those that the
 * growth ended with. */
dpl_status dpl__grow(dpl__matches *out, size_t *n_taken, const dpl__growth_input *in,
                     dpl_error *err);

#endif
