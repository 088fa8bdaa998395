/*
 * lunch_figure_7.c - "No Free Lunch", Figure 7: comparisons and recall over a wide grid.
 *
 * Comparisons are counted by arithmetic, recall by where the true pairs stand in the tables, so
 * that no setting needs a search of its own (section 6.2 of the paper). Brute force is the
 * horizontal line: whatever lies above it costs more.
 */
#include "lab/lunch.h"

#include <stdio.h>

static void make_grid(dpl__lunch_grid *g, const dpl__lunch *l)
{
    static const unsigned tables[] = {100, 200, 500, 1000, 2000}, few[] = {5, 10, 20, 50};
    static const unsigned windows[] = {100, 200, 500, 1000, 2000, 5000};
    const bool is_small = l->lab->set->small;
    *g = (dpl__lunch_grid){.n_tables = is_small ? DPL_LEN(few) : DPL_LEN(tables)};
    memcpy(g->tables, is_small ? few : tables, g->n_tables * sizeof *g->tables);
    for (size_t w = 0; w < DPL_LEN(windows); w++) {
        const unsigned b = dpl__lunch_window(l, windows[w]);
        if (!g->n_windows || b > g->windows[g->n_windows - 1])
            g->windows[g->n_windows++] = b;
    }
}

/* The highest recall that costs less than brute force. */
typedef struct best {
    double recall, cost;
    unsigned n_tables, window;
} best;

static best put_rows(dpl__lab_table *t, const dpl__lunch *l, const dpl__lunch_grid *g,
                     const dpl__lunch_tables *m)
{
    best b = {0};
    for (size_t q = 0; q < g->n_tables; q++)
        for (size_t w = 0; w < g->n_windows; w++) {
            const double recall = (double)m->cells[q][w].n_found / (double)l->n_truth;
            const double cost = dpl__lunch_cost(l, g->tables[q], g->windows[w]);
            dpl__lab_text(t, "Q = %u", g->tables[q]);
            dpl__lab_count(t, g->tables[q]);
            dpl__lab_count(t, g->windows[w]);
            dpl__lab_number(t, dpl__lunch_compared(l, g->tables[q], g->windows[w]), 0);
            dpl__lab_number(t, 100 * cost, 2);
            dpl__lab_number(t, recall, 4);
            dpl__lab_text(t, "%.2f", recall);
            if (cost < 1 && recall > b.recall)
                b = (best){recall, cost, g->tables[q], g->windows[w]};
        }
    return b;
}

static void say(dpl__lab *lab, const dpl__lunch *l, const best *b)
{
    const double most = (double)l->n_within / (double)l->n_truth;
    if (b->n_tables)
        dpl__lab_find(
            lab,
            "below the %.3g comparisons of brute force, which finds %.1f %%, the best "
            "of the grid is %.1f %% with Q = %u and B = %u, at %.0f %% of the cost",
            l->n_pairs, 100 * most, 100 * b->recall, b->n_tables, b->window, 100 * b->cost);
    else
        dpl__lab_find(lab, "every setting of the grid compares more than brute force does");
    dpl__lab_note(lab,
                  "B is the same share of the %.0f rows as 100 to 5000 are of the paper's 4.91 "
                  "million, and at least a hundredth of those. Recall without verification, of "
                  "%zu pairs of %zu left documents",
                  l->n_rows, l->n_truth, l->n_sample);
    dpl__lab_note(lab, "The paper's text has no numbers of this figure but brute force's 5.05 "
                       "trillion comparisons");
}

static void draw(dpl__lab *lab, const dpl__lab_table *t, const dpl__lunch *l,
                 const dpl__lunch_grid *g)
{
    dpl__lab_curve curves[DPL__LUNCH_MOST];
    char names[DPL__LUNCH_MOST][40];
    for (size_t q = 0; q < g->n_tables; q++) {
        snprintf(names[q], sizeof names[q], "Q = %u", g->tables[q]);
        curves[q] = (dpl__lab_curve){.title = names[q],
                                     .rows = names[q],
                                     .x = 3,
                                     .y = 4,
                                     .label = 7,
                                     .label_below = true};
    }
    dpl__lab_draw(lab, &(dpl__lab_plot){.table = t,
                                        .x_label = "window B; points: recall",
                                        .y_label = "comparisons of signatures",
                                        .x_log = true,
                                        .y_log = true,
                                        .x_min = 0.8 * g->windows[0],
                                        .x_max = 1.5 * g->windows[g->n_windows - 1],
                                        .legend = "bottom right",
                                        .curves = curves,
                                        .n_curves = g->n_tables,
                                        .line = l->n_pairs,
                                        .line_label = "brute force"});
}

static dpl_status run(dpl__lab *lab, dpl__lunch *l, dpl_error *err)
{
    dpl__lunch_grid g;
    dpl__lunch_tables m;
    make_grid(&g, l);
    DPL_TRY(dpl__lunch_run_tables(&m, l, &g, err));
    dpl__lab_table *t = dpl__lab_table_new(
        lab, NULL, "series\tQ\tB\tcomparisons\trelative cost [%]\trecall\tlabel");
    const best b = put_rows(t, l, &g, &m);
    say(lab, l, &b);
    draw(lab, t, l, &g);
    return dpl__lab_status(lab, err);
}

dpl_status dpl__lab_lunch_figure_7(dpl__lab *lab, dpl_error *err)
{
    dpl__lunch l;
    DPL_TRY(dpl__lunch_open(&l, lab, 0, err));
    const dpl_status status = run(lab, &l, err);
    dpl__lunch_close(&l);
    return status;
}
