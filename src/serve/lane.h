/*
 * lane.h - threads for requests that take long or wait for something, so that they do not hold
 * up those of other connections. Locked.
 *
 * Jobs run in the order in which they were put there. What a job is belongs to its owner: the
 * header of it lives inside.
 */
#ifndef DPL_SERVE_LANE_H
#define DPL_SERVE_LANE_H

#include "base/base.h"

#include <pthread.h>

typedef struct dpl__lane_job {
    struct dpl__lane_job *next;
} dpl__lane_job;

/* is_ending: the lane ends before the job's turn came. */
typedef void dpl__lane_fn(void *user, dpl__lane_job *job, bool is_ending);

typedef struct dpl__lane {
    dpl_ctx *ctx;
    dpl__lane_fn *run;
    void *user;
    pthread_mutex_t lock;
    pthread_cond_t changed;
    dpl__lane_job *first, *last; /* waiting */
    pthread_t *threads;
    unsigned n_threads, most_threads;
    bool is_ending, has_locks;
} dpl__lane;

dpl_status dpl__lane_begin(dpl__lane *lane, dpl_ctx *ctx, unsigned n_threads, dpl__lane_fn *run,
                           void *user, dpl_error *err);
/* Waits for the jobs that run, and gives back those that wait; takes no more. */
void dpl__lane_stop(dpl__lane *lane);
/* Stops it first. A zeroed lane has ended. */
void dpl__lane_end(dpl__lane *lane);
/* False: it was stopped, and the job is not run. */
bool dpl__lane_put(dpl__lane *lane, dpl__lane_job *job);

#endif
