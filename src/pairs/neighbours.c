/*
 * neighbours.c - the k nearest of every row and column: choice of the method, lists to arrays.
 *
 * A method may have an operation of its own (the exact one, neighbours_exact.c); otherwise
 * every pair that it finds at the threshold is offered to both of its rows.
 */
#include "doppel/pairs.h"

#include "base/ctx.h"
#include "base/sized.h"
#include "pairs/method.h"
#include "pairs/neighbour_lists.h"

#include <math.h>

struct dpl_neighbours {
    dpl_ctx *ctx;
    dpl_neighbours_options options; /* with defaults */
    dpl_neighbours_summary summary;
    dpl_recall_check recall_check;
    bool is_self;
    dpl__sides sides;
    dpl__neighbour_lists lists;
    size_t n[2]; /* of: */
    dpl_scored_row *all[2];
};

/* ---- searching ---------------------------------------------------------------------- */

/* The method has an operation of its own. */
static dpl_status search_nearest(dpl_neighbours *s, const dpl__method *method, dpl_error *err)
{
    const dpl_neighbours_options *o = &s->options;
    dpl__spill spill;
    if (method->info.is_exact)
        s->recall_check =
            (dpl_recall_check){.is_exact = true, .recall = 1, .low = 1, .high = 1};
    DPL_TRY(dpl__spill_init(&spill, s->ctx, o->spill_dir ? o->spill_dir : "/tmp", err));
    dpl__nearest_search search = {&s->lists, &s->sides, o->threshold, &spill, 0};
    dpl_status status = method->nearest(&search, err);
    s->summary.n_scored = search.n_scored;
    dpl__spill_clear(&spill);
    return status;
}

/* All pairs that the method finds. */
static dpl_status search_pairs(dpl_neighbours *s, const dpl_pairs_side *left,
                               const dpl_pairs_side *right, dpl_error *err)
{
    const dpl_neighbours_options *o = &s->options;
    dpl_pairs_options search;
    DPL_TRY(DPL__TAKE(&search, o->search, err));
    search.method = o->method;
    search.threshold = o->threshold > 0 ? o->threshold : -1;
    search.select = DPL_SELECT_ALL;
    search.margin = 0;
    search.spill_dir = o->spill_dir;
    dpl_pairs *pairs;
    DPL_TRY(dpl_pairs_open(&pairs, s->ctx, left, right, &search, err));
    s->recall_check = *dpl_pairs_get_summary(pairs)->recall_check;
    s->summary.n_scored = dpl_pairs_get_summary(pairs)->n_candidates;
    dpl_pair pair;
    dpl_status status;
    while ((status = dpl_pairs_next(pairs, &pair, err)) == DPL_OK)
        dpl__neighbour_lists_add(&s->lists, &pair);
    dpl_pairs_close(pairs);
    return status == DPL_END ? DPL_OK : status;
}

/* ---- find and free ------------------------------------------------------------------ */

static dpl_status check_options(dpl_neighbours *s, const dpl_pairs_side *left,
                                const dpl_pairs_side *right, dpl_error *err)
{
    dpl_neighbours_options *o = &s->options;
    if (o->method == DPL_PAIRS_AUTO)
        o->method = DPL_PAIRS_EXACT;
    if (!dpl_pairs_method_name(o->method))
        return dpl__fail(err, DPL_E_USAGE, "no search method number %d", (int)o->method);
    o->k = o->k ? o->k : 8;
    if (!(o->threshold <= 1))
        return dpl__fail(err, DPL_E_USAGE, "threshold %g: not between 0 and 1", o->threshold);
    o->threshold = fmax(0, o->threshold);
    if (!left->vectors || (right && !right->vectors)) {
        dpl__fail(err, DPL_E_USAGE, "no vectors to take the true cosine from");
        return dpl__code(err, DPL_E_USAGE, "needs-vectors");
    }
    return DPL_OK;
}

/* Lists become arrays that a caller can read. */
static dpl_status make_arrays(dpl_neighbours *s, dpl_error *err)
{
    for (int side = 0; side < (s->is_self ? 1 : 2); side++) {
        uint32_t n_rows = s->lists.n_rows[side];
        s->n[side] = (size_t)n_rows * s->options.k;
        s->all[side] = dpl__alloc(s->ctx, (s->n[side] + 1) * sizeof *s->all[side]);
        if (!s->all[side])
            return dpl__fail_nomem(err);
        for (uint32_t row = 0; row < n_rows; row++)
            for (unsigned i = 0; i < s->options.k; i++)
                s->all[side][(size_t)row * s->options.k + i] =
                    dpl__neighbour_lists_get(&s->lists, side, row, i);
    }
    return DPL_OK;
}

static dpl_status find(dpl_neighbours *s, const dpl_pairs_side *left,
                       const dpl_pairs_side *right, dpl_error *err)
{
    double began = dpl__now();
    DPL_TRY(check_options(s, left, right, err));
    DPL_TRY(
        dpl__sides_init(&s->sides, s->ctx, left->vectors, right ? right->vectors : NULL, err));
    DPL_TRY(dpl__neighbour_lists_init(&s->lists, s->ctx, &s->sides, s->options.k,
                                      s->options.no_content_ties, err));
    const dpl__method *method = dpl__method_of(s->options.method);
    DPL_TRY(method->nearest ? search_nearest(s, method, err)
                            : search_pairs(s, left, right, err));
    DPL_TRY(make_arrays(s, err));
    dpl__neighbour_lists_clear(&s->lists);
    s->summary.method = s->options.method;
    s->summary.n_left = s->sides.left->sizes.n_rows;
    s->summary.n_right = s->sides.right->sizes.n_rows;
    s->summary.k = s->options.k;
    s->summary.threshold = s->options.threshold;
    s->summary.recall_check = &s->recall_check;
    s->summary.seconds = dpl__now() - began;
    return DPL_OK;
}

dpl_status dpl_neighbours_find(dpl_neighbours **out, dpl_ctx *ctx, const dpl_pairs_side *left,
                               const dpl_pairs_side *right,
                               const dpl_neighbours_options *options, dpl_error *err)
{
    *out = NULL;
    dpl_neighbours *s = dpl__calloc(ctx, 1, sizeof *s);
    if (!s)
        return dpl__fail_nomem(err);
    s->ctx = s->lists.ctx = ctx;
    s->is_self = !right;
    dpl_status status = DPL__TAKE(&s->options, options, err);
    if (status == DPL_OK)
        status = find(s, left, right, err);
    if (status == DPL_OK)
        *out = s;
    else
        dpl_neighbours_free(s);
    return status;
}

void dpl_neighbours_free(dpl_neighbours *s)
{
    if (!s)
        return;
    for (int side = 0; side < 2; side++)
        dpl__free(s->ctx, s->all[side], (s->n[side] + 1) * sizeof *s->all[side]);
    dpl__neighbour_lists_clear(&s->lists);
    dpl__sides_clear(&s->sides, s->ctx);
    dpl__free(s->ctx, s, sizeof *s);
}

/* ---- reading ------------------------------------------------------------------------ */

const dpl_scored_row *dpl_neighbours_of_left(const dpl_neighbours *s, uint32_t row)
{
    assert(row < s->summary.n_left);
    return s->all[DPL__SIDE_LEFT] + (size_t)row * s->options.k;
}

const dpl_scored_row *dpl_neighbours_of_right(const dpl_neighbours *s, uint32_t row)
{
    assert(row < s->summary.n_right);
    return s->all[s->is_self ? DPL__SIDE_LEFT : DPL__SIDE_RIGHT] + (size_t)row * s->options.k;
}

const dpl_neighbours_summary *dpl_neighbours_get_summary(const dpl_neighbours *s)
{
    return &s->summary;
}
