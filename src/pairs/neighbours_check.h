/*
 * neighbours_check.h - which share of the true k nearest was found, from a sample of rows.
 */
#ifndef DPL_PAIRS_NEIGHBOURS_CHECK_H
#define DPL_PAIRS_NEIGHBOURS_CHECK_H

#include "pairs/neighbour_lists.h"

/* Draws n rows of each side by the seed, searches them exactly, and compares their k nearest at
 * the threshold with what is in the lists. n_rows of *out counts the rows of both sides. */
dpl_status dpl__neighbours_check(dpl_recall_check *out, const dpl__nearest_search *s, size_t n,
                                 uint64_t seed, dpl_error *err);

#endif
