/*
 * shared_loop.c - jobs in ranges, some for each process, of about the same number.
 */
#include "io/shared_loop.h"

#include "base/ctx.h"
#include "io/shared_run.h"
#include "par/pool.h"

enum { RANGES = 3 }; /* for each process: one that is slower than others makes fewer */

typedef struct looping {
    dpl_ctx *ctx;
    dpl__shared_loop loop;
    size_t n_ranges;
    size_t first; /* of the range that runs */
} looping;

static dpl__job_range range_of(const looping *x, size_t chunk)
{
    const size_t n = x->loop.n;
    return (dpl__job_range){n * chunk / x->n_ranges, n * (chunk + 1) / x->n_ranges};
}

/* The items of a range of jobs, as bytes. */
static char *items_of(const dpl__shared_loop *l, dpl__job_range range, size_t *n)
{
    const size_t first = dpl__min(l->n_items, range.first * l->per_job),
                 end = dpl__min(l->n_items, range.end * l->per_job);
    *n = (end - first) * l->size;
    return (char *)l->items + first * l->size;
}

static dpl_status run_job(void *user, size_t i, unsigned worker, dpl_error *err)
{
    const looping *x = user;
    return x->loop.run(x->loop.user, x->first + i, worker, err);
}

static dpl_status make(dpl__bytes *out, void *user, size_t chunk, dpl_error *err)
{
    looping *x = user;
    const dpl__job_range range = range_of(x, chunk);
    size_t n;
    x->first = range.first;
    DPL_TRY(dpl__parallel_for(x->ctx, range.end - range.first, x, run_job, err));
    if (!x->loop.items)
        return x->loop.put(out, x->loop.user, range, err);
    const char *items = items_of(&x->loop, range, &n);
    return dpl__need(dpl__vec_append(x->ctx, out, items, n), err);
}

static dpl_status take(void *user, size_t chunk, const char *data, size_t n, dpl_error *err)
{
    const looping *x = user;
    const dpl__job_range range = range_of(x, chunk);
    size_t n_bytes;
    if (!x->loop.items)
        return x->loop.take(x->loop.user, range, data, n, err);
    char *items = items_of(&x->loop, range, &n_bytes);
    if (n != n_bytes)
        return dpl__fail(err, DPL_E_FORMAT, "results of '%s' of another size", x->loop.name);
    if (n)
        memcpy(items, data, n);
    return DPL_OK;
}

dpl_status dpl__shared_for(dpl_ctx *ctx, const dpl__shared_loop *loop, dpl_error *err)
{
    looping x = {.ctx = ctx, .loop = *loop};
    if (loop->items)
        x.loop.n = (loop->n_items + loop->per_job - 1) / loop->per_job;
    if (!dpl__is_shared(ctx) || dpl__shared_n(ctx) < 2 || x.loop.n < 2)
        return dpl__parallel_for(ctx, x.loop.n, loop->user, loop->run, err);
    x.n_ranges = dpl__min(x.loop.n, RANGES * (size_t)dpl__shared_n(ctx));
    const dpl__shared_work work = {.name = loop->name,
                                   .key = loop->key,
                                   .n = x.n_ranges,
                                   .user = &x,
                                   .make = make,
                                   .take = take,
                                   .is_for_all = true};
    return dpl__shared_work_run(ctx, &work, err);
}

dpl_status dpl__shared_sides(dpl_ctx *ctx, void *user,
                             dpl_status (*run)(void *user, size_t side, unsigned worker,
                                               dpl_error *err),
                             dpl_error *err)
{
    if (!dpl__is_shared(ctx))
        return dpl__parallel_for(ctx, 2, user, run, err);
    DPL_TRY(run(user, 0, 0, err));
    return run(user, 1, 0, err);
}
