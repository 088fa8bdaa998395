#include "kernels/kernels.h"

#include "base/hash.h"
#include "test.h"

#include <stdlib.h>

static const dpl__kernels *scalar(void)
{
    return dpl__kernels_for(DPL_CPU_SCALAR);
}

static void *room(size_t n)
{
    void *p = calloc(n + 1, 1);
    CHECK(p != NULL);
    return p;
}

DPL_TEST(sparse, dot_is_the_sum_in_order)
{
    enum { N_TERMS = 200000, MOST = 700 };
    float *dense = room(N_TERMS * sizeof *dense);
    uint32_t *bits = room(DPL__TERM_BITS / 8);
    dpl__rng rng = {1};
    for (int i = 0; i < 300; i++) {
        uint32_t term = (uint32_t)dpl__rng_below(&rng, i < 100 ? 150 : N_TERMS);
        dense[term] = (float)(1 + dpl__rng_below(&rng, 1000)) / 1000;
        bits[term % DPL__TERM_BITS / 32] |= (uint32_t)1 << term % 32;
    }
    for (uint64_t seed = 0; seed < 2000; seed++) {
        size_t n = seed < 100 ? (size_t)seed : dpl__rng_below(&rng, MOST);
        /* exactly as long as they are, so that the sanitizer guards their ends */
        uint32_t *terms = room(n * sizeof *terms);
        float *weights = room(n * sizeof *weights);
        double expected = 0.1;
        for (size_t i = 0; i < n; i++) {
            terms[i] = (uint32_t)dpl__rng_below(&rng, i % 3 ? 200 : N_TERMS);
            weights[i] = (float)dpl__rng_below(&rng, 1000) / 999;
            expected += (double)dense[terms[i]] * (double)weights[i];
        }
        for (int cpu = DPL_CPU_SCALAR; cpu <= (int)dpl_cpu_best(); cpu++) {
            const dpl__sparse_row row = {terms, weights, n};
            double sum =
                dpl__kernels_for((dpl_cpu)cpu)->sparse_dot(0.1, dense, bits, &row, &row);
            CHECK(memcmp(&sum, &expected, sizeof sum) == 0);
        }
        free(weights);
        free(terms);
    }
    free(bits);
    free(dense);
}

DPL_TEST(sparse, bounds_agree_within_their_roundings)
{
    enum { MOST = 20 * DPL__BOUND_STEP };
    float *table = room(DPL__BOUND_PLACES * sizeof *table);
    dpl__rng rng = {5};
    for (int i = 0; i < DPL__BOUND_PLACES; i += 3)
        table[i] = (float)dpl__rng_below(&rng, 1000) / 999;
    for (size_t n = 0; n <= MOST; n += DPL__BOUND_STEP) {
        uint16_t *places = room(n * sizeof *places), *weights = room(n * sizeof *weights);
        double expected = 0;
        for (size_t i = 0; i < n; i++) {
            places[i] = (uint16_t)dpl__rng_below(&rng, DPL__BOUND_PLACES);
            weights[i] = (uint16_t)dpl__rng_below(&rng, 0x3F81); /* up to 1 */
            const uint32_t bits = (uint32_t)weights[i] << 16;
            float weight;
            memcpy(&weight, &bits, sizeof weight);
            expected += (double)table[places[i]] * (double)weight;
        }
        for (int cpu = DPL_CPU_SCALAR; cpu <= (int)dpl_cpu_best(); cpu++) {
            double sum =
                (double)dpl__kernels_for((dpl_cpu)cpu)->sparse_bound(table, places, weights, n);
            const double most = expected * (double)n * 0x1p-24;
            CHECK(sum >= expected - most && sum <= expected + most);
        }
        free(weights);
        free(places);
    }
    free(table);
}

/* Lists of n rows of 65536, each with its weights behind it. */
static uint16_t *make_lists(dpl__postings *lists, size_t n_lists, dpl__rng *rng)
{
    size_t n = 0;
    for (size_t k = 0; k < n_lists; k++) {
        lists[k].n = (uint32_t)dpl__rng_below(rng, k % 5 ? 40 : 3000);
        lists[k].weight = (uint16_t)dpl__rng_next(rng);
        n += 2 * lists[k].n;
    }
    uint16_t *data = room((n + 32) * sizeof *data), *at = data;
    for (size_t k = 0; k < n_lists; k++, at += 2 * lists[k - 1].n) {
        uint32_t step = lists[k].n ? 65535 / lists[k].n : 1;
        for (uint32_t i = 0; i < lists[k].n; i++) {
            at[i] = (uint16_t)(i * step + dpl__rng_below(rng, step));
            at[lists[k].n + i] = (uint16_t)dpl__rng_next(rng);
        }
        lists[k].rows = at;
        lists[k].weights = at + lists[k].n;
    }
    return data;
}

DPL_TEST(sparse, lists_are_added_alike_at_every_level)
{
    enum { ROWS = 1 << 16, LISTS = 60 };
    uint16_t *expected = room(ROWS * sizeof *expected), *sums = room(ROWS * sizeof *sums);
    for (uint64_t seed = 0; seed < 30; seed++) {
        dpl__rng rng = {dpl__mix(seed)};
        dpl__postings lists[LISTS];
        size_t n_lists = dpl__rng_below(&rng, LISTS + 1);
        uint16_t *data = make_lists(lists, n_lists, &rng);
        memset(expected, 0, ROWS * sizeof *expected);
        for (size_t k = 0; k < n_lists; k++)
            for (uint32_t i = 0; i < lists[k].n; i++)
                expected[lists[k].rows[i]] =
                    (uint16_t)(expected[lists[k].rows[i]] +
                               ((uint32_t)lists[k].rows[lists[k].n + i] * lists[k].weight >>
                                16));
        for (int cpu = DPL_CPU_SCALAR; cpu <= (int)dpl_cpu_best(); cpu++) {
            memset(sums, 0, ROWS * sizeof *sums);
            dpl__kernels_for((dpl_cpu)cpu)->sparse_add(sums, lists, n_lists);
            CHECK(memcmp(sums, expected, ROWS * sizeof *sums) == 0);
        }
        free(data);
    }
    free(sums);
    free(expected);
}

DPL_TEST(sparse, sweep_finds_what_reaches_the_least)
{
    for (uint64_t seed = 0; seed < 3000; seed++) {
        dpl__rng rng = {dpl__mix(seed)};
        size_t n = seed == 0 ? 65536 : dpl__rng_below(&rng, 400);
        uint16_t *sums = room(2 * n), *norms = room(2 * n);
        uint16_t *expected = room(2 * n), *out = room(2 * n);
        uint16_t norm = (uint16_t)dpl__rng_next(&rng);
        uint16_t least = (uint16_t)(seed % 7 ? dpl__rng_next(&rng) : seed % 2 ? 0 : 65535);
        for (size_t i = 0; i < n; i++) {
            sums[i] = (uint16_t)dpl__rng_next(&rng);
            norms[i] = (uint16_t)dpl__rng_next(&rng);
            if (i % 4 == 0) /* just there, or just not */
                sums[i] = (uint16_t)(least - ((uint32_t)norms[i] * norm >> 16) -
                                     dpl__rng_below(&rng, 2));
        }
        size_t n_expected = scalar()->sparse_sweep(expected, sums, norms, n, norm, least);
        for (int cpu = DPL_CPU_SSE42; cpu <= (int)dpl_cpu_best(); cpu++) {
            CHECK_EQ(
                dpl__kernels_for((dpl_cpu)cpu)->sparse_sweep(out, sums, norms, n, norm, least),
                n_expected);
            CHECK(memcmp(out, expected, 2 * n_expected) == 0);
        }
        free(out);
        free(expected);
        free(norms);
        free(sums);
    }
}

DPL_TEST(sparse, pass_finds_what_reaches_either_cut)
{
    for (uint64_t seed = 0; seed < 2000; seed++) {
        dpl__rng rng = {dpl__mix(seed)};
        size_t n = seed == 0 ? 65536 : dpl__rng_below(&rng, 400);
        uint16_t *sums = room(2 * n), *norms = room(2 * n), *cuts = room(2 * n);
        uint16_t *expected = room(2 * n), *out = room(2 * n);
        dpl__pass p = {.norms = norms,
                       .cuts = cuts,
                       .norm = (uint16_t)dpl__rng_next(&rng),
                       .slack = (uint16_t)dpl__rng_below(&rng, seed % 3 ? 300 : 65536),
                       .least = (uint16_t)(seed % 7 ? dpl__rng_next(&rng) : 65535)};
        for (size_t i = 0; i < n; i++) {
            sums[i] = (uint16_t)dpl__rng_next(&rng);
            norms[i] = (uint16_t)dpl__rng_next(&rng);
            cuts[i] = (uint16_t)dpl__rng_next(&rng);
            if (i % 4 == 0) /* just there, or just not */
                sums[i] =
                    (uint16_t)(dpl__min(p.least, cuts[i]) - p.slack -
                               ((uint32_t)norms[i] * p.norm >> 16) - dpl__rng_below(&rng, 2));
        }
        size_t n_expected = scalar()->sparse_pass(expected, sums, n, &p);
        for (int cpu = DPL_CPU_SSE42; cpu <= (int)dpl_cpu_best(); cpu++) {
            CHECK_EQ(dpl__kernels_for((dpl_cpu)cpu)->sparse_pass(out, sums, n, &p), n_expected);
            CHECK(memcmp(out, expected, 2 * n_expected) == 0);
        }
        free(out);
        free(expected);
        free(cuts);
        free(norms);
        free(sums);
    }
}
