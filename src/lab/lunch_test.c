#include "lab/lunch_bench_test.h"

#include "lab/experiment_table.h"
#include "pairs/tables_test.h"
#include "test.h"

#include <math.h>
#include <stdio.h>

static unsigned distance(const dpl__lunch *l, uint32_t a, uint32_t b)
{
    return dpl_signatures_distance(l->made[0], a, l->made[l->is_self ? 0 : 1], b);
}

/* ---- the truth --------------------------------------------------------------------------- */

DPL_TEST(lunch, a_cut_stands_for_the_threshold)
{
    CHECK_EQ(dpl__lunch_cut(0.3, 1000), 403); /* the paper takes 400, of 0.309 */
    CHECK_EQ(dpl__lunch_cut(0, 1000), 500);
    CHECK_EQ(dpl__lunch_cut(1, 1000), 0);
}

DPL_TEST(lunch, the_truth_has_all_pairs_of_the_sample)
{
    dpl_ctx *ctx = test_ctx(2);
    bench b;
    open_bench(&b, ctx, 2);
    const dpl__lunch *l = &b.lunch;
    size_t n = 0, n_within = 0;
    CHECK_EQ(l->n_sample, 150);
    for (size_t i = 0; i < l->n_sample; i++)
        for (uint32_t j = 0; j < N_ROWS; j++) {
            const uint32_t row = l->sample[i];
            const double cosine =
                dpl_vectors_cosine(l->sides[0].vectors, row, l->sides[1].vectors, j);
            if ((double)(float)cosine < 0.5)
                continue;
            CHECK(n < l->n_truth);
            n_within += distance(l, row, j) <= l->cut;
            n++;
        }
    CHECK(n > 100);
    CHECK_EQ(l->n_truth, n);
    CHECK_EQ(l->n_within, n_within);
    close_bench(&b);
    test_ctx_done(ctx);
}

DPL_TEST(lunch, brute_force_counts_pairs_of_the_sample)
{
    dpl_ctx *ctx = test_ctx(2);
    for (size_t n_inputs = 1; n_inputs <= 2; n_inputs++) {
        bench b;
        open_bench(&b, ctx, n_inputs);
        dpl__lunch *l = &b.lunch;
        dpl__lunch_brute brute;
        uint64_t n_sampled = 0, n_candidates = 0;
        CHECK_OK(dpl__lunch_run_brute(&brute, l, l->cut, n_inputs == 1, &test_err));
        for (uint32_t i = 0, at = 0; i < N_ROWS; i++) {
            while (at < l->n_sample && l->sample[at] < i)
                at++;
            for (uint32_t j = n_inputs == 1 ? i + 1 : 0; j < N_ROWS; j++) {
                const bool is_near = distance(l, i, j) <= l->cut;
                n_candidates += is_near;
                n_sampled += is_near && at < l->n_sample && l->sample[at] == i;
            }
        }
        CHECK_EQ(brute.n_candidates, n_candidates);
        CHECK_EQ(brute.n_sampled, n_sampled);
        CHECK_EQ(brute.n_true, l->n_within);
        close_bench(&b);
    }
    test_ctx_done(ctx);
}

/* ---- tables ------------------------------------------------------------------------------ */

static const dpl__lunch_grid grid = {
    .tables = {1, 5, 20}, .n_tables = 3, .windows = {3, 30, 250}, .n_windows = 3};

/* True pairs that a search finds with these tables and this window. */
static size_t search(const dpl__lunch *l, unsigned n_tables, unsigned window,
                     uint64_t *n_compared)
{
    const dpl_pairs_options o = DPL_INIT(
        dpl_pairs_options, .method = DPL_PAIRS_WINDOW, .threshold = 0.5, .no_verify = true,
        .no_recall_check = true, .tables = n_tables, .width = window, .temp = test_dir());
    dpl_pairs *pairs = NULL;
    dpl_pair pair;
    size_t n = 0;
    CHECK_OK(dpl_pairs_open(&pairs, l->lab->ctx, &l->sides[0], l->is_self ? NULL : &l->sides[1],
                            &o, &test_err));
    while (dpl_pairs_next(pairs, &pair, &test_err) == DPL_OK)
        for (size_t i = 0; i < l->n_truth; i++)
            n += l->truth[i].a == pair.left &&
                 l->truth[i].b == pair.right + (l->is_self ? 0 : l->n_left);
    *n_compared = dpl_pairs_get_summary(pairs)->n_comparisons;
    dpl_pairs_close(pairs);
    return n;
}

DPL_TEST(lunch, tables_find_what_the_search_finds)
{
    dpl_ctx *ctx = test_ctx(2);
    static dpl__lunch_tables timed, untimed;
    for (size_t n_inputs = 1; n_inputs <= 2; n_inputs++) {
        bench b;
        open_bench(&b, ctx, n_inputs);
        dpl__lunch_grid with_times = grid;
        with_times.has_times = true;
        CHECK_OK(dpl__lunch_run_tables(&timed, &b.lunch, &with_times, &test_err));
        CHECK_OK(dpl__lunch_run_tables(&untimed, &b.lunch, &grid, &test_err));
        for (size_t q = 0; q < grid.n_tables; q++)
            for (size_t w = 0; w < grid.n_windows; w++) {
                const dpl__lunch_cell *c = &timed.cells[q][w];
                uint64_t n_compared;
                CHECK_EQ(c->n_found,
                         search(&b.lunch, grid.tables[q], grid.windows[w], &n_compared));
                CHECK_EQ(c->n_compared, n_compared);
                CHECK_EQ(c->n_found, untimed.cells[q][w].n_found);
                CHECK_EQ(c->n_placed, untimed.cells[q][w].n_placed);
                CHECK(c->n_placed >= c->n_found && c->seconds >= 0);
            }
        CHECK(timed.sort_seconds[2] >= timed.sort_seconds[0]);
        close_bench(&b);
    }
    test_ctx_done(ctx);
}

DPL_TEST(lunch, tables_place_pairs_as_naive_tables_do)
{
    dpl_ctx *ctx = test_ctx(1);
    static uint64_t words[2 * N_ROWS * N_WORDS];
    static tables_pair pairs[N_ROWS * 10];
    static dpl__lunch_tables m;
    bench b;
    open_bench(&b, ctx, 2);
    const dpl__lunch *l = &b.lunch;
    CHECK(l->n_truth <= DPL_LEN(pairs));
    for (uint32_t i = 0; i < N_ROWS; i++)
        for (size_t k = 0; k < 2; k++)
            memcpy(words + (k * N_ROWS + i) * N_WORDS, dpl_signatures_row(l->made[k], i),
                   N_WORDS * sizeof *words);
    for (size_t i = 0; i < l->n_truth; i++)
        pairs[i] = (tables_pair){l->truth[i].a, l->truth[i].b};
    CHECK_OK(dpl__lunch_run_tables(&m, &b.lunch, &grid, &test_err));
    for (size_t q = 0; q < grid.n_tables; q++) {
        tables_recall naive[3];
        tables_run(naive, &(tables_input){words, 2 * N_ROWS, BITS, pairs, l->n_truth,
                                          grid.windows, 3, &grid.tables[q], 1, ctx->seed});
        for (size_t w = 0; w < 3; w++)
            CHECK_EQ(m.cells[q][w].n_placed,
                     (size_t)lround(naive[w].first * (double)l->n_truth));
    }
    close_bench(&b);
    test_ctx_done(ctx);
}

/* ---- arithmetic -------------------------------------------------------------------------- */

DPL_TEST(lunch, comparisons_are_those_of_the_tables)
{
    size_t n = 0;
    for (unsigned i = 0; i < 50; i++)
        for (unsigned j = i + 1; j < 50; j++)
            n += j - i <= 7;
    CHECK(fabs(dpl__window_pairs(50, 0, 7) - (double)n) < 1e-9);
    dpl_ctx *ctx = test_ctx(1);
    static dpl__lunch_tables m;
    bench b;
    open_bench(&b, ctx, 2);
    dpl__lunch_grid with_times = grid;
    with_times.has_times = true;
    CHECK_OK(dpl__lunch_run_tables(&m, &b.lunch, &with_times, &test_err));
    for (size_t w = 0; w < 3; w++) {
        const double counted = (double)m.cells[2][w].n_compared;
        const double expected = dpl__lunch_compared(&b.lunch, 20, grid.windows[w]);
        CHECK(fabs(counted / expected - 1) < 0.1); /* sides are not mixed evenly */
        CHECK(fabs(dpl__lunch_cost(&b.lunch, 20, grid.windows[w]) -
                   expected / N_ROWS / N_ROWS) < 1e-12);
    }
    close_bench(&b);
    test_ctx_done(ctx);
}

/* P(at most `cut` of n coins). */
static double binomial(unsigned n, double p, unsigned cut)
{
    double sum = 0;
    for (unsigned i = 0; i <= cut && i <= n; i++)
        sum += exp(lgamma(n + 1.0) - lgamma(i + 1.0) - lgamma(n - i + 1.0) + i * log(p) +
                   (n - i) * log(1 - p));
    return sum;
}

/* Equations 4 and 5 of the paper, pair by pair. */
static double naive_model(const dpl__lunch *l, unsigned n_tables, unsigned prefix)
{
    double sum = 0;
    for (size_t i = 0; i < l->n_truth; i++) {
        const double differ = acos((double)l->truth[i].cosine) / acos(-1);
        sum += (1 - pow(1 - pow(1 - differ, prefix), n_tables)) *
               binomial(l->bits - prefix, differ, l->cut);
    }
    return sum / (double)l->n_truth;
}

DPL_TEST(lunch, the_papers_model_is_the_mean_over_true_pairs)
{
    dpl_ctx *ctx = test_ctx(2);
    static dpl__lunch_predicted p[3][DPL__LUNCH_MOST];
    static dpl__lunch_tables m;
    bench b;
    open_bench(&b, ctx, 2);
    CHECK_OK(dpl__lunch_predict(p, &b.lunch, &grid, &test_err));
    CHECK_OK(dpl__lunch_run_tables(&m, &b.lunch, &grid, &test_err));
    for (size_t q = 0; q < 3; q++)
        for (size_t w = 0; w < 3; w++) {
            const double n = log2(2.0 * N_ROWS / grid.windows[w]);
            const double low = naive_model(&b.lunch, grid.tables[q], (unsigned)ceil(n));
            const double high = naive_model(&b.lunch, grid.tables[q], (unsigned)floor(n));
            CHECK(fabs(p[q][w].low - low) < 0.01);
            CHECK(fabs(p[q][w].high - high) < 0.01);
            CHECK(p[q][w].high_at < p[q][w].high); /* pairs at the threshold are the hardest */
            const double measured = (double)m.cells[q][w].n_found / (double)b.lunch.n_truth;
            CHECK(fabs(p[q][w].ours - measured) < 0.1); /* of another sample */
        }
    close_bench(&b);
    test_ctx_done(ctx);
}

DPL_TEST(lunch, windows_are_scaled_to_the_collection)
{
    dpl__lunch l = {.n_rows = 4.91e6};
    CHECK_EQ(dpl__lunch_window(&l, 1000), 1000);
    l.n_rows = 491000;
    CHECK_EQ(dpl__lunch_window(&l, 1000), 100);
    l.n_rows = 5000;
    CHECK_EQ(dpl__lunch_window(&l, 1000), 10);
    CHECK_EQ(dpl__lunch_window(&l, 20), 1);
    l.n_rows = 8;
    CHECK_EQ(dpl__lunch_window(&l, 5000), 4);
}

DPL_TEST(lunch, without_true_pairs_there_is_nothing_to_say)
{
    dpl_ctx *ctx = test_ctx(1);
    bench b;
    open_bench(&b, ctx, 2);
    dpl__lunch_close(&b.lunch);
    b.set.threshold = 0.99;
    CHECK_EQ(dpl__lunch_open(&b.lunch, &b.lab, 0, &test_err), DPL_E_NOTHING);
    close_bench(&b);
    test_ctx_done(ctx);
}

/* ---- failures ---------------------------------------------------------------------------- */

static dpl_status run_lab(void *user, dpl_ctx *ctx, dpl_error *err)
{
    const char *const *strings = user; /* experiment, left, right */
    const dpl_input inputs[2] = {{.path = strings[1]}, {.path = strings[2]}};
    const dpl_lab_options o = DPL_INIT(dpl_lab_options, .threshold = 0.9, .bits = 64,
                                       .sample = 5, .small = true, .temp = test_dir());
    dpl_lab_result *result = NULL;
    const dpl_status status =
        dpl_lab_run(&result, ctx, test_path("out"), strings, 1, inputs, 2, &o, err);
    dpl_lab_result_free(result);
    return status;
}

static void fail_allocations(const char *experiment)
{
    float rows[12][3];
    int dim = 2;
    for (int i = 0; i < 12; i++) {
        memcpy(&rows[i][0], &dim, sizeof dim);
        rows[i][1] = (float)cos(i);
        rows[i][2] = (float)sin(i);
    }
    const char *strings[] = {experiment, test_write("a.fvecs", rows, sizeof rows),
                             test_write("b.fvecs", rows, sizeof rows)};
    test_allocation_failures(run_lab, strings);
}

DPL_TEST(lunch, figures_survive_every_failing_allocation)
{
    fail_allocations("lunch-figure-6");
    fail_allocations("lunch-figure-8");
}

DPL_TEST(lunch, tables_survive_every_failing_allocation)
{
    fail_allocations("lunch-table-1");
    fail_allocations("lunch-table-2");
}
