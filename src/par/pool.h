/*
 * pool.h - worker threads and the ordered pipeline. Locked: any number of threads may run
 * pipelines on one pool.
 *
 * The thread that waits also works, so a context of n threads has n - 1 workers, and one of
 * one thread runs everything in place. Callers that run at the same time share the workers
 * evenly (round robin, a job at a time); each caller works on the jobs of its own run only.
 */
#ifndef DPL_PAR_POOL_H
#define DPL_PAR_POOL_H

#include "base/base.h"

typedef struct dpl__pool dpl__pool;

/* n_workers may be 0. */
dpl_status dpl__pool_new(dpl__pool **out, dpl_ctx *ctx, unsigned n_workers, dpl_error *err);
/* Frees the pool, in which no pipeline may be running. */
void dpl__pool_free(dpl__pool *pool);

/* Read -> map in parallel -> write in order.
 *
 * produce fills the next slot on the caller's thread and answers DPL_OK, or DPL_END when there
 * is no more. map works on a filled slot on any thread; worker < n_threads numbers the scratch
 * memory of that thread: 0 is the caller, and within one run a number is never used by two
 * threads at a time (two runs use the same numbers, so scratch belongs to a run). commit takes
 * slots on the caller's thread in the order they were produced. The first failure in that
 * order wins, whatever the timing: the error a user sees does not depend on the number of
 * threads. Runs may be nested: produce, map and commit may start runs of their own. */
typedef struct dpl__pipeline {
    void *user;
    size_t n_slots; /* in flight at the most */
    dpl_status (*produce)(void *user, size_t slot, dpl_error *err);
    dpl_status (*map)(void *user, size_t slot, unsigned worker, dpl_error *err);
    dpl_status (*commit)(void *user, size_t slot, dpl_error *err);
} dpl__pipeline;

dpl_status dpl__pipeline_run(dpl_ctx *ctx, const dpl__pipeline *p, dpl_error *err);

/* Calls run(user, i, worker) for i in [0, n), in any order, on all threads; returns when all
 * are done. The failure of the lowest i wins. The first is always the caller's: of a few large
 * pieces, the one that reports progress. */
dpl_status dpl__parallel_for(dpl_ctx *ctx, size_t n, void *user,
                             dpl_status (*run)(void *user, size_t i, unsigned worker,
                                               dpl_error *err),
                             dpl_error *err);
/* The same for what cannot fail and is the same on every thread. */
dpl_status dpl__parallel_each(dpl_ctx *ctx, size_t n, void *user,
                              void (*run)(void *user, size_t i), dpl_error *err);

/* memset on all threads: large memory that is new takes longer to come than to fill. */
void dpl__parallel_set(dpl_ctx *ctx, void *p, int byte, size_t n_bytes);

/* dpl__progress from within a loop: the caller's thread reports, the others do not. */
dpl_status dpl__loop_progress(dpl_ctx *ctx, unsigned worker, const dpl_progress *progress,
                              dpl_error *err);

#endif
