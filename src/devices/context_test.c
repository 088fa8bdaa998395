#include "base/ctx.h"

#include "base/vec.h"
#include "devices/device.h"
#include "par/pool.h"
#include "test.h"

#include <stdlib.h>

static int count_calls(void *user, const dpl_progress *progress)
{
    (void)progress;
    ++*(int *)user;
    return 0;
}

static const dpl_progress done = {.stage = "test", .unit = "bytes", .done = 1, .total = 1};

DPL_TEST(job, has_its_own_progress_or_its_contexts)
{
    int n_ctx = 0, n_job = 0;
    dpl_ctx_options o = DPL_INIT(dpl_ctx_options, .n_threads = 2, .progress = count_calls,
                                 .progress_user = &n_ctx);
    dpl_job_options own =
        DPL_INIT(dpl_job_options, .progress = count_calls, .progress_user = &n_job);
    dpl_ctx *ctx, *job, *plain;
    CHECK_OK(dpl_ctx_new(&ctx, &o, &test_err));
    CHECK_OK(dpl_job_new(&job, ctx, &own, &test_err));
    CHECK_OK(dpl_job_new(&plain, ctx, NULL, &test_err));
    CHECK_OK(dpl__progress(job, &done, &test_err));
    CHECK(n_job == 1 && n_ctx == 0);
    CHECK_OK(dpl__progress(plain, &done, &test_err));
    CHECK(n_job == 1 && n_ctx == 1);
    dpl_ctx_free(plain);
    dpl_ctx_free(job);
    test_ctx_done(ctx);
}

DPL_TEST(job, looks_for_a_device_when_it_needs_one_and_tells_its_context)
{
    const uint64_t words[2] = {0};
    dpl_ctx *ctx = test_ctx(1), *job;
    dpl_best task = DPL_INIT(dpl_best, .left = {1, 1, words}, .right = {1, 1, words + 1});
    CHECK_OK(dpl_job_new(&job, ctx, NULL, &test_err));
    CHECK(!job->device && !ctx->device);
    CHECK_EQ(dpl__best(job, &task, &test_err), DPL_E_USAGE); /* no takers, before it begins */
    CHECK(!job->device);
    const dpl_device_table *device = dpl__device_of(job);
    CHECK(device && job->device == device && ctx->device == device);
    CHECK_STR(dpl__cstr(dpl__device_used(ctx)), dpl_ctx_device(job));
    dpl_ctx_free(job);
    test_ctx_done(ctx);
}

DPL_TEST(job, is_cancelled_alone_or_with_what_it_belongs_to)
{
    dpl_ctx *ctx = test_ctx(1), *first, *second, *inner;
    CHECK_OK(dpl_job_new(&first, ctx, NULL, &test_err));
    CHECK_OK(dpl_job_new(&second, ctx, NULL, &test_err));
    CHECK_OK(dpl_job_new(&inner, first, NULL, &test_err));
    dpl_job_cancel(first);
    CHECK_EQ(dpl__progress(first, &done, &test_err), DPL_E_STOPPED);
    CHECK_EQ(dpl__progress(inner, &done, &test_err), DPL_E_STOPPED);
    CHECK_EQ(dpl__progress_again(inner, &test_err), DPL_E_STOPPED);
    CHECK_OK(dpl__progress(second, &done, &test_err));
    CHECK_OK(dpl__progress(ctx, &done, &test_err));
    dpl_ctx_free(inner);
    dpl_ctx_free(second);
    dpl_ctx_free(first);
    test_ctx_done(ctx);
}

DPL_TEST(job, counts_its_memory_for_itself_and_for_its_context)
{
    dpl_ctx *ctx = test_ctx(1), *job;
    dpl_job_options o = DPL_INIT(dpl_job_options, .memory = 12345);
    CHECK_OK(dpl_job_new(&job, ctx, &o, &test_err));
    CHECK_EQ(dpl_ctx_memory(job), 12345);
    CHECK(dpl_ctx_memory(ctx) != 12345);
    uint64_t before = dpl__ctx_used(ctx);
    void *p = dpl__alloc(job, 1000), *q = dpl__alloc(ctx, 500);
    CHECK_EQ(dpl__ctx_used(job), 1000);
    CHECK_EQ(dpl__ctx_used(ctx), before + 1500);
    dpl__free(ctx, q);
    dpl__free(job, p);
    CHECK_EQ(dpl__ctx_used(job), 0);
    CHECK_EQ(dpl_ctx_peak(job), 1000);
    dpl_ctx_free(job);
    test_ctx_done(ctx);
}

/* Bytes that a caller's allocator holds: it is told the size that a block had. */
static void *counted_resize(void *user, void *p, size_t old_bytes, size_t new_bytes)
{
    *(int64_t *)user += (int64_t)new_bytes - (int64_t)old_bytes;
    if (new_bytes)
        return realloc(p, new_bytes);
    free(p);
    return NULL;
}

DPL_TEST(memory, blocks_know_their_size)
{
    int64_t n_held = 0;
    dpl_ctx_options o =
        DPL_INIT(dpl_ctx_options, .n_threads = 1, .allocator = {counted_resize, &n_held});
    dpl_ctx *ctx;
    CHECK_OK(dpl_ctx_new(&ctx, &o, &test_err));
    const uint64_t before = dpl__ctx_used(ctx);
    char *a = dpl__alloc(ctx, 100), *b = dpl__calloc(ctx, 10, 8), *none = dpl__alloc(ctx, 0);
    CHECK(a && b && !none);
    memset(a, 7, 100);
    a = dpl__resize(ctx, a, 3000);
    CHECK(a && a[0] == 7 && a[99] == 7);
    CHECK((uintptr_t)a % 16 == 0 && (uintptr_t)b % 16 == 0);
    CHECK_EQ(dpl__ctx_used(ctx), before + 3080);
    CHECK(!dpl__resize(ctx, b, SIZE_MAX - 4) && b[79] == 0);
    DPL_VEC(uint32_t) x = {0}, y = {0};
    CHECK(dpl__vec_push(ctx, &x, 1u) && dpl__vec_push(ctx, &y, 2u));
    dpl__free(ctx, a, none, b);
    dpl__vec_clear(ctx, &x, &y);
    CHECK(!x.data && !x.n && !x.cap && !y.data && !y.n && !y.cap);
    CHECK_EQ(dpl__ctx_used(ctx), before);
    dpl_ctx_free(ctx);
    CHECK_EQ(n_held, 0);
}
