#include "io/spill.h"

#include "base/hash.h"
#include "test.h"

#include <stdio.h>
#include <stdlib.h>

DPL_TEST(spool, gives_back_what_was_appended_from_memory_or_file)
{
    dpl_ctx *ctx = test_ctx(1);
    dpl__spill spill;
    CHECK_OK(dpl__spill_init(&spill, ctx, test_dir(), &test_err));
    for (size_t share = 0; share < 5000; share = 3 * share + 10) {
        dpl__spool spool;
        dpl__spool_init(&spool, &spill, share);
        static unsigned char all[20000];
        size_t n = 0;
        dpl__rng rng = {share};
        while (n < 18000) {
            size_t more = dpl__rng_below(&rng, 700);
            for (size_t i = 0; i < more; i++)
                all[n + i] = (unsigned char)dpl__rng_next(&rng);
            CHECK_OK(dpl__spool_append(&spool, all + n, more, &test_err));
            n += more;
        }
        CHECK_EQ(dpl__spool_size(&spool), n);
        for (int round = 0; round < 200; round++) {
            unsigned char got[1000];
            size_t at = dpl__rng_below(&rng, n), want = dpl__rng_below(&rng, 1000);
            want = dpl__min(want, n - at);
            CHECK_OK(dpl__spool_read(&spool, at, got, want, &test_err));
            CHECK(memcmp(got, all + at, want) == 0);
        }
        dpl__spool_clear(&spool);
    }
    CHECK(spill.n_bytes > 0);
    dpl__spill_clear(&spill);
    test_ctx_done(ctx);
}

/* Records with few distinct keys: the order among equals shows whether the sort is stable. */
static dpl_status sort_many(dpl_ctx *ctx, size_t share, uint64_t seed, bool *is_right,
                            dpl_error *err)
{
    dpl__spill spill;
    dpl__sorter *sorter = NULL;
    DPL_TRY(dpl__spill_init(&spill, ctx, test_dir(), err));
    dpl_status status = dpl__sorter_new(&sorter, &spill, share, err);
    dpl__rng rng = {seed};
    enum { N = 20000 };
    for (uint32_t i = 0; status == DPL_OK && i < N; i++) {
        char key[32];
        size_t n = dpl__rng_below(&rng, 12);
        for (size_t k = 0; k < n; k++)
            key[k] = (char)(dpl__rng_below(&rng, 3) * 127);
        char value[100] = {0};
        memcpy(value, &i, sizeof i);
        status = dpl__sorter_add(sorter, (dpl_str){key, n},
                                 (dpl_str){value, 4 + dpl__rng_below(&rng, 90)}, err);
    }
    if (status == DPL_OK)
        status = dpl__sorter_sort(sorter, err);
    *is_right = true;
    char last[32];
    dpl_str last_key = {last, 0}, key, value;
    uint32_t last_number = 0, number = 0;
    size_t n = 0;
    while (status == DPL_OK &&
           (status = dpl__sorter_next(sorter, &key, &value, err)) == DPL_OK) {
        memcpy(&number, value.data, sizeof number);
        int c = n ? dpl__str_cmp(last_key, key) : -1;
        if (c > 0 || (c == 0 && last_number >= number))
            *is_right = false;
        if (key.n)
            memcpy(last, key.data, key.n);
        last_key.n = key.n;
        last_number = number;
        n++;
    }
    if (status == DPL_END) {
        status = DPL_OK;
        *is_right = *is_right && n == N;
    }
    dpl__sorter_free(sorter);
    dpl__spill_clear(&spill);
    return status;
}

DPL_TEST(sorter, sorts_stably_whatever_its_share_and_threads)
{
    for (unsigned threads = 1; threads <= 3; threads++)
        for (size_t share = 100; share < 100000000; share *= 10) {
            dpl_ctx *ctx = test_ctx(threads);
            bool is_right = false;
            CHECK_OK(sort_many(ctx, share, share + threads, &is_right, &test_err));
            CHECK(is_right);
            test_ctx_done(ctx);
        }
}

static dpl_status sort_little(void *user, dpl_ctx *ctx, dpl_error *err)
{
    dpl__spill spill;
    dpl__sorter *sorter = NULL;
    DPL_TRY(dpl__spill_init(&spill, ctx, user, err));
    dpl_status status = dpl__sorter_new(&sorter, &spill, 300, err);
    for (int i = 0; i < 40 && status == DPL_OK; i++)
        status = dpl__sorter_add(sorter, DPL_STR("key"), DPL_STR("value"), err);
    if (status == DPL_OK)
        status = dpl__sorter_sort(sorter, err);
    dpl_str key, value;
    while (status == DPL_OK)
        status = dpl__sorter_next(sorter, &key, &value, err);
    dpl__sorter_free(sorter);
    dpl__spill_clear(&spill);
    return status == DPL_END ? DPL_OK : status;
}

DPL_TEST(sorter, survives_every_failing_allocation)
{
    test_allocation_failures(sort_little, (void *)(uintptr_t)test_dir());
}
