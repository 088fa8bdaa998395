/*
 * select_groups.h - rows of several groups, of which each selects for every other group: a row
 * and the group of its partner become a row of their own. Owned.
 */
#ifndef DPL_PAIRS_SELECT_GROUPS_H
#define DPL_PAIRS_SELECT_GROUPS_H

#include "base/vec.h"
#include "pairs/pair_spool.h"
#include "pairs/searches.h"

typedef struct dpl__grouped_rows {
    dpl_ctx *ctx;
    const uint32_t *group_of;
    uint32_t n_groups;
    DPL_VEC(dpl_pair) pairs; /* of one left row: that come, or that are given */
    size_t at;               /* given so far */
    dpl_pair ahead;          /* read, of the next left row */
    bool has_ahead;
} dpl__grouped_rows;

/* n_rows of both sides become those of rows and groups. DPL_E_LIMIT when these are too many. */
dpl_status dpl__grouped_rows_init(dpl__grouped_rows *g, uint32_t n_rows[2],
                                  const dpl__select_options *options, dpl_error *err);
void dpl__grouped_rows_clear(dpl__grouped_rows *g);
/* Hands pairs over in the order of a sink, whole left rows; the last one at the end. */
dpl_status dpl__grouped_rows_add(dpl__grouped_rows *g, const dpl_pair *pairs, size_t n,
                                 const dpl__pair_sink *sink, dpl_error *err);
dpl_status dpl__grouped_rows_end(dpl__grouped_rows *g, const dpl__pair_sink *sink,
                                 dpl_error *err);
/* What was selected, with the rows that it had, in the order of dpl_pairs_next. */
dpl_status dpl__grouped_rows_next(dpl__grouped_rows *g, dpl_pair *pair,
                                  dpl__pair_reader *reader, dpl_error *err);

#endif
