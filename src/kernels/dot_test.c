#include "kernels/kernels.h"

#include "base/hash.h"
#include "test.h"

#include <stdlib.h>

static float number(dpl__rng *rng)
{
    float x = (float)((double)dpl__rng_below(rng, 2000001) / 1e6 - 1);
    uint64_t kind = dpl__rng_below(rng, 20);
    return kind == 0 ? 0 : kind == 1 ? -0.0f : kind == 2 ? x * 1e-30f : x;
}

DPL_TEST(dot, is_the_same_bits_at_every_level_length_and_alignment)
{
    enum { MOST = 1100 };
    static float a[MOST + 16], b[MOST + 16];
    for (uint64_t seed = 0; seed < 400; seed++) {
        dpl__rng rng = {dpl__mix(seed)};
        size_t n = seed < 100 ? (size_t)seed : dpl__rng_below(&rng, MOST);
        float *x = a + dpl__rng_below(&rng, 16), *y = b + dpl__rng_below(&rng, 16);
        for (size_t i = 0; i < n; i++) {
            x[i] = number(&rng);
            y[i] = number(&rng);
        }
        float expected = dpl__kernels_for(DPL_CPU_SCALAR)->dot(x, y, n);
        for (int cpu = DPL_CPU_SSE42; cpu <= (int)dpl_cpu_best(); cpu++) {
            float have = dpl__kernels_for((dpl_cpu)cpu)->dot(x, y, n);
            if (memcmp(&have, &expected, sizeof have) != 0)
                dpl__test_fail(__FILE__, __LINE__, "%s, seed %llu, n %zu: %a instead of %a",
                               dpl_cpu_name((dpl_cpu)cpu), (unsigned long long)seed, n,
                               (double)have, (double)expected);
        }
    }
}

/* Powers of two far apart make the order of the additions visible. */
DPL_TEST(dot, adds_in_the_order_it_promises)
{
    float a[33], b[33];
    for (size_t i = 0; i < 33; i++)
        a[i] = b[i] = 0;
    a[0] = 1e8f, b[0] = 1; /* sum 0 is 1e8 ... */
    a[16] = 1, b[16] = 1;  /* ... and swallows this */
    a[8] = -1e8f, b[8] = 1;
    a[1] = 1, b[1] = 1; /* another sum: stays */
    for (int cpu = DPL_CPU_SCALAR; cpu <= (int)dpl_cpu_best(); cpu++)
        CHECK(dpl__kernels_for((dpl_cpu)cpu)->dot(a, b, 33) == 1);
}

/* Reads exactly n numbers: the ends of the rooms are guarded by the sanitizer. */
DPL_TEST(dot, does_not_read_past_its_end)
{
    for (size_t n = 0; n < 70; n++) {
        float *a = calloc(n + 1, sizeof *a), *b = calloc(n + 1, sizeof *b);
        CHECK(a && b);
        for (int cpu = DPL_CPU_SCALAR; cpu <= (int)dpl_cpu_best(); cpu++)
            CHECK(dpl__kernels_for((dpl_cpu)cpu)->dot(a + 1, b + 1, n) == 0);
        free(a);
        free(b);
    }
}

DPL_TEST(dot, of_many_rows_is_that_of_each_pair)
{
    enum { ROWS = 11, MOST = 70 };
    static float a[ROWS * MOST], b[ROWS * MOST], out[ROWS * ROWS];
    for (uint64_t seed = 0; seed < 300; seed++) {
        dpl__rng rng = {dpl__mix(seed)};
        size_t n = dpl__rng_below(&rng, MOST), n_a = dpl__rng_below(&rng, ROWS),
               n_b = dpl__rng_below(&rng, ROWS);
        for (size_t i = 0; i < ROWS * MOST; i++) {
            a[i] = number(&rng);
            b[i] = number(&rng);
        }
        for (int cpu = DPL_CPU_SCALAR; cpu <= (int)dpl_cpu_best(); cpu++) {
            const dpl__kernels *k = dpl__kernels_for((dpl_cpu)cpu);
            k->dots(out, a, n_a, b, n_b, n);
            for (size_t i = 0; i < n_a * n_b; i++) {
                float expected = k->dot(a + i / n_b * n, b + i % n_b * n, n);
                if (memcmp(&out[i], &expected, sizeof expected) != 0)
                    dpl__test_fail(__FILE__, __LINE__, "%s, seed %llu, dot %zu: %a not %a",
                                   dpl_cpu_name((dpl_cpu)cpu), (unsigned long long)seed, i,
                                   (double)out[i], (double)expected);
            }
        }
    }
}
