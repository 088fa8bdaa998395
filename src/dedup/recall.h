/*
 * recall.h - which share of the true pairs the clusters join, from a sample.
 */
#ifndef DPL_DEDUP_RECALL_H
#define DPL_DEDUP_RECALL_H

#include "dedup/set_search.h"

/* Compares n rows, drawn by the seed and their contents, with all others, exactly: of their
 * pairs at or above q->least, those count as found whose rows have the same root. */
dpl_status dpl__set_recall(dpl_recall_check *out, const dpl__set_query *q, const uint32_t *root,
                           bool only_against, size_t n, dpl_error *err);

#endif
