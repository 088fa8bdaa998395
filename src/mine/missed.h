/*
 * missed.h - how many right pairs of single sentences are not among those that were found.
 *
 * A counterpart that scores lower than some other sentence is not the best of both sides, and
 * not among the pairs whose confidences are added up. How many there are follows from the lead
 * that right pairs have over their best competitor: its distribution is cut off where the lead
 * is negative, and what was cut off is the tail of the curve that fits the rest.
 */
#ifndef DPL_MINE_MISSED_H
#define DPL_MINE_MISSED_H

#include "mine/round.h"

/* Right pairs beside those that were found, whose confidence is set; 0 where there are too few
 * to tell. */
double dpl__missed_estimate(const dpl__doc_candidates *found);

#endif
