#include "doppel/signatures.h"
#include "signatures/signatures.h"

#include "base/hash.h"
#include "signatures/sign_methods.h"
#include "test.h"

#include <math.h>

static bool is_near(double a, double b, double eps)
{
    return fabs(a - b) <= eps;
}

DPL_TEST(estimate, the_cosine_comes_from_the_distance)
{
    CHECK(is_near(dpl_sign_estimate(DPL_SIGN_RP, 1024, 0, false), 1, 0));
    CHECK(is_near(dpl_sign_estimate(DPL_SIGN_RP, 1024, 512, false), 0, 1e-15));
    CHECK(is_near(dpl_sign_estimate(DPL_SIGN_RP, 1024, 1024, false), -1, 0));
    CHECK(dpl_sign_estimate(DPL_SIGN_SIMHASH, 64, 40, true) == 0);
    CHECK(dpl_sign_estimate(DPL_SIGN_SIMHASH, 64, 40, false) < 0);
    CHECK(is_near(dpl_sign_estimate(DPL_SIGN_MINHASH, 128, 32, true), 0.75, 0));
    CHECK(is_near(dpl_sign_estimate(DPL_SIGN_MINHASH, 128, 128, true), 0, 0));
    CHECK(is_near(dpl_sign_estimate(DPL_SIGN_RP8, 448, 448 * 512, true), 0.5, 1e-15));
    CHECK(is_near(dpl_sign_estimate(DPL_SIGN_RP8, 448, 448 * 5000, false), -1, 0));
}

DPL_TEST(estimate, the_error_is_that_of_simulated_pairs)
{
    enum { ROUNDS = 4000 };
    dpl__rng rng = {3};
    static const double cosines[] = {-0.5, 0, 0.1, 0.3, 0.7, 0.95};
    for (size_t i = 0; i < DPL_LEN(cosines); i++)
        for (unsigned n = 64; n <= 1024; n *= 4) {
            double p = acos(cosines[i]) / acos(-1), squares = 0;
            for (int round = 0; round < ROUNDS; round++) {
                unsigned distance = 0;
                for (unsigned bit = 0; bit < n; bit++)
                    distance += (double)(dpl__rng_next(&rng) >> 11) * 0x1p-53 < p;
                double e = dpl_sign_estimate(DPL_SIGN_RP, n, distance, false) - cosines[i];
                squares += e * e;
            }
            double simulated = sqrt(squares / ROUNDS);
            /* that of a binomial share, by the slope of the cosine there */
            double expected = acos(-1) * sin(acos(cosines[i])) * sqrt(p * (1 - p) / n);
            CHECK(is_near(expected / simulated, 1, 0.1));
        }
}

/* P(distance <= cut), summed from logarithms. */
static double reached(unsigned n, double p, unsigned cut)
{
    double sum = 0;
    for (unsigned k = 0; k <= cut; k++)
        sum += exp(lgamma(n + 1.0) - lgamma(k + 1.0) - lgamma(n - k + 1.0) + k * log(p) +
                   (n - k) * log1p(-p));
    return sum;
}

DPL_TEST(estimate, the_cut_is_the_smallest_that_reaches_the_recall)
{
    static const unsigned bits[] = {64, 128, 1024, 4096, 65536};
    static const double cosines[] = {-0.9, 0, 0.01, 0.3, 0.5, 0.9, 0.999, 0.999999};
    static const double recalls[] = {0.001, 0.1, 0.5, 0.9, 0.99, 0.999999};
    for (size_t b = 0; b < DPL_LEN(bits); b++)
        for (size_t c = 0; c < DPL_LEN(cosines); c++)
            for (size_t r = 0; r < DPL_LEN(recalls); r++) {
                double p = acos(cosines[c]) / acos(-1);
                unsigned cut = dpl__bits_cut(bits[b], cosines[c], recalls[r]);
                CHECK(cut <= bits[b]);
                CHECK(reached(bits[b], p, cut) >= recalls[r] - 1e-8);
                CHECK(cut == 0 || reached(bits[b], p, cut - 1) < recalls[r] + 1e-8);
            }
    CHECK_EQ(dpl__bits_cut(1024, 1, 0.99), 0);
    CHECK_EQ(dpl__bits_cut(1024, 0.3, 1), 1024);
    CHECK_EQ(dpl__bits_cut(1024, 0.3, 0), 0);
    CHECK_EQ(dpl__bits_cut(1024, -1, 0.5), 1024);
}

/* The distances of simulated pairs of products. */
DPL_TEST(estimate, the_cut_of_products_reaches_the_recall)
{
    enum { N = 448, ROUNDS = 4000 };
    dpl__rng rng = {5};
    static const double cosines[] = {0, 0.3, 0.7};
    for (size_t i = 0; i < DPL_LEN(cosines); i++) {
        const double c = cosines[i];
        const unsigned cut = dpl_sign_cut(DPL_SIGN_RP8, N, c, 0.9);
        unsigned n_within = 0;
        for (int round = 0; round < ROUNDS; round++) {
            double xx = 0, yy = 0, xy = 0;
            for (int k = 0; k < N; k++) {
                double u = -6, v = -6; /* twelve uniform numbers are nearly normal */
                for (int j = 0; j < 12; j++) {
                    u += (double)(dpl__rng_next(&rng) >> 11) * 0x1p-53;
                    v += (double)(dpl__rng_next(&rng) >> 11) * 0x1p-53;
                }
                v = c * u + sqrt(1 - c * c) * v;
                xx += u * u;
                yy += v * v;
                xy += u * v;
            }
            n_within += 1024 * N * (1 - xy / sqrt(xx * yy)) <= cut;
        }
        CHECK(is_near((double)n_within / ROUNDS, 0.9, 0.02));
    }
    CHECK_EQ(dpl_sign_cut(DPL_SIGN_RP8, N, 1, 0.9), 0);
    CHECK(dpl_sign_cut(DPL_SIGN_RP8, N, 0.3, 1) >= 2 * 1024 * N);
    CHECK_EQ(dpl_sign_cut(DPL_SIGN_RP, 1024, 0.3, 0.99), dpl__bits_cut(1024, 0.3, 0.99));
    CHECK(dpl_sign_cut(DPL_SIGN_RP8, 1024, 0.3, 0.99) <
          dpl_sign_cut(DPL_SIGN_RP8, 1024, 0.3, 0.999));
}

DPL_TEST(estimate, a_higher_recall_or_a_lower_cosine_loosens_the_cut)
{
    for (unsigned bits = 64; bits <= 65536; bits *= 4)
        for (int i = 1; i < 99; i++) {
            CHECK(dpl__bits_cut(bits, 0.3, i / 100.0) <=
                  dpl__bits_cut(bits, 0.3, (i + 1) / 100.0));
            CHECK(dpl__bits_cut(bits, i / 100.0, 0.9) >=
                  dpl__bits_cut(bits, (i + 1) / 100.0, 0.9));
        }
}

static void check_options(dpl_sign_method method, unsigned n, unsigned expected,
                          const char *problem)
{
    dpl_error err = {0};
    unsigned used = 0;
    dpl_sign_options o = DPL_INIT(dpl_sign_options, .method = method, .length = n);
    CHECK_EQ(dpl_sign_check(&used, &o, &err), problem ? DPL_E_USAGE : DPL_OK);
    if (problem)
        CHECK_STR(dpl__cstr(err.text), problem);
    else
        CHECK_EQ(used, expected);
}

DPL_TEST(estimate, lengths_are_rounded_up_or_refused)
{
    check_options(DPL_SIGN_RP, 0, 1024, NULL);
    check_options(DPL_SIGN_RP, 1000, 1024, NULL);
    check_options(DPL_SIGN_RP, 1, 64, NULL);
    check_options(DPL_SIGN_RP, 65536, 65536, NULL);
    check_options(DPL_SIGN_RP, 65537, 0, "rp signatures have at most 65536 bits, not 65537");
    check_options(DPL_SIGN_SIMHASH, 0, 64, NULL);
    check_options(DPL_SIGN_SIMHASH, 128, 128, NULL);
    check_options(DPL_SIGN_SIMHASH, 100, 0, "simhash signatures have 64 or 128 bits, not 100");
    check_options(DPL_SIGN_MINHASH, 0, 128, NULL);
    check_options(DPL_SIGN_MINHASH, 31, 31, NULL);
    check_options(DPL_SIGN_MINHASH, 5000, 0,
                  "minhash signatures have at most 4096 values, not 5000");
    check_options(DPL_SIGN_RP8, 0, 448, NULL);
    check_options(DPL_SIGN_RP8, 416, 448, NULL);
    check_options(DPL_SIGN_RP8, 65537, 0, "rp8 signatures have at most 65536 dims, not 65537");
    check_options((dpl_sign_method)7, 0, 0, "no signature method number 7");
}
