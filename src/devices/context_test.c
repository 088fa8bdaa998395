#include "base/ctx.h"

#include "par/pool.h"
#include "test.h"

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
    dpl__free(ctx, q, 500);
    dpl__free(job, p, 1000);
    CHECK_EQ(dpl__ctx_used(job), 0);
    CHECK_EQ(dpl_ctx_peak(job), 1000);
    dpl_ctx_free(job);
    test_ctx_done(ctx);
}
