/*
 * hidden_pairs.h - do pairs come back when they are hidden from the learning?
 *
 * Half of the pairs teach a lexicon, which searches for the other half, and the other way
 * round. Right pairs come back. Pairs that are only in the lexicon because it was trained on
 * them do not: of unrelated sides, rounds that grow from a few chance pairs know these by
 * heart, and are sure of them.
 */
#ifndef DPL_MINE_HIDDEN_PAIRS_H
#define DPL_MINE_HIDDEN_PAIRS_H

#include "mine/rounds.h"

typedef struct dpl__hidden_pairs {
    double n_hidden; /* pairs; 0: the collection is too large */
    double n_back;   /* of these, best matches of both sides again */
} dpl__hidden_pairs;

/* pairs: of the rounds, of a unit that is not aligned, in the order of left documents. The
 * state of the unit is used. */
dpl_status dpl__hidden_pairs_search(dpl__hidden_pairs *out, const dpl__rounds *rounds,
                                    const dpl__comparable *corpus,
                                    const dpl__doc_candidate_vec *pairs, dpl_error *err);

/* The share of the pairs of single sentences that come back, of those that are learnt from. */
dpl_status dpl__hidden_pairs_share(double *out, const dpl__rounds *rounds,
                                   const dpl__comparable *corpus, dpl_error *err);

#endif
