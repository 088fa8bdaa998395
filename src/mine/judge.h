/*
 * judge.h - the last judgement: pairs by all there is to know about them.
 */
#ifndef DPL_SRC_JUDGE_H
#define DPL_SRC_JUDGE_H

#include "mine/round.h"

/* Confidence of the pairs, now also by their sentences, aligned with the last lexicon. */
dpl_status dpl__judge(dpl__found *found, const dpl__piles *piles, const dpl_lexicon *lexicon,
                      dpl_error *err);

#endif
