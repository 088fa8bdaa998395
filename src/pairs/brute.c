/*
 * brute.c - every left signature against every right one, on the context's device
 * (src/devices). Cost: one comparison per pair.
 */
#include "pairs/searches.h"

#include "devices/device.h"

static dpl_bit_rows rows_of(const dpl__bits *b)
{
    return (dpl_bit_rows){b->n_rows, b->n_words, b->words};
}

static dpl_within task_of(const dpl__bit_search *s)
{
    const uint64_t n_left = s->left->n_rows, n_right = s->right->n_rows;
    if (s->n_compared)
        *s->n_compared = s->is_self ? n_left * (n_left - (n_left > 0)) / 2 : n_left * n_right;
    return (dpl_within)DPL_INIT(
        dpl_within, .left = rows_of(s->left), .right = rows_of(s->right), .is_self = s->is_self,
        .cut = s->cuts->cut, .first_words = s->cuts->first_words,
        .first_cut = s->cuts->first_cut, .take = s->sink->take, .user = s->sink->user);
}

dpl_status dpl__brute(dpl_ctx *ctx, const dpl__bit_search *s, dpl_error *err)
{
    dpl_within task = task_of(s);
    return dpl__within(ctx, &task, err);
}

dpl_status dpl__brute_bytes(dpl_ctx *ctx, const dpl__bit_search *s, dpl_error *err)
{
    dpl_within task = task_of(s);
    task.first_words = task.first_cut = 0;
    return dpl__within_bytes(ctx, &task, err);
}
