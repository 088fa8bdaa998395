#include "lab/lab_seeds.h"

#include "base/hash.h"
#include "test.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static const dpl_lab_experiment about = {.name = "fit"};

static bool is_near(double a, double b, double off)
{
    return fabs(a - b) <= off;
}

static double uniform(dpl__rng *rng)
{
    return (double)(dpl__rng_next(rng) >> 11) * 0x1p-53;
}

/* ---- lines and powers -------------------------------------------------------------------- */

DPL_TEST(fit, a_line_through_three_points_by_hand)
{
    /* means 2 and 10/3; sums of squares 2 and 14/3, of products 3 */
    const double x[] = {1, 2, 3}, y[] = {2, 3, 5};
    const dpl__lab_fit f = dpl__lab_line(x, y, 3);
    CHECK(is_near(f.slope, 1.5, 1e-12));
    CHECK(is_near(f.intercept, 1.0 / 3, 1e-12));
    CHECK(is_near(f.r2, 9.0 / (2 * 14.0 / 3), 1e-12));
}

DPL_TEST(fit, no_other_line_is_nearer_to_the_points)
{
    dpl__rng rng = {5};
    for (unsigned round = 0; round < 50; round++) {
        enum { N = 9 };
        double x[N], y[N], least = 0, all = 0, mean = 0;
        for (size_t i = 0; i < N; i++) {
            x[i] = 10 * uniform(&rng);
            y[i] = 3 - 0.5 * x[i] + uniform(&rng);
            mean += y[i] / N;
        }
        const dpl__lab_fit f = dpl__lab_line(x, y, N);
        for (size_t i = 0; i < N; i++) {
            least += pow(y[i] - f.intercept - f.slope * x[i], 2);
            all += pow(y[i] - mean, 2);
        }
        /* the share of the variance that is explained: the other definition */
        CHECK(is_near(f.r2, 1 - least / all, 1e-9));
        for (int a = -1; a <= 1; a++)
            for (int b = -1; b <= 1; b++) {
                double sum = 0;
                for (size_t i = 0; i < N; i++)
                    sum += pow(y[i] - f.intercept - 0.01 * a - (f.slope + 0.01 * b) * x[i], 2);
                CHECK(sum >= least - 1e-12);
            }
    }
}

DPL_TEST(fit, points_without_spread_have_no_slope)
{
    const double same[] = {2, 2, 2}, y[] = {1, 2, 6}, flat[] = {4, 4, 4}, x[] = {1, 2, 3};
    CHECK(dpl__lab_line(same, y, 3).slope == 0 &&
          is_near(dpl__lab_line(same, y, 3).intercept, 3, 1e-12));
    CHECK(is_near(dpl__lab_line(x, flat, 3).slope, 0, 1e-12));
    CHECK(is_near(dpl__lab_line(x, flat, 3).r2, 1, 1e-12)); /* nothing is left unexplained */
}

DPL_TEST(fit, a_power_is_found_and_empty_points_do_not_count)
{
    double x[6], y[6];
    for (unsigned i = 0; i < 6; i++) {
        x[i] = 100 << i;
        y[i] = 0.3 * pow(x[i], 1.21);
    }
    CHECK(is_near(dpl__lab_power(x, y, 6), 1.21, 1e-9));
    y[0] = y[2] = 0; /* a collection that is too small has no results */
    CHECK(is_near(dpl__lab_power(x, y, 6), 1.21, 1e-9));
    y[1] = y[3] = y[4] = 0;
    CHECK(dpl__lab_power(x, y, 6) == 0); /* one point */
    CHECK(dpl__lab_power(x, y, 0) == 0);
    /* twice as much for four times the documents */
    const double four[] = {1000, 4000}, twice[] = {7, 14};
    CHECK(is_near(dpl__lab_power(four, twice, 2), 0.5, 1e-12));
}

/* ---- where a gain ends ------------------------------------------------------------------- */

DPL_TEST(fit, a_border_lies_where_the_gain_is_gone)
{
    const double x[] = {0.1, 0.3, 0.5, 0.7, 0.9};
    const double none[] = {-1, 2, 2, 2, 2}, all[] = {1, 1, 1, 1, 1};
    CHECK(dpl__lab_border(x, none, 5) == 0);
    CHECK(is_near(dpl__lab_border(x, all, 5), 0.9, 1e-12));
    /* from 3 at 0.3 to -1 at 0.5: three quarters of the way */
    const double some[] = {5, 3, -1, -2, -3};
    CHECK(is_near(dpl__lab_border(x, some, 5), 0.45, 1e-12));
    const double at[] = {5, 3, 0, 0, 0};
    CHECK(is_near(dpl__lab_border(x, at, 5), 0.5, 1e-12));
    /* what gains again behind it does not count */
    const double again[] = {1, -1, 4, 4, 4};
    CHECK(is_near(dpl__lab_border(x, again, 5), 0.2, 1e-12));
    const double unknown[] = {1, 1, NAN, 1, 1};
    CHECK(is_near(dpl__lab_border(x, unknown, 5), 0.3, 1e-12));
    const double nothing[] = {NAN, NAN, NAN, NAN, NAN};
    CHECK(dpl__lab_border(x, nothing, 5) == 0);
    CHECK(dpl__lab_border(x, all, 0) == 0);
}

/* ---- above and below --------------------------------------------------------------------- */

static int by_value(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Mann and Whitney: from the sum of ranks, equal numbers sharing theirs. */
static double by_ranks(const double *x, size_t n_x, const double *y, size_t n_y)
{
    double all[64], sum = 0;
    memcpy(all, x, n_x * sizeof *x);
    memcpy(all + n_x, y, n_y * sizeof *y);
    qsort(all, n_x + n_y, sizeof *all, by_value);
    for (size_t i = 0; i < n_x; i++) {
        double ranks = 0, n = 0;
        for (size_t k = 0; k < n_x + n_y; k++)
            if (all[k] == x[i]) {
                ranks += (double)k + 1;
                n++;
            }
        sum += ranks / n;
    }
    const double a = (double)n_x, b = (double)n_y;
    return (sum - a * (a + 1) / 2) / (a * b);
}

DPL_TEST(fit, likelier_is_what_a_sum_of_ranks_says)
{
    const double low[] = {1, 2}, high[] = {3, 4, 5}, same[] = {2, 2};
    CHECK(dpl__lab_likelier(high, 3, low, 2) == 1);
    CHECK(dpl__lab_likelier(low, 2, high, 3) == 0);
    CHECK(dpl__lab_likelier(low, 2, same, 2) == 0.25); /* one tie of two */
    CHECK(isnan(dpl__lab_likelier(low, 0, high, 3)) &&
          isnan(dpl__lab_likelier(low, 2, high, 0)));
    dpl__rng rng = {77};
    for (unsigned round = 0; round < 200; round++) {
        double x[30], y[30];
        const size_t n_x = 1 + dpl__rng_below(&rng, 30), n_y = 1 + dpl__rng_below(&rng, 30);
        for (size_t i = 0; i < n_x; i++)
            x[i] = (double)dpl__rng_below(&rng, 12);
        for (size_t i = 0; i < n_y; i++)
            y[i] = (double)dpl__rng_below(&rng, 12) - 1;
        const double p = dpl__lab_likelier(x, n_x, y, n_y);
        CHECK(is_near(p, by_ranks(x, n_x, y, n_y), 1e-12));
        CHECK(is_near(p, 1 - dpl__lab_likelier(y, n_y, x, n_x), 1e-12));
    }
}

/* ---- intervals of shares ----------------------------------------------------------------- */

/* The ends are the shares from which the measured one is 1.96 deviations away. */
DPL_TEST(fit, ends_of_wilson_are_as_far_away_as_they_say)
{
    const double z = 1.959964;
    for (uint64_t whole = 1; whole <= 60; whole += 1 + whole / 4)
        for (uint64_t part = 0; part <= whole; part++) {
            double ends[2];
            const double n = (double)whole, p = (double)part / n;
            dpl__lab_wilson(ends, part, whole);
            CHECK(ends[0] <= p + 1e-12 && p <= ends[1] + 1e-12);
            for (unsigned i = 0; i < 2; i++) {
                const double deviation = sqrt(ends[i] * (1 - ends[i]) / n);
                CHECK(is_near(fabs(ends[i] - p), z * deviation, 1e-7));
            }
            /* of what is not there the same, mirrored */
            double others[2];
            dpl__lab_wilson(others, whole - part, whole);
            CHECK(is_near(others[0], 1 - ends[1], 1e-12));
        }
}

DPL_TEST(fit, shares_of_the_page_have_their_intervals)
{
    double ends[2];
    dpl__lab_wilson(ends, 34, 34); /* Table 4 of document mining */
    CHECK(is_near(ends[0], 0.8985, 5e-4) && is_near(ends[1], 1, 1e-12));
    dpl__lab_wilson(ends, 56, 95); /* Figure 1 of No Free Lunch */
    CHECK(is_near(ends[0], 0.489, 5e-4) && is_near(ends[1], 0.683, 5e-4));
    dpl__lab_wilson(ends, 0, 0);
    CHECK(ends[0] == 0 && ends[1] == 1);
}

/* ---- means over seeds -------------------------------------------------------------------- */

/* Density of Student's distribution, without its factor. */
static double density(double t, double freedom)
{
    return pow(1 + t * t / freedom, -(freedom + 1) / 2);
}

/* Simpson's rule from 0 on. */
static double area(double to, double freedom)
{
    enum { STEPS = 200000 };
    const double h = to / STEPS;
    double sum = density(0, freedom) + density(to, freedom);
    for (int i = 1; i < STEPS; i++)
        sum += (i % 2 ? 4 : 2) * density(i * h, freedom);
    return sum * h / 3;
}

/* Whole area: t = tan(u) makes it a finite integral. */
static double whole_area(double freedom)
{
    enum { STEPS = 20000 };
    const double end = 2 * atan(1.0), h = end / STEPS;
    double sum = 0;
    for (int i = 0; i < STEPS; i++) {
        const double t = tan((i + 0.5) * h);
        sum += density(t, freedom) * (1 + t * t);
    }
    return sum * h;
}

/* Half of the interval over the standard error, of the numbers 1 to n. */
static double factor(dpl__lab *lab, size_t n)
{
    char texts[DPL__LAB_MOST_SEEDS][16];
    dpl_str all[DPL__LAB_MOST_SEEDS];
    double low, high, squares = 0;
    const double mean = ((double)n + 1) / 2;
    for (size_t i = 0; i < n; i++) {
        const int length = snprintf(texts[i], sizeof texts[i], "%zu.0000", i + 1);
        all[i] = (dpl_str){texts[i], (size_t)length};
        squares += pow((double)i + 1 - mean, 2);
    }
    dpl__bytes out = {0};
    dpl__lab_pool(&out, lab, all, n, false, &low, &high);
    dpl__vec_clear(lab->ctx, &out);
    CHECK(is_near((low + high) / 2, mean, 1e-9));
    return (high - low) / 2 / sqrt(squares / ((double)n - 1) / (double)n);
}

DPL_TEST(fit, intervals_of_seeds_hold_95_percent_of_students_distribution)
{
    dpl__lab lab = {.ctx = test_ctx(1), .about = &about};
    for (size_t n = 2; n <= DPL__LAB_MOST_SEEDS; n++) {
        const double freedom = (double)n - 1, t = factor(&lab, n);
        CHECK(is_near(area(t, freedom) / whole_area(freedom), 0.95, 2e-4));
    }
    test_ctx_done(lab.ctx);
}

static void check_pooled(dpl__lab *lab, const char *a, const char *b, const char *expected)
{
    const dpl_str texts[] = {dpl__cstr(a), dpl__cstr(b)};
    dpl__bytes out = {0};
    dpl__lab_pool(&out, lab, texts, 2, false, NULL, NULL);
    CHECK(out.n == strlen(expected) && memcmp(out.data, expected, out.n) == 0);
    dpl__vec_clear(lab->ctx, &out);
}

DPL_TEST(fit, numbers_in_texts_are_what_a_reader_takes_for_one)
{
    dpl__lab lab = {.ctx = test_ctx(1), .about = &about};
    check_pooled(&lab, "-0.2 of it", "0.4 of it", "0.1 of it");
    check_pooled(&lab, "from 1-3", "from 3-5", "from 2.0-4.0"); /* no minus sign */
    check_pooled(&lab, "F1 and n-2", "F1 and n-4", "F1 and n-3.0");
    check_pooled(&lab, "1200 rows", "1400 rows", "1300 rows");
    check_pooled(&lab, "3 rows.", "4 rows.", "3.5 rows."); /* a full stop is no point */
    check_pooled(&lab, "0.50; 7", "0.52; 9", "0.51; 8.0");
    check_pooled(&lab, "same 5", "same 5", "same 5");
    check_pooled(&lab, "one word", "two words", "one word"); /* not alike: the first */
    check_pooled(&lab, "1 2", "1", "1 2");
    check_pooled(&lab, "", "", "");
    test_ctx_done(lab.ctx);
}
