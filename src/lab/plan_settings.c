/*
 * plan_settings.c - which method to use: the planner's choice by size, hardware and recall.
 *
 * In: nothing. Out: for collections of 10,000 to 10 million documents a side, thresholds,
 * wanted recalls and machines, the row that dpl_plan_make recommends, with its time and memory;
 * and the time of every method. Speeds are measured once on this machine and taken for other
 * numbers of cores as they are; those of a GPU are given below.
 */
#include "lab/experiments.h"

#include "base/ctx.h"

#include <stdio.h>

/* One comparison of 1024-bit signatures on an H200, end to end: docs/guides/gpu.md, 100,000 x
 * 100,000 in 3.6 ms. */
static const double h200_ns = 3.6e-4;

typedef struct machine {
    const char *name;
    unsigned n_threads;
    bool has_gpu;
    double memory; /* bytes */
} machine;

static const machine machines[] = {
    {"2 cores, 8 GB", 2, false, 8e9},
    {"16 cores, 64 GB", 16, false, 64e9},
    {"64 cores, 256 GB", 64, false, 256e9},
    {"16 cores and an H200", 16, true, 64e9},
};

typedef struct question {
    const machine *on;
    uint64_t n; /* documents of a side */
    double threshold, recall;
} question;

static dpl_status ask(dpl_plan **out, dpl_ctx **ctx, const dpl_speeds *measured,
                      const question *q, dpl_error *err)
{
    dpl_speeds speeds = *measured;
    if (q->on->has_gpu)
        speeds.device_ns = h200_ns * q->on->n_threads;
    const dpl_ctx_options c = DPL_INIT(dpl_ctx_options, .n_threads = q->on->n_threads,
                                       .memory = (uint64_t)q->on->memory);
    const dpl_plan_options o =
        DPL_INIT(dpl_plan_options, .n_left = q->n, .n_right = q->n, .threshold = q->threshold,
                 .recall = q->recall, .speeds = &speeds);
    DPL_TRY(dpl_ctx_new(ctx, &c, err));
    return dpl_plan_make(out, *ctx, &o, err);
}

static void put_choice(dpl__lab_table *t, const question *q, const dpl_plan *plan)
{
    const dpl_plan_summary *s = dpl_plan_get_summary(plan);
    const dpl_plan_row *row = dpl_plan_get_row(plan, s->best);
    dpl__lab_text(t, "%s", q->on->name);
    dpl__lab_count(t, q->n);
    dpl__lab_number(t, q->threshold, 1);
    dpl__lab_number(t, q->recall, 2);
    dpl__lab_text(t, "%s", dpl_pairs_get_method_info(row->method)->name);
    if (row->n_tables)
        dpl__lab_count(t, row->n_tables);
    else
        dpl__lab_none(t);
    if (row->width)
        dpl__lab_count(t, row->width);
    else
        dpl__lab_none(t);
    dpl__lab_number(t, row->seconds, 1);
    dpl__lab_number(t, row->bytes / 1e6, 0);
    dpl__lab_text(t, "%s", row->fits ? "yes" : "no");
    if (s->better_bits)
        dpl__lab_count(t, s->better_bits);
    else
        dpl__lab_none(t);
    dpl__lab_text(t, "%s", dpl_mine_prefers_ngrams(q->n, q->n, 200) ? "n-grams" : "vectors");
}

/* The fastest row of a method that reaches the recall; NULL: none does. */
static const dpl_plan_row *fastest(const dpl_plan *plan, dpl_pairs_method method, double recall)
{
    const dpl_plan_row *best = NULL, *row;
    for (size_t i = 0; (row = dpl_plan_get_row(plan, i)) != NULL; i++)
        if (row->method == method && row->recall >= recall - 1e-3 &&
            (!best || row->seconds < best->seconds))
            best = row;
    return best;
}

static void put_methods(dpl__lab_table *t, const question *q, const dpl_plan *plan)
{
    static const dpl_pairs_method methods[] = {DPL_PAIRS_EXACT, DPL_PAIRS_BRUTE,
                                               DPL_PAIRS_WINDOW};
    for (size_t i = 0; i < DPL_LEN(methods); i++) {
        const dpl_plan_row *row = fastest(plan, methods[i], q->recall);
        if (!row)
            continue;
        dpl__lab_text(t, "%s %.2f", dpl_pairs_get_method_info(methods[i])->name, q->recall);
        dpl__lab_count(t, q->n);
        dpl__lab_number(t, row->seconds, 3);
    }
}

static dpl_status answer(dpl__lab_table *choices, dpl__lab_table *methods,
                         const dpl_speeds *speeds, const question *q, dpl_error *err)
{
    dpl_plan *plan = NULL;
    dpl_ctx *ctx = NULL;
    dpl_status status;
    DPL__STEP(ask(&plan, &ctx, speeds, q, err));
    if (choices)
        put_choice(choices, q, plan);
    if (methods)
        put_methods(methods, q, plan);
done:
    dpl_plan_free(plan);
    dpl_ctx_free(ctx);
    return status;
}

static dpl_status answer_all(dpl__lab *lab, dpl__lab_table *choices, const dpl_speeds *speeds,
                             dpl_error *err)
{
    static const double recalls[] = {0.9, 0.99};
    const uint64_t most = lab->set->small ? 100000 : 10000000;
    for (size_t m = 0; m < DPL_LEN(machines); m++)
        for (uint64_t n = 10000; n <= most; n *= 10)
            for (size_t r = 0; r < DPL_LEN(recalls); r++) {
                const question q = {&machines[m], n, lab->set->threshold, recalls[r]};
                DPL_TRY(answer(choices, NULL, speeds, &q, err));
            }
    return DPL_OK;
}

/* Methods against size on two cores, by method and recall, so that rows of a curve are
 * together. */
static dpl_status compare_methods(dpl__lab *lab, dpl__lab_table *methods,
                                  const dpl_speeds *speeds, dpl_error *err)
{
    const uint64_t most = lab->set->small ? 100000 : 10000000;
    for (uint64_t n = 10000, k = 0; n <= most; n = k++ % 2 ? n / 3 * 10 : n * 3)
        for (unsigned r = 0; r < 2; r++) {
            const question q = {&machines[0], n, lab->set->threshold, r ? 0.99 : 0.9};
            DPL_TRY(answer(NULL, methods, speeds, &q, err));
        }
    return DPL_OK;
}

dpl_status dpl__lab_plan_settings(dpl__lab *lab, dpl_error *err)
{
    dpl_speeds speeds = DPL_INIT(dpl_speeds);
    DPL_TRY(dpl_speeds_measure(&speeds, lab->ctx, err));
    dpl__lab_table *choices = dpl__lab_table_new(
        lab, NULL,
        "machine\tdocuments a side\tthreshold\trecall\tmethod\tQ\tB\ttime [s]\tmemory [MB]\t"
        "fits\tfaster by brute with bits\tlast search of mine");
    DPL_TRY(answer_all(lab, choices, &speeds, err));
    dpl__lab_table *methods =
        dpl__lab_table_new(lab, "methods", "method and recall\tdocuments a side\ttime [s]");
    DPL_TRY(compare_methods(lab, methods, &speeds, err));
    dpl__lab_find(lab,
                  "times are predicted from speeds of this machine: a comparison of 1024 bits "
                  "%.2f ns, a multiply-add of the exact method %.3f ns, a true cosine %.0f ns, "
                  "each of one thread",
                  speeds.compare_ns, speeds.multiply_ns, speeds.verify_ns);
    dpl__lab_note(lab,
                  "documents have 120 terms each; true pairs lie exactly at the threshold, "
                  "the hardest case; with collections at hand 'doppel plan LEFT RIGHT' "
                  "takes a sample of them instead");
    dpl__lab_note(lab,
                  "other numbers of cores are computed from the speed of one; the H200 from "
                  "%.2g ns a comparison (docs/guides/gpu.md)",
                  h200_ns);
    static const dpl__lab_curve curves[] = {
        {.title = "exact", .rows = "exact 0.99", .x = 2, .y = 3, .colour = 1},
        {.title = "brute force, recall 0.99",
         .rows = "brute 0.99",
         .x = 2,
         .y = 3,
         .colour = 2},
        {.title = "brute force, recall 0.90",
         .rows = "brute 0.90",
         .x = 2,
         .y = 3,
         .colour = 5},
        {.title = "window, recall 0.99", .rows = "window 0.99", .x = 2, .y = 3, .colour = 3},
        {.title = "window, recall 0.90", .rows = "window 0.90", .x = 2, .y = 3, .colour = 4},
    };
    dpl__lab_draw(lab, &(dpl__lab_plot){.table = methods,
                                        .title = "Predicted time of a search on two cores",
                                        .x_label = "documents on each side",
                                        .y_label = "time [s]",
                                        .x_log = true,
                                        .y_log = true,
                                        .legend = "top left",
                                        .curves = curves,
                                        .n_curves = DPL_LEN(curves)});
    return dpl__lab_status(lab, err);
}
