#include "base/arena.h"

#include "test.h"

DPL_TEST(arena, gives_aligned_memory_that_does_not_overlap)
{
    dpl_ctx *ctx = test_ctx(1);
    dpl__arena arena;
    dpl__arena_init(&arena, ctx);
    unsigned char *last = NULL;
    for (size_t n = 0; n < 3000; n += 7) {
        unsigned char *p = dpl__arena_alloc(&arena, n);
        CHECK(p != NULL);
        CHECK_EQ((uintptr_t)p % 16, 0);
        memset(p, (int)(n & 255), n);
        if (last && n >= 7)
            CHECK_EQ(last[0], (n - 7) & 255);
        last = n ? p : NULL;
    }
    dpl__arena_clear(&arena);
    test_ctx_done(ctx);
}

DPL_TEST(arena, reset_makes_a_warm_arena_allocate_nothing)
{
    dpl_ctx *ctx = test_ctx(1);
    dpl__arena arena;
    dpl__arena_init(&arena, ctx);
    for (int i = 0; i < 100; i++)
        CHECK(dpl__arena_alloc(&arena, 1000) != NULL);
    dpl__arena_reset(&arena);
    for (int i = 0; i < 20; i++)
        CHECK(dpl__arena_alloc(&arena, 1000) != NULL);
    uint64_t peak = dpl_ctx_peak(ctx);
    dpl__arena_reset(&arena);
    for (int i = 0; i < 20; i++)
        CHECK(dpl__arena_alloc(&arena, 1000) != NULL);
    CHECK_EQ(dpl_ctx_peak(ctx), peak);
    dpl__arena_clear(&arena);
    test_ctx_done(ctx);
}

DPL_TEST(arena, shrink_gives_back_only_the_newest_allocation)
{
    dpl_ctx *ctx = test_ctx(1);
    dpl__arena arena;
    dpl__arena_init(&arena, ctx);
    char *a = dpl__arena_alloc(&arena, 100);
    dpl__arena_shrink(&arena, a, 100, 16);
    char *b = dpl__arena_alloc(&arena, 16);
    CHECK(b == a + 16);
    dpl__arena_shrink(&arena, a, 16, 0);
    CHECK((char *)dpl__arena_alloc(&arena, 16) == b + 16);
    dpl__arena_clear(&arena);
    test_ctx_done(ctx);
}
