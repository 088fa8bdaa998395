/*
 * lunch_figure_8.c - "No Free Lunch", Figure 8: effectiveness against cost, both relative to
 * brute force; and the same in seconds, where exact search stands, too.
 *
 * The paper counts comparisons: brute force is 100 %, and the window pays below 99.5 % of what
 * brute force finds. Seconds tell what the machine takes instead: permuting and sorting a row
 * is worth hundreds of comparisons when these take less than a nanosecond, and an inverted
 * index finds all pairs without any signature.
 */
#include "lab/lunch.h"

#include <math.h>
#include <stdio.h>

/* Section 6.2: relative effectiveness and cost, in per cent. */
static const struct {
    double level, cost;
} paper[] = {{93, 35}, {95, 40}, {98, 50}, {99.5, 100}};

enum { ROW_TABLES = 30000000 }; /* rows times tables that are searched with times */

static double recall_of(const dpl__lunch *l, size_t n_found)
{
    return (double)n_found / (double)l->n_truth;
}

static double effectiveness(const dpl__lunch *l, size_t n_found)
{
    return l->n_within ? (double)n_found / (double)l->n_within : 0;
}

static void add_windows(dpl__lunch_grid *g, const dpl__lunch *l, const unsigned *windows,
                        size_t n)
{
    for (size_t w = 0; w < n; w++) {
        const unsigned b = dpl__lunch_window(l, windows[w]);
        if (!g->n_windows || b > g->windows[g->n_windows - 1])
            g->windows[g->n_windows++] = b;
    }
}

/* ---- comparisons ------------------------------------------------------------------------- */

static void make_grid(dpl__lunch_grid *g, const dpl__lunch *l)
{
    static const unsigned tables[] = {100, 200, 300, 500, 700, 1000, 1500, 2000},
                          few[] = {5, 10, 20, 50};
    static const unsigned windows[] = {100, 200, 300, 500, 700, 1000, 1500, 2000, 3000, 5000};
    const bool is_small = l->lab->set->small;
    *g = (dpl__lunch_grid){.n_tables = is_small ? DPL_LEN(few) : DPL_LEN(tables)};
    memcpy(g->tables, is_small ? few : tables, g->n_tables * sizeof *g->tables);
    add_windows(g, l, windows, DPL_LEN(windows));
}

static void put_grid(dpl__lab_table *t, const dpl__lunch *l, const dpl__lunch_grid *g,
                     const dpl__lunch_tables *m)
{
    for (size_t q = 0; q < g->n_tables; q++)
        for (size_t w = 0; w < g->n_windows; w++) {
            dpl__lab_text(t, "Q = %u", g->tables[q]);
            dpl__lab_count(t, g->tables[q]);
            dpl__lab_count(t, g->windows[w]);
            dpl__lab_number(t, 100 * dpl__lunch_cost(l, g->tables[q], g->windows[w]), 2);
            dpl__lab_number(t, 100 * effectiveness(l, m->cells[q][w].n_found), 2);
        }
    dpl__lab_text(t, "brute force");
    dpl__lab_none(t);
    dpl__lab_none(t);
    dpl__lab_number(t, 100, 2);
    dpl__lab_number(t, 100, 2);
    for (size_t i = 0; i < DPL_LEN(paper); i++) {
        dpl__lab_text(t, "paper");
        dpl__lab_none(t);
        dpl__lab_none(t);
        dpl__lab_number(t, paper[i].cost, 0);
        dpl__lab_number(t, paper[i].level, 1);
    }
}

/* The cheapest setting of the grid that reaches a level. */
typedef struct cheapest {
    double cost; /* INFINITY: none reaches it */
    double with_sort;
    unsigned n_tables, window;
} cheapest;

/* sort: comparisons that one row in one table is worth. */
static cheapest find_cheapest(const dpl__lunch *l, const dpl__lunch_grid *g,
                              const dpl__lunch_tables *m, double level, double sort)
{
    cheapest best = {.cost = INFINITY, .with_sort = INFINITY};
    for (size_t q = 0; q < g->n_tables; q++)
        for (size_t w = 0; w < g->n_windows; w++) {
            const double cost = dpl__lunch_cost(l, g->tables[q], g->windows[w]);
            const double sorted = cost + g->tables[q] * l->n_rows * sort / l->n_pairs;
            if (100 * effectiveness(l, m->cells[q][w].n_found) < level)
                continue;
            best.with_sort = fmin(best.with_sort, sorted);
            if (cost < best.cost) {
                best.cost = cost;
                best.n_tables = g->tables[q];
                best.window = g->windows[w];
            }
        }
    return best;
}

static void put_cost(dpl__lab_table *t, double cost)
{
    if (isinf(cost))
        dpl__lab_none(t);
    else
        dpl__lab_number(t, 100 * cost, 1);
}

static void put_levels(dpl__lab *lab, const dpl__lunch *l, const dpl__lunch_grid *g,
                       const dpl__lunch_tables *m, double sort)
{
    dpl__lab_table *t = dpl__lab_table_new(lab, "levels",
                                           "source\trelative effectiveness [%]\trelative cost "
                                           "[%]\twith chunk generation [%]\tQ\tB");
    for (size_t i = 0; i < DPL_LEN(paper); i++) {
        const cheapest c = find_cheapest(l, g, m, paper[i].level, sort);
        dpl__lab_text(t, "measured");
        dpl__lab_number(t, paper[i].level, 1);
        put_cost(t, c.cost);
        put_cost(t, c.with_sort);
        dpl__lab_count(t, c.n_tables);
        dpl__lab_count(t, c.window);
        if (isinf(c.cost))
            dpl__lab_find(lab, "no setting of the grid reaches %g %% relative effectiveness",
                          paper[i].level);
        else
            dpl__lab_find(lab,
                          "%g %% of what brute force finds takes %.0f %% of its comparisons "
                          "(paper: %g %%), or %.0f %% with chunk generation",
                          paper[i].level, 100 * c.cost, paper[i].cost, 100 * c.with_sort);
    }
    for (size_t i = 0; i < DPL_LEN(paper); i++) {
        dpl__lab_text(t, "paper");
        dpl__lab_number(t, paper[i].level, 1);
        dpl__lab_number(t, paper[i].cost, 0);
        for (int k = 0; k < 3; k++)
            dpl__lab_none(t);
    }
}

static void draw_costs(dpl__lab *lab, const dpl__lab_table *t, const dpl__lunch_grid *g)
{
    dpl__lab_curve curves[DPL__LUNCH_MOST];
    char names[DPL__LUNCH_MOST][40];
    size_t n = 0;
    for (size_t q = 0; q < g->n_tables; q++) {
        if (!lab->set->small && g->tables[q] != 100 && g->tables[q] != 300 &&
            g->tables[q] != 500 && g->tables[q] != 1000 && g->tables[q] != 2000)
            continue;
        snprintf(names[n], sizeof names[n], "Q = %u", g->tables[q]);
        curves[n] = (dpl__lab_curve){.title = names[n], .rows = names[n], .x = 4, .y = 5};
        n++;
    }
    curves[n++] = (dpl__lab_curve){.title = "the paper's text",
                                   .rows = "paper",
                                   .x = 4,
                                   .y = 5,
                                   .style = DPL_LAB_POINTS,
                                   .colour = 7};
    dpl__lab_draw(lab, &(dpl__lab_plot){.table = t,
                                        .x_label = "relative cost: comparisons [%]",
                                        .y_label = "relative effectiveness [%]",
                                        .x_min = 0,
                                        .x_max = 140,
                                        .y_min = 0,
                                        .y_max = 102,
                                        .legend = "bottom right",
                                        .curves = curves,
                                        .n_curves = n,
                                        .line = 100,
                                        .line_label = "brute force over signatures"});
}

/* ---- seconds ----------------------------------------------------------------------------- */

static void make_timed_grid(dpl__lunch_grid *g, const dpl__lunch *l)
{
    static const unsigned tables[] = {10, 30, 100, 300, 1000},
                          windows[] = {1000, 5000, 20000, 80000};
    const double most = l->lab->set->small ? 30 : fmax(30, ROW_TABLES / l->n_rows);
    *g = (dpl__lunch_grid){.has_times = true};
    for (size_t q = 0; q < DPL_LEN(tables) && tables[q] <= most; q++)
        g->tables[g->n_tables++] = tables[q];
    add_windows(g, l, windows, DPL_LEN(windows));
}

typedef struct times {
    double sign, brute, verified, exact;
    double verified_recall;
} times;

/* Brute force with the cut that loses one pair in a hundred at the threshold. */
static dpl_status measure_times(times *out, dpl__lunch *l, dpl_error *err)
{
    dpl__lunch_brute brute;
    const unsigned loose = dpl_sign_cut(DPL_SIGN_RP, l->bits, l->threshold, 0.99);
    size_t n = 0;
    DPL_TRY(dpl__lunch_time_sign(&out->sign, l, err));
    DPL_TRY(dpl__lunch_run_brute(&brute, l, l->cut, false, err));
    out->brute = brute.seconds;
    DPL_TRY(dpl__lunch_run_brute(&brute, l, loose, true, err));
    out->verified = brute.seconds;
    for (size_t i = 0; i < l->n_truth; i++)
        n += l->truth[i].distance <= loose;
    out->verified_recall = recall_of(l, n);
    return dpl__lunch_time_exact(&out->exact, l, err);
}

static void put_timed(dpl__lab_table *t, const char *name, unsigned n_tables, unsigned window,
                      double seconds, double recall)
{
    dpl__lab_text(t, "%s", name);
    dpl__lab_count(t, n_tables);
    dpl__lab_count(t, window);
    dpl__lab_number(t, seconds, 5);
    dpl__lab_number(t, recall, 4);
}

static void put_times(dpl__lab_table *t, const dpl__lunch *l, const dpl__lunch_grid *g,
                      const dpl__lunch_tables *m, const times *s)
{
    for (size_t w = 0; w < g->n_windows; w++)
        for (size_t q = 0; q < g->n_tables; q++) {
            char name[40];
            snprintf(name, sizeof name, "window B = %u", g->windows[w]);
            put_timed(t, name, g->tables[q], g->windows[w],
                      s->sign + m->sort_seconds[q] + m->cells[q][w].seconds,
                      recall_of(l, m->cells[q][w].n_found));
        }
    put_timed(t, "brute force", 0, 0, s->sign + s->brute, recall_of(l, l->n_within));
    put_timed(t, "brute force, verified", 0, 0, s->sign + s->verified, s->verified_recall);
    put_timed(t, "exact", 0, 0, s->exact, 1);
}

/* The highest recall of a window that takes less than so many seconds; 0: none does. */
static double recall_within(const dpl__lunch *l, const dpl__lunch_grid *g,
                            const dpl__lunch_tables *m, double seconds)
{
    double best = 0;
    for (size_t q = 0; q < g->n_tables; q++)
        for (size_t w = 0; w < g->n_windows; w++)
            if (m->sort_seconds[q] + m->cells[q][w].seconds < seconds)
                best = fmax(best, recall_of(l, m->cells[q][w].n_found));
    return best;
}

static void say_cheaper(dpl__lab *lab, const char *method, double recall)
{
    if (recall > 0)
        dpl__lab_find(lab,
                      "no window of the grid that finds more than %.1f %% is cheaper than %s",
                      100 * recall, method);
    else
        dpl__lab_find(lab, "%s is cheaper than the window at every recall", method);
}

static void say_times(dpl__lab *lab, const dpl__lunch *l, const dpl__lunch_grid *g,
                      const dpl__lunch_tables *m, const times *s)
{
    dpl__lab_find(
        lab,
        "exact search finds all pairs; brute force takes %.2f times as long and finds %.1f %%, "
        "with a looser distance and true cosines %.2f times and %.1f %%",
        (s->sign + s->brute) / s->exact, 100 * recall_of(l, l->n_within),
        (s->sign + s->verified) / s->exact, 100 * s->verified_recall);
    say_cheaper(lab, "exact search", recall_within(l, g, m, s->exact - s->sign));
    say_cheaper(lab, "brute force", recall_within(l, g, m, s->brute));
}

static double decade_below(double x)
{
    double decade = 1;
    while (decade > x && decade > 1e-6)
        decade /= 10;
    while (10 * decade <= x)
        decade *= 10;
    return decade;
}

static void draw_times(dpl__lab *lab, const dpl__lab_table *t, const dpl__lunch_grid *g,
                       double least, double most)
{
    dpl__lab_curve curves[DPL__LUNCH_MOST];
    char names[DPL__LUNCH_MOST][40];
    static const char *const points[] = {"brute force", "brute force, verified", "exact"};
    static const unsigned colours[] = {5, 6, 7};
    size_t n = 0;
    for (; n < g->n_windows; n++) {
        snprintf(names[n], sizeof names[n], "window B = %u", g->windows[n]);
        curves[n] = (dpl__lab_curve){.title = names[n],
                                     .rows = names[n],
                                     .x = 4,
                                     .y = 5,
                                     .label = n == 0 ? 2 : 0,
                                     .label_below = true,
                                     .colour = (unsigned)n + 1};
    }
    for (size_t i = 0; i < DPL_LEN(points); i++)
        curves[n++] = (dpl__lab_curve){.title = points[i],
                                       .rows = points[i],
                                       .x = 4,
                                       .y = 5,
                                       .style = DPL_LAB_POINTS,
                                       .colour = colours[i]};
    dpl__lab_draw(
        lab,
        &(dpl__lab_plot){.table = t,
                         .more = "seconds",
                         .title = "No Free Lunch, Figure 8 in seconds: exact search beside it",
                         .x_label = "core seconds, signatures included; points: tables Q",
                         .y_label = "recall",
                         .x_log = true,
                         .x_min = decade_below(least),
                         .x_max = 10 * decade_below(most),
                         .y_min = 0,
                         .y_max = 1.05,
                         .legend = "bottom right",
                         .curves = curves,
                         .n_curves = n});
}

/* ---- all of it --------------------------------------------------------------------------- */

static void note(dpl__lab *lab, const dpl__lunch *l)
{
    dpl__lab_note(
        lab,
        "%u and %u rows, %u bits, truth: %zu pairs with a cosine of %g or more of %zu "
        "left documents. Relative effectiveness: recall of the window, without "
        "verification, divided by that of brute force",
        l->n_left, l->is_self ? l->n_left : l->n_right, l->bits, l->n_truth, l->threshold,
        l->n_sample);
    dpl__lab_note(lab, "Chunk generation, permuting and sorting, is turned into comparisons by "
                       "the time that one takes in brute force, as in the paper");
    dpl__lab_note(lab, "Seconds are processor time. The window compares on one thread, without "
                       "verification; exact search needs neither signatures nor verification");
}

static dpl_status run_seconds(dpl__lab *lab, dpl__lunch *l, double *sort, dpl_error *err)
{
    dpl__lunch_grid g;
    dpl__lunch_tables m;
    times s;
    make_timed_grid(&g, l);
    DPL_TRY(measure_times(&s, l, err));
    DPL_TRY(dpl__lunch_run_tables(&m, l, &g, err));
    const size_t last = g.n_tables - 1;
    *sort = m.sort_seconds[last] / g.tables[last] / l->n_rows / (s.brute / l->n_pairs);
    dpl__lab_table *t = dpl__lab_table_new(lab, "seconds", "series\tQ\tB\tseconds\trecall");
    put_times(t, l, &g, &m, &s);
    say_times(lab, l, &g, &m, &s);
    double least = fmin(s.exact, s.sign + s.brute), most = fmax(s.exact, s.sign + s.verified);
    least = fmin(least, s.sign + m.sort_seconds[0] + m.cells[0][0].seconds);
    most = fmax(most, s.sign + m.sort_seconds[last] + m.cells[last][g.n_windows - 1].seconds);
    draw_times(lab, t, &g, least, most);
    return DPL_OK;
}

static dpl_status run(dpl__lab *lab, dpl__lunch *l, dpl_error *err)
{
    dpl__lunch_grid g;
    dpl__lunch_tables m;
    double sort;
    make_grid(&g, l);
    DPL_TRY(dpl__lunch_run_tables(&m, l, &g, err));
    dpl__lab_table *t = dpl__lab_table_new(
        lab, NULL, "series\tQ\tB\trelative cost [%]\trelative effectiveness [%]");
    put_grid(t, l, &g, &m);
    draw_costs(lab, t, &g);
    DPL_TRY(run_seconds(lab, l, &sort, err));
    put_levels(lab, l, &g, &m, sort);
    note(lab, l);
    return dpl__lab_status(lab, err);
}

dpl_status dpl__lab_lunch_figure_8(dpl__lab *lab, dpl_error *err)
{
    dpl__lunch l;
    DPL_TRY(dpl__lunch_open(&l, lab, 0, err));
    const dpl_status status = run(lab, &l, err);
    dpl__lunch_close(&l);
    return status;
}
