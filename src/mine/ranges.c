/*
 * ranges.c - maximal scoring segments of the beads of two documents.
 *
 * All segments that cannot be made better by adding or dropping beads at their ends, in one
 * pass: a new bead that counts for is a segment of its own, which is joined with those before
 * it as long as the sum of what lies between is less than what they have. Of these the best one
 * is kept and others with at least two kept beads: a single one far from all others is chance.
 * In documents with sections this is done for each run of beads between the beginnings of two
 * sections, of whichever document; there a single bead is enough in a run that matches as a
 * whole, such as a heading with one sentence. Cost: linear in the beads.
 */
#include "mine/ranges.h"

#include "base/ctx.h"
#include "mine/mine_params.h"
#include "mine/round.h"

void dpl__ranges_clear(dpl__ranges *r, dpl_ctx *ctx)
{
    dpl__vec_clear(ctx, &r->segments, &r->beads, &r->ranges);
}

static bool is_good(const dpl_bead *b)
{
    return b->verdict == DPL_VERDICT_KEPT || b->verdict == DPL_VERDICT_IDENTICAL;
}

/* Whether a section begins with the bead, on either side. */
static bool begins_section(const dpl_collection *const c[2], const dpl_aligned_docs *a,
                           const dpl_bead *b)
{
    return (b->n_left && dpl_collection_sentence(c[0], a->docs.left, a->units[0][b->left])
                             .is_section_start) ||
           (b->n_right && dpl_collection_sentence(c[1], a->docs.right, a->units[1][b->right])
                              .is_section_start);
}

/* Joins the last segment with those before it, down to number first, as long as that is more
 * than either. */
static void join(dpl__ranges *r, size_t first)
{
    while (r->segments.n > first + 1) {
        dpl__segment *last = &r->segments.data[r->segments.n - 1];
        size_t i = r->segments.n - 1;
        while (i > first && r->segments.data[i - 1].before >= last->before)
            i--;
        if (i == first || r->segments.data[i - 1].after >= last->after)
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

/* The run of beads with the segments from number first on has ended. */
static void end_run(dpl__ranges *r, size_t first, double sum)
{
    for (size_t i = first; i < r->segments.n; i++)
        r->segments.data[i].is_in_match = sum > 0;
}

static dpl_status find_segments(dpl__ranges *r, dpl_ctx *ctx, const dpl_collection *const c[2],
                                const dpl_aligned_docs *a, dpl_error *err)
{
    double sum = 0;
    size_t first = 0; /* segment of the run */
    bool has_sections = false;
    r->segments.n = 0;
    r->n_words[0] = r->n_words[1] = 0;
    for (size_t i = 0; i < a->n_beads; i++) {
        const dpl_bead *b = &a->beads[i];
        dpl__token_run sides[2];
        dpl__bead_tokens(sides, c, a, b);
        if (begins_section(c, a, b)) {
            end_run(r, first, sum);
            has_sections = true;
            first = r->segments.n;
            sum = 0;
        }
        double words = (double)(sides[0].n + sides[1].n), before = sum;
        r->n_words[0] += sides[0].n;
        r->n_words[1] += sides[1].n;
        sum += is_good(b) ? words : -words * DPL__P(mine, range_gap);
        if (!is_good(b) || words <= 0)
            continue;
        dpl__segment s = {
            .begin = i, .end = i + 1, .before = before, .after = sum, .n_kept = 1};
        DPL_TRY(dpl__need(dpl__vec_push(ctx, &r->segments, s), err));
        join(r, first);
    }
    end_run(r, first, has_sections ? sum : 0);
    return DPL_OK;
}

/* The best segment, and all that have enough beads or are in a section that matches. */
static void choose_segments(dpl__ranges *r)
{
    size_t best = 0, n = 0;
    for (size_t i = 1; i < r->segments.n; i++) {
        const dpl__segment *s = &r->segments.data[i], *t = &r->segments.data[best];
        if (s->after - s->before > t->after - t->before)
            best = i;
    }
    for (size_t i = 0; i < r->segments.n; i++)
        if (i == best || r->segments.data[i].is_in_match ||
            r->segments.data[i].n_kept >= (size_t)DPL__P(mine, range_beads))
            r->segments.data[n++] = r->segments.data[i];
    r->segments.n = n;
}

static dpl_status add_range(dpl__ranges *r, dpl_ctx *ctx, const dpl_collection *const c[2],
                            const dpl_aligned_docs *a, const dpl__segment *s, dpl_error *err)
{
    const dpl_bead *first = &a->beads[s->begin], *last = &a->beads[s->end - 1];
    dpl_mine_range range = {.left = a->units[0][first->left],
                            .right = a->units[1][first->right]};
    range.n_left = a->units[0][last->left + last->n_left] - range.left;
    range.n_right = a->units[1][last->right + last->n_right] - range.right;
    for (size_t i = s->begin; i < s->end; i++) {
        dpl__token_run sides[2];
        dpl__bead_tokens(sides, c, a, &a->beads[i]);
        r->n_parallel[0] += sides[0].n;
        r->n_parallel[1] += sides[1].n;
    }
    return dpl__need(dpl__vec_push(ctx, &r->ranges, range), err);
}

static dpl_status measure(dpl__ranges *r, dpl_ctx *ctx, const dpl_collection *const c[2],
                          const dpl_aligned_docs *a, dpl_error *err)
{
    r->beads.n = r->ranges.n = r->n_parallel[0] = r->n_parallel[1] = 0;
    r->n_outside = 0;
    DPL_TRY(find_segments(r, ctx, c, a, err));
    choose_segments(r);
    for (size_t i = 0; i < r->segments.n; i++)
        DPL_TRY(add_range(r, ctx, c, a, &r->segments.data[i], err));
    for (int side = 0; side < 2; side++)
        r->share[side] =
            r->n_words[side] ? (double)r->n_parallel[side] / (double)r->n_words[side] : 0;
    return DPL_OK;
}

dpl_status dpl__ranges_find(dpl__ranges *r, dpl_ctx *ctx, const dpl_collection *const c[2],
                            const dpl_aligned_docs *a, dpl_error *err)
{
    DPL_TRY(measure(r, ctx, c, a, err));
    for (size_t i = 0; i < r->segments.n; i++) {
        const dpl__segment *s = &r->segments.data[i];
        DPL_TRY(dpl__need(
            dpl__vec_append(ctx, &r->beads, a->beads + s->begin, s->end - s->begin), err));
    }
    return DPL_OK;
}

dpl_status dpl__ranges_mark(dpl__ranges *r, dpl_ctx *ctx, const dpl_collection *const c[2],
                            const dpl_aligned_docs *a, dpl_error *err)
{
    DPL_TRY(measure(r, ctx, c, a, err));
    DPL_TRY(dpl__need(dpl__vec_append(ctx, &r->beads, a->beads, a->n_beads), err));
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
