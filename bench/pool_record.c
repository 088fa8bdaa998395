/*
 * pool_record.c - a pool without workers that records what the threads would have had to do.
 *
 * Linked into `doppel` instead of par/pool.c: loops and pipelines are cut as for --threads N,
 * but all is done by one thread, one task after the other, and the core time of each task and
 * of what lies between is written to $DOPPEL_RECORD. bench/thread_profile --simulate replays it
 * on N threads. A record is three numbers (event, value, nanoseconds); a stack and a sample
 * have as many addresses behind them as their value says.
 */
#define _GNU_SOURCE
#include "base/ctx.h"
#include "par/pool.h"

#include <execinfo.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/time.h>
#include <time.h>

enum { DEPTH = 48, SHORT_NS = 50000, SAMPLE_US = 4000 };

typedef enum event {
    BASE, /* of the addresses of the program */
    STACK,
    SAMPLE,   /* the stack at a tick, outside of all tasks */
    LOOP,     /* value: tasks */
    PIPELINE, /* value: slots */
    BEGIN_TASK,
    END_TASK,
    BEGIN_PRODUCE,
    END_PRODUCE,
    BEGIN_COMMIT,
    END_COMMIT,
    END_RUN
} event;

typedef struct record {
    uint64_t event, value, ns;
} record;

struct dpl__pool {
    unsigned n_workers;
};

static FILE *out;
static struct {
    uint64_t now, excluded; /* core nanoseconds, without the recorder's own */
    uint64_t core, wall;    /* at the last look */
} watch;
static volatile sig_atomic_t task_depth, is_in_recorder;

static uint64_t read_clock(clockid_t clock)
{
    struct timespec t;
    clock_gettime(clock, &t);
    return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

/* Core time, which costs a system call; of short steps the time by the clock, which does not.
 */
static uint64_t now_ns(void)
{
    const uint64_t wall = read_clock(CLOCK_MONOTONIC), passed = wall - watch.wall;
    if (passed < SHORT_NS) {
        watch.now += passed;
    } else {
        const uint64_t core = read_clock(CLOCK_THREAD_CPUTIME_ID) - watch.excluded;
        watch.now = dpl__max(watch.now, core);
    }
    watch.wall = read_clock(CLOCK_MONOTONIC);
    return watch.now;
}

static void put(event e, uint64_t value, uint64_t ns)
{
    const record r = {e, value, ns};
    fwrite(&r, sizeof r, 1, out);
}

static void put_stack(event e, uint64_t ns, int skip)
{
    void *frames[DEPTH];
    const int n = backtrace(frames, DEPTH);
    put(e, (uint64_t)(n - skip), ns);
    fwrite(frames + skip, sizeof *frames, (size_t)(n - skip), out);
}

static void sample(int signal)
{
    (void)signal;
    if (is_in_recorder)
        return;
    is_in_recorder = 1;
    const uint64_t before = read_clock(CLOCK_THREAD_CPUTIME_ID);
    put_stack(SAMPLE, 0, 2);
    watch.excluded += read_clock(CLOCK_THREAD_CPUTIME_ID) - before;
    is_in_recorder = 0;
}

static void start(void)
{
    extern const char __executable_start;
    const char *path = getenv("DOPPEL_RECORD");
    out = fopen(path ? path : "/dev/null", "wb");
    if (!out)
        abort();
    setvbuf(out, NULL, _IOFBF, 1 << 22);
    void *frames[4];
    (void)backtrace(frames, 4); /* loads the unwinder */
    put(BASE, (uint64_t)(uintptr_t)&__executable_start, 0);
    struct sigaction action = {.sa_handler = sample, .sa_flags = SA_RESTART};
    sigaction(SIGPROF, &action, NULL);
    const struct itimerval timer = {{0, SAMPLE_US}, {0, SAMPLE_US}};
    setitimer(ITIMER_PROF, &timer, NULL);
}

static void stop(void)
{
    const struct itimerval never = {0};
    setitimer(ITIMER_PROF, &never, NULL);
    is_in_recorder = 1;
    put(END_RUN, 0, now_ns());
    fclose(out);
    out = NULL;
}

/* Before the event is written, so that writing does not count. */
static void note(event e, uint64_t value)
{
    is_in_recorder = 1;
    put(e, value, now_ns());
    is_in_recorder = 0;
}

static void begin_run(event e, uint64_t value)
{
    is_in_recorder = 1;
    const uint64_t ns = now_ns(), before = read_clock(CLOCK_THREAD_CPUTIME_ID);
    put_stack(STACK, ns, 3);
    put(e, value, ns);
    watch.excluded += read_clock(CLOCK_THREAD_CPUTIME_ID) - before;
    watch.wall = read_clock(CLOCK_MONOTONIC);
    is_in_recorder = 0;
}

dpl_status dpl__pool_new(dpl__pool **pool, dpl_ctx *ctx, unsigned n_workers, dpl_error *err)
{
    *pool = dpl__calloc(ctx, 1, sizeof **pool);
    DPL_TRY(dpl__need(*pool, err));
    (*pool)->n_workers = n_workers;
    if (!out) {
        start();
        atexit(stop);
    }
    return DPL_OK;
}

void dpl__pool_free(dpl__pool *pool)
{
    (void)pool; /* a few bytes, at the end */
}

dpl_status dpl__parallel_for(dpl_ctx *ctx, size_t n, void *user,
                             dpl_status (*run)(void *user, size_t i, unsigned worker,
                                               dpl_error *err),
                             dpl_error *err)
{
    dpl_status status = DPL_OK;
    begin_run(LOOP, n);
    for (size_t i = 0; i < n && status == DPL_OK; i++) {
        note(BEGIN_TASK, i);
        task_depth++;
        status = dpl__is_cancelled(ctx) ? dpl__fail(err, DPL_E_STOPPED, "stopped")
                                        : run(user, i, 0, err);
        task_depth--;
        note(END_TASK, i);
    }
    note(END_RUN, 0);
    return status;
}

typedef struct each {
    void *user;
    void (*run)(void *user, size_t i);
} each;

static dpl_status run_each(void *user, size_t i, unsigned worker, dpl_error *err)
{
    (void)worker, (void)err;
    const each *e = user;
    e->run(e->user, i);
    return DPL_OK;
}

dpl_status dpl__parallel_each(dpl_ctx *ctx, size_t n, void *user,
                              void (*run)(void *user, size_t i), dpl_error *err)
{
    each e = {user, run};
    return dpl__parallel_for(ctx, n, &e, run_each, err);
}

typedef struct setting {
    char *at;
    int byte;
    size_t n_bytes;
} setting;

enum { SET_BYTES = 1 << 18 };

static void set_part(void *user, size_t part)
{
    const setting *s = user;
    const size_t first = part * SET_BYTES;
    memset(s->at + first, s->byte, dpl__min(SET_BYTES, s->n_bytes - first));
}

void dpl__parallel_set(dpl_ctx *ctx, void *p, int byte, size_t n_bytes)
{
    setting s = {p, byte, n_bytes};
    (void)dpl__parallel_each(ctx, (n_bytes + SET_BYTES - 1) / SET_BYTES, &s, set_part, NULL);
}

dpl_status dpl__loop_progress(dpl_ctx *ctx, unsigned worker, const dpl_progress *progress,
                              dpl_error *err)
{
    return worker ? DPL_OK : dpl__progress(ctx, progress, err);
}

/* Fills all slots, maps them, and commits them: as much ahead as threads could be. */
dpl_status dpl__pipeline_run(dpl_ctx *ctx, const dpl__pipeline *p, dpl_error *err)
{
    dpl_status status = DPL_OK, produced = DPL_OK;
    size_t n_in = 0, n_out = 0;
    begin_run(PIPELINE, p->n_slots);
    while (status == DPL_OK && (produced == DPL_OK || n_out < n_in)) {
        if (produced == DPL_OK && n_in - n_out < p->n_slots) {
            const size_t slot = n_in % p->n_slots;
            note(BEGIN_PRODUCE, slot);
            produced = dpl__is_cancelled(ctx) ? dpl__fail(err, DPL_E_STOPPED, "stopped")
                                              : p->produce(p->user, slot, err);
            note(END_PRODUCE, slot);
            if (produced == DPL_OK) {
                note(BEGIN_TASK, slot);
                task_depth++;
                status = p->map(p->user, slot, 0, err);
                task_depth--;
                note(END_TASK, slot);
                n_in++;
            }
            continue;
        }
        const size_t slot = n_out++ % p->n_slots;
        note(BEGIN_COMMIT, slot);
        status = p->commit(p->user, slot, err);
        note(END_COMMIT, slot);
    }
    note(END_RUN, 0);
    return status == DPL_OK && produced != DPL_END ? produced : status;
}
