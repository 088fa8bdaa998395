/*
 * shared_confidence.h - the final confidence of the candidates of rounds, of which processes
 * that work on one run share the alignment.
 */
#ifndef DPL_MINE_SHARED_CONFIDENCE_H
#define DPL_MINE_SHARED_CONFIDENCE_H

#include "mine/rounds.h"

/* Of rounds->found, by one process where several work on the run: the others help, and take the
 * result. */
dpl_status dpl__shared_confidence_estimate(dpl__rounds *rounds, const dpl__comparable *corpus,
                                           dpl_error *err);

#endif
