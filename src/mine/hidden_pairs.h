/*
 * hidden_pairs.h - do pairs come back when they are hidden from the learning?
 *
 * Half of the pairs teach a lexicon, which searches for the other half, and the other way
 * round. Right pairs come back. Pairs that are only in the lexicon because it was trained on
 * them do not: of unrelated sides, rounds that grow from a few chance pairs know these by
 * heart, and are sure of them. The share that does not come back also says what was missed:
 * sentences that were never found are harder than those that were, by about the same factor in
 * every collection (run_estimates.c). After strict rounds the confidence of what comes back is
 * that of a lexicon which did not see it, among the pairs and decoys of its half: news
 * sentences of which 1 to 5 % have a counterpart are .29 to .82 right, by their own lexicon .77
 * to .88, by that of the others .34 to .58.
 */
#ifndef DPL_MINE_HIDDEN_PAIRS_H
#define DPL_MINE_HIDDEN_PAIRS_H

#include "mine/rounds.h"

/* Hides pairs of the rounds that are more likely right than wrong, and searches for them. Uses
 * the state of the unit. */
dpl_status dpl__hidden_pairs_search(dpl__hidden_pairs *out, const dpl__rounds *rounds,
                                    const dpl__comparable *corpus, dpl_error *err);

/* The same after strict rounds, and each candidate gets the confidence of a lexicon that did
 * not see it; 0: it is no best match then. With a given lexicon half of the pairs teach as much
 * as all. */
dpl_status dpl__hidden_pairs_judge(dpl__rounds *rounds, const dpl__comparable *corpus,
                                   dpl_error *err);

/* Whether a lexicon knows the pairs of strict rounds by heart, as it does those of unrelated
 * sides. */
bool dpl__knows_by_heart(const dpl__hidden_pairs *hidden);

#endif
