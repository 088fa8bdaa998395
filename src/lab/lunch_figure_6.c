/*
 * lunch_figure_6.c - "No Free Lunch", Figure 6: recall against the number of tables, measured
 * and predicted.
 *
 * For B = 200, 500, 1000, scaled to the size of the collection: the share of the true pairs
 * that is found without verification, the bounds of the paper's model, and the model of our
 * plan.
 */
#include "lab/lunch.h"

#include <math.h>
#include <stdio.h>

enum { WINDOWS = 3 };

/* Points above this share of what can be found lie on each other: they have no label. */
static const double FLAT = 0.97;

static const unsigned paper_windows[WINDOWS] = {200, 500, 1000};

static void make_grid(dpl__lunch_grid *g, const dpl__lunch *l)
{
    static const unsigned all[] = {50, 100, 200, 300, 500, 700, 1000}, few[] = {5, 10, 20, 40};
    const bool is_small = l->lab->set->small;
    *g = (dpl__lunch_grid){.n_tables = is_small ? DPL_LEN(few) : DPL_LEN(all)};
    memcpy(g->tables, is_small ? few : all, g->n_tables * sizeof *g->tables);
    for (size_t w = 0; w < WINDOWS; w++) {
        const unsigned b = dpl__lunch_window(l, paper_windows[w]);
        if (!g->n_windows || b > g->windows[g->n_windows - 1])
            g->windows[g->n_windows++] = b;
    }
}

typedef struct result {
    dpl__lunch_grid grid;
    dpl__lunch_tables measured;
    dpl__lunch_predicted predicted[DPL__LUNCH_MOST][DPL__LUNCH_MOST];
} result;

static double recall_at(const dpl__lunch *l, const result *r, size_t q, size_t w)
{
    return (double)r->measured.cells[q][w].n_found / (double)l->n_truth;
}

static void put_rows(dpl__lab_table *t, const dpl__lunch *l, const result *r)
{
    const dpl__lunch_grid *g = &r->grid;
    for (size_t w = 0; w < g->n_windows; w++)
        for (size_t q = 0; q < g->n_tables; q++) {
            const dpl__lunch_predicted *p = &r->predicted[q][w];
            const double cost = 100 * dpl__lunch_cost(l, g->tables[q], g->windows[w]);
            dpl__lab_text(t, "B = %u", g->windows[w]);
            dpl__lab_count(t, g->windows[w]);
            dpl__lab_count(t, g->tables[q]);
            dpl__lab_number(t, recall_at(l, r, q, w), 4);
            dpl__lab_number(t, cost, 1);
            dpl__lab_number(t, p->low, 4);
            dpl__lab_number(t, p->high, 4);
            dpl__lab_number(t, p->ours, 4);
            dpl__lab_number(t, p->low_at, 4);
            dpl__lab_number(t, p->high_at, 4);
            dpl__lab_number(t, (double)r->measured.cells[q][w].n_placed / (double)l->n_truth,
                            4);
            if (r->measured.cells[q][w].n_found > FLAT * (double)l->n_within)
                dpl__lab_text(t, "\u00a0"); /* gnuplot draws an empty cell as 0 */
            else
                dpl__lab_text(t, cost < 10 ? "%.1f%%" : "%.0f%%", cost);
        }
}

/* How far the measured recall lies outside the bounds, and from our prediction, at the worst.
 */
static void say(dpl__lab *lab, const dpl__lunch *l, const result *r)
{
    double paper = 0, ours = 0;
    for (size_t w = 0; w < r->grid.n_windows; w++)
        for (size_t q = 0; q < r->grid.n_tables; q++) {
            const dpl__lunch_predicted *p = &r->predicted[q][w];
            const double recall = recall_at(l, r, q, w);
            paper = fmax(paper, fmax(p->low - recall, recall - p->high));
            ours = fmax(ours, fabs(p->ours - recall));
        }
    dpl__lab_find(
        lab,
        "measured recall lies up to %.3f outside the bounds of the paper's model, and "
        "up to %.3f from what our plan predicts",
        paper, ours);
    dpl__lab_find(
        lab,
        "with %u bits no number of tables finds more than %.1f %% of the pairs without "
        "verification (paper: 76 %%)",
        l->bits, 100 * (double)l->n_within / (double)l->n_truth);
    dpl__lab_note(
        lab,
        "B is the same share of the %.0f rows as the paper's 200, 500 and 1000 are of "
        "its 4.91 million, and at least a hundredth of those. Labels: comparisons "
        "relative to brute force",
        l->n_rows);
    dpl__lab_note(
        lab,
        "The paper does not say for which cosine its bounds were drawn; these are means "
        "over the cosines of the %zu true pairs. The table also has those of pairs "
        "exactly at the threshold",
        l->n_truth);
}

/* has_paper: the paper's bounds; else our prediction. */
static void draw(dpl__lab *lab, const dpl__lab_table *t, const dpl__lunch *l, const result *r,
                 bool has_paper)
{
    dpl__lab_curve curves[3 * WINDOWS];
    char names[WINDOWS][40], titles[WINDOWS][60];
    size_t n = 0;
    for (size_t w = r->grid.n_windows; w-- > 0;) {
        snprintf(names[w], sizeof names[w], "B = %u", r->grid.windows[w]);
        snprintf(titles[w], sizeof titles[w], "%s, measured", names[w]);
        curves[n++] = (dpl__lab_curve){.title = titles[w],
                                       .rows = names[w],
                                       .x = 3,
                                       .y = 4,
                                       .label = has_paper ? 12 : 0,
                                       .label_below = true,
                                       .style = DPL_LAB_POINTS,
                                       .colour = (unsigned)w + 1};
    }
    for (size_t w = r->grid.n_windows; w-- > 0;)
        for (unsigned y = has_paper ? 6 : 8; y <= (has_paper ? 7u : 8u); y++)
            curves[n++] = (dpl__lab_curve){.title = w + 1 < r->grid.n_windows || y == 7 ? NULL
                                                    : has_paper ? "the paper's bounds"
                                                                : "predicted by our plan",
                                           .rows = names[w],
                                           .x = 3,
                                           .y = y,
                                           .style = has_paper ? DPL_LAB_DASHED : DPL_LAB_LINES,
                                           .colour = (unsigned)w + 1};
    dpl__lab_draw(lab, &(dpl__lab_plot){.table = t,
                                        .more = has_paper ? NULL : "plan",
                                        .x_label = has_paper ? "tables Q; points: relative cost"
                                                             : "tables Q",
                                        .y_label = "recall",
                                        .y_min = 0,
                                        .y_max = 1.02,
                                        .x_min = 0,
                                        .x_max = 1.08 * r->grid.tables[r->grid.n_tables - 1],
                                        .legend = "bottom right",
                                        .curves = curves,
                                        .n_curves = n,
                                        .line = (double)l->n_within / (double)l->n_truth,
                                        .line_label = "brute force over signatures"});
}

static dpl_status run(dpl__lab *lab, dpl__lunch *l, dpl_error *err)
{
    result *r = dpl__arena_alloc(&lab->arena, sizeof *r);
    DPL_TRY(dpl__need(r, err));
    make_grid(&r->grid, l);
    DPL_TRY(dpl__lunch_run_tables(&r->measured, l, &r->grid, err));
    DPL_TRY(dpl__lunch_predict(r->predicted, l, &r->grid, err));
    dpl__lab_table *t = dpl__lab_table_new(
        lab, NULL,
        "series\tB\tQ\trecall\trelative cost [%]\tpaper's model, low\tpaper's model, high\tour "
        "plan\tlow at the threshold\thigh at the threshold\tin a window at all\tlabel");
    put_rows(t, l, r);
    say(lab, l, r);
    draw(lab, t, l, r, true);
    draw(lab, t, l, r, false);
    return dpl__lab_status(lab, err);
}

dpl_status dpl__lab_lunch_figure_6(dpl__lab *lab, dpl_error *err)
{
    dpl__lunch l;
    DPL_TRY(dpl__lunch_open(&l, lab, 0, err));
    const dpl_status status = run(lab, &l, err);
    dpl__lunch_close(&l);
    return status;
}
