#include "pairs/tables_test.h"
#include "pairs/window_model.h"
#include "test.h"

#include <math.h>
#include <stdio.h>

static bool is_near(double a, double b, double most)
{
    return fabs(a - b) <= most;
}

DPL_TEST(model, the_papers_prefix_covers_its_window)
{
    unsigned low, high;
    dpl__paper_prefix(&low, &high, 1.47e6 + 3.44e6, 2000); /* log2 is 11.26 */
    CHECK_EQ(low, 11);
    CHECK_EQ(high, 12);
    dpl__paper_prefix(&low, &high, 1024, 64);
    CHECK_EQ(low, 4);
    CHECK_EQ(high, 4);
    dpl__paper_prefix(&low, &high, 10, 64);
    CHECK_EQ(high, 0);
}

DPL_TEST(model, the_papers_equations_give_their_values)
{
    double equal = 1 - acos(0.3) / acos(-1.0);
    CHECK(is_near(1 - dpl__differ(0.3), equal, 1e-12));
    CHECK(is_near(dpl__paper_tables(0.3, 11, 300), 1 - pow(1 - pow(equal, 11), 300), 1e-9));
    CHECK(is_near(dpl__paper_tables(0.3, 0, 1), 1, 0));
    /* half of the pairs at the threshold lie beyond the distance that stands for it */
    CHECK(is_near(dpl__paper_cut(0.3, 1024, 0), 0.5, 0.03));
    CHECK(dpl__paper_cut(0.3, 1024, 12) > dpl__paper_cut(0.3, 1024, 0));
}

static void check_spread(const dpl__spread *s, double mean, double variance)
{
    double sum = 0, first = 0, second = 0;
    for (unsigned i = 0; i < s->n; i++) {
        double x = s->first + i - mean;
        sum += s->mass[i];
        first += x * s->mass[i];
        second += x * x * s->mass[i];
    }
    CHECK(is_near(sum, 1, 1e-9));
    CHECK(is_near(first, 0, 1e-6 * (mean + 1)));
    CHECK(is_near(second, variance, 1e-6 * (variance + 1)));
}

DPL_TEST(model, spreads_have_the_right_mean_and_variance)
{
    static const unsigned bits[] = {1, 64, 1024, 65536};
    static const double shares[] = {0.001, 0.3, 0.5, 0.999};
    for (size_t i = 0; i < DPL_LEN(bits); i++)
        for (size_t j = 0; j < DPL_LEN(shares); j++) {
            dpl__spread s;
            double n = bits[i], p = shares[j];
            dpl__spread_binomial(&s, bits[i], p);
            check_spread(&s, n * p, n * p * (1 - p));
            if (bits[i] < 64)
                continue;
            unsigned h = (unsigned)(n * p), first = bits[i] / 4 + bits[i] / 2 * (j == 2);
            double part = h / n;
            dpl__spread_first(&s, bits[i], h, first);
            check_spread(&s, first * part, first * part * (1 - part) * (n - first) / (n - 1));
        }
}

DPL_TEST(model, spreads_without_doubt_are_one_number)
{
    dpl__spread s;
    dpl__spread_binomial(&s, 64, 0);
    CHECK(dpl__spread_upto(&s, 0) == 1);
    dpl__spread_binomial(&s, 64, 1);
    CHECK(dpl__spread_upto(&s, 63) == 0 && dpl__spread_upto(&s, 64) == 1);
    dpl__spread_first(&s, 64, 10, 64);
    CHECK(is_near(dpl__spread_upto(&s, 9), 0, 1e-12) && dpl__spread_upto(&s, 10) == 1);
    dpl__spread_first(&s, 64, 0, 16);
    CHECK(dpl__spread_upto(&s, 0) == 1);
}

/* ---- the window against the real thing ----------------------------------------------- */

/* Pairs of random rows whose bits differ with the probability of the cosine. */
static uint64_t *make_rows(size_t n_pairs, unsigned n_words, double cosine, dpl__rng *rng)
{
    uint64_t *words = malloc(2 * n_pairs * n_words * sizeof *words);
    uint64_t limit = (uint64_t)(dpl__differ(cosine) * 0x1p64);
    for (size_t i = 0; words && i < n_pairs; i++)
        for (unsigned j = 0; j < n_words; j++) {
            uint64_t mask = 0;
            for (int bit = 0; bit < 64; bit++)
                mask = mask << 1 | (dpl__rng_next(rng) < limit);
            words[2 * i * n_words + j] = dpl__rng_next(rng);
            words[(2 * i + 1) * n_words + j] = words[2 * i * n_words + j] ^ mask;
        }
    return words;
}

static double recall_at(const dpl__curve *curve, double cosine, double n_tables)
{
    dpl__spread s;
    double sum = 0;
    dpl__spread_binomial(&s, curve->bits, dpl__differ(cosine));
    for (unsigned i = 0; i < s.n; i++)
        sum += s.mass[i] * dpl__any_table(dpl__curve_at(curve, s.first + i), n_tables);
    return sum;
}

static void check_against_tables(const dpl__model *model, unsigned bits, double cosine)
{
    enum { N_PAIRS = 2500 };
    static const unsigned windows[] = {10, 50, 200, 1000}, tables[] = {10, 30, 100};
    static tables_pair pairs[N_PAIRS];
    tables_recall measured[DPL_LEN(windows) * DPL_LEN(tables)];
    uint64_t seed = 20111;
    dpl__rng rng = {seed};
    uint64_t *words = make_rows(N_PAIRS, bits / 64, cosine, &rng);
    CHECK(words);
    for (uint32_t i = 0; i < N_PAIRS; i++)
        pairs[i] = (tables_pair){2 * i, 2 * i + 1};
    tables_run(measured, &(tables_input){words, 2 * N_PAIRS, bits, pairs, N_PAIRS, windows,
                                         DPL_LEN(windows), tables, DPL_LEN(tables), seed});
    for (size_t i = 0; i < DPL_LEN(measured); i++) {
        unsigned b = windows[i / DPL_LEN(tables)], q = tables[i % DPL_LEN(tables)];
        dpl__curve curve;
        dpl__model_curve(&curve, model, bits, 2 * N_PAIRS, b, NULL);
        double predicted = recall_at(&curve, cosine, q);
        if (!is_near(measured[i].mean, predicted, 0.03))
            dpl__test_fail(__FILE__, __LINE__,
                           "seed %llu, %u bits, cosine %.1f, Q %u, B %u: %.3f, not %.3f",
                           (unsigned long long)seed, bits, cosine, q, b, measured[i].mean,
                           predicted);
    }
    free(words);
}

DPL_TEST(model, predicts_the_window_within_three_hundredths)
{
    dpl_ctx *ctx = test_ctx(1);
    dpl__model *model;
    CHECK_OK(dpl__model_new(&model, ctx, &test_err));
    check_against_tables(model, 1024, 0.3);
    check_against_tables(model, 1024, 0.7);
    check_against_tables(model, 128, 0.3);
    check_against_tables(model, 64, 0.9);
    dpl__model_free(model, ctx);
    test_ctx_done(ctx);
}

DPL_TEST(model, more_rows_find_less_and_wider_windows_more)
{
    dpl_ctx *ctx = test_ctx(1);
    dpl__model *model;
    CHECK_OK(dpl__model_new(&model, ctx, &test_err));
    dpl__curve small, large, wide, dense, all;
    double share[DPL__PREFIX_MOST];
    for (int n = 0; n < DPL__PREFIX_MOST; n++)
        share[n] = pow(0.55, n);
    dpl__model_curve(&small, model, 1024, 1e5, 100, NULL);
    dpl__model_curve(&large, model, 1024, 1e6, 100, NULL);
    dpl__model_curve(&wide, model, 1024, 1e6, 200, NULL);
    dpl__model_curve(&dense, model, 1024, 1e6, 100, share);
    dpl__model_curve(&all, model, 1024, 101, 100, NULL);
    for (unsigned h = 1; h <= 512; h++) {
        double p = dpl__curve_at(&large, h);
        CHECK(p > 0 && p < 1);
        CHECK(dpl__curve_at(&small, h) > p);
        CHECK(dpl__curve_at(&wide, h) > p);
        CHECK(dpl__curve_at(&dense, h) < p);
        CHECK(dpl__curve_at(&large, h - 1) > p);
        CHECK(dpl__curve_at(&all, h) == 1);
    }
    dpl__model_free(model, ctx);
    test_ctx_done(ctx);
}
