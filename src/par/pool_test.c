#include "par/pool.h"

#include "base/hash.h"
#include "test.h"

#include <stdatomic.h>

typedef struct squares {
    size_t n, next, n_written;
    uint64_t in[8], out[8];
    uint64_t sum;
    size_t fail_at;
} squares;

static dpl_status make(void *user, size_t slot, dpl_error *err)
{
    (void)err;
    squares *s = user;
    if (s->next == s->n)
        return DPL_END;
    s->in[slot] = s->next++;
    return DPL_OK;
}

static dpl_status square(void *user, size_t slot, unsigned worker, dpl_error *err)
{
    (void)worker;
    squares *s = user;
    if (s->fail_at && s->in[slot] >= s->fail_at)
        return dpl__fail(err, DPL_E_FORMAT, "item %d", (int)s->in[slot]);
    uint64_t x = s->in[slot];
    for (uint64_t i = 0; i < x % 7 * 1000; i++) /* uneven work */
        x = dpl__mix(x) & 0xFFFF ? x : x;
    s->out[slot] = x * x;
    return DPL_OK;
}

static dpl_status keep(void *user, size_t slot, dpl_error *err)
{
    (void)err;
    squares *s = user;
    uint64_t i = s->n_written++;
    s->sum += s->out[slot] == i * i;
    return DPL_OK;
}

DPL_TEST(pipeline, writes_in_the_order_of_reading)
{
    for (unsigned threads = 1; threads <= 5; threads++) {
        dpl_ctx *ctx = test_ctx(threads);
        squares s = {.n = 1000};
        dpl__pipeline p = {&s, 8, make, square, keep};
        CHECK_OK(dpl__pipeline_run(ctx, &p, &test_err));
        CHECK_EQ(s.sum, 1000);
        test_ctx_done(ctx);
    }
}

DPL_TEST(pipeline, reports_the_first_failure_in_order_whatever_the_timing)
{
    for (unsigned threads = 1; threads <= 4; threads++)
        for (int round = 0; round < 20; round++) {
            dpl_ctx *ctx = test_ctx(threads);
            squares s = {.n = 100, .fail_at = 50};
            dpl__pipeline p = {&s, 8, make, square, keep};
            CHECK_EQ(dpl__pipeline_run(ctx, &p, &test_err), DPL_E_FORMAT);
            CHECK_STR(dpl__cstr(test_err.text), "item 50");
            CHECK_EQ(s.n_written, 50);
            test_ctx_done(ctx);
        }
}

static dpl_status mark(void *user, size_t i, unsigned worker, dpl_error *err)
{
    (void)worker, (void)err;
    atomic_int *seen = user;
    atomic_fetch_add(&seen[i], 1);
    return DPL_OK;
}

DPL_TEST(parallel_for, visits_every_index_once)
{
    static atomic_int seen[500];
    for (unsigned threads = 1; threads <= 3; threads++) {
        memset((void *)seen, 0, sizeof seen);
        dpl_ctx *ctx = test_ctx(threads);
        CHECK_OK(dpl__parallel_for(ctx, DPL_LEN(seen), (void *)seen, mark, &test_err));
        for (size_t i = 0; i < DPL_LEN(seen); i++)
            CHECK_EQ(seen[i], 1);
        test_ctx_done(ctx);
    }
}
