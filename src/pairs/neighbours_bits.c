/*
 * neighbours_bits.c - the k nearest of every row and column from signatures of bits.
 *
 * In: signatures of both sides, and the rows. Out: lists. All signatures are compared on the
 * context's device (dpl_best), or those that a window search brings together; pairs within the
 * cuts of their rows are scored, and cuts follow the lists (rising.h).
 *
 * Cost: the comparisons, and a score for each pair within a cut. That is few where the k
 * nearest are far nearer than any two rows; where they are not, signatures cannot tell them
 * from others, and the exact method is faster.
 */
#include "pairs/rising.h"

#include "base/ctx.h"
#include "devices/device.h"

static dpl_status begin(dpl__rising **out, dpl__score_cuts *cuts, dpl__nearest_search *s,
                        dpl_error *err)
{
    dpl__score_cuts_of(cuts, s->sign->method, s->n, s->recall);
    return dpl__rising_new(out, s->lists, s->sides, s->threshold, cuts, err);
}

static void end(dpl__rising *r, dpl__nearest_search *s)
{
    s->n_scored = dpl__rising_scored(r);
    dpl__rising_free(r);
}

dpl_status dpl__neighbours_brute(dpl__nearest_search *s, dpl_error *err)
{
    dpl_ctx *ctx = s->lists->ctx;
    const uint64_t n_left = s->left->n_rows, n_right = s->right->n_rows;
    dpl__score_cuts cuts;
    dpl__rising *rising = NULL;
    DPL_TRY(begin(&rising, &cuts, s, err));
    /* A device gives away what it found on the caller's thread. */
    const dpl_device_table *device = dpl__device_of(ctx);
    bool is_cpu = s->sign->has_products || device == &dpl__cpu_device || !device->best;
    dpl_best task = DPL_INIT(dpl_best, .left = dpl__bit_rows_of(s->left),
                             .right = dpl__bit_rows_of(s->right), .is_self = s->sides->is_self,
                             .read_cuts = dpl__rising_read,
                             .take = is_cpu ? dpl__rising_take : dpl__rising_take_all,
                             .n_workers = ctx->n_threads, .user = rising);
    dpl_status status = (s->sign->has_products ? dpl__best_bytes : dpl__best)(ctx, &task, err);
    s->n_compared = dpl__count_pairs(n_left, n_right, s->sides->is_self);
    end(rising, s);
    return status;
}

dpl_status dpl__neighbours_window(dpl__nearest_search *s, dpl_error *err)
{
    dpl__score_cuts cuts;
    dpl__rising *rising = NULL;
    DPL_TRY(begin(&rising, &cuts, s, err));
    dpl__cuts first = {.cut = dpl__score_cut(&cuts, s->threshold)};
    dpl__bit_search search = {.left = s->left,
                              .right = s->right,
                              .is_self = s->sides->is_self,
                              .cuts = &first,
                              .n_compared = &s->n_compared,
                              .rising = rising};
    dpl_status status = dpl__window_search(s->lists->ctx, &search, &s->window,
                                           s->lists->ctx->seed, s->spill, err);
    end(rising, s);
    return status;
}
