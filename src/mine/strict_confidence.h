/*
 * strict_confidence.h - the confidence of single sentences of which few have a counterpart.
 */
#ifndef DPL_MINE_STRICT_CONFIDENCE_H
#define DPL_MINE_STRICT_CONFIDENCE_H

#include "mine/round.h"

/* Confidence of the pairs, the share of documents without counterpart and the least confidence
 * that is learnt from take the place of others. The pairs were found in one turn; their rows
 * are those of v. */
dpl_status dpl__estimate_strictly(dpl__doc_candidates *found, const dpl__round_input *in,
                                  const dpl__neighbours *c, dpl_vectors *const v[2],
                                  dpl_error *err);

#endif
