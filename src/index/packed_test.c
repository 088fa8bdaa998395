#include "index/packed.h"

#include "test.h"

#include <stdlib.h>

DPL_TEST(packed, numbers_come_back)
{
    dpl_ctx *ctx = test_ctx(1);
    for (unsigned width = 0; width <= DPL__PACKED_MOST; width++) {
        dpl__bytes bytes = {0};
        dpl__packed p;
        const uint64_t mask = ((uint64_t)1 << width) - 1;
        CHECK(dpl__packed_new(ctx, &bytes, 100, width));
        for (uint64_t i = 0; i < 100; i++)
            dpl__packed_put(&bytes, i, dpl__mix(i) & mask);
        CHECK(!dpl__packed_open(&p, bytes.data, bytes.n));
        CHECK_EQ(p.n, 100);
        for (uint64_t i = 0; i < 100; i++)
            CHECK(dpl__packed_get(&p, i) == (dpl__mix(i) & mask));
        CHECK(dpl__packed_open(&p, bytes.data, bytes.n - 1) != NULL);
        dpl__vec_clear(ctx, &bytes);
    }
    test_ctx_done(ctx);
}

DPL_TEST(packed, offsets_come_back)
{
    dpl_ctx *ctx = test_ctx(1);
    for (size_t n = 0; n < 300; n += 37) {
        dpl__offsets_writer w = {.ctx = ctx};
        dpl__bytes bytes = {0};
        dpl__offsets o;
        uint64_t end = 0;
        for (size_t i = 0; i < n; i++) {
            const uint64_t length = dpl__mix(i) % (i % 50 == 49 ? 1000000 : 100);
            CHECK_OK(dpl__offsets_add(&w, length, &test_err));
            end += length;
        }
        CHECK_OK(dpl__offsets_finish(&w, &bytes, &test_err));
        CHECK(!dpl__offsets_open(&o, bytes.data, bytes.n, end));
        CHECK_EQ(o.n, n);
        uint64_t at = 0;
        for (size_t i = 0; i <= n; i++) {
            CHECK_EQ(dpl__offset(&o, i), at);
            at += dpl__mix(i) % (i % 50 == 49 ? 1000000 : 100);
        }
        CHECK(dpl__offsets_open(&o, bytes.data, bytes.n, end + 1) != NULL);
        CHECK(dpl__offsets_open(&o, bytes.data, bytes.n - 8, end) != NULL);
        dpl__vec_clear(ctx, &bytes);
        dpl__offsets_clear(&w);
    }
    test_ctx_done(ctx);
}

/* Numbers do not touch each other, whatever order they are put in. */
DPL_TEST(packed, numbers_may_be_put_in_any_order)
{
    enum { N = 97, STEP = 31 };
    dpl_ctx *ctx = test_ctx(1);
    for (unsigned width = 1; width <= DPL__PACKED_MOST; width += 7) {
        dpl__bytes bytes = {0};
        dpl__packed p;
        const uint64_t mask = ((uint64_t)1 << width) - 1;
        CHECK(dpl__packed_new(ctx, &bytes, N, width));
        for (uint64_t i = 0; i < N; i++)
            dpl__packed_put(&bytes, i * STEP % N, i % 2 ? mask : 0);
        CHECK(!dpl__packed_open(&p, bytes.data, bytes.n));
        for (uint64_t i = 0; i < N; i++)
            CHECK_EQ(dpl__packed_get(&p, i * STEP % N), i % 2 ? mask : 0);
        dpl__vec_clear(ctx, &bytes);
    }
    test_ctx_done(ctx);
}

/* Whatever a file says, what is opened stays inside of its bytes. */
DPL_TEST(packed, sections_that_say_too_much_are_refused)
{
    dpl_ctx *ctx = test_ctx(1);
    dpl__bytes bytes = {0};
    dpl__packed p;
    CHECK(dpl__packed_new(ctx, &bytes, 20, 13));
    const uint64_t bad[][2] = {
        {21 * 8, 13},    {20, 58}, {20, 64}, {UINT64_MAX, 13}, {UINT64_MAX / 13 + 1, 13},
        {20, UINT64_MAX}};
    for (size_t i = 0; i < DPL_LEN(bad); i++) {
        memcpy(bytes.data, bad[i], sizeof bad[i]);
        CHECK(dpl__packed_open(&p, bytes.data, bytes.n) != NULL);
    }
    for (size_t n = 0; n < 16; n++)
        CHECK(dpl__packed_open(&p, bytes.data, n) != NULL);
    dpl__vec_clear(ctx, &bytes);
    test_ctx_done(ctx);
}

DPL_TEST(packed, offsets_that_fall_or_end_elsewhere_are_refused)
{
    enum { N = 200 };
    dpl_ctx *ctx = test_ctx(1);
    dpl__offsets_writer w = {.ctx = ctx};
    dpl__bytes bytes = {0};
    dpl__offsets o;
    for (size_t i = 0; i < N; i++)
        CHECK_OK(dpl__offsets_add(&w, 3, &test_err));
    CHECK_OK(dpl__offsets_finish(&w, &bytes, &test_err));
    CHECK(!dpl__offsets_open(&o, bytes.data, bytes.n, 3 * N));
    dpl__rng rng = {9};
    unsigned n_refused = 0;
    for (int round = 0; round < 2000; round++) {
        char *copy = malloc(bytes.n); /* of its own, so that sanitizers see the end */
        memcpy(copy, bytes.data, bytes.n);
        copy[dpl__rng_below(&rng, bytes.n)] ^= (char)(1 << dpl__rng_below(&rng, 8));
        if (dpl__offsets_open(&o, copy, bytes.n, 3 * N))
            n_refused++;
        else
            for (uint64_t i = 0; i < o.n; i++)
                CHECK(dpl__offset(&o, i) <= dpl__offset(&o, i + 1) &&
                      dpl__offset(&o, i + 1) <= 3 * N);
        free(copy);
    }
    CHECK(n_refused > 1000);
    dpl__vec_clear(ctx, &bytes);
    dpl__offsets_clear(&w);
    test_ctx_done(ctx);
}
