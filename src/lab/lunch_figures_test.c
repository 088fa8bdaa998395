#include "lab/lunch_bench_test.h"

#include "lab/cells_test.h"

#include "signatures/signatures.h"

#include <math.h>

/* An experiment on the bench; what it says and draws is dropped when the lab is closed. */
static void run(bench *b, dpl_ctx *ctx, dpl__lab_fn *experiment)
{
    open_bench(b, ctx, 2);
    CHECK_OK(experiment(&b->lab, &test_err));
}

static void end(bench *b)
{
    dpl_ctx *ctx = b->lab.ctx;
    dpl__lab_tables_clear(&b->lab);
    dpl__vec_clear(ctx, &b->lab.findings);
    dpl__vec_clear(ctx, &b->lab.notes);
    dpl__vec_clear(ctx, &b->lab.plots);
    dpl__vec_clear(ctx, &b->lab.pictures);
    close_bench(b);
}

/* The k-th number, from 0, behind a text in what was found. */
static double said(const bench *b, const char *text, unsigned k)
{
    char all[4000];
    snprintf(all, sizeof all, "%.*s", (int)b->lab.findings.n, b->lab.findings.data);
    const char *at = strstr(all, text);
    CHECK(at != NULL);
    for (at = at ? at + strlen(text) : ""; *at; at++) {
        char *behind;
        if ((*at < '0' || *at > '9'))
            continue;
        const double value = strtod(at, &behind);
        if (k-- == 0)
            return value;
        at = behind - 1;
    }
    return NAN;
}

static double cosine_of(const bench *b, uint32_t left, uint32_t right)
{
    return (double)(float)dpl_vectors_cosine(b->lunch.sides[0].vectors, left,
                                             b->lunch.sides[1].vectors, right);
}

/* ---- links -------------------------------------------------------------------------- */

enum { NEAR = 4 };

/* Rows of the other side, the nearest first. */
static void nearest(uint32_t out[NEAR], double scores[NEAR], const bench *b, bool is_right,
                    uint32_t row)
{
    for (unsigned i = 0; i < NEAR; i++) {
        scores[i] = -2;
        for (uint32_t other = 0; other < N_ROWS; other++) {
            const double c = is_right ? cosine_of(b, other, row) : cosine_of(b, row, other);
            bool is_taken = false;
            for (unsigned k = 0; k < i; k++)
                is_taken |= out[k] == other;
            if (!is_taken && c > scores[i]) {
                scores[i] = c;
                out[i] = other;
            }
        }
    }
}

static double mean(const double *x)
{
    return (x[0] + x[1] + x[2] + x[3]) / NEAR;
}

static uint32_t by_margin(const bench *b, const uint32_t *rows, const double *scores)
{
    double best = 0;
    uint32_t row = UINT32_MAX;
    for (unsigned i = 0; i < NEAR; i++) {
        uint32_t back[NEAR];
        double others[NEAR];
        nearest(back, others, b, true, rows[i]);
        const double margin = scores[i] / ((mean(scores) + mean(others)) / 2);
        if (margin > best) {
            best = margin;
            row = rows[i];
        }
    }
    return row;
}

/* Every third row has no link; row 0 has a wrong one. */
static const char *write_links(const bench *b)
{
    static char text[N_ROWS * 24];
    size_t at = 0;
    for (uint32_t i = 0; i < N_ROWS; i++) {
        const dpl_str left = dpl_vectors_id(b->lunch.sides[0].vectors, i),
                      right = dpl_vectors_id(b->lunch.sides[1].vectors, i ? i : 5);
        if (i % 3 != 1)
            at += (size_t)sprintf(text + at, "%.*s\t%.*s\n", (int)left.n, left.data,
                                  (int)right.n, right.data);
    }
    return test_write("links.tsv", text, at);
}

DPL_TEST(lunch_figures, links_are_counted_as_a_full_matrix_of_cosines_says)
{
    static bench b;
    dpl_ctx *ctx = test_ctx(2);
    open_bench(&b, ctx, 2);
    b.set.gold = write_links(&b);
    CHECK_OK(dpl__lab_lunch_links(&b.lab, &test_err));
    size_t n_linked = 0, n_first = 0, n_margin = 0, n_below = 0, n_linked_below = 0;
    for (size_t i = 0; i < b.lunch.n_sample; i++) {
        const uint32_t row = b.lunch.sample[i], linked = row ? row : 5;
        uint32_t rows[NEAR];
        double scores[NEAR];
        nearest(rows, scores, &b, false, row);
        n_below += scores[0] < 0.5;
        if (row % 3 == 1)
            continue;
        n_linked++;
        n_first += rows[0] == linked;
        n_margin += by_margin(&b, rows, scores) == linked;
        n_linked_below += scores[0] < 0.5;
    }
    const dpl__lab_table *t = test_table(&b.lab, NULL);
    const size_t expected[4][2] = {{n_first, n_linked},
                                   {n_margin, n_linked},
                                   {n_below, b.lunch.n_sample},
                                   {n_linked_below, n_linked}};
    CHECK(n_linked > 80 && n_first > 10 && n_first < n_linked);
    for (size_t row = 0; row < 4; row++) {
        CHECK(test_number(t, row, 1) == (double)expected[row][0]);
        CHECK(test_number(t, row, 2) == (double)expected[row][1]);
        CHECK(fabs(test_number(t, row, 3) -
                   100.0 * (double)expected[row][0] / (double)expected[row][1]) < 0.051);
    }
    /* the histogram has every sampled document once */
    const dpl__lab_table *h = test_table(&b.lab, "cosines");
    double sum = 0;
    for (size_t row = 0; row < h->n_rows; row++)
        sum += test_number(h, row, 2);
    CHECK(sum == (double)b.lunch.n_sample);
    end(&b);
    test_ctx_done(ctx);
}

/* ---- the error of signatures -------------------------------------------------------- */

/* What the estimate of a cosine misses on average: the distance is binomial. */
static double expected_error(double cosine, unsigned bits)
{
    const double pi = acos(-1.0), p = acos(cosine) / pi;
    double sum = 0;
    for (unsigned h = 0; h <= bits; h++) {
        const double log_probability = lgamma(bits + 1.0) - lgamma(h + 1.0) -
                                       lgamma(bits - h + 1.0) + h * log(p) +
                                       (bits - h) * log(1 - p);
        sum += exp(log_probability) * fabs(cos(pi * h / bits) - cosine);
    }
    return sum;
}

DPL_TEST(lunch_figures, errors_of_signatures_are_those_of_binomial_distances)
{
    static bench b;
    dpl_ctx *ctx = test_ctx(2);
    run(&b, ctx, dpl__lab_lunch_table_1);
    const dpl__lab_table *t = test_table(&b.lab, NULL);
    const uint32_t *sample;
    size_t n;
    CHECK_OK(dpl__lab_sample(&sample, &n, &b.lab, 0, &test_err));
    for (size_t k = 0; k < 4; k++) {
        const size_t row = test_row(t, "rp", k);
        const unsigned bits = (unsigned)test_number(t, row, 1);
        double sum = 0, high = 0, n_high = 0;
        for (size_t i = 0; i < n; i++)
            for (size_t j = i + 1; j < n; j++) {
                const dpl_vectors *v = b.lunch.sides[0].vectors;
                const double c = dpl_vectors_cosine(v, sample[i], v, sample[j]);
                const double error = expected_error(c, bits);
                sum += error;
                high += c > 0.2 ? error : 0;
                n_high += c > 0.2;
            }
        const double all = sum / ((double)n * (double)(n - 1) / 2);
        /* one seed: hyperplanes are shared by all pairs */
        CHECK(fabs(test_number(t, row, 2) / all - 1) < 0.12);
        CHECK(n_high > 100 && fabs(test_number(t, row, 4) / (high / n_high) - 1) < 0.15);
    }
    end(&b);
    test_ctx_done(ctx);
}

/* ---- length of signatures ----------------------------------------------------------- */

DPL_TEST(lunch_figures, precision_and_recall_of_signatures_are_counted_pair_by_pair)
{
    static bench b;
    dpl_ctx *ctx = test_ctx(2);
    run(&b, ctx, dpl__lab_lunch_table_2);
    const dpl__lab_table *t = test_table(&b.lab, NULL);
    for (size_t k = 0; k < 3; k++) {
        const size_t row = test_row(t, "measured", k);
        const unsigned bits = (unsigned)test_number(t, row, 2);
        dpl__lunch l;
        CHECK_OK(dpl__lunch_open(&l, &b.lab, bits, &test_err));
        size_t n_true = 0, n_within = 0, n_both = 0;
        for (size_t i = 0; i < l.n_sample; i++)
            for (uint32_t j = 0; j < N_ROWS; j++) {
                const bool is_true = cosine_of(&b, l.sample[i], j) >= 0.5;
                /* an angle of at most 60 degrees: a third of the bits */
                const bool is_within =
                    3 * dpl_signatures_distance(l.made[0], l.sample[i], l.made[1], j) <= bits;
                n_true += is_true;
                n_within += is_within;
                n_both += is_true && is_within;
            }
        CHECK(n_true > 100 && n_both > 0);
        CHECK(fabs(test_number(t, row, 5) - (double)n_both / (double)n_within) < 6e-5);
        CHECK(fabs(test_number(t, row, 6) - (double)n_both / (double)n_true) < 6e-5);
        dpl__lunch_close(&l);
    }
    end(&b);
    test_ctx_done(ctx);
}

DPL_TEST(lunch_figures, as_in_the_paper_there_are_1000_bits_and_a_cut_at_400)
{
    static bench b;
    dpl_ctx *ctx = test_ctx(1);
    open_bench(&b, ctx, 2);
    b.set.as_paper = true;
    b.set.threshold = 0.3;
    dpl__lunch l;
    CHECK_OK(dpl__lunch_open(&l, &b.lab, 1000, &test_err));
    CHECK_EQ(l.bits, 1000);
    CHECK_EQ(l.cut, 400);
    /* what is behind the 1000 bits is the same in all rows */
    for (unsigned side = 0; side < 2; side++) {
        const dpl__bits *bits = dpl__signatures_bits(l.made[side]);
        for (uint32_t row = 0; row < N_ROWS; row++)
            CHECK_EQ(bits->words[(size_t)row * bits->n_words + 15] >> 40, 0);
    }
    dpl__lunch_close(&l);
    b.set.threshold = 0.5; /* the paper says nothing of other thresholds */
    CHECK_OK(dpl__lunch_open(&l, &b.lab, 1000, &test_err));
    CHECK_EQ(l.cut, 333);
    dpl__lunch_close(&l);
    end(&b);
    test_ctx_done(ctx);
}

/* ---- tables and windows ------------------------------------------------------------- */

DPL_TEST(lunch_figures, the_distance_from_the_bounds_is_the_largest_of_the_table)
{
    static bench b;
    dpl_ctx *ctx = test_ctx(2);
    run(&b, ctx, dpl__lab_lunch_figure_6);
    const dpl__lab_table *t = test_table(&b.lab, NULL);
    double outside = 0, from_plan = 0;
    CHECK(t->n_rows >= 4);
    for (size_t row = 0; row < t->n_rows; row++) {
        const double recall = test_number(t, row, 3), low = test_number(t, row, 5),
                     high = test_number(t, row, 6), plan = test_number(t, row, 7);
        CHECK(low <= high && test_number(t, row, 8) <= test_number(t, row, 9));
        CHECK(recall <= test_number(t, row, 10)); /* what is found lies in a window */
        outside = fmax(outside, fmax(low - recall, recall - high));
        from_plan = fmax(from_plan, fabs(plan - recall));
    }
    CHECK(fabs(said(&b, "lies up to ", 0) - outside) < 1e-3);
    CHECK(fabs(said(&b, "lies up to ", 1) - from_plan) < 1e-3);
    CHECK(fabs(said(&b, "finds more than ", 0) -
               100 * (double)b.lunch.n_within / (double)b.lunch.n_truth) < 0.06);
    end(&b);
    test_ctx_done(ctx);
}

DPL_TEST(lunch_figures, the_best_of_a_grid_costs_less_than_brute_force)
{
    static bench b;
    dpl_ctx *ctx = test_ctx(2);
    run(&b, ctx, dpl__lab_lunch_figure_7);
    const dpl__lab_table *t = test_table(&b.lab, NULL);
    double best = 0, n_tables = 0, window = 0;
    for (size_t row = 0; row < t->n_rows; row++) {
        const double cost = test_number(t, row, 4), recall = test_number(t, row, 5);
        /* comparisons of the table over all pairs */
        CHECK(fabs(100 * test_number(t, row, 3) / ((double)N_ROWS * N_ROWS) - cost) < 0.01);
        if (cost < 100 && recall > best) {
            best = recall;
            n_tables = test_number(t, row, 1);
            window = test_number(t, row, 2);
        }
    }
    CHECK(best > 0);
    CHECK(fabs(said(&b, "best of the grid is ", 0) - 100 * best) < 0.06);
    CHECK(said(&b, "best of the grid is ", 1) == n_tables);
    CHECK(said(&b, "best of the grid is ", 2) == window);
    end(&b);
    test_ctx_done(ctx);
}

DPL_TEST(lunch_figures, the_cheapest_setting_of_a_level_is_that_of_the_grid)
{
    static bench b;
    dpl_ctx *ctx = test_ctx(2);
    run(&b, ctx, dpl__lab_lunch_figure_8);
    const dpl__lab_table *t = test_table(&b.lab, NULL), *levels = test_table(&b.lab, "levels");
    size_t n_reached = 0;
    for (size_t k = 0; k < 4; k++) {
        const size_t row = test_row(levels, "measured", k);
        const double level = test_number(levels, row, 1);
        double least = INFINITY;
        for (size_t i = 0; i < t->n_rows; i++)
            if (test_cell(t, i, 0).data[0] == 'Q' && test_number(t, i, 4) >= level)
                least = fmin(least, test_number(t, i, 3));
        const dpl_str cost = test_cell(levels, row, 2);
        CHECK_EQ(cost.n == 0, isinf(least) != 0);
        if (cost.n) {
            n_reached++;
            CHECK(fabs(test_number(levels, row, 2) - least) < 0.06);
            /* sorting comes on top */
            CHECK(test_number(levels, row, 3) > test_number(levels, row, 2));
        }
    }
    CHECK(n_reached > 0);
    const size_t paper = test_row(levels, "paper", 0);
    CHECK(test_number(levels, paper, 1) == 93 && test_number(levels, paper, 2) == 35);
    end(&b);
    test_ctx_done(ctx);
}

DPL_TEST(lunch_figures, lines_of_time_are_those_through_the_measured_points)
{
    static bench b;
    dpl_ctx *ctx = test_ctx(1);
    run(&b, ctx, dpl__lab_lunch_figure_5);
    const dpl__lab_table *t = test_table(&b.lab, NULL), *lines = test_table(&b.lab, "lines");
    for (size_t k = 0; test_row(lines, "measured", k) != SIZE_MAX; k++) {
        const size_t line = test_row(lines, "measured", k);
        double n = 0, x = 0, y = 0, xx = 0, xy = 0;
        for (size_t row = 0; row < t->n_rows; row++) {
            if (test_cell(t, row, 0).data[0] != 'Q' ||
                test_number(t, row, 1) != test_number(lines, line, 1))
                continue;
            const double window = test_number(t, row, 2), seconds = test_number(t, row, 3);
            n++;
            x += window;
            y += seconds;
            xx += window * window;
            xy += window * seconds;
        }
        /* the normal equations; seconds are printed with five digits */
        const double slope = (n * xy - x * y) / (n * xx - x * x);
        CHECK(n >= 2 && fabs(test_number(lines, line, 4) - 1e3 * slope) < 2e-3);
    }
    end(&b);
    test_ctx_done(ctx);
}
