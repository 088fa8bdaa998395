#include "kernels/sign.h"

#include "kernels/kernels.h"
#include "test.h"

#include <math.h>
#include <stdlib.h>

enum { MOST_TERMS = 3000 };

static uint64_t keys[MOST_TERMS];
static uint8_t weights[MOST_TERMS];
static _Alignas(64) char scratch[DPL__SIGN_SCRATCH];

static const dpl__kernels *scalar(void)
{
    return dpl__kernels_for(DPL_CPU_SCALAR);
}

/* Random keys; weights with an odd sum, 0 among them. */
static void fill(dpl__rng *rng, size_t n)
{
    unsigned sum = 0, most = 1u << dpl__rng_below(rng, 7); /* also few different ones */
    for (size_t i = 0; i < n; i++) {
        keys[i] = dpl__rng_next(rng);
        weights[i] = (uint8_t)dpl__rng_below(rng, most);
        sum += weights[i];
    }
    if (n && sum % 2 == 0)
        weights[n / 2] ^= 1;
}

/* Lengths around the sizes that the levels work in. */
static size_t some_length(dpl__rng *rng)
{
    static const size_t all[] = {0,   1,   2,   5,   8,   15,   16,  17,
                                 120, 127, 128, 129, 256, 1023, 1025};
    size_t i = dpl__rng_below(rng, DPL_LEN(all) + 20);
    return i < DPL_LEN(all) ? all[i] : dpl__rng_below(rng, i % 5 ? 200 : MOST_TERMS);
}

static void check_same(const void *a, const void *b, size_t n_bytes, const char *what, int cpu,
                       uint64_t seed)
{
    if (memcmp(a, b, n_bytes) != 0)
        dpl__test_fail(__FILE__, __LINE__, "%s: %s differs from scalar, seed %llu", what,
                       dpl_cpu_name((dpl_cpu)cpu), (unsigned long long)seed);
}

DPL_TEST(sign_kernels, every_level_agrees_with_scalar)
{
    for (uint64_t seed = 0; seed < 150; seed++) {
        dpl__rng rng = {dpl__mix(seed)};
        size_t n = some_length(&rng), n_words = 1 + dpl__rng_below(&rng, DPL__SIGN_WORDS);
        size_t n_values = 1 + dpl__rng_below(&rng, 2 * DPL__SIGN_WORDS);
        fill(&rng, n);
        uint64_t a[DPL__SIGN_WORDS + 1], b[DPL__SIGN_WORDS + 1];
        for (int cpu = DPL_CPU_SSE42; cpu <= (int)dpl_cpu_best(); cpu++) {
            const dpl__kernels *k = dpl__kernels_for((dpl_cpu)cpu);
            a[n_words] = b[n_words] = 17; /* nothing is written behind the end */
            scalar()->sign_rp(a, n_words, keys, weights, n, seed, scratch);
            k->sign_rp(b, n_words, keys, weights, n, seed, scratch);
            check_same(a, b, 8 * (n_words + 1), "rp", cpu, seed);
            a[2] = b[2] = 17;
            scalar()->sign_votes(a, 1 + seed % 2, keys, weights, n, seed, scratch);
            k->sign_votes(b, 1 + seed % 2, keys, weights, n, seed, scratch);
            check_same(a, b, 8 * (1 + seed % 2), "votes", cpu, seed);
            uint32_t *x = (uint32_t *)(void *)a, *y = (uint32_t *)(void *)b;
            x[n_values] = y[n_values] = 17;
            scalar()->sign_minima(x, n_values, keys, n, seed, scratch);
            k->sign_minima(y, n_values, keys, n, seed, scratch);
            check_same(x, y, 4 * (n_values + 1), "minima", cpu, seed);
        }
    }
}

DPL_TEST(sign_kernels, the_sum_of_the_weights_is_odd_and_the_same_at_every_level)
{
    static float w[MOST_TERMS];
    static uint8_t other[MOST_TERMS];
    for (uint64_t seed = 0; seed < 2000; seed++) {
        dpl__rng rng = {dpl__mix(seed)};
        size_t n = some_length(&rng), few = 1 + dpl__rng_below(&rng, 1000);
        for (size_t i = 0; i < n; i++)
            w[i] = (float)(1 + dpl__rng_below(&rng, few)) / 1000;
        unsigned sum = scalar()->sign_weights(weights, w, n), again = 0;
        for (size_t i = 0; i < n; i++)
            again += weights[i];
        CHECK_EQ(sum, again);
        CHECK(n == 0 || sum % 2 == 1);
        for (int cpu = DPL_CPU_SSE42; cpu <= (int)dpl_cpu_best(); cpu++) {
            CHECK_EQ(dpl__kernels_for((dpl_cpu)cpu)->sign_weights(other, w, n), sum);
            check_same(weights, other, n, "weights", cpu, seed);
        }
    }
}

DPL_TEST(sign_kernels, dots_agree_with_scalar)
{
    enum { MOST_DIM = 320 };
    static _Alignas(64) int16_t row[MOST_DIM], planes[DPL__SIGN_PLANES * MOST_DIM];
    for (uint64_t seed = 0; seed < 300; seed++) {
        dpl__rng rng = {dpl__mix(seed)};
        size_t dim = DPL__SIGN_DIMS * (1 + dpl__rng_below(&rng, MOST_DIM / DPL__SIGN_DIMS));
        for (size_t i = 0; i < dim; i++)
            row[i] = (int16_t)((int)dpl__rng_below(&rng, seed % 3 ? 8191 : 2) -
                               (seed % 3 ? 4095 : 0));
        for (size_t i = 0; i < DPL__SIGN_PLANES * dim; i++)
            planes[i] = (int16_t)((int)dpl__rng_below(&rng, 127) - 63);
        uint32_t bits = scalar()->sign_dots(row, planes, dim);
        for (int cpu = DPL_CPU_SSE42; cpu <= (int)dpl_cpu_best(); cpu++)
            CHECK_EQ(dpl__kernels_for((dpl_cpu)cpu)->sign_dots(row, planes, dim), bits);
    }
}

/* Bit i of a row of one term of weight 1 is the sign of the term's entry in hyperplane i. */
DPL_TEST(sign_kernels, bits_of_terms_are_fair_and_pairs_of_them_uncorrelated)
{
    enum { TERMS = 4096, WORDS = 64, BITS = 64 * WORDS, PAIRS = 20000 };
    static uint64_t rows[TERMS][WORDS];
    for (uint64_t t = 0; t < TERMS; t++) {
        uint8_t one = 1;
        uint64_t key = t; /* keys as bad as can be */
        scalar()->sign_rp(rows[t], WORDS, &key, &one, 1, 5, scratch);
    }
    const double sigma = sqrt(TERMS) / 2;
    double worst = 0, squares = 0;
    for (size_t i = 0; i < BITS; i++) {
        unsigned n = 0;
        for (size_t t = 0; t < TERMS; t++)
            n += rows[t][i / 64] >> i % 64 & 1;
        worst = fmax(worst, fabs(n - TERMS / 2.0) / sigma);
        squares += pow((n - TERMS / 2.0) / sigma, 2);
    }
    CHECK(worst < 5);
    CHECK(fabs(squares / BITS - 1) < 0.1);
    dpl__rng rng = {11};
    worst = squares = 0;
    for (size_t pair = 0; pair < PAIRS; pair++) {
        size_t i = dpl__rng_below(&rng, BITS), j = dpl__rng_below(&rng, BITS);
        unsigned n = 0;
        if (i == j)
            continue;
        for (size_t t = 0; t < TERMS; t++)
            n += (rows[t][i / 64] >> i % 64 ^ rows[t][j / 64] >> j % 64) & 1;
        worst = fmax(worst, fabs(n - TERMS / 2.0) / sigma);
        squares += pow((n - TERMS / 2.0) / sigma, 2);
    }
    CHECK(worst < 5.5);
    CHECK(fabs(squares / PAIRS - 1) < 0.05);
}

/* The claim of sign.h, for every pair of halves: rank 64 over the 128 bits of x and y. */
DPL_TEST(sign_kernels, any_two_halves_of_a_stream_are_independent)
{
    for (unsigned a = 0; a < 2 * DPL__SIGN_WORDS; a++)
        for (unsigned b = 0; b < a; b++) {
            uint64_t x[64], y[64]; /* which bits of x and of y each of the 64 bits sums */
            for (unsigned i = 0; i < 64; i++) {
                unsigned half = i < 32 ? a : b, bit = i % 32 + 32 * (half % 2);
                x[i] = (uint64_t)1 << bit;
                y[i] = dpl__rotl(x[i], 64 - dpl__sign_rotation(half / 2));
            }
            for (unsigned i = 0; i < 64; i++) { /* Gauss */
                CHECK(x[i] || y[i]);
                uint64_t low_x = x[i] & -x[i], low_y = x[i] ? 0 : y[i] & -y[i];
                for (unsigned j = i + 1; j < 64; j++)
                    if (x[j] & low_x || y[j] & low_y) {
                        x[j] ^= x[i];
                        y[j] ^= y[i];
                    }
            }
        }
}
