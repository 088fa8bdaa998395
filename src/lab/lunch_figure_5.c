/*
 * lunch_figure_5.c - "No Free Lunch", Figure 5: time of the detection phase against the window.
 *
 * For Q = 100, 200, 300 tables and five windows B: seconds of the detection, and a straight
 * line through them. Each point has the recall without verification and the cost relative to
 * brute force. Chunk generation, permuting and sorting, is a phase of its own, as in the paper.
 */
#include "lab/lunch.h"

#include <math.h>
#include <stdio.h>

enum { WINDOWS = 5, LARGEST = 2000, MOST_SECONDS = 30 };

/* Hours of chunk generation for Q = 100, 200, 300 (section 6.1). */
static const double paper_hours[] = {0.28, 0.53, 0.75};

/* The paper's windows as far as the table has room for them: a quarter of its rows. */
static void make_grid(dpl__lunch_grid *g, const dpl__lunch *l)
{
    const double largest = fmax(WINDOWS, fmin(LARGEST, l->n_rows / 4));
    *g = (dpl__lunch_grid){.n_tables = 3, .n_windows = WINDOWS, .has_times = true};
    for (unsigned i = 0; i < 3; i++)
        g->tables[i] = (i + 1) * (l->lab->set->small ? 10 : 100);
    for (unsigned i = 0; i < WINDOWS; i++)
        g->windows[i] = (unsigned)(largest * (i + 1) / WINDOWS);
}

static void take_least(dpl__lunch_tables *out, const dpl__lunch_tables *in,
                       const dpl__lunch_grid *g)
{
    for (size_t q = 0; q < g->n_tables; q++) {
        out->sort_seconds[q] = fmin(out->sort_seconds[q], in->sort_seconds[q]);
        for (size_t w = 0; w < g->n_windows; w++)
            out->cells[q][w].seconds = fmin(out->cells[q][w].seconds, in->cells[q][w].seconds);
    }
}

/* The fastest of the repeats, or of as many as there is time for. */
static dpl_status measure(dpl__lunch_tables *out, dpl__lunch *l, const dpl__lunch_grid *g,
                          dpl_error *err)
{
    const double began = dpl__lab_cpu_clock();
    DPL_TRY(dpl__lunch_run_tables(out, l, g, err));
    for (unsigned i = 1; i < l->lab->set->repeats; i++) {
        dpl__lunch_tables again;
        if (dpl__lab_cpu_clock() - began > MOST_SECONDS)
            break;
        DPL_TRY(dpl__lunch_run_tables(&again, l, g, err));
        take_least(out, &again, g);
    }
    return DPL_OK;
}

/* Chunk generation in terms of comparisons, as the paper counts it. */
static double cost_with_sort(const dpl__lunch *l, double compared, double sort, double compare)
{
    return (compared + sort / compare) / l->n_pairs;
}

static void put_rows(dpl__lab_table *t, const dpl__lunch *l, const dpl__lunch_grid *g,
                     const dpl__lunch_tables *m, double compare_seconds)
{
    for (size_t q = 0; q < g->n_tables; q++)
        for (size_t w = 0; w < g->n_windows; w++) {
            const dpl__lunch_cell *c = &m->cells[q][w];
            const double recall = (double)c->n_found / (double)l->n_truth;
            const double cost = dpl__lunch_cost(l, g->tables[q], g->windows[w]);
            dpl__lab_text(t, "Q = %u", g->tables[q]);
            dpl__lab_count(t, g->tables[q]);
            dpl__lab_count(t, g->windows[w]);
            dpl__lab_number(t, c->seconds, 5);
            dpl__lab_count(t, c->n_compared);
            dpl__lab_number(t, recall, 4);
            dpl__lab_number(t, 100 * cost, 1);
            dpl__lab_number(t,
                            100 * cost_with_sort(l, (double)c->n_compared, m->sort_seconds[q],
                                                 compare_seconds),
                            1);
            dpl__lab_text(t, "%.2f, %.0f%%", recall, 100 * cost);
        }
}

static dpl__lab_fit fit(const dpl__lunch_grid *g, const dpl__lunch_tables *m, size_t q)
{
    double x[WINDOWS], y[WINDOWS];
    for (size_t w = 0; w < WINDOWS; w++) {
        x[w] = g->windows[w];
        y[w] = m->cells[q][w].seconds;
    }
    return dpl__lab_line(x, y, WINDOWS);
}

/* Both ends of the regression lines, for the picture. */
static void put_lines(dpl__lab_table *t, const dpl__lunch_grid *g, const dpl__lunch_tables *m)
{
    for (size_t q = 0; q < g->n_tables; q++)
        for (int end = 0; end < 2; end++) {
            const dpl__lab_fit f = fit(g, m, q);
            const double b = end ? g->windows[WINDOWS - 1] : 0;
            dpl__lab_text(t, "line Q = %u", g->tables[q]);
            dpl__lab_count(t, g->tables[q]);
            dpl__lab_number(t, b, 0);
            dpl__lab_number(t, f.intercept + f.slope * b, 5);
            for (int i = 0; i < 5; i++)
                dpl__lab_none(t);
        }
}

/* A table of the two phases; returns the least R². */
static double put_fits(dpl__lab *lab, const dpl__lunch_grid *g, const dpl__lunch_tables *m)
{
    double least = 1;
    dpl__lab_table *t = dpl__lab_table_new(lab, "lines",
                                           "source\tQ\tchunk generation [s]\tintercept "
                                           "[s]\tslope [ms per place of B]\tR2");
    for (size_t q = 0; q < g->n_tables; q++) {
        const dpl__lab_fit f = fit(g, m, q);
        least = fmin(least, f.r2);
        dpl__lab_text(t, "measured");
        dpl__lab_count(t, g->tables[q]);
        dpl__lab_number(t, m->sort_seconds[q], 4);
        dpl__lab_number(t, f.intercept, 4);
        dpl__lab_number(t, 1e3 * f.slope, 4);
        dpl__lab_number(t, f.r2, 5);
    }
    for (unsigned q = 0; q < DPL_LEN(paper_hours); q++) {
        dpl__lab_text(t, "paper");
        dpl__lab_count(t, 100 * (q + 1));
        dpl__lab_number(t, 3600 * paper_hours[q], 0);
        dpl__lab_none(t);
        dpl__lab_none(t);
        dpl__lab_text(t, "> 0.999");
    }
    return least;
}

static void say(dpl__lab *lab, const dpl__lunch *l, const dpl__lunch_grid *g,
                const dpl__lunch_tables *m, double least_r2, double compare_seconds)
{
    const size_t q = g->n_tables - 1, w = g->n_windows - 1;
    const dpl__lunch_cell *c = &m->cells[q][w];
    dpl__lab_find(
        lab,
        "detection time is a straight line in B with R² of at least %.4f (paper: above "
        "0.999)",
        least_r2);
    dpl__lab_find(
        lab,
        "%u tables with a window of %u find %.0f %% of the pairs in %.3g s of detection "
        "and %.3g s of chunk generation; comparing everything takes %.3g s and finds "
        "%.0f %%",
        g->tables[q], g->windows[w], 100 * (double)c->n_found / (double)l->n_truth, c->seconds,
        m->sort_seconds[q], compare_seconds * l->n_pairs,
        100 * (double)l->n_within / (double)l->n_truth);
    const double row = m->sort_seconds[q] / g->tables[q] / l->n_rows;
    dpl__lab_find(lab,
                  "one row in one table takes %.0f ns to permute and sort, as long as %.0f "
                  "comparisons in a search of all against all",
                  1e9 * row, row / compare_seconds);
    dpl__lab_note(
        lab,
        "%u and %u rows, %u bits, distance up to %u, no verification. Recall is that of "
        "%zu pairs with a cosine of %g or more of %zu left documents. Cost: comparisons "
        "relative to brute force. Seconds are processor time of one thread",
        l->n_left, l->is_self ? l->n_left : l->n_right, l->bits, l->cut, l->n_truth,
        l->threshold, l->n_sample);
    dpl__lab_note(lab, "B goes up to 2000, as in the paper, or to a quarter of the rows");
}

static void draw(dpl__lab *lab, const dpl__lab_table *t, const dpl__lunch_grid *g, double most)
{
    dpl__lab_curve curves[6];
    char names[6][40];
    for (unsigned q = 0; q < 3; q++) {
        snprintf(names[q], sizeof names[q], "Q = %u", g->tables[q]);
        snprintf(names[3 + q], sizeof names[3 + q], "line Q = %u", g->tables[q]);
        curves[q] = (dpl__lab_curve){.title = names[q],
                                     .rows = names[q],
                                     .x = 3,
                                     .y = 4,
                                     .label = 9,
                                     .label_below = true,
                                     .style = DPL_LAB_POINTS,
                                     .colour = q + 1};
        curves[3 + q] = (dpl__lab_curve){
            .rows = names[3 + q], .x = 3, .y = 4, .style = DPL_LAB_LINES, .colour = q + 1};
    }
    dpl__lab_draw(lab, &(dpl__lab_plot){.table = t,
                                        .x_label = "window B; points: recall, relative cost",
                                        .y_label = "detection time [core seconds]",
                                        .legend = "top left",
                                        .y_min = 0,
                                        .y_max = 1.15 * most,
                                        .x_min = 0,
                                        .x_max = 1.2 * g->windows[WINDOWS - 1],
                                        .curves = curves,
                                        .n_curves = DPL_LEN(curves)});
}

static dpl_status run(dpl__lab *lab, dpl__lunch *l, dpl_error *err)
{
    dpl__lunch_grid g;
    dpl__lunch_tables m;
    dpl__lunch_brute brute;
    make_grid(&g, l);
    DPL_TRY(dpl__lunch_run_brute(&brute, l, l->cut, false, err));
    DPL_TRY(measure(&m, l, &g, err));
    const double compare_seconds = brute.seconds / l->n_pairs;
    dpl__lab_table *t =
        dpl__lab_table_new(lab, NULL,
                           "series\tQ\tB\tdetection [s]\tcomparisons\trecall\trelative cost "
                           "[%]\trelative cost with "
                           "chunk generation [%]\tlabel");
    put_rows(t, l, &g, &m, compare_seconds);
    put_lines(t, &g, &m);
    say(lab, l, &g, &m, put_fits(lab, &g, &m), compare_seconds);
    draw(lab, t, &g, m.cells[g.n_tables - 1][g.n_windows - 1].seconds);
    return dpl__lab_status(lab, err);
}

dpl_status dpl__lab_lunch_figure_5(dpl__lab *lab, dpl_error *err)
{
    dpl__lunch l;
    DPL_TRY(dpl__lunch_open(&l, lab, 0, err));
    const dpl_status status = run(lab, &l, err);
    dpl__lunch_close(&l);
    return status;
}
