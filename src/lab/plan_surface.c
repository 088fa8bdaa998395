/*
 * plan_surface.c - which method is cheapest over entries of a row, number of rows and wanted
 * recall: measured on synthetic rows, planned beyond.
 *
 * In: nothing. Out: for each number of entries and rows the seconds of exact search, and of
 * brute force and windows as planned for each recall, signatures and verification included, as
 * a ratio to exact search; the recall that was reached; and the highest recall up to which
 * hashing is cheaper than exact search. Beside it the same as planned from a sample of the
 * rows, and from their number and length alone: counted work, at fixed costs, so that neither
 * the machine nor its load matters. Half of the rows have a planted counterpart at a cosine of
 * 0.3 to 0.38, as in the experiments of "No Free Lunch".
 */
#include "lab/experiments.h"

#include "base/ctx.h"
#include "pairs/plan.h"

#include <math.h>
#include <stdio.h>

static const unsigned entries[] = {30, 120, 384};
static const double recalls[] = {0.1, 0.3, 0.5, 0.7, 0.9};
static const dpl_pairs_method methods[] = {DPL_PAIRS_WINDOW, DPL_PAIRS_BRUTE};
enum { ENTRIES = DPL_LEN(entries), RECALLS = DPL_LEN(recalls), METHODS = DPL_LEN(methods) };

enum { MEASURED = 0, PLANNED, BLIND, HOWS };
static const char *const hows[HOWS] = {"measured", "planned", "planned without rows"};

typedef struct surface {
    dpl__lab *lab;
    dpl__lab_table *cells, *cheapest, *bounds;
    double threshold;
} surface;

/* Seconds of each method at each recall; exact search beside it. NaN: not reached. */
typedef struct cell {
    double exact, seconds[METHODS][RECALLS], found[METHODS][RECALLS];
} cell;

/* ---- planned ----------------------------------------------------------------------------- */

/* With rows the plan looks at a sample of them; without, at their number and length alone. */
static dpl_status plan_rows(cell *c, surface *s, const dpl_pairs_side *sides,
                            unsigned n_entries, uint64_t n, dpl_error *err)
{
    const dpl_plan_row *row;
    for (size_t r = 0; r < RECALLS; r++) {
        const dpl_plan_options o =
            DPL_INIT(dpl_plan_options, .n_left = n, .n_right = n, .threshold = s->threshold,
                     .left = sides, .right = sides ? sides + 1 : NULL, .recall = recalls[r],
                     .terms_per_row = n_entries, .speeds = &dpl__nominal_speeds);
        dpl_plan *plan = NULL;
        DPL_TRY(dpl_plan_make(&plan, s->lab->ctx, &o, err));
        for (size_t i = 0; (row = dpl_plan_get_row(plan, i)) != NULL; i++) {
            if (row->method == DPL_PAIRS_EXACT)
                c->exact = row->seconds;
            for (size_t m = 0; m < METHODS; m++)
                if (row->method == methods[m] && row->recall >= recalls[r] - 1e-3 &&
                    !(c->seconds[m][r] <= row->seconds)) {
                    c->seconds[m][r] = row->seconds;
                    c->found[m][r] = row->recall;
                }
        }
        dpl_plan_free(plan);
    }
    return DPL_OK;
}

/* ---- measured ---------------------------------------------------------------------------- */

static dpl_status search(double *seconds, double *found, surface *s,
                         const dpl_pairs_side sides[2], dpl_pairs_method method, double recall,
                         dpl_error *err)
{
    const dpl_pairs_options o =
        DPL_INIT(dpl_pairs_options, .method = method, .threshold = s->threshold,
                 .recall = recall, .sample = 500, .temp = s->lab->scratch);
    dpl_pairs *pairs = NULL;
    const double began = dpl__lab_cpu_clock();
    DPL_TRY(dpl_pairs_open(&pairs, s->lab->ctx, &sides[0], &sides[1], &o, err));
    const dpl_pairs_summary *sum = dpl_pairs_get_summary(pairs);
    const dpl_recall_check *check = sum->recall_check;
    const double whole = dpl__lab_cpu_clock() - began,
                 took = sum->seconds > 0 ? whole * (1 - check->seconds / sum->seconds) : 0;
    *seconds = !(*seconds <= took) ? took : *seconds;
    *found = check->is_exact ? 1 : check->recall;
    dpl_pairs_close(pairs);
    return dpl__lab_progress(s->lab, 0, 0, err);
}

/* Recalls rise, and so do seconds: far above those of exact search the rest is left out. */
static dpl_status measure(cell *c, surface *s, const dpl_pairs_side sides[2], dpl_error *err)
{
    const double far = 1.5;
    double found;
    for (unsigned run = 0; run < s->lab->set->repeats; run++) {
        DPL_TRY(search(&c->exact, &found, s, sides, DPL_PAIRS_EXACT, 0.99, err));
        for (size_t m = 0; m < METHODS; m++)
            for (size_t r = 0; r < RECALLS; r++) {
                DPL_TRY(search(&c->seconds[m][r], &c->found[m][r], s, sides, methods[m],
                               recalls[r], err));
                if (c->seconds[m][r] > far * c->exact)
                    break;
            }
    }
    return DPL_OK;
}

static dpl_status open_sides(dpl_vectors *v[2], surface *s, const char *folder, dpl_error *err)
{
    for (unsigned side = 0; side < 2; side++) {
        char path[4300];
        snprintf(path, sizeof path, "%s/%s.dpl", folder, side ? "right" : "left");
        DPL_TRY(dpl_vectors_open(&v[side], s->lab->ctx, path, err));
    }
    return DPL_OK;
}

static void remove_rows(const char *folder)
{
    static const char *const names[] = {"left.dpl", "right.dpl", "gold.tsv"};
    for (size_t i = 0; i < DPL_LEN(names); i++) {
        char path[4300];
        snprintf(path, sizeof path, "%s/%s", folder, names[i]);
        remove(path);
    }
}

/* Rows of one number and length, planned and searched. */
static dpl_status look_at(cell *measured, cell *planned, surface *s, unsigned n_entries,
                          uint32_t n, dpl_error *err)
{
    char folder[4200];
    snprintf(folder, sizeof folder, "%s/surface-%u-%u-%u", s->lab->scratch, n_entries, n,
             s->lab->seed);
    const dpl_synth_options o =
        DPL_INIT(dpl_synth_options, .to = DPL_SYNTH_SPARSE, .left = n, .right = n,
                 .cosine = 0.3, .cosine_to = 0.38, .entries = n_entries);
    dpl_vectors *v[2] = {NULL, NULL};
    dpl_status status;
    DPL__STEP(dpl_synth(NULL, s->lab->ctx, folder, &o, err));
    DPL__STEP(open_sides(v, s, folder, err));
    const dpl_pairs_side sides[2] = {{.vectors = v[0]}, {.vectors = v[1]}};
    DPL__STEP(plan_rows(planned, s, sides, n_entries, n, err));
    DPL__STEP(measure(measured, s, sides, err));
done:
    dpl_vectors_close(v[1]);
    dpl_vectors_close(v[0]);
    remove_rows(folder);
    return status;
}

/* ---- tables ------------------------------------------------------------------------------ */

/* Up to which recall a method is cheaper than exact search; 0: nowhere. */
static double bound_of(const cell *c, size_t m)
{
    double gains[RECALLS];
    for (size_t r = 0; r < RECALLS; r++)
        gains[r] = c->exact - c->seconds[m][r];
    return dpl__lab_border(recalls, gains, RECALLS);
}

static void put_ratio(dpl__lab_table *t, double ratio)
{
    if (isfinite(ratio))
        dpl__lab_text(t, "%.3f", ratio);
    else
        dpl__lab_none(t);
}

static void put_cell(surface *s, const cell *c, unsigned number, unsigned n_entries, uint64_t n)
{
    const char *how = hows[number];
    for (size_t r = 0; r < RECALLS; r++) {
        double least = c->exact;
        const char *best = "exact";
        for (size_t m = 0; m < METHODS; m++) {
            const char *name = dpl_pairs_get_method_info(methods[m])->name;
            dpl__lab_text(s->cells, "%s, %s, %u entries", name, how, n_entries);
            dpl__lab_count(s->cells, n);
            dpl__lab_number(s->cells, recalls[r], 2);
            put_ratio(s->cells, c->seconds[m][r] / c->exact);
            put_ratio(s->cells, c->found[m][r]);
            if (c->seconds[m][r] < least) {
                least = c->seconds[m][r];
                best = name;
            }
        }
        dpl__lab_text(s->cheapest, "%s, %u entries", how, n_entries);
        dpl__lab_count(s->cheapest, n);
        dpl__lab_number(s->cheapest, recalls[r], 2);
        dpl__lab_text(s->cheapest, "%s", best);
        put_ratio(s->cheapest, least / c->exact);
    }
    dpl__lab_text(s->bounds, "%s, %u entries", how, n_entries);
    dpl__lab_count(s->bounds, n);
    for (size_t m = 0; m < METHODS; m++)
        dpl__lab_number(s->bounds, bound_of(c, m), 3);
    if (number == MEASURED)
        dpl__lab_find(s->lab,
                      "rows of %u entries, %llu on each side: windows are cheaper than exact "
                      "search up to a recall of %.2f, brute force up to %.2f",
                      n_entries, (unsigned long long)n, bound_of(c, 0), bound_of(c, 1));
}

static void draw(surface *s)
{
    static const dpl__lab_style styles[HOWS] = {DPL_LAB_LINES_POINTS, DPL_LAB_LINES_POINTS,
                                                DPL_LAB_POINTS};
    dpl__lab_curve curves[HOWS * ENTRIES];
    char rows[HOWS * ENTRIES][60], titles[HOWS * ENTRIES][80];
    for (size_t i = 0; i < DPL_LEN(curves); i++) {
        const char *how = hows[i / ENTRIES];
        snprintf(rows[i], sizeof rows[i], "%s, %u entries", how, entries[i % ENTRIES]);
        snprintf(titles[i], sizeof titles[i], "%u entries, %s", entries[i % ENTRIES], how);
        curves[i] = (dpl__lab_curve){
            .title = titles[i],
            .rows = rows[i],
            .x = 2,
            .y = 3,
            .style = styles[i / ENTRIES],
            /* other marks than measured ones; without rows there is no line */
            .colour = (unsigned)(i % ENTRIES + 1 + (i / ENTRIES == PLANNED ? ENTRIES : 0))};
    }
    dpl__lab_draw(s->lab, &(dpl__lab_plot){
                              .table = s->bounds,
                              .title = "Windows are cheaper than exact search below the line",
                              .x_label = "rows on each side",
                              .y_label = "recall",
                              .x_log = true,
                              .y_min = 0,
                              .y_max = 1.02,
                              .legend = "outside right top",
                              .curves = curves,
                              .n_curves = DPL_LEN(curves)});
}

/* ---- the experiment ---------------------------------------------------------------------- */

static cell empty_cell(void)
{
    cell c = {.exact = NAN};
    for (size_t m = 0; m < METHODS; m++)
        for (size_t r = 0; r < RECALLS; r++)
            c.seconds[m][r] = c.found[m][r] = NAN;
    return c;
}

/* Measured and planned from rows up to a size, planned without rows beyond. */
static dpl_status run(surface *s, dpl_error *err)
{
    const bool is_small = s->lab->set->small;
    const uint64_t given = s->lab->set->most_documents, least = is_small ? 500 : 3000,
                   most = given      ? given
                          : is_small ? 1000
                                     : 12000;
    for (size_t e = 0; e < ENTRIES; e++)
        for (uint64_t n = least; n <= 4000000; n *= 4) {
            cell measured = empty_cell(), planned = empty_cell(), blind = empty_cell();
            if (n <= most) {
                DPL_TRY(look_at(&measured, &planned, s, entries[e], (uint32_t)n, err));
                put_cell(s, &measured, MEASURED, entries[e], n);
                put_cell(s, &planned, PLANNED, entries[e], n);
            }
            DPL_TRY(plan_rows(&blind, s, NULL, entries[e], n, err));
            put_cell(s, &blind, BLIND, entries[e], n);
        }
    return DPL_OK;
}

dpl_status dpl__lab_plan_surface(dpl__lab *lab, dpl_error *err)
{
    surface s = {.lab = lab, .threshold = lab->set->threshold};
    s.bounds = dpl__lab_table_new(
        lab, NULL,
        "how and entries\trows on each side\twindow cheaper up to recall\tbrute force cheaper "
        "up to recall");
    s.cheapest = dpl__lab_table_new(
        lab, "cheapest",
        "how and entries\trows on each side\trecall\tcheapest\tratio to exact");
    s.cells =
        dpl__lab_table_new(lab, "ratios",
                           "method, how, entries\trows on each side\twanted recall\tratio "
                           "to exact\trecall");
    DPL_TRY(run(&s, err));
    dpl__lab_note(lab,
                  "processor seconds of a search from vectors on (plan, signatures, search, "
                  "true cosines; without recall check) as ratios to those of exact search in "
                  "the same run; the fastest of the repeats; nothing where a lower recall "
                  "took 1.5 times as long as exact search");
    dpl__lab_note(lab,
                  "sparse rows with a vocabulary of 100,000 terms; half have a counterpart "
                  "at a cosine of 0.3 to 0.38; planned: from a sample of such rows, at fixed "
                  "costs; without rows: from their number and length, pairs exactly at the "
                  "threshold");
    draw(&s);
    return dpl__lab_status(lab, err);
}
