/*
 * model1.h - IBM Model 1 (Brown et al. 1993): which words translate each other, from how often
 * they stand in the same row; both directions at once.
 */
#ifndef DPL_SRC_MODEL1_H
#define DPL_SRC_MODEL1_H

#include "lexicon/train.h"

/* One iteration of expectation maximisation. log_p receives the log probability of the left
 * words given the right ones and vice versa: log_p[given side]. */
dpl_status dpl__model1_iterate(dpl__trainer *t, double log_p[2], dpl_error *err);

#endif
