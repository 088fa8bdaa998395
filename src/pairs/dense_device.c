/*
 * dense_device.c - exact searches of dense rows on the context's device.
 *
 * The device computes the same sums as exact_dense.c, so results have the same bytes.
 */
#include "pairs/dense_cuts.h"

#include "base/ctx.h"
#include "devices/device.h"

#include <math.h>

typedef struct device_search {
    dpl__outlet outlet;
    double threshold;
    const dpl__dense_cuts *cuts;
} device_search;

static dpl_status take_dots(void *user, const dpl_dot_pair *pairs, size_t n, dpl_error *err)
{
    device_search *s = user;
    for (size_t i = 0; i < n; i++) {
        const dpl_pair pair = {pairs[i].left, pairs[i].right, pairs[i].dot};
        if (dpl__is_pair(pair.score, s->threshold) &&
            (!s->cuts || dpl__dense_cuts_has(s->cuts, &pair)))
            DPL_TRY(dpl__outlet_put(&s->outlet, pair, err));
    }
    return DPL_OK;
}

static dpl_number_rows numbers_of(const dpl_vectors *v)
{
    return (dpl_number_rows){v->dense.n_rows, v->dense.dim, v->dense.values};
}

/* The largest float that is not above the threshold. */
static float least_of(double threshold)
{
    const float least = (float)threshold;
    return (double)least > threshold ? nextafterf(least, -INFINITY) : least;
}

dpl_status dpl__dense_on_device(dpl_ctx *ctx, const dpl__join *f, const dpl__dense_cuts *cuts,
                                const dpl__pair_sink *sink, dpl_error *err)
{
    const bool is_self = f->sides->is_self;
    if (f->queries || (cuts && cuts->lists))
        return DPL_E_UNSUPPORTED;
    device_search s = {{.ctx = ctx, .sink = sink}, f->threshold, cuts};
    const dpl_number_rows left = numbers_of(f->sides->left);
    const float lowest = cuts ? dpl__dense_cuts_lowest(cuts, f->sides) : 0;
    dpl_dots_within task =
        DPL_INIT(dpl_dots_within, .left = left,
                 .right = is_self ? left : numbers_of(f->sides->right), .is_self = is_self,
                 .least = fmaxf(least_of(f->threshold), lowest), .take = take_dots, .user = &s);
    dpl_status status;
    DPL__STEP(dpl__dots_within(ctx, &task, err));
    DPL__STEP(dpl__outlet_flush(&s.outlet, err));
done:
    dpl__vec_clear(ctx, &s.outlet.pairs);
    return status;
}

/* What the device gave for the rows of a side. */
static void fill_lists(const dpl__nearest_search *s, int side, const dpl_dot_neighbour *found)
{
    dpl__neighbour_lists *l = s->lists;
    for (uint32_t row = 0; row < l->n_rows[side]; row++)
        for (unsigned i = 0; i < l->k; i++) {
            const dpl_dot_neighbour near = found[(size_t)row * l->k + i];
            if (near.row == DPL_NO_ROW || !dpl__is_pair(near.dot, s->threshold))
                break;
            dpl__neighbour_lists_offer(l, side, row, near.row, near.dot);
        }
}

dpl_status dpl__dense_nearest_on_device(const dpl__nearest_search *s, dpl_error *err)
{
    dpl__neighbour_lists *l = s->lists;
    const bool is_self = s->sides->is_self;
    if (l->ranks[0]) /* a device breaks ties by the number of the row */
        return DPL_E_UNSUPPORTED;
    const dpl_number_rows left = numbers_of(s->sides->left);
    dpl_dot_neighbour *found[2] = {NULL, NULL};
    dpl_status status = DPL_OK;
    for (int side = 0; side < (is_self ? 1 : 2); side++) {
        found[side] = dpl__alloc(l->ctx, ((size_t)l->n_rows[side] * l->k + 1) * sizeof **found);
        DPL__STEP(dpl__need(found[side], err));
    }
    dpl_dots_nearest task = DPL_INIT(dpl_dots_nearest, .left = left,
                                     .right = is_self ? left : numbers_of(s->sides->right),
                                     .is_self = is_self, .least = least_of(s->threshold),
                                     .n = l->k, .of_left = found[0], .of_right = found[1]);
    DPL__STEP(dpl__dots_nearest(l->ctx, &task, err));
    for (int side = 0; side < (is_self ? 1 : 2); side++)
        fill_lists(s, side, found[side]);
done:
    dpl__free(l->ctx, found[0], found[1]);
    return status;
}
