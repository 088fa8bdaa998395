/*
 * brute.c - every left signature against every right one, on the context's device
 * (src/devices). Cost: one comparison per pair; of the nearest, 8 bytes for each place of a
 * list.
 */
#include "pairs/searches.h"

#include "base/ctx.h"
#include "base/order.h"
#include "base/vec.h"
#include "devices/device.h"

static void count_compared(const dpl__bit_search *s)
{
    if (s->n_compared)
        *s->n_compared = dpl__count_pairs(s->left->n_rows, s->right->n_rows, s->is_self);
}

static dpl_within task_of(const dpl__bit_search *s)
{
    count_compared(s);
    return (dpl_within)DPL_INIT(
        dpl_within, .left = dpl__bit_rows_of(s->left), .right = dpl__bit_rows_of(s->right),
        .is_self = s->is_self, .cut = s->cuts->cut, .first_words = s->cuts->first_words,
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

/* ---- the nearest ---------------------------------------------------------------------- */

typedef DPL_VEC(dpl__candidate) candidates;

DPL__ORDER(by_rows, dpl__candidate, DPL__RISING(left) DPL__RISING(right))

static dpl_status list_pairs(candidates *out, dpl_ctx *ctx, const dpl_nearest *t, int side,
                             dpl_error *err)
{
    const dpl_neighbour *lists = side ? t->of_right : t->of_left;
    const size_t n = lists ? (size_t)t->n * (side ? t->right : t->left).n_rows : 0;
    for (size_t i = 0; i < n; i++) {
        const uint32_t row = (uint32_t)(i / t->n), near = lists[i].row;
        const bool is_turned = side || (t->is_self && near < row);
        const dpl__candidate pair = {is_turned ? near : row, is_turned ? row : near,
                                     lists[i].distance};
        if (near != DPL_NO_ROW)
            DPL_TRY(dpl__need(dpl__vec_push(ctx, out, pair), err));
    }
    return DPL_OK;
}

dpl_status dpl__brute_best(dpl_ctx *ctx, const dpl__bit_search *s, unsigned n, bool has_right,
                           dpl_error *err)
{
    dpl_neighbour *lists[2] = {NULL, NULL};
    dpl_nearest task = DPL_INIT(dpl_nearest, .left = dpl__bit_rows_of(s->left),
                                .right = dpl__bit_rows_of(s->right), .is_self = s->is_self,
                                .cut = s->cuts->cut, .n = n);
    candidates found = {0};
    dpl_status status = DPL_OK;
    for (int side = 0; side < (has_right && !s->is_self ? 2 : 1); side++) {
        const size_t n_places = (size_t)n * (side ? task.right : task.left).n_rows;
        lists[side] = dpl__alloc(ctx, (n_places + 1) * sizeof **lists);
        DPL__STEP(dpl__need(lists[side], err));
    }
    task.of_left = lists[0];
    task.of_right = lists[1];
    DPL__STEP(dpl__nearest(ctx, &task, err));
    count_compared(s);
    DPL__STEP(list_pairs(&found, ctx, &task, 0, err));
    DPL__STEP(list_pairs(&found, ctx, &task, 1, err));
    dpl__vec_sort(&found, by_rows);
    dpl__vec_distinct(&found, by_rows);
    DPL__STEP(s->sink->take(s->sink->user, found.data, found.n, err));
done:
    dpl__vec_clear(ctx, &found);
    dpl__free(ctx, lists[0], lists[1]);
    return status;
}
