/*
 * final_features.h - the final confidence: pairs by all there is to know about them.
 */
#ifndef DPL_MINE_FINAL_FEATURES_H
#define DPL_MINE_FINAL_FEATURES_H

#include "mine/round.h"

/* Confidence of the pairs, now also by their sentences, aligned with the lexicon of the input,
 * which was learnt from the pairs given. */
dpl_status dpl__estimate_final_confidence(dpl__doc_candidates *found,
                                          const dpl__round_input *in, dpl__pair_list learnt,
                                          dpl_error *err);

/* Share of both texts in beads that were kept, 0 to 1. */
double dpl__share_aligned(const dpl__comparable *corpus, const dpl_aligned_docs *docs);

#endif
