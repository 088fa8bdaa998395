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
    bool are_all_63 = dpl__rng_below(rng, 5) == 0;         /* the most there can be to add */
    for (size_t i = 0; i < n; i++) {
        keys[i] = dpl__rng_next(rng);
        weights[i] = are_all_63 ? DPL__SIGN_WEIGHT : (uint8_t)dpl__rng_below(rng, most);
        sum += weights[i];
    }
    if (n && sum % 2 == 0)
        weights[n / 2] ^= 1;
}

/* Lengths around the sizes that the levels work in. */
static size_t some_length(dpl__rng *rng)
{
    static const size_t all[] = {0,   1,   2,   5,   8,   15,   16,  17,
                                 120, 255, 256, 257, 513, 1023, 1025};
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

/* ---- what kernels.h says, word for word ---------------------------------------------- */

/* The sum over all terms for bit i, of rp or votes. */
static int64_t vote(size_t i, size_t n, uint64_t seed, bool is_rp)
{
    int64_t sum = 0;
    for (size_t t = 0; t < n; t++) {
        dpl__sign_state s = dpl__sign_state_of(keys[t], seed);
        int v = 0;
        for (unsigned stream = 0; stream < DPL__SIGN_STREAMS; stream++)
            v += (int)(dpl__sign_word(&s, stream, i / 64) >> i % 64 & 1);
        int one = (int)(dpl__mix(keys[t] ^ dpl__mix(seed + i / 64)) >> i % 64 & 1);
        sum += weights[t] * (is_rp ? 2 * v - 3 : 2 * one - 1);
    }
    return sum;
}

/* The sum over all terms in dimension i. */
static int64_t sum_of_signs(size_t i, size_t n, uint64_t seed)
{
    int64_t sum = 0;
    for (size_t t = 0; t < n; t++) {
        dpl__sign_state s = dpl__sign_state_of(keys[t], seed);
        sum += weights[t] * (2 * (int)(dpl__sign_word(&s, 0, i / 64) >> i % 64 & 1) - 1);
    }
    return sum;
}

static uint32_t minimum(size_t i, size_t n, uint64_t seed)
{
    uint32_t least = UINT32_MAX;
    for (size_t t = 0; t < n; t++) {
        dpl__sign_state s = dpl__sign_state_of(keys[t], seed);
        uint32_t value = (uint32_t)(dpl__sign_word(&s, 0, i / 2) >> 32 * (i % 2));
        least = value < least ? value : least;
    }
    return least;
}

DPL_TEST(sign_kernels, scalar_does_what_is_specified)
{
    for (uint64_t seed = 0; seed < 40; seed++) {
        dpl__rng rng = {dpl__mix(seed)};
        size_t n = some_length(&rng) / 4, n_words = 1 + dpl__rng_below(&rng, 8);
        uint64_t words[8];
        fill(&rng, n);
        const dpl__sign_terms terms = {keys, weights, n, scratch};
        scalar()->sign_rp(words, n_words, &terms, seed);
        for (size_t i = 0; i < 64 * n_words; i++)
            CHECK_EQ(words[i / 64] >> i % 64 & 1, vote(i, n, seed, true) > 0);
        scalar()->sign_votes(words, 2, &terms, seed);
        for (size_t i = 0; i < 128; i++)
            CHECK_EQ(words[i / 64] >> i % 64 & 1, vote(i, n, seed, false) > 0);
        int32_t sums[8 * 64];
        scalar()->sign_sums(sums, n_words, &terms, seed);
        for (size_t i = 0; i < 64 * n_words; i++)
            CHECK_EQ(sums[i], sum_of_signs(i, n, seed));
        scalar()->sign_minima((uint32_t *)(void *)words, 16, keys, n, seed, scratch);
        for (size_t i = 0; i < 16; i++)
            CHECK_EQ((uint32_t)(words[i / 2] >> 32 * (i % 2)), minimum(i, n, seed));
    }
}

/* ---- all levels alike --------------------------------------------------------------- */

DPL_TEST(sign_kernels, every_level_agrees_with_scalar)
{
    for (uint64_t seed = 0; seed < 150; seed++) {
        dpl__rng rng = {dpl__mix(seed)};
        size_t n = some_length(&rng), n_words = 1 + dpl__rng_below(&rng, DPL__SIGN_WORDS);
        size_t n_values = 1 + dpl__rng_below(&rng, 2 * DPL__SIGN_WORDS);
        fill(&rng, n);
        const dpl__sign_terms terms = {keys, weights, n, scratch};
        uint64_t a[DPL__SIGN_WORDS + 1], b[DPL__SIGN_WORDS + 1];
        for (int cpu = DPL_CPU_SSE42; cpu <= (int)dpl_cpu_best(); cpu++) {
            const dpl__kernels *k = dpl__kernels_for((dpl_cpu)cpu);
            a[n_words] = b[n_words] = 17; /* nothing is written behind the end */
            scalar()->sign_rp(a, n_words, &terms, seed);
            k->sign_rp(b, n_words, &terms, seed);
            check_same(a, b, 8 * (n_words + 1), "rp", cpu, seed);
            static int32_t c[64 * DPL__SIGN_WORDS + 1], d[64 * DPL__SIGN_WORDS + 1];
            c[64 * n_words] = d[64 * n_words] = 17;
            scalar()->sign_sums(c, n_words, &terms, seed);
            k->sign_sums(d, n_words, &terms, seed);
            check_same(c, d, 4 * (64 * n_words + 1), "sums", cpu, seed);
            a[2] = b[2] = 17;
            scalar()->sign_votes(a, 1 + seed % 2, &terms, seed);
            k->sign_votes(b, 1 + seed % 2, &terms, seed);
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
    enum { MOST_DIM = 70400 };
    static _Alignas(64) int16_t row[MOST_DIM], planes[DPL__SIGN_PLANES * MOST_DIM];
    for (uint64_t seed = 0; seed < 300; seed++) {
        dpl__rng rng = {dpl__mix(seed)};
        size_t most = seed % 50 ? 10 : MOST_DIM / DPL__SIGN_DIMS;
        size_t dim = DPL__SIGN_DIMS * (1 + dpl__rng_below(&rng, most));
        for (size_t i = 0; i < dim; i++)
            row[i] = (int16_t)((int)dpl__rng_below(&rng, seed % 3 ? 4095 : 2) -
                               (seed % 3 ? 2047 : 0));
        for (size_t i = 0; i < DPL__SIGN_PLANES * dim; i++)
            planes[i] = (int16_t)((int)dpl__rng_below(&rng, 1023) - 511);
        int64_t expected[DPL__SIGN_PLANES], have[DPL__SIGN_PLANES];
        scalar()->sign_dots(expected, row, planes, dim);
        for (int cpu = DPL_CPU_SSE42; cpu <= (int)dpl_cpu_best(); cpu++) {
            dpl__kernels_for((dpl_cpu)cpu)->sign_dots(have, row, planes, dim);
            check_same(have, expected, sizeof have, "dots", cpu, seed);
        }
    }
}

/* ---- are they random? --------------------------------------------------------------- */

/* Bit i of a row of one term of weight 1 is the sign of the term's entry in hyperplane i. */
DPL_TEST(sign_kernels, bits_of_terms_are_fair_and_pairs_of_them_uncorrelated)
{
    enum { TERMS = 4096, WORDS = 64, BITS = 64 * WORDS, PAIRS = 20000 };
    static uint64_t rows[TERMS][WORDS];
    for (uint64_t t = 0; t < TERMS; t++) {
        uint8_t one = 1;
        uint64_t key = t; /* keys as bad as can be */
        const dpl__sign_terms term = {&key, &one, 1, scratch};
        scalar()->sign_rp(rows[t], WORDS, &term, 5);
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

/* Sums of bits of a term's hashes, as the bits of which hash they are sums of. */
typedef struct sum {
    dpl__sign_state of;
} sum;

static sum sum_at(unsigned stream, size_t word, unsigned bit)
{
    sum s = {{{0}, 0}};
    s.of.x[stream] = (uint64_t)1 << bit;
    s.of.y = dpl__rotl((uint64_t)1 << bit, 128 - dpl__sign_rotation(word) - stream);
    return s;
}

/* Gauss. */
static bool are_independent(sum *sums, unsigned n)
{
    for (unsigned i = 0; i < n; i++) {
        uint64_t *p = (uint64_t *)&sums[i].of;
        unsigned part = 0;
        while (part < 4 && !p[part])
            part++;
        if (part == 4)
            return false;
        uint64_t lowest = p[part] & -p[part];
        for (unsigned j = i + 1; j < n; j++) {
            uint64_t *q = (uint64_t *)&sums[j].of;
            for (unsigned k = 0; k < 4 && q[part] & lowest; k++)
                q[k] ^= k == part ? 0 : p[k];
            if (q[part] & lowest)
                q[part] ^= p[part];
        }
    }
    return true;
}

/* The claims of sign.h. */
DPL_TEST(sign_kernels, any_two_entries_of_a_term_are_independent)
{
    for (size_t w = 0; w < DPL__SIGN_WORDS; w++)
        for (size_t v = 0; v < DPL__SIGN_WORDS; v++)
            for (unsigned bit = 0; bit < 64; bit++) { /* against bit 0: all bits are alike */
                sum sums[6];
                if (w == v && bit == 0)
                    continue;
                for (unsigned stream = 0; stream < 3; stream++) {
                    sums[stream] = sum_at(stream, w, 0);
                    sums[3 + stream] = sum_at(stream, v, bit);
                }
                CHECK(are_independent(sums, 6));
            }
}

DPL_TEST(sign_kernels, any_two_values_of_a_term_are_independent)
{
    for (unsigned a = 0; a < 2 * DPL__SIGN_WORDS; a++)
        for (unsigned b = 0; b < a; b++) {
            sum sums[64];
            for (unsigned i = 0; i < 32; i++) {
                sums[i] = sum_at(0, a / 2, i + 32 * (a % 2));
                sums[32 + i] = sum_at(0, b / 2, i + 32 * (b % 2));
            }
            CHECK(are_independent(sums, 64));
        }
}
