/*
 * model1.h - IBM Model 1 (Brown et al. 1993): which words translate each other, from how often
 * they are in the same row; both directions at once.
 */
#ifndef DPL_LEXICON_MODEL1_H
#define DPL_LEXICON_MODEL1_H

#include "lexicon/train_model.h"

/* The first half of an iteration: counts into the trainer's tallies and empty, which are zero
 * at first. log_p[side] receives the log probability of the other side's words given the
 * side's. */
dpl_status dpl__model1_expect(dpl__trainer *t, double log_p[2], dpl_error *err);

#endif
