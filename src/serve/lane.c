/*
 * lane.c - threads for requests that take long or wait for something.
 */
#include "serve/lane.h"

#include "base/ctx.h"

/* NULL: the lane ends. Under the lock. */
static dpl__lane_job *next_job(dpl__lane *lane)
{
    while (!lane->first && !lane->is_ending)
        pthread_cond_wait(&lane->changed, &lane->lock);
    dpl__lane_job *job = lane->first;
    if (!job)
        return NULL;
    lane->first = job->next;
    if (!lane->first)
        lane->last = NULL;
    return job;
}

static void *work(void *user)
{
    dpl__lane *lane = user;
    dpl__lane_job *job;
    pthread_mutex_lock(&lane->lock);
    while ((job = next_job(lane)) != NULL) {
        const bool is_ending = lane->is_ending;
        pthread_mutex_unlock(&lane->lock);
        lane->run(lane->user, job, is_ending);
        pthread_mutex_lock(&lane->lock);
    }
    pthread_mutex_unlock(&lane->lock);
    return NULL;
}

static int start(dpl__lane *lane)
{
    int e = pthread_mutex_init(&lane->lock, NULL);
    if (e)
        return e;
    e = pthread_cond_init(&lane->changed, NULL);
    if (e) {
        pthread_mutex_destroy(&lane->lock);
        return e;
    }
    lane->has_locks = true;
    while (!e && lane->n_threads < lane->most_threads) {
        e = pthread_create(&lane->threads[lane->n_threads], NULL, work, lane);
        lane->n_threads += !e;
    }
    return e;
}

dpl_status dpl__lane_begin(dpl__lane *lane, dpl_ctx *ctx, unsigned n_threads, dpl__lane_fn *run,
                           void *user, dpl_error *err)
{
    assert(n_threads > 0 && run);
    *lane = (dpl__lane){.ctx = ctx, .run = run, .user = user, .most_threads = n_threads};
    lane->threads = dpl__calloc(ctx, n_threads, sizeof *lane->threads);
    DPL_TRY(dpl__need(lane->threads, err));
    const int e = start(lane);
    if (e)
        dpl__lane_end(lane);
    return e ? dpl__fail_errno(err, e, "cannot start a thread") : DPL_OK;
}

void dpl__lane_stop(dpl__lane *lane)
{
    if (!lane->has_locks)
        return;
    pthread_mutex_lock(&lane->lock);
    lane->is_ending = true;
    pthread_cond_broadcast(&lane->changed);
    pthread_mutex_unlock(&lane->lock);
    for (; lane->n_threads; lane->n_threads--)
        pthread_join(lane->threads[lane->n_threads - 1], NULL);
}

void dpl__lane_end(dpl__lane *lane)
{
    dpl__lane_stop(lane);
    assert(!lane->first); /* every job was run, with is_ending in the end */
    if (lane->has_locks) {
        pthread_cond_destroy(&lane->changed);
        pthread_mutex_destroy(&lane->lock);
    }
    if (lane->ctx)
        dpl__free(lane->ctx, lane->threads);
    *lane = (dpl__lane){0};
}

bool dpl__lane_put(dpl__lane *lane, dpl__lane_job *job)
{
    job->next = NULL;
    pthread_mutex_lock(&lane->lock);
    assert(!lane->last == !lane->first);
    const bool is_taken = !lane->is_ending;
    if (is_taken) {
        *(lane->last ? &lane->last->next : &lane->first) = job;
        lane->last = job;
        pthread_cond_signal(&lane->changed);
    }
    pthread_mutex_unlock(&lane->lock);
    return is_taken;
}
