/*
 * pool.c - worker threads that share the jobs of all running pipelines and loops.
 *
 * A run is one call of dpl__pipeline_run or dpl__parallel_for. The jobs of a pipeline are its
 * slots in the order they were filled, so its queue is a range of slot numbers; those of a loop
 * are its indices, from an atomic counter. Runs that have jobs left form a ring; a worker takes
 * a job of the first run and moves that run to the end. In a loop it takes one index after the
 * other, without the lock, until another run waits for workers. The caller takes jobs of its
 * own run while it waits, and sleeps on a condition of its own when there are none left.
 *
 * Jobs of pipelines are coarse (a batch of documents, milliseconds), so one lock is enough.
 * Loops may be short and follow each other closely (a step of an optimizer, 50 us): who waits
 * looks for SPIN_SECONDS before it sleeps, because waking a thread takes as long as that.
 */
#include "par/pool.h"

#include "base/ctx.h"
#include "base/mappings.h"

#include <pthread.h>
#include <stdatomic.h>
#include <unistd.h>

static const double SPIN_SECONDS = 40e-6;

enum { LOOKS = 32 }; /* between two looks at the clock */

typedef struct slot {
    bool is_done;
    dpl_status status;
    dpl_error err;
} slot;

typedef struct loop {
    void *user;
    dpl_status (*run)(void *user, size_t i, unsigned worker, dpl_error *err);
    size_t n;
    atomic_size_t next;   /* index; n and more: none is left */
    atomic_uint n_active; /* workers in it; changed under the lock */
    size_t failed_at;     /* the lowest index that failed, and how; under the lock */
    dpl_status status;
    dpl_error *err;
} loop;

/* The lock of the pool guards is_done of the slots and what follows has_done. */
typedef struct run {
    const dpl_ctx *ctx; /* the job: may be cancelled */
    const dpl__pipeline *p;
    loop *loop; /* instead of a pipeline */
    dpl__pool *pool;
    slot *slots;
    pthread_cond_t has_done;     /* the caller of this run waits here */
    bool is_waiting;             /* it does */
    size_t n_submitted, n_taken; /* jobs ever queued, ever taken: those between are queued */
    struct run *next, *previous; /* in the ring of runs with queued jobs, NULL outside */
} run;

struct dpl__pool {
    dpl_ctx *ctx;
    pthread_mutex_t lock;
    pthread_cond_t has_job; /* workers wait here */
    run *first;             /* of the ring: the next to be served, NULL when there is none */
    atomic_uint n_in_ring;  /* runs; changed under the lock */
    bool is_closing;
    bool can_spin; /* there is a processor for each thread */
    unsigned n_workers, n_started;
    struct worker {
        dpl__pool *pool;
        unsigned number;
        pthread_t thread;
    } * workers;
};

/* Waits for a little while, as long as the number is zero (or, else, is not). */
static void look_for(const dpl__pool *pool, const atomic_uint *number, bool is_zero)
{
    if (!pool->can_spin)
        return;
    const double until = dpl__now() + SPIN_SECONDS;
    do
        for (int i = 0; i < LOOKS; i++) {
            if ((atomic_load_explicit(number, memory_order_relaxed) == 0) != is_zero)
                return;
            DPL_PAUSE();
        }
    while (dpl__now() < until);
}

/* The lock is held for less time than it takes to sleep and be woken. */
static void lock(dpl__pool *pool)
{
    enum { TRIES = 200 };
    for (int i = 0; pool->can_spin && i < TRIES; i++) {
        if (pthread_mutex_trylock(&pool->lock) == 0)
            return;
        DPL_PAUSE();
    }
    pthread_mutex_lock(&pool->lock);
}

/* The functions from here to do_job are called, and return, under the lock. */

static void enter_ring(run *r)
{
    run *first = r->pool->first;
    atomic_fetch_add_explicit(&r->pool->n_in_ring, 1, memory_order_relaxed);
    if (!first) {
        r->pool->first = r->next = r->previous = r;
        return;
    }
    r->next = first;
    r->previous = first->previous;
    r->previous->next = first->previous = r;
}

static void leave_ring(run *r)
{
    atomic_fetch_sub_explicit(&r->pool->n_in_ring, 1, memory_order_relaxed);
    if (r->pool->first == r)
        r->pool->first = r->next == r ? NULL : r->next;
    r->next->previous = r->previous;
    r->previous->next = r->next;
    r->next = r->previous = NULL;
}

/* The oldest queued job of a run that has one; answers its slot. */
static size_t take(run *r)
{
    assert(r->n_taken != r->n_submitted);
    size_t index = r->n_taken++ % r->p->n_slots;
    if (r->n_taken == r->n_submitted)
        leave_ring(r);
    else if (r->pool->first == r)
        r->pool->first = r->next;
    return index;
}

/* Takes a job of the run and works on it, without the lock meanwhile. The run may be gone
 * afterwards, unless the caller of this function is the run's. */
static void do_job(run *r, unsigned worker)
{
    dpl__pool *pool = r->pool;
    size_t index = take(r);
    slot *s = &r->slots[index];
    pthread_mutex_unlock(&pool->lock);
    dpl_status status = r->p->map(r->p->user, index, worker, &s->err);
    lock(pool);
    s->status = status;
    s->is_done = true;
    if (r->is_waiting)
        pthread_cond_signal(&r->has_done);
}

/* Without the lock: index after index, for a worker until another run waits. Indices are given
 * out in order, so that all below one that fails are visited; the caller has the first. */
static void run_loop(run *r, unsigned worker)
{
    loop *l = r->loop;
    for (size_t i = worker ? atomic_fetch_add(&l->next, 1) : 0; i < l->n;
         i = atomic_fetch_add(&l->next, 1)) {
        dpl_error err = {0};
        const dpl_status status = dpl__is_cancelled(r->ctx)
                                      ? dpl__fail(&err, DPL_E_STOPPED, "stopped")
                                      : l->run(l->user, i, worker, &err);
        if (DPL_UNLIKELY(status != DPL_OK)) {
            atomic_store(&l->next, l->n);
            lock(r->pool);
            if (i < l->failed_at) {
                l->failed_at = i;
                l->status = status;
                if (l->err)
                    *l->err = err;
            }
            pthread_mutex_unlock(&r->pool->lock);
        }
        dpl__mappings_ease(r->pool->ctx);
        if (worker && atomic_load_explicit(&r->pool->n_in_ring, memory_order_relaxed) > 1)
            return;
    }
}

/* Like do_job, for a loop. */
static void join_loop(run *r, unsigned worker)
{
    dpl__pool *pool = r->pool;
    loop *l = r->loop;
    pool->first = r->next;
    atomic_fetch_add(&l->n_active, 1);
    pthread_mutex_unlock(&pool->lock);
    run_loop(r, worker);
    lock(pool);
    if (r->next && atomic_load(&l->next) >= l->n)
        leave_ring(r);
    if (atomic_fetch_sub(&l->n_active, 1) == 1 && r->is_waiting)
        pthread_cond_signal(&r->has_done);
}

static void *work(void *arg)
{
    struct worker *w = arg;
    dpl__pool *pool = w->pool;
    bool has_looked = false;
    dpl__is_helper_thread = true;
    lock(pool);
    while (pool->first || !pool->is_closing) {
        if (pool->first) {
            if (pool->first->loop)
                join_loop(pool->first, w->number);
            else
                do_job(pool->first, w->number);
            has_looked = false;
        } else if (!has_looked) {
            pthread_mutex_unlock(&pool->lock);
            look_for(pool, &pool->n_in_ring, true);
            lock(pool);
            has_looked = true;
        } else {
            pthread_cond_wait(&pool->has_job, &pool->lock);
        }
    }
    pthread_mutex_unlock(&pool->lock);
    return NULL;
}

dpl_status dpl__pool_new(dpl__pool **out, dpl_ctx *ctx, unsigned n_workers, dpl_error *err)
{
    *out = NULL;
    dpl__pool *pool = dpl__calloc(ctx, 1, sizeof *pool);
    DPL_TRY(dpl__need(pool, err));
    const long n_online = sysconf(_SC_NPROCESSORS_ONLN);
    pool->ctx = ctx;
    pool->n_workers = n_workers;
    pool->can_spin = n_workers && n_online > (long)n_workers;
    pthread_mutex_init(&pool->lock, NULL);
    pthread_cond_init(&pool->has_job, NULL);
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
    pthread_cond_destroy(&pool->has_job);
    pthread_mutex_destroy(&pool->lock);
    dpl__free(pool->ctx, pool->workers, pool);
}

/* ---- the ordered pipeline ----------------------------------------------------------- */

static void submit(run *r)
{
    assert(r->n_submitted - r->n_taken < r->p->n_slots);
    slot *s = &r->slots[r->n_submitted % r->p->n_slots];
    s->err = (dpl_error){0};
    lock(r->pool);
    s->is_done = false;
    if (r->n_submitted++ == r->n_taken)
        enter_ring(r);
    pthread_cond_signal(&r->pool->has_job);
    pthread_mutex_unlock(&r->pool->lock);
}

/* Waits until the slot is done, working on queued jobs of the run meanwhile. */
static void finish_slot(run *r, size_t index)
{
    pthread_mutex_lock(&r->pool->lock);
    while (!r->slots[index].is_done) {
        if (r->n_taken != r->n_submitted) {
            do_job(r, 0);
            continue;
        }
        r->is_waiting = true;
        pthread_cond_wait(&r->has_done, &r->pool->lock);
        r->is_waiting = false;
    }
    pthread_mutex_unlock(&r->pool->lock);
}

static bool is_done(run *r, size_t index)
{
    pthread_mutex_lock(&r->pool->lock);
    bool done = r->slots[index].is_done;
    pthread_mutex_unlock(&r->pool->lock);
    return done;
}

/* Produces, maps and commits until the end or the first failure. */
static dpl_status run_all(run *r, dpl_error *err)
{
    const dpl__pipeline *p = r->p;
    dpl_status status = DPL_OK;
    dpl_error produce_err = {0};
    dpl_status produced = DPL_OK; /* how production ended: OK while it goes on */
    size_t n_in = 0, n_out = 0;   /* slots ever filled, ever committed */
    while (status == DPL_OK) {
        bool has_room = n_in - n_out < p->n_slots;
        if (produced == DPL_OK && has_room &&
            !(n_in > n_out && is_done(r, n_out % p->n_slots))) {
            produced = dpl__is_cancelled(r->ctx)
                           ? dpl__fail(&produce_err, DPL_E_STOPPED, "stopped")
                           : p->produce(p->user, n_in % p->n_slots, &produce_err);
            if (produced == DPL_OK) {
                submit(r);
                n_in++;
            }
            continue;
        }
        if (n_in == n_out)
            break;
        assert(n_out < n_in && n_in - n_out <= p->n_slots);
        size_t head = n_out++ % p->n_slots;
        finish_slot(r, head);
        slot *s = &r->slots[head];
        status = s->status;
        dpl__mappings_ease(r->pool->ctx);
        if (status == DPL_OK)
            status = p->commit(p->user, head, err);
        else if (err)
            *err = s->err;
    }
    for (; n_out < n_in; n_out++) /* after a failure: let the others finish */
        finish_slot(r, n_out % p->n_slots);
    if (status == DPL_OK && produced != DPL_END) {
        status = produced;
        if (err)
            *err = produce_err;
    }
    return status;
}

dpl_status dpl__pipeline_run(dpl_ctx *ctx, const dpl__pipeline *p, dpl_error *err)
{
    run r = {.ctx = ctx, .p = p, .pool = ctx->pool};
    assert(p->n_slots > 0);
    r.slots = dpl__calloc(ctx, p->n_slots, sizeof *r.slots);
    DPL_TRY(dpl__need(r.slots, err));
    pthread_cond_init(&r.has_done, NULL);
    dpl_status status = run_all(&r, err);
    pthread_cond_destroy(&r.has_done);
    dpl__free(ctx, r.slots);
    return status;
}

/* ---- parallel for ------------------------------------------------------------------- */

/* Asks workers to take part, does so itself, and waits for the others. */
static void run_with_workers(run *r)
{
    dpl__pool *pool = r->pool;
    loop *l = r->loop;
    const size_t n_wanted = dpl__min(l->n - 1, pool->n_workers);
    pthread_cond_init(&r->has_done, NULL);
    lock(pool);
    enter_ring(r);
    if (n_wanted == pool->n_workers)
        pthread_cond_broadcast(&pool->has_job);
    else
        for (size_t i = 0; i < n_wanted; i++)
            pthread_cond_signal(&pool->has_job);
    pthread_mutex_unlock(&pool->lock);
    run_loop(r, 0);
    look_for(pool, &l->n_active, false);
    lock(pool);
    if (r->next)
        leave_ring(r);
    r->is_waiting = true;
    while (atomic_load(&l->n_active))
        pthread_cond_wait(&r->has_done, &pool->lock);
    pthread_mutex_unlock(&pool->lock);
    pthread_cond_destroy(&r->has_done);
}

dpl_status dpl__parallel_for(dpl_ctx *ctx, size_t n, void *user,
                             dpl_status (*run_one)(void *user, size_t i, unsigned worker,
                                                   dpl_error *err),
                             dpl_error *err)
{
    assert(run_one);
    loop l = {
        .user = user, .run = run_one, .n = n, .next = 1, .failed_at = SIZE_MAX, .err = err};
    run r = {.ctx = ctx, .loop = &l, .pool = ctx->pool};
    if (n > 1 && r.pool->n_workers)
        run_with_workers(&r);
    else if (n)
        run_loop(&r, 0);
    return l.status;
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
                              void (*run_one)(void *user, size_t i), dpl_error *err)
{
    each e = {user, run_one};
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
    const size_t n_parts = (n_bytes + SET_BYTES - 1) / SET_BYTES;
    if (dpl__parallel_each(ctx, n_parts, &s, set_part, NULL) != DPL_OK) /* cancelled */
        memset(p, byte, n_bytes);
}

dpl_status dpl__loop_progress(dpl_ctx *ctx, unsigned worker, const dpl_progress *progress,
                              dpl_error *err)
{
    return worker ? DPL_OK : dpl__progress(ctx, progress, err);
}
