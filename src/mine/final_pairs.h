/*
 * final_pairs.h - the pairs that are likely enough, with what their confidences say about them.
 */
#ifndef DPL_MINE_FINAL_PAIRS_H
#define DPL_MINE_FINAL_PAIRS_H

#include "mine/rounds.h"
#include "mine/run_estimates.h"

/* Owned until it is selected, then frozen. Zeroed memory may be cleared. */
typedef struct dpl__final_pairs {
    dpl__doc_candidates
        found;           /* whose pairs are the final ones, in the order of left documents */
    dpl__doc_pairs docs; /* their documents */
    dpl__histogram confidence; /* of all candidates */
    uint32_t *copy_of[2];      /* of each document (copy_choice.h); NULL: there are no copies */
    dpl__estimates estimates;
    bool is_chance;      /* there were pairs, but unrelated sides give as many */
    double least;        /* confidence of the pairs; above 1: there are none */
    const char *why_cut; /* why that is not what was asked for; NULL: it is */
    double back; /* share of sentence pairs that come back when hidden (hidden_pairs.h) */
} dpl__final_pairs;

/* Whether unrelated documents give as many pairs, that are aligned as well. */
bool dpl__are_chance(const dpl__doc_candidates *found, double n_pairs);

/* Candidates of the rounds, near-copies exchanged, pairs that people judged put in. */
dpl_status dpl__final_pairs_select(dpl__final_pairs *out, dpl__rounds *rounds,
                                   const dpl__comparable *corpus, dpl_error *err);
/* None, with a histogram. */
void dpl__final_pairs_empty(dpl__final_pairs *out);
void dpl__final_pairs_clear(dpl__final_pairs *final, const dpl__comparable *corpus);

#endif
