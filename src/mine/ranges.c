/*
 * ranges.c - maximal scoring segments of the beads of two documents.
 *
 * All segments that cannot be made better by adding or dropping beads at their ends, in one
 * pass: a new bead that counts for is a segment of its own, which is joined with those before
 * it as long as the sum of what lies between is less than what they have. Of these the best one
 * is kept and others with at least two kept beads: a single one far from all others is chance.
 * Cost: linear in the beads.
 */
#include "mine/ranges.h"

#include "base/ctx.h"
#include "mine/params.h"
#include "mine/round.h"

void dpl__ranges_clear(dpl__ranges *r, dpl_ctx *ctx)
{
    dpl__vec_clear(ctx, &r->segments);
    dpl__vec_clear(ctx, &r->beads);
    dpl__vec_clear(ctx, &r->ranges);
}

static bool is_good(const dpl_bead *b)
{
    return b->verdict == DPL_VERDICT_KEPT || b->verdict == DPL_VERDICT_IDENTICAL;
}

/* Joins the last segment with those before it, as long as that is more than either. */
static void join(dpl__ranges *r)
{
    while (r->segments.n > 1) {
        dpl__segment *last = &r->segments.data[r->segments.n - 1];
        size_t i = r->segments.n - 1;
        while (i > 0 && r->segments.data[i - 1].before >= last->before)
            i--;
        if (i == 0 || r->segments.data[i - 1].after >= last->after)
            return;
        dpl__segment joined = r->segments.data[i - 1];
        for (size_t k = i; k < r->segments.n; k++)
            joined.n_kept += r->segments.data[k].n_kept;
        joined.end = last->end;
        joined.after = last->after;
        r->segments.n = i;
        r->segments.data[i - 1] = joined;
    }
}

static dpl_status find_segments(dpl__ranges *r, dpl_ctx *ctx, const dpl_collection *const c[2],
                                const dpl_aligned_docs *a, size_t n_words[2], dpl_error *err)
{
    double sum = 0;
    r->segments.n = 0;
    n_words[0] = n_words[1] = 0;
    for (size_t i = 0; i < a->n_beads; i++) {
        const dpl_bead *b = &a->beads[i];
        dpl__token_run sides[2];
        dpl__bead_tokens(sides, c, a, b);
        double words = (double)(sides[0].n + sides[1].n), before = sum;
        n_words[0] += sides[0].n;
        n_words[1] += sides[1].n;
        sum += is_good(b) ? words : -words * DPL__P(mine, range_gap);
        if (!is_good(b) || words <= 0)
            continue;
        dpl__segment s = {
            .begin = i, .end = i + 1, .before = before, .after = sum, .n_kept = 1};
        if (!dpl__vec_push(ctx, &r->segments, s))
            return dpl__fail_nomem(err);
        join(r);
    }
    return DPL_OK;
}

/* The best segment, and all that have enough beads. */
static void choose_segments(dpl__ranges *r)
{
    size_t best = 0, n = 0;
    for (size_t i = 1; i < r->segments.n; i++) {
        const dpl__segment *s = &r->segments.data[i], *t = &r->segments.data[best];
        if (s->after - s->before > t->after - t->before)
            best = i;
    }
    for (size_t i = 0; i < r->segments.n; i++)
        if (i == best || r->segments.data[i].n_kept >= (size_t)DPL__P(mine, range_beads))
            r->segments.data[n++] = r->segments.data[i];
    r->segments.n = n;
}

static dpl_status add_range(dpl__ranges *r, dpl_ctx *ctx, const dpl_collection *const c[2],
                            const dpl_aligned_docs *a, const dpl__segment *s, size_t words[2],
                            dpl_error *err)
{
    const dpl_bead *first = &a->beads[s->begin], *last = &a->beads[s->end - 1];
    dpl_mine_range range = {.left = a->units[0][first->left],
                            .right = a->units[1][first->right]};
    range.n_left = a->units[0][last->left + last->n_left] - range.left;
    range.n_right = a->units[1][last->right + last->n_right] - range.right;
    for (size_t i = s->begin; i < s->end; i++) {
        dpl__token_run sides[2];
        dpl__bead_tokens(sides, c, a, &a->beads[i]);
        words[0] += sides[0].n;
        words[1] += sides[1].n;
    }
    return dpl__vec_push(ctx, &r->ranges, range) ? DPL_OK : dpl__fail_nomem(err);
}

static dpl_status measure(dpl__ranges *r, dpl_ctx *ctx, const dpl_collection *const c[2],
                          const dpl_aligned_docs *a, dpl_error *err)
{
    size_t all[2], covered[2] = {0, 0};
    r->beads.n = r->ranges.n = 0;
    r->n_outside = 0;
    DPL_TRY(find_segments(r, ctx, c, a, all, err));
    choose_segments(r);
    for (size_t i = 0; i < r->segments.n; i++)
        DPL_TRY(add_range(r, ctx, c, a, &r->segments.data[i], covered, err));
    for (int side = 0; side < 2; side++)
        r->share[side] = all[side] ? (double)covered[side] / (double)all[side] : 0;
    return DPL_OK;
}

dpl_status dpl__ranges_find(dpl__ranges *r, dpl_ctx *ctx, const dpl_collection *const c[2],
                            const dpl_aligned_docs *a, dpl_error *err)
{
    DPL_TRY(measure(r, ctx, c, a, err));
    for (size_t i = 0; i < r->segments.n; i++) {
        const dpl__segment *s = &r->segments.data[i];
        if (!dpl__vec_append(ctx, &r->beads, a->beads + s->begin, s->end - s->begin))
            return dpl__fail_nomem(err);
    }
    return DPL_OK;
}

dpl_status dpl__ranges_mark(dpl__ranges *r, dpl_ctx *ctx, const dpl_collection *const c[2],
                            const dpl_aligned_docs *a, dpl_error *err)
{
    DPL_TRY(measure(r, ctx, c, a, err));
    if (!dpl__vec_append(ctx, &r->beads, a->beads, a->n_beads))
        return dpl__fail_nomem(err);
    size_t s = 0;
    for (size_t i = 0; i < a->n_beads; i++) {
        while (s < r->segments.n && r->segments.data[s].end <= i)
            s++;
        bool is_in = s < r->segments.n && i >= r->segments.data[s].begin;
        if (is_in || r->beads.data[i].verdict != DPL_VERDICT_KEPT)
            continue;
        r->beads.data[i].verdict = DPL_VERDICT_OUTSIDE;
        r->n_outside++;
    }
    return DPL_OK;
}
