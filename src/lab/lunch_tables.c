/*
 * lunch_tables.c - the tables of the window search, one after the other.
 *
 * In: rows, true pairs, a grid of Q and B. Out: for each Q and B the true pairs that stand
 * within the window in one of the first Q tables, and the seconds of both phases of the paper:
 * chunks of sorted rows are made, then compared. One pass over the tables serves all Q and B: a
 * table is sorted once and searched with each B, and the first Q tables are those of a search
 * with Q.
 *
 * The search itself (pairs/window.c) overlaps the two phases and spreads them over threads;
 * what sorts and compares is the same.
 *
 * Cost: the sort of the largest Q, and a look at every true pair in each table; with times all
 * comparisons of all B.
 */
#include "lab/lunch.h"

#include "base/ctx.h"
#include "pairs/window.h"

enum { CHUNK = 1 << 16, FOUND_SHARE = 64 };

/* One B. */
typedef struct band {
    unsigned window;
    dpl__detector *detector;
    dpl__candidates *found;
    uint64_t n_compared;
    double seconds;
} band;

typedef struct pass {
    dpl__lunch *lunch;
    const dpl__lunch_grid *grid;
    dpl_ctx *ctx;
    dpl__table_rows rows;
    dpl__spill spill;
    dpl__cuts cuts;
    dpl__columns *columns;
    dpl__order *order;
    uint32_t *numbers, *places;
    uint32_t *gaps; /* of each true pair: the least so far */
    double sort_seconds;
    size_t chunk;
    band bands[DPL__LUNCH_MOST];
} pass;

/* ---- one table --------------------------------------------------------------------------- */

static dpl_status sort_table(pass *p, unsigned table, dpl_error *err)
{
    const double began = dpl__lab_cpu_clock();
    DPL_TRY(dpl__order_sort(p->order, p->ctx->seed, table, err));
    DPL_TRY(dpl__order_next(p->order, p->numbers, p->rows.n, err));
    p->sort_seconds += dpl__lab_cpu_clock() - began;
    return DPL_OK;
}

static void note_gaps(pass *p)
{
    for (uint32_t i = 0; i < p->rows.n; i++)
        p->places[p->numbers[i]] = i;
    for (size_t i = 0; i < p->lunch->n_truth; i++) {
        const uint32_t a = p->places[p->lunch->truth[i].a], b = p->places[p->lunch->truth[i].b];
        const uint32_t gap = a < b ? b - a : a - b;
        if (gap < p->gaps[i])
            p->gaps[i] = gap;
    }
}

/* Figure 3 and 4 of the paper: chunks that overlap by B. */
static dpl_status compare_table(pass *p, band *b, unsigned table, dpl_error *err)
{
    const double began = dpl__lab_cpu_clock();
    const size_t n = p->rows.n;
    for (size_t at = 0, old = 0; at + old < n; at += p->chunk - b->window) {
        const dpl__chunk chunk = {table, p->numbers + at, dpl__min(p->chunk, n - at), old};
        DPL_TRY(dpl__detect_chunk(b->detector, &chunk, &b->n_compared, err));
        old = b->window;
    }
    b->seconds += dpl__lab_cpu_clock() - began;
    return DPL_OK;
}

/* ---- all of them ------------------------------------------------------------------------- */

static dpl_status begin_bands(pass *p, dpl_error *err)
{
    const dpl__lunch_grid *g = p->grid;
    const size_t share = (size_t)(p->ctx->memory / FOUND_SHARE);
    p->chunk = dpl__max((size_t)CHUNK, 4 * (size_t)g->windows[g->n_windows - 1]);
    for (size_t w = 0; w < g->n_windows; w++) {
        band *b = &p->bands[w];
        b->window = g->windows[w];
        if (!g->has_times)
            continue;
        DPL_TRY(dpl__candidates_new(&b->found, &p->spill, share, err));
        const dpl__detector_options o = {&p->rows, &p->cuts, b->window,
                                         p->chunk, NULL,     b->found};
        DPL_TRY(dpl__detector_new(&b->detector, p->ctx, &o, err));
    }
    return DPL_OK;
}

static dpl_status begin(pass *p, dpl_error *err)
{
    const size_t n_truth = p->lunch->n_truth;
    p->numbers = dpl__alloc(p->ctx, p->rows.n * sizeof *p->numbers);
    p->places = dpl__alloc(p->ctx, p->rows.n * sizeof *p->places);
    p->gaps = dpl__alloc(p->ctx, n_truth * sizeof *p->gaps);
    DPL_TRY(dpl__need(p->numbers && p->places && p->gaps, err));
    memset(p->gaps, 0xff, n_truth * sizeof *p->gaps);
    DPL_TRY(dpl__columns_new(&p->columns, p->ctx, &p->rows, err));
    p->rows.columns = p->columns;
    DPL_TRY(dpl__order_new(&p->order, &p->spill, &p->rows, SIZE_MAX / 4, true, err));
    return begin_bands(p, err);
}

static void end(pass *p)
{
    for (size_t w = 0; w < p->grid->n_windows; w++) {
        dpl__detector_free(p->bands[w].detector);
        dpl__candidates_free(p->bands[w].found);
    }
    dpl__order_free(p->order);
    dpl__columns_free(p->columns);
    dpl__free(p->ctx, p->gaps, p->places, p->numbers);
}

static void count(dpl__lunch_cell *cell, const pass *p, const band *b)
{
    *cell = (dpl__lunch_cell){.n_compared = b->n_compared, .seconds = b->seconds};
    for (size_t i = 0; i < p->lunch->n_truth; i++) {
        const bool is_placed = p->gaps[i] <= b->window;
        cell->n_placed += is_placed;
        cell->n_found += is_placed && p->lunch->truth[i].distance <= p->lunch->cut;
    }
}

static dpl_status run(dpl__lunch_tables *out, pass *p, dpl_error *err)
{
    const dpl__lunch_grid *g = p->grid;
    const unsigned n = g->tables[g->n_tables - 1];
    size_t q = 0;
    for (unsigned table = 0; table < n; table++) {
        DPL_TRY(sort_table(p, table, err));
        note_gaps(p);
        for (size_t w = 0; w < g->n_windows && g->has_times; w++)
            DPL_TRY(compare_table(p, &p->bands[w], table, err));
        DPL_TRY(dpl__lab_progress(p->lunch->lab, table + 1, n, err));
        if (table + 1 != g->tables[q])
            continue;
        out->sort_seconds[q] = p->sort_seconds;
        for (size_t w = 0; w < g->n_windows; w++)
            count(&out->cells[q][w], p, &p->bands[w]);
        q++;
    }
    return DPL_OK;
}

dpl_status dpl__lunch_run_tables(dpl__lunch_tables *out, dpl__lunch *l,
                                 const dpl__lunch_grid *grid, dpl_error *err)
{
    const dpl__bits *left = dpl__signatures_bits(l->made[0]);
    pass p = {.lunch = l,
              .grid = grid,
              .ctx = l->lab->ctx,
              .cuts = {.cut = l->cut},
              .rows = {.left = left,
                       .right = l->is_self ? NULL : dpl__signatures_bits(l->made[1]),
                       .n = l->n_left + l->n_right,
                       .n_words = left->n_words}};
    DPL_TRY(dpl__spill_init(&p.spill, p.ctx, l->lab->scratch, err));
    dpl_status status;
    DPL__STEP(begin(&p, err));
    status = run(out, &p, err);
done:
    end(&p);
    dpl__spill_clear(&p.spill);
    return status;
}
