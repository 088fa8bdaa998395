/*
 * shared_confidence.h - the final confidence of the candidates of rounds, for which their
 * sentences are aligned.
 */
#ifndef DPL_MINE_SHARED_CONFIDENCE_H
#define DPL_MINE_SHARED_CONFIDENCE_H

#include "mine/rounds.h"

/* Estimates the confidence of rounds->found. The result is a kept file (io/kept_file.h),
 * work/confidence-N.dpl. */
dpl_status dpl__shared_confidence_estimate(dpl__rounds *rounds, const dpl__comparable *corpus,
                                           dpl_error *err);

#endif
