/*
 * match_groups.h - places where two documents match, grouped into passages.
 */
#ifndef DPL_REUSE_MATCH_GROUPS_H
#define DPL_REUSE_MATCH_GROUPS_H

#include "base/vec.h"

/* A place in the query and one in the source that match: words, or sentences. */
typedef struct dpl__match {
    uint32_t query, source;
    float weight;
} dpl__match;

/* Takes matches that are near each other on both sides; they are in no order. */
typedef dpl_status dpl__group_fn(void *user, dpl__match *matches, size_t n, dpl_error *err);

/* Divides matches at gaps of more than `gap` on the query's side, those at gaps of the
 * source's, and so on until there are no such gaps. Order on one side need not be that of the
 * other. Sorts the matches. */
dpl_status dpl__group_matches(dpl__match *matches, size_t n, uint32_t gap, dpl__group_fn *take,
                              void *user, dpl_error *err);

/* The least and the largest place of either side: query, source. */
void dpl__matches_range(const dpl__match *matches, size_t n, uint32_t low[2], uint32_t high[2]);

/* Share of the matches that are in one order on both sides: the longest rising chain of
 * sources, matches sorted by query. scratch has room for n. Sorts the matches. */
double dpl__matches_in_order(dpl__match *matches, size_t n, uint32_t *scratch);

#endif
