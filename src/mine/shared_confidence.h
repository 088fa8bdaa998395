/*
 * shared_confidence.h - the final confidence of the candidates of rounds, for which their
 * sentences are aligned.
 */
#ifndef DPL_MINE_SHARED_CONFIDENCE_H
#define DPL_MINE_SHARED_CONFIDENCE_H

#include "mine/rounds.h"

/* Of rounds->found: work/confidence-N.dpl, which is kept (io/kept_file.h). */
dpl_status dpl__shared_confidence_estimate(dpl__rounds *rounds, const dpl__comparable *corpus,
                                           dpl_error *err);

#endif
