/*
 * mine_size.c - precision, recall, time and memory of mining against the size of the
 * collections, half of whose documents have a counterpart.
 */
#include "base/maths.h"
#include "lab/experiments.h"
#include "lab/mine_data.h"

#include <stdio.h>

enum { MOST_POINTS = 16, LEAST = 250, LEAST_SMALL = 30, MOST = 8000, MOST_SMALL = 100 };

static dpl_status mine_point(dpl__mined *m, dpl__mine_pool *pool, uint32_t n, dpl_error *err)
{
    char name[64];
    const dpl__mine_wanted wanted = {n, 0.5, 1, 0};
    snprintf(name, sizeof name, "%u-0", n);
    return dpl__mined_add(m, pool, &wanted, name, err);
}

/* The sizes: doubled from the least one up to what there is, and that. */
static size_t choose_sizes(uint32_t *out, const dpl__mine_pool *pool)
{
    const dpl_lab_options *set = pool->lab->set;
    const uint32_t wanted = set->most_documents ? set->most_documents
                            : set->small        ? MOST_SMALL
                                                : MOST;
    /* Half of n documents are in pairs, and for each other one a pair loses a side. */
    const size_t pairs = pool->pairs.n, left = pool->unpaired[0].n, right = pool->unpaired[1].n;
    const size_t there = pool->is_synthetic ? wanted
                                            : dpl__min((pairs + left + right) * 2 / 3,
                                                       pairs + dpl__min(left, right));
    const uint32_t most = (uint32_t)dpl__min(wanted, there);
    size_t n = 0;
    for (uint32_t size = set->small ? LEAST_SMALL : LEAST; n + 1 < MOST_POINTS && size < most;
         size *= 2)
        if (size <= most - size / 2)
            out[n++] = size;
    out[n++] = most;
    return n;
}

static void conclude(dpl__lab *lab, const dpl__mined *all, size_t n)
{
    const dpl__mined *first = &all[0], *last = &all[n - 1];
    double x[MOST_POINTS], y[MOST_POINTS], z[MOST_POINTS];
    for (size_t i = 0; i < n; i++) {
        x[i] = dpl__log(all[i].n_docs);
        y[i] = dpl__log(all[i].core_seconds);
        z[i] = dpl__log(all[i].peak_bytes);
    }
    for (const dpl__mined *m = first;; m = last) {
        dpl__lab_find(lab,
                      "%.0f documents a side: precision %.3f, recall %.3f, %.1f core seconds, "
                      "%.0f MiB",
                      m->n_docs, m->precision, m->recall, m->core_seconds,
                      m->peak_bytes / (1 << 20));
        if (m == last)
            break;
    }
    if (n > 2)
        dpl__lab_find(lab,
                      "core seconds grow as documents^%.2f, memory as documents^%.2f (straight "
                      "lines through the logarithms)",
                      dpl__lab_line(x, y, n).slope, dpl__lab_line(x, z, n).slope);
}

static void draw(dpl__lab *lab, const dpl__lab_table *t)
{
    static const dpl__lab_curve shares[] = {
        {.title = "precision", .rows = "doppel", .x = 2, .y = DPL__MINE_PRECISION},
        {.title = "recall", .rows = "doppel", .x = 2, .y = DPL__MINE_RECALL}};
    static const dpl__lab_curve costs[] = {
        {.title = "core time [s]", .rows = "doppel", .x = 2, .y = DPL__MINE_CORE},
        {.title = "memory [MiB]", .rows = "doppel", .x = 2, .y = DPL__MINE_MEMORY}};
    const dpl__lab_plot quality = {.table = t,
                                   .title = "mining: precision and recall by size",
                                   .x_label = "documents a side, half with a counterpart",
                                   .y_label = "precision, recall",
                                   .x_log = true,
                                   .y_min = 0.5,
                                   .y_max = 1.02,
                                   .legend = "bottom right",
                                   .curves = shares,
                                   .n_curves = DPL_LEN(shares)};
    const dpl__lab_plot cost = {.table = t,
                                .more = "cost",
                                .title = "mining: time and memory by size",
                                .x_label = "documents a side, half with a counterpart",
                                .y_label = "core seconds, MiB",
                                .x_log = true,
                                .y_log = true,
                                .legend = "top left",
                                .curves = costs,
                                .n_curves = DPL_LEN(costs)};
    dpl__lab_draw(lab, &quality);
    dpl__lab_draw(lab, &cost);
}

static dpl_status run(dpl__lab *lab, dpl__mine_pool *pool, dpl_error *err)
{
    uint32_t sizes[MOST_POINTS];
    dpl__mined all[MOST_POINTS] = {{0}};
    const size_t n = choose_sizes(sizes, pool);
    dpl__lab_table *t = dpl__lab_table_new(lab, NULL, "source\tdocuments\t" DPL__MINE_COLUMNS);
    for (size_t i = 0; i < n; i++) {
        DPL_TRY(dpl__lab_progress(lab, i, n, err));
        DPL_TRY(mine_point(&all[i], pool, sizes[i], err));
        dpl__mined_finish(&all[i]);
        dpl__lab_text(t, "doppel");
        dpl__lab_count(t, sizes[i]);
        dpl__mined_put(t, &all[i]);
    }
    conclude(lab, all, n);
    dpl__lab_note(lab,
                  "%s; half of the documents have a counterpart. Memory is what the run holds, "
                  "without mapped files; %u threads. Default options, one run each.",
                  lab->n_inputs ? "Subsets of the collections given" : "Synthetic documents",
                  dpl_ctx_threads(lab->ctx));
    draw(lab, t);
    return dpl__lab_status(lab, err);
}

dpl_status dpl__lab_mine_size(dpl__lab *lab, dpl_error *err)
{
    dpl__mine_pool pool;
    DPL_TRY(dpl__mine_pool_make(&pool, lab, 0, err));
    const dpl_status status = run(lab, &pool, err);
    dpl__mine_pool_clear(&pool);
    return status;
}
