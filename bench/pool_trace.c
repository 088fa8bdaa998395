/*
 * pool_trace.c - the pool, and how long each loop took by the clock.
 *
 * Linked into `doppel` instead of par/pool.c. A line of $DOPPEL_TRACE is a loop or pipeline:
 * the thread and depth it was called at, begin and end in microseconds, tasks, threads that
 * took part, the sum of what they waited before their first task, work of all tasks, the
 * longest, and the addresses of its function and its caller, less that of the program.
 */
#define dpl__parallel_for real_parallel_for
#define dpl__parallel_each real_parallel_each
#define dpl__parallel_set real_parallel_set
#define dpl__pipeline_run real_pipeline_run
#include "../src/par/pool.c"
#undef dpl__parallel_for
#undef dpl__parallel_each
#undef dpl__parallel_set
#undef dpl__pipeline_run

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { MOST = 64 };

typedef struct worker_times {
    double begin, busy, longest;
    char pad[40];
} worker_times;

typedef struct traced {
    void *user;
    dpl_status (*run)(void *user, size_t i, unsigned worker, dpl_error *err);
    const dpl__pipeline *p;
    double begin;
    worker_times of[MOST];
} traced;

static FILE *trace_out;
static double trace_began;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static _Thread_local unsigned depth, thread_number;
static atomic_uint n_threads_seen;

static void close_trace(void)
{
    fprintf(trace_out, "end %.1f\n", (dpl__now() - trace_began) * 1e6);
    fclose(trace_out);
}

static void open_trace(void)
{
    const char *path = getenv("DOPPEL_TRACE");
    trace_out = fopen(path ? path : "/dev/null", "w");
    if (!trace_out)
        abort();
    setvbuf(trace_out, NULL, _IOFBF, 1 << 22);
    trace_began = dpl__now();
    atexit(close_trace);
}

static traced begin(void *user)
{
    pthread_once(&once, open_trace);
    if (!thread_number)
        thread_number = atomic_fetch_add(&n_threads_seen, 1) + 1;
    depth++;
    return (traced){.user = user, .begin = dpl__now()};
}

static void end(const traced *t, const char *kind, size_t n, const void *f, const void *caller)
{
    extern const char __executable_start;
    double now = dpl__now(), late = 0, busy = 0, longest = 0;
    unsigned n_in = 0;
    depth--;
    for (unsigned i = 0; i < MOST; i++)
        if (t->of[i].begin > 0) {
            n_in++;
            late += t->of[i].begin - t->begin;
            busy += t->of[i].busy;
            longest = longest > t->of[i].longest ? longest : t->of[i].longest;
        }
    fprintf(trace_out, "%s %u %u %.1f %.1f %zu %u %.1f %.1f %.1f %zx %zx\n", kind,
            thread_number, depth, (t->begin - trace_began) * 1e6, (now - trace_began) * 1e6, n,
            n_in, late * 1e6, busy * 1e6, longest * 1e6,
            (size_t)((const char *)f - &__executable_start),
            (size_t)((const char *)caller - &__executable_start));
}

static void add(traced *t, unsigned worker, double began)
{
    worker_times *w = &t->of[worker % MOST];
    const double took = dpl__now() - began;
    if (!(w->begin > 0))
        w->begin = began;
    w->busy += took;
    w->longest = w->longest > took ? w->longest : took;
}

static dpl_status run_traced(void *user, size_t i, unsigned worker, dpl_error *err)
{
    traced *t = user;
    const double began = dpl__now();
    const dpl_status status = t->run(t->user, i, worker, err);
    add(t, worker, began);
    return status;
}

dpl_status dpl__parallel_for(dpl_ctx *ctx, size_t n, void *user,
                             dpl_status (*run_one)(void *, size_t, unsigned, dpl_error *),
                             dpl_error *err)
{
    traced t = begin(user);
    t.run = run_one;
    const dpl_status status = real_parallel_for(ctx, n, &t, run_traced, err);
    end(&t, "loop", n, (const void *)(uintptr_t)run_one, __builtin_return_address(0));
    return status;
}

dpl_status dpl__parallel_each(dpl_ctx *ctx, size_t n, void *user,
                              void (*run_one)(void *user, size_t i), dpl_error *err)
{
    each e = {user, run_one};
    traced t = begin(&e);
    t.run = run_each;
    const dpl_status status = real_parallel_for(ctx, n, &t, run_traced, err);
    end(&t, "each", n, (const void *)(uintptr_t)run_one, __builtin_return_address(0));
    return status;
}

void dpl__parallel_set(dpl_ctx *ctx, void *p, int byte, size_t n_bytes)
{
    setting s = {p, byte, n_bytes};
    (void)dpl__parallel_each(ctx, (n_bytes + SET_BYTES - 1) / SET_BYTES, &s, set_part, NULL);
}

static dpl_status map_traced(void *user, size_t slot, unsigned worker, dpl_error *err)
{
    traced *t = user;
    const double began = dpl__now();
    const dpl_status status = t->p->map(t->user, slot, worker, err);
    add(t, worker, began);
    return status;
}

static dpl_status produce_traced(void *user, size_t slot, dpl_error *err)
{
    const traced *t = user;
    return t->p->produce(t->user, slot, err);
}

static dpl_status commit_traced(void *user, size_t slot, dpl_error *err)
{
    const traced *t = user;
    return t->p->commit(t->user, slot, err);
}

dpl_status dpl__pipeline_run(dpl_ctx *ctx, const dpl__pipeline *p, dpl_error *err)
{
    traced t = begin(p->user);
    t.p = p;
    const dpl__pipeline mine = {&t, p->n_slots, produce_traced, map_traced, commit_traced};
    const dpl_status status = real_pipeline_run(ctx, &mine, err);
    end(&t, "pipe", p->n_slots, (const void *)(uintptr_t)p->map, __builtin_return_address(0));
    return status;
}
