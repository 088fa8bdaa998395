#include "base/ctx.h"
#include "base/hash.h"
#include "kernels/kernels.h"
#include "pairs/planner.h"
#include "pairs/tables_test.h"
#include "test.h"

#include <math.h>
#include <stdio.h>

/* Timings decide nothing here. */
static const dpl_speeds speeds = {.size = sizeof(dpl_speeds),
                                  .compare_ns = 0.6,
                                  .single_ns = 10,
                                  .permute_ns = 60,
                                  .multiply_ns = 0.2,
                                  .dense_ns = 0.1,
                                  .verify_ns = 120,
                                  .sign_ns = 2000};

/* Plans of a test, freed by done(). */
static dpl_plan *made[64];
static size_t n_made;

static const dpl_plan *plan_for(dpl_ctx *ctx, dpl_plan_options o)
{
    dpl_plan *plan;
    o.speeds = &speeds;
    CHECK_OK(dpl_plan_make(&plan, ctx, &o, &test_err));
    CHECK(plan->summary.n_rows >= (o.method == DPL_PAIRS_BRUTE ? 1 : 2));
    CHECK(plan->summary.best < plan->summary.n_rows);
    CHECK(n_made < DPL_LEN(made));
    return made[n_made++] = plan;
}

static void done(dpl_ctx *ctx)
{
    while (n_made)
        dpl_plan_free(made[--n_made]);
    test_ctx_done(ctx);
}

static const dpl_plan_row *row_of(const dpl_plan *plan, dpl_pairs_method method, unsigned q,
                                  unsigned b)
{
    for (size_t i = 0; i < plan->rows.n; i++)
        if (plan->rows.data[i].method == method && plan->rows.data[i].n_tables == q &&
            plan->rows.data[i].width == b)
            return &plan->rows.data[i];
    dpl__test_fail(__FILE__, __LINE__, "no row for Q = %u, B = %u", q, b);
    return NULL;
}

/* ---- by sizes alone ------------------------------------------------------------------ */

DPL_TEST(plan, the_papers_collections_have_its_comparisons)
{
    dpl_ctx *ctx = test_ctx(2);
    const dpl_plan *p =
        plan_for(ctx, (dpl_plan_options)DPL_INIT(dpl_plan_options, .n_left = 1470000,
                                                 .n_right = 3440000));
    const dpl_plan_row *brute = row_of(p, DPL_PAIRS_BRUTE, 0, 0);
    CHECK(brute->comparisons == 1470000.0 * 3440000.0 && brute->relative == 1);
    CHECK(brute->recall >= 0.99 && brute->recall < 0.995);
    CHECK(brute->paper_cut > 0.45 && brute->paper_cut < 0.55);
    /* 300 tables, 2000 places, of which 2 x 0.30 x 0.70 are of different languages */
    const dpl_plan_row *w = row_of(p, DPL_PAIRS_WINDOW, 300, 2000);
    CHECK(fabs(w->comparisons / (300.0 * 4910000 * 2000 * 0.41953) - 1) < 0.001);
    CHECK(w->relative > w->comparisons / brute->comparisons);
    CHECK(w->paper_low < w->paper_high);
    CHECK(fabs(w->paper_high - dpl__paper_tables(0.3, 11, 300)) < 1e-12);
    CHECK(row_of(p, DPL_PAIRS_EXACT, 0, 0)->recall == 1);
    CHECK(strlen(p->why) > 40 && strlen(p->why) < sizeof p->why - 1);
    done(ctx);
}

DPL_TEST(plan, the_best_row_is_the_fastest_that_reaches_the_recall_or_exact)
{
    static const double thresholds[] = {0.1, 0.3, 0.5, 0.8, 1}, recalls[] = {0.5, 0.9, 0.99};
    dpl_ctx *ctx = test_ctx(2);
    for (size_t i = 0; i < DPL_LEN(thresholds) * DPL_LEN(recalls); i++) {
        double recall = recalls[i % DPL_LEN(recalls)];
        const dpl_plan *p =
            plan_for(ctx, (dpl_plan_options)DPL_INIT(
                              dpl_plan_options, .n_left = 50000, .n_right = i % 2 ? 100000 : 0,
                              .threshold = thresholds[i / DPL_LEN(recalls)], .recall = recall));
        const dpl_plan_row *best = &p->rows.data[p->summary.best];
        CHECK(best->fits && best->recall >= recall - 1e-3);
        for (size_t k = 0; k < p->rows.n; k++) {
            const dpl_plan_row *row = &p->rows.data[k];
            CHECK(row->recall >= 0 && row->recall <= 1);
            bool is_exact = best->method == DPL_PAIRS_EXACT;
            double least = !is_exact           ? best->seconds
                           : best->seconds > 2 ? best->seconds / 1.5
                                               : 0;
            CHECK(!row->fits || row->recall < recall || row->seconds >= least);
        }
    }
    done(ctx);
}

static bool is_even(const void *user, const dpl_plan_row *row)
{
    return row->n_tables % 2 == *(const unsigned *)user;
}

/* Is a before b, in words: what reaches the recall before what does not; then the faster one of
 * those that do, the higher recall of those that do not. */
static bool is_better(const dpl_plan_row *a, const dpl_plan_row *b, double recall)
{
    const bool reaches[2] = {a->recall >= recall, b->recall >= recall};
    if (reaches[0] != reaches[1])
        return reaches[0];
    return reaches[0] ? a->seconds < b->seconds : a->recall > b->recall;
}

DPL_TEST(plan, no_row_that_may_be_taken_is_better_than_the_one_picked)
{
    dpl_ctx *ctx = test_ctx(1);
    dpl__rng rng = {dpl__mix(41)};
    for (int round = 0; round < 300; round++) {
        dpl_plan plan = {.ctx = ctx};
        const size_t n = dpl__rng_below(&rng, 9);
        const unsigned rest = (unsigned)round % 2;
        const double recall = (double)dpl__rng_below(&rng, 11) / 10;
        bool is_any = false;
        for (size_t i = 0; i < n; i++) {
            const dpl_plan_row row = {.n_tables = (unsigned)dpl__rng_below(&rng, 4),
                                      .recall = (double)dpl__rng_below(&rng, 11) / 10,
                                      .seconds = (double)dpl__rng_below(&rng, 5)};
            CHECK(dpl__vec_push(ctx, &plan.rows, row));
            is_any |= is_even(&rest, &row);
        }
        const dpl_plan_row *best = dpl__plan_pick(&plan, recall, is_even, &rest);
        CHECK_EQ(best != NULL, is_any);
        CHECK(!best || is_even(&rest, best));
        for (size_t i = 0; best && i < n; i++)
            CHECK(!is_even(&rest, &plan.rows.data[i]) ||
                  !is_better(&plan.rows.data[i], best, recall));
        dpl__vec_clear(ctx, &plan.rows);
    }
    test_ctx_done(ctx);
}

static bool is_in_grid(unsigned q)
{
    return q == 10 || q == 30 || q == 100 || q == 300 || q == 1000;
}

DPL_TEST(plan, each_window_has_the_least_tables_that_are_enough)
{
    dpl_ctx *ctx = test_ctx(2);
    const dpl_plan *p = plan_for(
        ctx, (dpl_plan_options)DPL_INIT(dpl_plan_options, .n_left = 1000000, .recall = 0.9));
    size_t n = 0;
    for (size_t i = 0; i < p->rows.n; i++) {
        const dpl_plan_row *row = &p->rows.data[i];
        if (row->method != DPL_PAIRS_WINDOW || is_in_grid(row->n_tables))
            continue;
        CHECK(row->recall >= 0.9);
        dpl_plan_options o = DPL_INIT(dpl_plan_options, .n_left = 1000000, .recall = 0.9);
        o.tables = row->n_tables - 1;
        o.width = row->width;
        const dpl_plan *less = plan_for(ctx, o);
        CHECK(row_of(less, DPL_PAIRS_WINDOW, row->n_tables - 1, row->width)->recall < 0.9);
        n++;
    }
    CHECK(n >= 5);
    done(ctx);
}

DPL_TEST(plan, given_tables_and_windows_are_taken)
{
    dpl_ctx *ctx = test_ctx(1);
    dpl_plan_options o = DPL_INIT(dpl_plan_options, .n_left = 5000, .n_right = 5000);
    o.tables = 7;
    o.width = 333;
    const dpl_plan *p = plan_for(ctx, o);
    CHECK_EQ(p->rows.n, 4);
    CHECK(row_of(p, DPL_PAIRS_WINDOW, 7, 333)->recall > 0);
    o.width = 0;
    p = plan_for(ctx, o);
    for (size_t i = 0; i < p->rows.n; i++)
        if (p->rows.data[i].method == DPL_PAIRS_WINDOW)
            CHECK_EQ(p->rows.data[i].n_tables, 7);
    o.tables = 0;
    o.width = 333;
    p = plan_for(ctx, o);
    for (size_t i = 0; i < p->rows.n; i++)
        if (p->rows.data[i].method == DPL_PAIRS_WINDOW)
            CHECK_EQ(p->rows.data[i].width, 333);
    done(ctx);
}

DPL_TEST(plan, an_early_test_is_for_high_thresholds)
{
    dpl_ctx *ctx = test_ctx(1);
    dpl_plan_options o = DPL_INIT(dpl_plan_options, .n_left = 100000, .n_right = 100000);
    const dpl_plan *p = plan_for(ctx, o);
    CHECK_EQ(row_of(p, DPL_PAIRS_BRUTE, 0, 0)->first_bits, 0);
    o.threshold = 0.7;
    p = plan_for(ctx, o);
    const dpl_plan_row *brute = row_of(p, DPL_PAIRS_BRUTE, 0, 0);
    CHECK(brute->first_bits > 0 && brute->first_bits < 512 && brute->first_bits % 64 == 0);
    CHECK(brute->first_cut < brute->first_bits / 2);
    CHECK(brute->recall >= 0.99);
    done(ctx);
}

/* Rows that pass it lie anywhere in memory. */
DPL_TEST(plan, the_early_test_of_a_window_lets_fewer_through)
{
    dpl_ctx *ctx = test_ctx(1);
    const dpl_plan_options o =
        DPL_INIT(dpl_plan_options, .n_left = 50000, .n_right = 50000, .threshold = 0.6);
    const dpl_plan *p = plan_for(ctx, o);
    const dpl_plan_row *brute = row_of(p, DPL_PAIRS_BRUTE, 0, 0),
                       *window = dpl__plan_fastest(p, DPL_PAIRS_WINDOW, 0.99);
    CHECK(brute->first_bits > 0);
    CHECK(window && (window->first_bits == 0 || window->first_bits >= brute->first_bits));
    done(ctx);
}

DPL_TEST(plan, longer_signatures_are_proposed_where_they_pay)
{
    dpl_ctx *ctx = test_ctx(2);
    dpl_plan_options o = DPL_INIT(dpl_plan_options, .n_left = 1470000, .n_right = 3440000,
                                  .terms_per_row = 1000);
    const dpl_plan *p = plan_for(ctx, o);
    CHECK(p->summary.better_bits > 1024 &&
          p->summary.better_seconds < p->rows.data[p->summary.best].seconds);
    double seconds = p->summary.better_seconds;
    o.length = p->summary.better_bits;
    p = plan_for(ctx, o);
    CHECK(fabs(row_of(p, DPL_PAIRS_BRUTE, 0, 0)->seconds / seconds - 1) < 1e-9);
    done(ctx);
}

DPL_TEST(plan, large_brute_force_has_long_signatures_on_every_machine)
{
    for (unsigned n_threads = 1; n_threads <= 16; n_threads *= 4) {
        dpl_ctx *ctx = NULL;
        dpl_ctx_options c = DPL_INIT(dpl_ctx_options, .n_threads = n_threads,
                                     .memory = n_threads == 1 ? 1 << 20 : 0);
        CHECK_OK(dpl_ctx_new(&ctx, &c, &test_err));
        dpl_plan_options o = DPL_INIT(dpl_plan_options, .n_left = 100000, .n_right = 200000,
                                      .method = DPL_PAIRS_BRUTE);
        const dpl_plan *p = plan_for(ctx, o);
        const dpl_plan_row *row = row_of(p, DPL_PAIRS_BRUTE, 0, 0);
        CHECK_EQ(p->summary.bits, 3072);
        CHECK(row->first_bits > 0 && row->first_bits < 3072 && row->recall >= 0.99);
        o.length = 1024;
        CHECK_EQ(plan_for(ctx, o)->summary.bits, 1024); /* as asked for */
        o.length = 0;
        o.n_left = o.n_right = 10000;
        CHECK_EQ(plan_for(ctx, o)->summary.bits, 1024);
        done(ctx);
    }
}

/* As `doppel pairs` has it, which knows no measured speeds. */
DPL_TEST(plan, the_length_of_signatures_does_not_depend_on_measured_speeds)
{
    dpl_ctx *ctx = test_ctx(2);
    dpl_plan_options o = DPL_INIT(dpl_plan_options, .n_left = 300000, .n_right = 300000,
                                  .threshold = 0.3, .method = DPL_PAIRS_BRUTE);
    unsigned bits = 0;
    for (int i = -1; i < 3; i++) {
        dpl_speeds s = dpl__nominal_speeds;
        if (i >= 0) {
            s.compare_ns = i == 0 ? 0.05 : 20;
            s.verify_ns = i == 2 ? 10 : 2000;
        }
        o.speeds = &s;
        dpl_plan *plan;
        CHECK_OK(dpl_plan_make(&plan, ctx, &o, &test_err));
        bits = bits ? bits : plan->summary.bits;
        CHECK_EQ(plan->summary.bits, bits);
        dpl_plan_free(plan);
    }
    CHECK(bits > 1024);
    test_ctx_done(ctx);
}

DPL_TEST(plan, products_are_planned_like_bits_that_say_as_much)
{
    dpl_ctx *ctx = test_ctx(2);
    dpl_plan_options o = DPL_INIT(dpl_plan_options, .n_left = 100000, .n_right = 200000,
                                  .signature = DPL_SIGN_RP8, .length = 416);
    const dpl_plan *p = plan_for(ctx, o);
    const dpl_plan_row *row = row_of(p, DPL_PAIRS_BRUTE, 0, 0);
    CHECK(p->summary.bits == 448 && p->summary.signature == DPL_SIGN_RP8);
    CHECK_EQ(row->cut, dpl_sign_cut(DPL_SIGN_RP8, 448, 0.3, 0.99));
    CHECK(row->first_bits == 0 && row->recall > 0.98);
    CHECK(row->bytes > 300000.0 * 448); /* signatures, and candidates */
    for (size_t i = 0; i < p->rows.n; i++)
        CHECK(p->rows.data[i].method != DPL_PAIRS_WINDOW);
    const double candidates = row->candidates;
    o.signature = DPL_SIGN_RP;
    o.length = dpl__bits_like(448);
    p = plan_for(ctx, o);
    CHECK(fabs(row_of(p, DPL_PAIRS_BRUTE, 0, 0)->candidates / candidates - 1) < 1e-9);
    done(ctx);
}

DPL_TEST(plan, what_does_not_fit_is_not_recommended)
{
    dpl_ctx *ctx;
    dpl_ctx_options small = DPL_INIT(dpl_ctx_options, .memory = 64 << 20, .n_threads = 2);
    CHECK_OK(dpl_ctx_new(&ctx, &small, &test_err));
    dpl_plan_options o =
        DPL_INIT(dpl_plan_options, .n_left = 1470000, .n_right = 3440000, .recall = 0.9);
    const dpl_plan *p = plan_for(ctx, o);
    CHECK(!row_of(p, DPL_PAIRS_BRUTE, 0, 0)->fits);
    CHECK_EQ(p->rows.data[p->summary.best].method, DPL_PAIRS_EXACT); /* which works in parts */
    done(ctx);
}

DPL_TEST(plan, two_rows_are_enough)
{
    dpl_ctx *ctx = test_ctx(1);
    const dpl_plan *p =
        plan_for(ctx, (dpl_plan_options)DPL_INIT(dpl_plan_options, .n_left = 1, .n_right = 1));
    CHECK(p->summary.n_pairs == 1);
    p = plan_for(ctx, (dpl_plan_options)DPL_INIT(dpl_plan_options, .n_left = 1));
    CHECK(p->summary.n_pairs == 0);
    for (size_t i = 0; i < p->rows.n; i++)
        CHECK(isfinite(p->rows.data[i].relative) && isfinite(p->rows.data[i].seconds));
    p = plan_for(ctx, (dpl_plan_options)DPL_INIT(dpl_plan_options, .n_left = UINT32_MAX,
                                                 .n_right = UINT32_MAX));
    CHECK(p->rows.data[p->summary.best].seconds > 1e6);
    done(ctx);
}

static void check_refused(dpl_ctx *ctx, dpl_plan_options o, const char *why)
{
    dpl_plan *plan;
    dpl_error err = {0};
    o.speeds = &speeds;
    CHECK_EQ(dpl_plan_make(&plan, ctx, &o, &err), DPL_E_USAGE);
    CHECK_STR(dpl__cstr(err.text), why);
}

DPL_TEST(plan, impossible_wishes_are_refused)
{
    dpl_ctx *ctx = test_ctx(1);
    dpl_plan_options o = DPL_INIT(dpl_plan_options, .n_right = 3);
    check_refused(ctx, o, "the left side is empty");
    o.n_left = 3;
    o.threshold = 1.5;
    check_refused(ctx, o, "the threshold must be between 0 and 1");
    o.threshold = NAN;
    check_refused(ctx, o, "the threshold must be between 0 and 1");
    o.threshold = 0.3;
    o.recall = 1;
    check_refused(ctx, o, "the recall must be above 0 and below 1");
    o.recall = 0;
    o.length = 70000;
    check_refused(ctx, o, "signatures have at most 65536 bits");
    o.length = 0;
    o.width = 6;
    check_refused(ctx, o, "a window of 6 is larger than the table of 6 rows");
    test_ctx_done(ctx);
}

DPL_TEST(plan, every_speed_is_measured)
{
    dpl_ctx *ctx = test_ctx(2);
    dpl_speeds s = DPL_INIT(dpl_speeds);
    CHECK_OK(dpl_speeds_measure(&s, ctx, &test_err));
    const double all[] = {s.compare_ns, s.single_ns, s.permute_ns, s.multiply_ns, s.dense_ns,
                          s.verify_ns,  s.sign_ns,   s.near_ns,    s.product_ns};
    for (size_t i = 0; i < DPL_LEN(all); i++)
        CHECK(all[i] > 0 && all[i] < 1e9);
    test_ctx_done(ctx);
}

static dpl_status plan_once(void *user, dpl_ctx *ctx, dpl_error *err)
{
    dpl_plan *plan;
    dpl_status status = dpl_plan_make(&plan, ctx, user, err);
    dpl_plan_free(plan);
    return status;
}

DPL_TEST(plan, every_allocation_may_fail)
{
    dpl_plan_options o =
        DPL_INIT(dpl_plan_options, .n_left = 100000, .n_right = 100000, .speeds = &speeds);
    test_allocation_failures(plan_once, &o);
}

/* ---- rows that are alike -------------------------------------------------------------- */

enum { N_ROWS = 4000, N_WORDS = 8, N_BITS = 64 * N_WORDS, N_TRUE = N_ROWS / 2 };

/* Bits of a row differ from those of its group, which differ from those of all: few groups, so
 * that buckets are much larger than those of coins. */
static uint64_t *make_groups(dpl__rng *rng)
{
    enum { N_GROUPS = 40 };
    uint64_t *words = malloc(N_ROWS * N_WORDS * sizeof *words);
    uint64_t groups[N_GROUPS][N_WORDS], all[N_WORDS];
    CHECK(words);
    for (size_t j = 0; j < N_WORDS; j++)
        all[j] = dpl__rng_next(rng);
    for (size_t i = 0; i < N_GROUPS; i++)
        for (size_t j = 0; j < N_WORDS; j++)
            groups[i][j] = all[j] ^ (dpl__rng_next(rng) & dpl__rng_next(rng));
    for (size_t i = 0; i < N_ROWS; i++)
        for (size_t j = 0; j < N_WORDS; j++)
            words[i * N_WORDS + j] =
                groups[i / 2 % N_GROUPS][j] ^ (dpl__rng_next(rng) & dpl__rng_next(rng));
    return words;
}

DPL_TEST(plan, buckets_of_rows_that_are_alike_are_counted)
{
    static const unsigned windows[] = {10, 50, 200}, tables[] = {10, 30, 100, 300};
    static tables_pair pairs[N_TRUE];
    static const uint64_t *u[N_TRUE], *v[N_TRUE];
    static double p[N_TRUE * DPL_LEN(windows)][2];
    double share[DPL__PREFIX_MOST], sizes[DPL_LEN(windows)], coins = 0;
    tables_recall measured[DPL_LEN(windows) * DPL_LEN(tables)];
    uint64_t seed = 77;
    dpl__rng rng = {seed};
    uint64_t *words = make_groups(&rng);
    for (uint32_t i = 0; i < N_TRUE; i++) {
        pairs[i] = (tables_pair){2 * i, 2 * i + 1};
        u[i] = words + (size_t)2 * i * N_WORDS;
        v[i] = u[i] + N_WORDS;
    }
    for (size_t i = 0; i < DPL_LEN(windows); i++)
        sizes[i] = windows[i];
    tables_run(measured, &(tables_input){words, N_ROWS, N_BITS, pairs, N_TRUE, windows,
                                         DPL_LEN(windows), tables, DPL_LEN(tables), seed});
    dpl_ctx *ctx = test_ctx(2);
    dpl__model *model;
    dpl__buckets *buckets;
    dpl__bits rows = {N_ROWS, N_WORDS, words};
    CHECK_OK(dpl__model_new(&model, ctx, &test_err));
    CHECK_OK(dpl__buckets_new(&buckets, ctx, &rows, &test_err));
    for (uint32_t i = 0; i < N_ROWS; i++)
        dpl__buckets_count(buckets, i);
    dpl__buckets_stand_for(buckets, N_ROWS);
    const dpl__bucket_pairs signed_pairs = {u, v, N_TRUE, sizes, DPL_LEN(sizes)};
    CHECK_OK(dpl__buckets_measure(buckets, p, share, model, &signed_pairs, &test_err));
    for (size_t i = 0; i < DPL_LEN(measured); i++) {
        unsigned q = tables[i % DPL_LEN(tables)], window = windows[i / DPL_LEN(tables)];
        double predicted = 0, by_coins = 0;
        dpl__curve curve;
        dpl__model_curve(&curve, model, N_BITS, N_ROWS, window, NULL);
        for (size_t k = 0; k < N_TRUE; k++) {
            unsigned h = ctx->kernels->hamming(u[k], v[k], N_WORDS);
            predicted +=
                dpl__any_table_of(p[k * DPL_LEN(windows) + i / DPL_LEN(tables)], q) / N_TRUE;
            by_coins += dpl__any_table(dpl__curve_at(&curve, h), q) / N_TRUE;
        }
        coins = fmax(coins, fabs(by_coins - measured[i].mean));
        if (fabs(predicted - measured[i].mean) > 0.02)
            dpl__test_fail(__FILE__, __LINE__, "seed %llu, Q %u, B %u: %.3f, not %.3f",
                           (unsigned long long)seed, q, window, measured[i].mean, predicted);
    }
    CHECK(coins > 0.1); /* or the rows would be too easy */
    CHECK(share[0] > 0.99 && share[6] > 1.5 * ldexp(1, -6));
    dpl__buckets_free(buckets);
    dpl__model_free(model, ctx);
    test_ctx_done(ctx);
    free(words);
}
