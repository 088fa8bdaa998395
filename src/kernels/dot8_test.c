#include "kernels/kernels.h"

#include "base/hash.h"
#include "test.h"

#include <stdlib.h>

static void *aligned(size_t n)
{
    void *p = aligned_alloc(64, (n + 64) / 64 * 64);
    CHECK(p != NULL);
    return p;
}

/* Numbers up to the largest; some rows have nothing else, some are near copies. */
static void fill(int8_t *rows, size_t n, size_t dim, dpl__rng *rng)
{
    for (size_t r = 0; r < n; r++) {
        const uint64_t kind = dpl__rng_below(rng, 8);
        for (size_t i = 0; i < dim; i++) {
            int x = (int)dpl__rng_below(rng, 255) - 127;
            rows[r * dim + i] = (int8_t)(kind == 0 ? 127 : kind == 1 ? -127 : x);
        }
        if (r && kind == 2)
            memcpy(rows + r * dim, rows + dpl__rng_below(rng, r) * dim, dim - dim / 4);
    }
}

static int32_t naive(const int8_t *a, const int8_t *b, size_t dim)
{
    int32_t sum = 0;
    for (size_t i = 0; i < dim; i++)
        sum += (int32_t)a[i] * b[i];
    return sum;
}

/* Cuts of all kinds: never, always, and some that products are equal to. */
static int32_t some_cut(dpl__rng *rng, const int8_t *query, const int8_t *docs, size_t n_docs,
                        size_t dim)
{
    switch (dpl__rng_below(rng, 5)) {
    case 0: return DPL__DOT8_MOST;
    case 1: return -DPL__DOT8_MOST;
    case 2: return 0;
    default:
        return n_docs ? naive(query, docs + dpl__rng_below(rng, n_docs) * dim, dim) +
                            (int32_t)dpl__rng_below(rng, 2)
                      : 1;
    }
}

static void check_masks(size_t n_queries, size_t n_docs, size_t dim, uint64_t seed)
{
    dpl__rng rng = {dpl__mix(seed)};
    int8_t *queries = aligned(n_queries * dim + 8), *docs = aligned(n_docs * dim + 8);
    int8_t *q0 = queries + seed % 8, *d0 = docs + seed / 8 % 8; /* at any address */
    uint64_t *mask = aligned(64 * n_queries), *expected = aligned(64 * n_queries);
    int32_t *least = aligned(4 * n_queries);
    void *scratch = aligned(dpl__dot8_scratch(dim));
    fill(q0, n_queries, dim, &rng);
    fill(d0, n_docs, dim, &rng);
    for (size_t q = 0; q < n_queries; q++)
        least[q] = some_cut(&rng, q0 + q * dim, d0, n_docs, dim);
    memset(expected, 0, 64 * n_queries);
    for (size_t q = 0; q < n_queries; q++)
        for (size_t d = 0; d < n_docs; d++)
            if (naive(q0 + q * dim, d0 + d * dim, dim) >= least[q])
                expected[8 * q + d / 64] |= (uint64_t)1 << d % 64;
    for (int cpu = DPL_CPU_SCALAR; cpu <= (int)dpl_cpu_best(); cpu++) {
        memset(mask, 0xA5, 64 * n_queries);
        const dpl__mask_rows rows = {q0, d0, n_queries, n_docs, dim / 8, dim / 8};
        dpl__kernels_for((dpl_cpu)cpu)->dot8_mask(mask, scratch, &rows, least);
        if (memcmp(mask, expected, 64 * n_queries) != 0)
            dpl__test_fail(__FILE__, __LINE__, "%s: %zu queries, %zu documents, dim %zu",
                           dpl_cpu_name((dpl_cpu)cpu), n_queries, n_docs, dim);
    }
    free(scratch);
    free(least);
    free(expected);
    free(mask);
    free(docs);
    free(queries);
}

DPL_TEST(dot8, masks_are_the_same_at_every_level_and_size)
{
    static const size_t docs[] = {0,  1,  15,  16,  17,  31,  33, 63,
                                  64, 65, 127, 200, 500, 511, 512};
    static const size_t queries[] = {0, 1, 2, 5, 6, 7, 31, 32, 33, 63, 64, 65, 100, 130};
    for (uint64_t seed = 0; seed < 60; seed++) {
        dpl__rng rng = {dpl__mix(seed + 1000)};
        check_masks(queries[dpl__rng_below(&rng, DPL_LEN(queries))],
                    docs[dpl__rng_below(&rng, DPL_LEN(docs))],
                    64 * (1 + dpl__rng_below(&rng, seed % 4 ? 4 : 20)), seed);
    }
    check_masks(1100, 70, 64, 7); /* more than a batch of queries */
}

DPL_TEST(dot8, products_are_the_same_at_every_level)
{
    enum { MOST = 65536 };
    int8_t *a = aligned(MOST + 64), *b = aligned(MOST + 64);
    for (uint64_t seed = 0; seed < 100; seed++) {
        dpl__rng rng = {dpl__mix(seed)};
        const size_t dim = seed < 4 ? MOST : 64 * (1 + dpl__rng_below(&rng, 30));
        int8_t *x = a + seed % 64, *y = b + seed / 2 % 64;
        fill(x, 1, dim, &rng);
        fill(y, 1, dim, &rng);
        if (seed < 4) { /* the largest there are */
            memset(x, seed & 1 ? -127 : 127, dim);
            memset(y, seed & 2 ? -127 : 127, dim);
        }
        for (int cpu = DPL_CPU_SCALAR; cpu <= (int)dpl_cpu_best(); cpu++)
            if (dpl__kernels_for((dpl_cpu)cpu)->dot8(x, y, dim) != naive(x, y, dim))
                dpl__test_fail(__FILE__, __LINE__, "%s: dim %zu, seed %llu",
                               dpl_cpu_name((dpl_cpu)cpu), dim, (unsigned long long)seed);
    }
    free(b);
    free(a);
}

DPL_TEST(dot8, numbers_are_quantised_alike_at_every_level)
{
    enum { MOST = 640 };
    static int32_t x[MOST];
    static int8_t expected[MOST], have[MOST];
    for (uint64_t seed = 0; seed < 300; seed++) {
        dpl__rng rng = {dpl__mix(seed)};
        const size_t n = 8 * dpl__rng_below(&rng, MOST / 8 + 1);
        const uint64_t most = (uint64_t)1 << dpl__rng_below(&rng, 32);
        for (size_t i = 0; i < n; i++) {
            const int32_t size = (int32_t)dpl__rng_below(&rng, most);
            x[i] = seed % 5 && dpl__rng_below(&rng, seed) ? 0 /* few, which are cut off */
                   : dpl__rng_below(&rng, 2)              ? size
                                                          : -size;
        }
        dpl__kernels_for(DPL_CPU_SCALAR)->quantise8(expected, x, n);
        for (size_t i = 0; i < n; i++)
            CHECK(expected[i] >= -127 && (x[i] < 0 ? expected[i] <= 0 : expected[i] >= 0));
        for (int cpu = DPL_CPU_SSE42; cpu <= (int)dpl_cpu_best(); cpu++) {
            dpl__kernels_for((dpl_cpu)cpu)->quantise8(have, x, n);
            if (memcmp(have, expected, n) != 0)
                dpl__test_fail(__FILE__, __LINE__, "%s: seed %llu", dpl_cpu_name((dpl_cpu)cpu),
                               (unsigned long long)seed);
        }
    }
}

/* 65536 numbers: the sums come near to the limits of 32 bits. */
DPL_TEST(dot8, the_longest_rows_do_not_overflow)
{
    enum { DIM = 65536, N = 2 };
    int8_t *rows = aligned((size_t)N * DIM);
    memset(rows, 127, DIM);
    memset(rows + DIM, -127, DIM);
    void *scratch = aligned(dpl__dot8_scratch(DIM));
    const int32_t least[N] = {127 * 127 * DIM, 0};
    uint64_t mask[8 * N];
    for (int cpu = DPL_CPU_SCALAR; cpu <= (int)dpl_cpu_best(); cpu++) {
        const dpl__mask_rows both = {rows, rows, N, N, DIM / 8, DIM / 8};
        dpl__kernels_for((dpl_cpu)cpu)->dot8_mask(mask, scratch, &both, least);
        CHECK(mask[0] == 1);
        CHECK(mask[8] == 2);
    }
    free(scratch);
    free(rows);
}
