#include "pairs/plan.h"

#include "base/ctx.h"
#include "base/hash.h"
#include "base/maths.h"
#include "test.h"

#include <math.h>
#include <stdlib.h>

enum { MOST_ROWS = 300, MOST_WORDS = 3, N_PAIRS = 35, N_WINDOWS = 2, ORDERS = 8 };

/* Rows, those of them that are counted, and pairs, which are rows, too. */
typedef struct table {
    uint64_t words[MOST_ROWS * MOST_WORDS];
    uint32_t n_rows, n_words;
    bool is_counted[MOST_ROWS];
    double n_counted, n_all;
    const uint64_t *u[N_PAIRS], *v[N_PAIRS];
} table;

/* Rows that are more alike than coins; every second one is near the one before it. */
static void make_table(table *t, uint64_t seed)
{
    dpl__rng rng = {seed << 20};
    memset(t, 0, sizeof *t);
    t->n_words = 1 + (uint32_t)(seed % MOST_WORDS);
    t->n_rows = 2 * N_PAIRS + (uint32_t)dpl__rng_below(&rng, MOST_ROWS - 2 * N_PAIRS + 1);
    for (size_t i = 0; i < t->n_rows * t->n_words; i++) {
        const bool is_near = i / t->n_words % 2;
        t->words[i] = dpl__rng_next(&rng) & dpl__rng_next(&rng);
        if (is_near)
            t->words[i] = t->words[i - t->n_words] ^
                          (t->words[i] & dpl__rng_next(&rng) & dpl__rng_next(&rng));
    }
    for (uint32_t row = 0; row < t->n_rows; row++) {
        t->is_counted[row] = row < 2 * N_PAIRS || seed % 2 || dpl__rng_below(&rng, 2);
        t->n_counted += t->is_counted[row];
    }
    t->n_all = seed % 2 ? t->n_counted : 50 * t->n_counted; /* all rows, or a sample */
    for (size_t i = 0; i < N_PAIRS; i++) {
        t->u[i] = t->words + 2 * i * t->n_words;
        t->v[i] = seed % 5 == 0 && i == 3 ? t->u[i] : t->u[i] + t->n_words;
    }
}

/* ---- row by row ---------------------------------------------------------------------------
 */

static bool bit_of(const uint64_t *row, uint32_t bit)
{
    return row[bit / 64] >> bit % 64 & 1;
}

/* Rows that are counted and have the first n bits of the order as u has them. */
static double count_rows(const table *t, const uint64_t *u, const uint32_t *order, uint32_t n)
{
    double count = 0;
    for (uint32_t row = 0; row < t->n_rows; row++) {
        bool is_in = t->is_counted[row];
        for (uint32_t i = 0; i < n && is_in; i++)
            is_in =
                bit_of(t->words + (size_t)row * t->n_words, order[i]) == bit_of(u, order[i]);
        count += is_in;
    }
    return count;
}

/* Sizes of the buckets, without the pair itself. Where there are too few rows in one, or no
 * bits left, those of longer prefixes go on as they shrank over the last four bits. */
static void naive_sizes(double *sizes, const table *t, const uint64_t *u, const uint32_t *order,
                        uint32_t n_agreeing)
{
    const double scale = t->n_all / t->n_counted, few = scale > 1 ? 24 : 2;
    double rate = 0.5;
    uint32_t n = 0;
    for (bool is_last = false; n < DPL__PREFIX_MOST && !is_last; n++) {
        const double count = count_rows(t, u, order, n);
        sizes[n] = count > 2 ? (count - 2) * scale : 0;
        if (n >= 4 && sizes[n] > 0)
            rate = pow(sizes[n] / sizes[n - 4], 0.25);
        is_last = n == n_agreeing || count <= few;
    }
    for (; n < DPL__PREFIX_MOST; n++)
        sizes[n] = sizes[n - 1] * rate;
}

/* Eight random orders of the bits on which the pair agrees, as the plan draws them: each begins
 * with a shuffle of the last one's front. */
static uint32_t next_order(uint32_t *order, const table *t, size_t pair, dpl__rng *rng, int k)
{
    uint32_t n = 0, all[64 * MOST_WORDS];
    for (uint32_t bit = 0; bit < 64 * t->n_words; bit++)
        if (bit_of(t->u[pair], bit) == bit_of(t->v[pair], bit))
            all[n++] = bit;
    if (k == 0)
        memcpy(order, all, n * sizeof *order);
    for (uint32_t i = 0; i < dpl__min(DPL__PREFIX_MOST, n); i++) {
        const uint32_t j = i + (uint32_t)dpl__rng_below(rng, n - i), swap = order[i];
        order[i] = order[j];
        order[j] = swap;
    }
    return n;
}

static bool is_near(double a, double b)
{
    return fabs(a - b) <= 1e-9 * fmax(fabs(b), 1e-6);
}

static void check_table(const table *t, unsigned n_threads)
{
    static const double windows[N_WINDOWS] = {3, 40};
    dpl_ctx *ctx = test_ctx(n_threads);
    dpl__model *model;
    dpl__buckets *buckets;
    const dpl__bits rows = {t->n_rows, t->n_words, t->words};
    double p[N_PAIRS * N_WINDOWS][2], share[DPL__PREFIX_MOST];
    double expected_share[DPL__PREFIX_MOST] = {0};
    CHECK_OK(dpl__model_new(&model, ctx, &test_err));
    CHECK_OK(dpl__buckets_new(&buckets, ctx, &rows, &test_err));
    for (uint32_t row = 0; row < t->n_rows; row++)
        if (t->is_counted[row])
            dpl__buckets_count(buckets, row);
    dpl__buckets_stand_for(buckets, t->n_all);
    const dpl__bucket_pairs pairs = {t->u, t->v, N_PAIRS, windows, N_WINDOWS};
    CHECK_OK(dpl__buckets_measure(buckets, p, share, model, &pairs, &test_err));
    for (size_t i = 0; i < N_PAIRS; i++) {
        dpl__rng rng = {dpl__mix(i)};
        uint32_t order[64 * MOST_WORDS];
        double expected[N_WINDOWS][2] = {{0}};
        for (int k = 0; k < ORDERS; k++) {
            double sizes[DPL__PREFIX_MOST];
            const uint32_t n = next_order(order, t, i, &rng, k), bits = 64 * t->n_words;
            naive_sizes(sizes, t, t->u[i], order, n);
            for (size_t w = 0; w < N_WINDOWS; w++)
                expected[w][k % 2] +=
                    dpl__model_in_buckets(model, bits, bits - n, sizes, windows[w]) / 4;
            for (size_t level = 0; level < DPL__PREFIX_MOST; level++)
                expected_share[level] += sizes[level] / t->n_all / ORDERS / N_PAIRS;
        }
        for (size_t w = 0; w < N_WINDOWS; w++)
            for (size_t half = 0; half < 2; half++)
                CHECK(is_near(p[i * N_WINDOWS + w][half], expected[w][half]));
    }
    for (size_t level = 0; level < DPL__PREFIX_MOST; level++)
        CHECK(is_near(share[level], expected_share[level]));
    dpl__buckets_free(buckets);
    dpl__model_free(model, ctx);
    test_ctx_done(ctx);
}

DPL_TEST(plan_buckets, hold_the_rows_that_share_a_prefix_with_the_pair)
{
    static table t;
    for (uint64_t seed = 0; seed < 12; seed++) {
        make_table(&t, seed);
        check_table(&t, 1 + (unsigned)seed % 3);
    }
}

static dpl_status measure_small(void *user, dpl_ctx *ctx, dpl_error *err)
{
    const table *t = user;
    static const double windows[] = {3};
    dpl__model *model = NULL;
    dpl__buckets *buckets = NULL;
    const dpl__bits rows = {t->n_rows, t->n_words, t->words};
    double p[2][2], share[DPL__PREFIX_MOST];
    dpl_status status;
    DPL__STEP(dpl__model_new(&model, ctx, err));
    DPL__STEP(dpl__buckets_new(&buckets, ctx, &rows, err));
    dpl__buckets_count(buckets, 0);
    dpl__buckets_stand_for(buckets, 1);
    status = dpl__buckets_measure(buckets, p, share, model,
                                  &(dpl__bucket_pairs){t->u, t->v, 2, windows, 1}, err);
done:
    dpl__buckets_free(buckets);
    if (model)
        dpl__model_free(model, ctx);
    return status;
}

DPL_TEST(plan_buckets, every_allocation_may_fail)
{
    static table t;
    make_table(&t, 1);
    test_allocation_failures(measure_small, &t);
}
