/*
 * final_features.h - the final confidence: pairs by all there is to know about them.
 */
#ifndef DPL_MINE_FINAL_FEATURES_H
#define DPL_MINE_FINAL_FEATURES_H

#include "mine/pair_beads.h"

/* Confidence of the pairs, now also by their sentences, aligned with the lexicon of the input,
 * which was learnt from the pairs given; beads: with that lexicon. */
dpl_status dpl__estimate_final_confidence(dpl__doc_candidates *found,
                                          const dpl__round_input *in, dpl__pair_list learnt,
                                          dpl__pair_beads *beads, dpl_error *err);

/* Into how many folds pairs that taught the lexicon are divided, each judged by a lexicon of
 * the others; 1: one lexicon serves all. More than pairs, so that two in one fold are rare,
 * unless pairs are so long that the others teach enough. alone: share of documents without a
 * pair. */
unsigned dpl__count_folds(double alone, size_t n_pairs, double n_words);
/* Whether pairs that one lexicon judged may have to be judged by lexicons of others, too: they
 * are in doubt, and those that taught it may look better than right ones that did not. Fixed
 * weights of few pairs know that. */
bool dpl__may_be_overfit(const dpl__doc_candidates *judged, size_t n_learnt, double n_words);

/* In beads that were kept. */
dpl__aligned_share dpl__share_aligned(const dpl__comparable *corpus,
                                      const dpl_aligned_docs *docs);

#endif
