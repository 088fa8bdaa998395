/*
 * worker_plan_test.c - what more workers, words, memory and faster processors change.
 */
#include "doppel/mine.h"

#include <math.h>
#include <string.h>

#include "base/base.h"
#include "test.h"

static const dpl_speeds speeds = DPL_INIT(
    dpl_speeds, .compare_ns = 0.6, .single_ns = 10, .permute_ns = 60, .multiply_ns = 0.134,
    .dense_ns = 0.1, .verify_ns = 120, .sign_ns = 2000, .near_ns = 1, .product_ns = 2);

static dpl_workers_plan plan_of(dpl_ctx *ctx, uint32_t workers, double documents,
                                uint32_t languages, double words)
{
    dpl_workers_plan plan = DPL_INIT(dpl_workers_plan);
    const dpl_workers_options o =
        DPL_INIT(dpl_workers_options, .workers = workers, .documents = documents,
                 .languages = languages, .words = words, .speeds = &speeds);
    CHECK_OK(dpl_workers_plan_make(&plan, ctx, &o, &test_err));
    return plan;
}

DPL_TEST(worker_plan, more_workers_take_less_time_and_no_fewer_core_seconds)
{
    dpl_ctx *ctx = test_ctx(2);
    for (uint32_t n = 1; n < 4096; n *= 4) {
        const dpl_workers_plan few = plan_of(ctx, n, 1e7, 10, 200),
                               many = plan_of(ctx, 4 * n, 1e7, 10, 200);
        CHECK(few.n_stages == many.n_stages && few.n_stages > 8);
        for (size_t i = 0; i < few.n_stages; i++) {
            const dpl_stage_cost *a = &few.stages[i], *b = &many.stages[i];
            CHECK(b->seconds < a->seconds ||
                  (n >= 9 && b->undivided == 1 && b->seconds == a->seconds));
            CHECK(b->core_seconds >= a->core_seconds && b->undivided >= a->undivided);
            CHECK(b->core_seconds <= b->seconds * 2 * 4 * n * (1 + 1e-9));
        }
    }
    test_ctx_done(ctx);
}

DPL_TEST(worker_plan, threads_divide_the_time_and_not_the_core_seconds)
{
    dpl_ctx *one = test_ctx(1), *four = test_ctx(4);
    const dpl_workers_plan a = plan_of(one, 3, 1e6, 10, 200),
                           b = plan_of(four, 3, 1e6, 10, 200);
    for (size_t i = 0; i < a.n_stages; i++) {
        CHECK(fabs(b.stages[i].core_seconds / a.stages[i].core_seconds - 1) < 1e-6);
        CHECK(fabs(4 * b.stages[i].seconds / a.stages[i].seconds - 1) < 1e-6);
    }
    test_ctx_done(four);
    test_ctx_done(one);
}

/* Two languages are one pair: as many workers do it as there are. */
DPL_TEST(worker_plan, languages_are_mined_with_one_of_them)
{
    dpl_ctx *ctx = test_ctx(1);
    const dpl_workers_plan two = plan_of(ctx, 1, 2e5, 2, 100),
                           ten = plan_of(ctx, 9, 1e6, 10, 100);
    for (size_t i = 0; i < two.n_stages; i++) {
        const dpl_stage_cost *a = &two.stages[i], *b = &ten.stages[i];
        CHECK_STR(dpl__cstr(a->name), b->name);
        if (strcmp(a->command, "mine") == 0) { /* nine such pairs on nine workers */
            CHECK(fabs(b->core_seconds - 9 * a->core_seconds) <= 1e-9 * b->core_seconds);
            CHECK(b->seconds == a->seconds && b->worker_bytes == a->worker_bytes);
            CHECK(fabs(b->shared_bytes - 9 * a->shared_bytes) <= 1e-9 * b->shared_bytes);
        } else {
            CHECK(b->worker_bytes >= a->worker_bytes && b->core_seconds > a->core_seconds);
        }
    }
    test_ctx_done(ctx);
}

DPL_TEST(worker_plan, memory_is_full_at_the_number_of_documents_that_is_named)
{
    dpl_ctx *ctx = NULL;
    const dpl_ctx_options o = DPL_INIT(dpl_ctx_options, .n_threads = 1, .memory = 1u << 30);
    CHECK_OK(dpl_ctx_new(&ctx, &o, &test_err));
    const dpl_workers_plan plan = plan_of(ctx, 8, 1e8, 10, 300);
    CHECK(plan.first_full < plan.n_stages && plan.slowest < plan.n_stages);
    const dpl_stage_cost *first = &plan.stages[plan.first_full],
                         *slowest = &plan.stages[plan.slowest];
    for (size_t i = 0; i < plan.n_stages; i++) {
        const dpl_stage_cost *c = &plan.stages[i];
        CHECK(c->most_documents >= first->most_documents);
        CHECK(c->undivided * c->seconds <= slowest->undivided * slowest->seconds);
        CHECK((c->most_documents < 1e8) == (c->worker_bytes > 1u << 30));
        if (isinf(c->most_documents))
            continue;
        const dpl_workers_plan full = plan_of(ctx, 8, c->most_documents, 10, 300);
        CHECK(fabs(full.stages[i].worker_bytes / (1u << 30) - 1) < 1e-9);
    }
    dpl_ctx_free(ctx);
}

DPL_TEST(worker_plan, a_slower_processor_takes_longer_and_zeros_are_defaults)
{
    dpl_ctx *ctx = test_ctx(1);
    dpl_speeds slow = speeds;
    slow.multiply_ns *= 2;
    const dpl_workers_plan fast = plan_of(ctx, 1, 1e9, 100, 150);
    dpl_workers_plan plan = DPL_INIT(dpl_workers_plan);
    dpl_workers_options o = DPL_INIT(dpl_workers_options, .speeds = &speeds);
    CHECK_OK(dpl_workers_plan_make(&plan, ctx, &o, &test_err));
    for (size_t i = 0; i < fast.n_stages; i++)
        CHECK(plan.stages[i].core_seconds == fast.stages[i].core_seconds);
    o.speeds = &slow;
    CHECK_OK(dpl_workers_plan_make(&plan, ctx, &o, &test_err));
    for (size_t i = 0; i < fast.n_stages; i++)
        CHECK(fabs(plan.stages[i].core_seconds / fast.stages[i].core_seconds - 2) < 1e-9);
    plan.size = 0;
    CHECK_EQ(dpl_workers_plan_make(&plan, ctx, &o, &test_err), DPL_E_USAGE);
    test_ctx_done(ctx);
}
