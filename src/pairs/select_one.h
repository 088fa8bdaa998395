/*
 * select_one.h - one-to-one: every row in at most one pair.
 *
 * Both take pairs by rising left row, right rows rising among them, and append those selected
 * to `chosen` by rising left row.
 */
#ifndef DPL_PAIRS_SELECT_ONE_H
#define DPL_PAIRS_SELECT_ONE_H

#include "pairs/pair_spool.h"

/* The best pair first: by falling score, ties by left, then right row, as long as both rows
 * are free. pairs is used up. n_right 0: left and right rows are of one set. */
dpl_status dpl__select_greedily(dpl__spool *chosen, dpl__spool *pairs, uint32_t n_left,
                                uint32_t n_right, dpl_error *err);

/* The largest sum of scores, those rounded to millionths as they are printed. DPL_E_LIMIT when
 * the pairs do not fit into the context's memory. */
dpl_status dpl__select_optimally(dpl__spool *chosen, const dpl__spool *pairs, uint32_t n_left,
                                 uint32_t n_right, dpl_error *err);

#endif
