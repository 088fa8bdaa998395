/*
 * pool.c - a bounded queue of jobs, one lock, two conditions.
 *
 * Jobs are coarse (a batch of documents, milliseconds), so one lock is enough: at a thousand
 * jobs a second its cost does not show.
 */
#include "par/pool.h"

#include "base/ctx.h"

#include <pthread.h>

typedef struct job {
    void (*run)(void *user, size_t index, unsigned worker);
    void *user;
    size_t index;
    struct job *next;
} job;

struct dpl__pool {
    dpl_ctx *ctx;
    pthread_mutex_t lock;
    pthread_cond_t has_job;  /* workers wait here */
    pthread_cond_t has_done; /* the caller waits here */
    job *head, **tail;
    bool is_closing;
    unsigned n_workers, n_started;
    struct worker {
        dpl__pool *pool;
        unsigned number;
        pthread_t thread;
    } * workers;
};

/* Under the lock. */
static job *take(dpl__pool *pool)
{
    job *j = pool->head;
    if (j) {
        pool->head = j->next;
        if (!pool->head)
            pool->tail = &pool->head;
    }
    return j;
}

static void *work(void *arg)
{
    struct worker *w = arg;
    dpl__pool *pool = w->pool;
    pthread_mutex_lock(&pool->lock);
    for (;;) {
        job *j = take(pool);
        if (!j) {
            if (pool->is_closing)
                break;
            pthread_cond_wait(&pool->has_job, &pool->lock);
            continue;
        }
        pthread_mutex_unlock(&pool->lock);
        j->run(j->user, j->index, w->number);
        pthread_mutex_lock(&pool->lock);
        pthread_cond_signal(&pool->has_done);
    }
    pthread_mutex_unlock(&pool->lock);
    return NULL;
}

dpl_status dpl__pool_new(dpl__pool **out, dpl_ctx *ctx, unsigned n_workers, dpl_error *err)
{
    *out = NULL;
    dpl__pool *pool = dpl__calloc(ctx, 1, sizeof *pool);
    if (!pool)
        return dpl__fail_nomem(err);
    pool->ctx = ctx;
    pool->n_workers = n_workers;
    pool->tail = &pool->head;
    pthread_mutex_init(&pool->lock, NULL);
    pthread_cond_init(&pool->has_job, NULL);
    pthread_cond_init(&pool->has_done, NULL);
    if (n_workers) {
        pool->workers = dpl__calloc(ctx, n_workers, sizeof *pool->workers);
        if (!pool->workers) {
            dpl__pool_free(pool);
            return dpl__fail_nomem(err);
        }
    }
    for (unsigned i = 0; i < n_workers; i++) {
        struct worker *w = &pool->workers[i];
        *w = (struct worker){.pool = pool, .number = i + 1};
        int e = pthread_create(&w->thread, NULL, work, w);
        if (e) {
            dpl__pool_free(pool);
            return dpl__fail_errno(err, e, "cannot start thread %u of %u", i + 1, n_workers);
        }
        pool->n_started++;
    }
    *out = pool;
    return DPL_OK;
}

void dpl__pool_free(dpl__pool *pool)
{
    if (!pool)
        return;
    pthread_mutex_lock(&pool->lock);
    pool->is_closing = true;
    pthread_cond_broadcast(&pool->has_job);
    pthread_mutex_unlock(&pool->lock);
    for (unsigned i = 0; i < pool->n_started; i++)
        pthread_join(pool->workers[i].thread, NULL);
    pthread_cond_destroy(&pool->has_done);
    pthread_cond_destroy(&pool->has_job);
    pthread_mutex_destroy(&pool->lock);
    dpl__free(pool->ctx, pool->workers, pool->n_workers * sizeof *pool->workers);
    dpl__free(pool->ctx, pool, sizeof *pool);
}

/* ---- the ordered pipeline ----------------------------------------------------------- */

enum slot_state { SLOT_FREE, SLOT_QUEUED, SLOT_DONE };

typedef struct slot {
    job job; /* first, so that a job leads to its slot */
    enum slot_state state;
    dpl_status status;
    dpl_error err;
} slot;

typedef struct run {
    const dpl__pipeline *p;
    dpl__pool *pool;
    slot *slots;
} run;

static void map_slot(void *user, size_t index, unsigned worker)
{
    run *r = user;
    slot *s = &r->slots[index];
    s->status = r->p->map(r->p->user, index, worker, &s->err);
    pthread_mutex_lock(&r->pool->lock);
    s->state = SLOT_DONE;
    pthread_mutex_unlock(&r->pool->lock);
}

static void submit(run *r, size_t index)
{
    slot *s = &r->slots[index];
    s->job = (job){.run = map_slot, .user = r, .index = index};
    s->err = (dpl_error){0};
    pthread_mutex_lock(&r->pool->lock);
    s->state = SLOT_QUEUED;
    *r->pool->tail = &s->job;
    r->pool->tail = &s->job.next;
    pthread_cond_signal(&r->pool->has_job);
    pthread_mutex_unlock(&r->pool->lock);
}

/* Waits until the slot is done, working on queued jobs meanwhile. */
static void finish_slot(run *r, size_t index)
{
    pthread_mutex_lock(&r->pool->lock);
    while (r->slots[index].state == SLOT_QUEUED) {
        job *j = take(r->pool);
        if (!j) {
            pthread_cond_wait(&r->pool->has_done, &r->pool->lock);
            continue;
        }
        pthread_mutex_unlock(&r->pool->lock);
        j->run(j->user, j->index, 0);
        pthread_mutex_lock(&r->pool->lock);
    }
    pthread_mutex_unlock(&r->pool->lock);
}

static bool is_done(run *r, size_t index)
{
    pthread_mutex_lock(&r->pool->lock);
    bool done = r->slots[index].state == SLOT_DONE;
    pthread_mutex_unlock(&r->pool->lock);
    return done;
}

dpl_status dpl__pipeline_run(dpl_ctx *ctx, const dpl__pipeline *p, dpl_error *err)
{
    run r = {.p = p, .pool = ctx->pool};
    r.slots = dpl__calloc(ctx, p->n_slots, sizeof *r.slots);
    if (!r.slots)
        return dpl__fail_nomem(err);
    dpl_status status = DPL_OK;
    dpl_error produce_err = {0};
    dpl_status produced = DPL_OK; /* how production ended: OK while it goes on */
    size_t n_in = 0, n_out = 0;   /* slots ever filled, ever committed */
    while (status == DPL_OK) {
        bool has_room = n_in - n_out < p->n_slots;
        if (produced == DPL_OK && has_room &&
            !(n_in > n_out && is_done(&r, n_out % p->n_slots))) {
            produced = p->produce(p->user, n_in % p->n_slots, &produce_err);
            if (produced == DPL_OK)
                submit(&r, n_in++ % p->n_slots);
            continue;
        }
        if (n_in == n_out)
            break;
        size_t head = n_out % p->n_slots;
        finish_slot(&r, head);
        slot *s = &r.slots[head];
        s->state = SLOT_FREE;
        n_out++;
        status = s->status;
        if (status == DPL_OK)
            status = p->commit(p->user, head, err);
        else if (err)
            *err = s->err;
    }
    for (; n_out < n_in; n_out++) /* after a failure: let the others finish */
        finish_slot(&r, n_out % p->n_slots);
    if (status == DPL_OK && produced != DPL_END) {
        status = produced;
        if (err)
            *err = produce_err;
    }
    dpl__free(ctx, r.slots, p->n_slots * sizeof *r.slots);
    return status;
}

/* ---- parallel for ------------------------------------------------------------------- */

typedef struct for_run {
    void *user;
    dpl_status (*run)(void *user, size_t i, unsigned worker, dpl_error *err);
    size_t n, next;
    size_t index[64];
} for_run;

static dpl_status for_produce(void *user, size_t slot_index, dpl_error *err)
{
    (void)err;
    for_run *f = user;
    if (f->next == f->n)
        return DPL_END;
    f->index[slot_index] = f->next++;
    return DPL_OK;
}

static dpl_status for_map(void *user, size_t slot_index, unsigned worker, dpl_error *err)
{
    for_run *f = user;
    return f->run(f->user, f->index[slot_index], worker, err);
}

static dpl_status for_commit(void *user, size_t slot_index, dpl_error *err)
{
    (void)user, (void)slot_index, (void)err;
    return DPL_OK;
}

dpl_status dpl__parallel_for(dpl_ctx *ctx, size_t n, void *user,
                             dpl_status (*run_one)(void *user, size_t i, unsigned worker,
                                                   dpl_error *err),
                             dpl_error *err)
{
    for_run f = {.user = user, .run = run_one, .n = n};
    dpl__pipeline p = {.user = &f,
                       .n_slots = dpl__min(DPL_LEN(f.index), 4 * (size_t)ctx->n_threads),
                       .produce = for_produce,
                       .map = for_map,
                       .commit = for_commit};
    return dpl__pipeline_run(ctx, &p, err);
}
