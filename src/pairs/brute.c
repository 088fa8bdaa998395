/*
 * brute.c - every left signature against every right one, on the context's device
 * (src/backend). Cost: one comparison per pair.
 */
#include "pairs/search.h"

#include "backend/device.h"

static dpl_bit_rows rows_of(const dpl__bits *b)
{
    return (dpl_bit_rows){b->n_rows, b->n_words, b->words};
}

dpl_status dpl__brute(dpl_ctx *ctx, const dpl__bits *left, const dpl__bits *right, bool is_self,
                      const dpl__cuts *cuts, const dpl__candidate_sink *sink,
                      uint64_t *n_compared, dpl_error *err)
{
    const uint64_t n_left = left->n_rows, n_right = right->n_rows;
    if (n_compared)
        *n_compared = is_self ? n_left * (n_left - (n_left > 0)) / 2 : n_left * n_right;
    dpl_within task =
        DPL_INIT(dpl_within, .left = rows_of(left), .right = rows_of(right), .is_self = is_self,
                 .cut = cuts->cut, .first_words = cuts->first_words,
                 .first_cut = cuts->first_cut, .take = sink->take, .user = sink->user);
    return dpl__within(ctx, &task, err);
}
