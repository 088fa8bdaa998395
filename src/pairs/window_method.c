/*
 * window_method.c - the row of the window search in the table of methods.
 *
 * The plan has rows over a grid of tables (Q) and windows (B) with, for each B, the least Q
 * that reaches the recall. More tables and a looser distance cut are two ways to reach it: of
 * the loss that it allows, the cut gets the share with which the fastest window is fastest.
 */
#include "pairs/pairs_run.h"

#include "base/ctx.h"

#include <math.h>

static const double cut_losses[] = {0.1, 0.25, 0.5}; /* shares of the loss for the cut */
static const double most_relative = 2; /* costlier rows are left out of the grid */
static const double hit_ns = 100; /* a pair that a table finds: kept, sorted, found again */

/* ---- the plan ----------------------------------------------------------------------- */

/* p->pass is that of the cuts. */
static dpl_plan_row window_row(const dpl__planner *p, size_t window, unsigned n_tables,
                               const dpl__cuts *cuts)
{
    double hits, size = p->windows[window], q = n_tables;
    const double compared = dpl__window_pairs(p->n_left, p->is_self ? 0 : p->n_right, size);
    unsigned low, high;
    dpl__paper_prefix(&low, &high, p->n_rows, size);
    dpl_plan_row row = {.method = DPL_PAIRS_WINDOW,
                        .n_tables = n_tables,
                        .width = (unsigned)size,
                        .comparisons = q * compared,
                        .paper_low = dpl__paper_tables(p->o.threshold, high, q),
                        .paper_high = dpl__paper_tables(p->o.threshold, low, q),
                        .paper_cut = dpl__paper_cut(p->o.threshold, p->o.length, low),
                        .recall = dpl__predict_recall(&p->prediction, p->pass, window, q),
                        .cut = cuts->cut,
                        .first_bits = 64 * cuts->first_words,
                        .first_cut = cuts->first_cut};
    double sorting = q * p->n_rows * p->speeds.permute_ns;
    double through = dpl__predict_through(&p->prediction, cuts->cut, window, q, &hits);
    row.candidates = dpl__planner_candidates(p, through, row.recall);
    row.relative = dpl__planner_relative(p, row.comparisons + sorting / p->speeds.compare_ns);
    row.seconds = dpl__planner_seconds(
        p, dpl__planner_sample_ns(p) + dpl__planner_tables_ns(p) + dpl__planner_sign_ns(p) +
               sorting + row.comparisons * dpl__planner_compare_ns(p, cuts, true) +
               hits * p->n_pairs * hit_ns + row.candidates * dpl__planner_candidate_ns(p));
    row.bytes = dpl__planner_signature_bytes(p) + 16 * p->n_rows; /* what is found is spilled */
    return row;
}

/* Seconds of the fastest window that reaches the recall with these cuts; fills in p->pass. */
static double fastest_window(dpl__planner *p, const dpl__cuts *cuts)
{
    double best = INFINITY;
    dpl__predict_pass(p->pass, &p->prediction, cuts);
    for (size_t w = 0; w < p->n_windows; w++) {
        unsigned n = p->o.tables;
        if (!n)
            n = dpl__predict_tables(&p->prediction, p->pass, w, p->o.recall);
        if (n)
            best = fmin(best, window_row(p, w, n, cuts).seconds);
    }
    return best;
}

static dpl__cuts choose_window_cuts(dpl__planner *p)
{
    if (p->o.nearest) /* of a typical row */
        return (dpl__cuts){.cut = p->near.cut};
    dpl__cuts best = {0};
    double best_seconds = INFINITY, loss = 1 - p->o.recall;
    for (size_t i = 0; i < DPL_LEN(cut_losses); i++)
        for (int has_first = 0; has_first < 2; has_first++) {
            dpl__cuts cuts = dpl__planner_cuts(
                p, loss * (cut_losses[i] + has_first * dpl__planner_first_loss()), has_first,
                true);
            double s = fastest_window(p, &cuts);
            if (s < best_seconds || (i == 0 && !has_first)) {
                best = cuts;
                best_seconds = s;
            }
        }
    return best;
}

/* By Q, then B; the least Q that reaches the recall stands where it belongs. */
static int by_tables(const dpl_plan_row *a, const dpl_plan_row *b)
{
    if (a->n_tables != b->n_tables)
        return a->n_tables < b->n_tables ? -1 : 1;
    return (a->width > b->width) - (a->width < b->width);
}

static void put_in_order(dpl__planner *p, size_t first, dpl_plan_row row)
{
    for (size_t i = first; i < p->plan->rows.n; i++)
        if (by_tables(&p->plan->rows.data[i], &row) == 0)
            return;
    dpl__planner_put(p, row);
    dpl_plan_row *rows = p->plan->rows.data;
    for (size_t i = p->has_no_memory ? 0 : p->plan->rows.n - 1; i > first; i--) {
        dpl_plan_row *a = &rows[i - 1], *b = &rows[i], swap = *a;
        if (by_tables(a, b) < 0)
            break;
        *a = *b;
        *b = swap;
    }
}

static void plan(dpl__planner *p)
{
    static const unsigned tables[] = {10, 30, 100, 300, 1000};
    if (p->n_windows == 0)
        return;
    dpl__cuts cuts = choose_window_cuts(p);
    dpl__predict_pass(p->pass, &p->prediction, &cuts);
    size_t first = p->plan->rows.n;
    for (size_t w = 0; w < p->n_windows; w++) {
        unsigned n = p->o.tables;
        if (n) {
            put_in_order(p, first, window_row(p, w, n, &cuts));
            continue;
        }
        for (size_t i = 0; i < DPL_LEN(tables); i++) {
            dpl_plan_row row = window_row(p, w, tables[i], &cuts);
            if (row.relative <= most_relative || p->o.width)
                put_in_order(p, first, row);
        }
        n = dpl__predict_tables(&p->prediction, p->pass, w, p->o.recall);
        if (n)
            put_in_order(p, first, window_row(p, w, n, &cuts));
    }
}

/* ---- the search --------------------------------------------------------------------- */

static void say_name(dpl__text *t, const dpl_plan_row *row)
{
    dpl__say(t, "a window of B = %u in Q = %u tables", row->width, row->n_tables);
}

static void say_work(dpl__text *t, const dpl_plan_row *row, double n_pairs)
{
    dpl__say(t, " makes %.3g comparisons, %.3g %% of brute force's, in ", row->comparisons,
             100 * row->comparisons / n_pairs);
}

static dpl_status prepare(dpl__search *s, dpl_error *err)
{
    dpl_pairs_options *o = s->options;
    uint64_t n_table = (uint64_t)s->left->n_rows + (s->is_self ? 0 : s->right->n_rows);
    if (o->chunk == 0) {
        uint64_t n_fit = s->ctx->memory / 8 / (8 * (uint64_t)s->left->n_words + 16);
        o->chunk = dpl__max(2 * (uint64_t)o->width, dpl__min(n_table, n_fit));
    }
    if (o->chunk <= o->width)
        return dpl__fail(err, DPL_E_USAGE,
                         "chunks of %llu rows cannot overlap by a window of %u",
                         (unsigned long long)o->chunk, o->width);
    return DPL_OK;
}

static uint32_t count_tables(const dpl_pairs *p)
{
    return p->options.tables;
}

static dpl_status run(dpl__search *s, dpl_error *err)
{
    const dpl_pairs_options *o = s->options;
    dpl__window window = {.n_tables = s->n_units ? s->n_units : o->tables,
                          .first_table = s->first_unit,
                          .size = o->width,
                          .chunk = o->chunk,
                          .is_basic = o->basic};
    s->summary->n_tables = window.n_tables;
    s->summary->width = window.size;
    s->summary->chunk = window.chunk;
    return dpl__window_search(s->ctx,
                              &(dpl__bit_search){s->left, s->right, s->is_self, &s->cuts,
                                                 &s->candidates, &s->summary->n_comparisons,
                                                 NULL},
                              &window, s->ctx->seed, s->spill, err);
}

const dpl__method dpl__window_method = {
    .info = {.method = DPL_PAIRS_WINDOW,
             .name = "window",
             .help =
                 "compare signatures that stand close together in sorted tables of permuted "
                 "signatures, then verify candidates",
             .finds = "as many pairs as the plan predicts for the tables and the window",
             .unit = "pairs of signatures",
             .has_signatures = true,
             .has_candidates = true},
    .is_planned = true,
    .needs_bits = true,
    .n_units = count_tables,
    .searched_with = "windows are searched with rp or simhash signatures",
    .plan = plan,
    .say_name = say_name,
    .say_work = say_work,
    .not_enough = "no window here is enough",
    .prepare = prepare,
    .run = run,
    .nearest = dpl__neighbours_window,
};
