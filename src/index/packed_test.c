#include "index/packed.h"

#include "base/ctx.h"
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
