#include "pairs/candidates.h"

#include "base/hash.h"
#include "io/external_sort.h"
#include "pairs/radix.h"
#include "test.h"

#include <stdlib.h>

static int compare(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

DPL_TEST(radix, sorts_as_qsort_does)
{
    enum { MOST = 5000 };
    static uint64_t a[MOST], b[MOST], scratch[MOST];
    for (uint64_t seed = 0; seed < 200; seed++) {
        dpl__rng rng = {seed << 32};
        size_t n = dpl__rng_below(&rng, seed % 4 ? 100 : MOST);
        uint64_t keep = dpl__rng_next(&rng) & dpl__rng_next(&rng); /* bits that vary */
        for (size_t i = 0; i < n; i++)
            a[i] = b[i] = dpl__rng_next(&rng) & (seed % 3 ? keep : ~(uint64_t)0);
        dpl__radix_sort(a, scratch, n);
        qsort(b, n, sizeof *b, compare);
        if (n && memcmp(a, b, n * sizeof *a) != 0)
            dpl__test_fail(__FILE__, __LINE__, "not sorted, seed %llu",
                           (unsigned long long)seed);
    }
}

DPL_TEST(radix, keeps_the_order_of_numbers_that_agree_in_the_bytes)
{
    enum { N = 3000 };
    static uint64_t a[N], scratch[N];
    dpl__rng rng = {8};
    for (size_t i = 0; i < N; i++)
        a[i] = dpl__rng_below(&rng, 70000) << 24 | i;
    const uint64_t *sorted = dpl__radix_sort_bytes(a, scratch, N, 3, 6);
    for (size_t i = 1; i < N; i++)
        CHECK(sorted[i - 1] < sorted[i]);
}

/* Adds n pairs out of n_distinct in pieces, and checks what comes back. */
static dpl_status fill_and_read(dpl_ctx *ctx, size_t share, size_t n, size_t n_distinct,
                                bool *is_right, dpl_error *err)
{
    dpl__spill spill;
    dpl__candidates *set = NULL;
    bool *has = calloc(n_distinct, sizeof *has);
    CHECK(has != NULL);
    dpl_status status = dpl__spill_init(&spill, ctx, test_dir(), err);
    if (status == DPL_OK)
        status = dpl__candidates_new(&set, &spill, share, err);
    dpl__rng rng = {n + n_distinct};
    uint64_t pairs[1000], last = 0;
    while (status == DPL_OK && n) {
        size_t part = dpl__min(n, 1 + dpl__rng_below(&rng, DPL_LEN(pairs)));
        for (size_t i = 0; i < part; i++) {
            uint64_t k = dpl__rng_below(&rng, n_distinct);
            has[k] = true;
            pairs[i] = k / 7 << 32 | k % 7;
        }
        status = dpl__candidates_add(set, pairs, part, err);
        n -= part;
    }
    if (status == DPL_OK)
        status = dpl__candidates_sort(set, err);
    size_t n_got = 0, n_want = 0, part = 0;
    *is_right = true;
    while (status == DPL_OK &&
           (status = dpl__candidates_next(set, pairs, &part, DPL_LEN(pairs), err)) == DPL_OK &&
           part)
        for (size_t i = 0; i < part; i++, n_got++) {
            if ((n_got && pairs[i] <= last) || !has[(pairs[i] >> 32) * 7 + (uint32_t)pairs[i]])
                *is_right = false;
            last = pairs[i];
        }
    for (size_t i = 0; i < n_distinct; i++)
        n_want += has[i];
    *is_right = *is_right && n_got == n_want;
    dpl__candidates_free(set);
    dpl__spill_clear(&spill);
    free(has);
    return status;
}

DPL_TEST(candidates, come_back_once_and_in_order_whatever_the_share)
{
    static const size_t distinct[] = {1, 500, 3000, 200000};
    for (size_t k = 0; k < DPL_LEN(distinct); k++)
        for (size_t share = 0; share < 10000000; share = 10 * share + 1) {
            dpl_ctx *ctx = test_ctx(1);
            bool is_right = false;
            CHECK_OK(fill_and_read(ctx, share, 150000, distinct[k], &is_right, &test_err));
            CHECK(is_right);
            test_ctx_done(ctx);
        }
}

DPL_TEST(candidates, of_an_empty_set_are_none)
{
    dpl_ctx *ctx = test_ctx(1);
    bool is_right = false;
    CHECK_OK(fill_and_read(ctx, 0, 0, 1, &is_right, &test_err));
    CHECK(is_right);
    test_ctx_done(ctx);
}

/* DPL__MOST_RUNS runs, which become one, another run, and some in the buffer. Runs are as short
 * as can be; the share is what they need to be read and written in blocks. */
static dpl_status fill_little(void *user, dpl_ctx *ctx, dpl_error *err)
{
    (void)user;
    bool is_right;
    enum { N = (DPL__MOST_RUNS + 1) * DPL__LEAST_RECORDS + 400 };
    return fill_and_read(ctx, 2 * DPL__LEAST_RECORDS * sizeof(uint64_t), N, N, &is_right, err);
}

DPL_TEST(candidates, survive_every_failing_allocation)
{
    test_allocation_failures(fill_little, NULL);
}
