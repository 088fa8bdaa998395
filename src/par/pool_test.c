#include "par/pool.h"

#include "base/ctx.h"
#include "base/hash.h"
#include "test.h"

#include <pthread.h>
#include <stdatomic.h>
#include <time.h>

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

DPL_TEST(parallel_for, does_nothing_without_indices)
{
    dpl_ctx *ctx = test_ctx(2);
    CHECK_OK(dpl__parallel_for(ctx, 0, NULL, mark, &test_err));
    test_ctx_done(ctx);
}

/* ---- as many threads as there are ------------------------------------------------------ */

enum { MANY = 100 };

typedef struct meeting {
    pthread_mutex_t lock;
    pthread_cond_t all_here;
    size_t n_here, n_late;
} meeting;

/* Returns when MANY calls run at the same time. */
static dpl_status meet(void *user, size_t i, unsigned worker, dpl_error *err)
{
    (void)i, (void)worker, (void)err;
    meeting *m = user;
    struct timespec until;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_sec += 20;
    pthread_mutex_lock(&m->lock);
    if (++m->n_here == MANY)
        pthread_cond_broadcast(&m->all_here);
    int late = 0;
    while (m->n_here < MANY && !late)
        late = pthread_cond_timedwait(&m->all_here, &m->lock, &until);
    m->n_late += late != 0;
    pthread_mutex_unlock(&m->lock);
    return DPL_OK;
}

DPL_TEST(parallel_for, uses_all_threads_of_a_large_machine)
{
    dpl_ctx *ctx = test_ctx(MANY);
    meeting m = {.lock = PTHREAD_MUTEX_INITIALIZER, .all_here = PTHREAD_COND_INITIALIZER};
    CHECK_OK(dpl__parallel_for(ctx, MANY, &m, meet, &test_err));
    CHECK_EQ(m.n_here, MANY);
    CHECK_EQ(m.n_late, 0);
    test_ctx_done(ctx);
}

/* ---- many callers ---------------------------------------------------------------------- */

enum { MOST_WORKERS = 8 };

/* A run that checks its worker numbers and, to a depth, starts runs of its own. */
typedef struct busy {
    dpl_ctx *ctx;
    size_t n, next, n_written;
    size_t in[4];
    unsigned depth; /* of runs started by produce, map and commit */
    uint64_t seed;
    atomic_int active[MOST_WORKERS];
    atomic_int n_wrong; /* numbers out of range or used twice, slots out of order */
    atomic_size_t n_mapped;
} busy;

static dpl_status busy_run(busy *b, dpl_error *err);

static dpl_status nest(busy *b, size_t n, dpl_error *err)
{
    if (!b->depth)
        return DPL_OK;
    busy inner = {.ctx = b->ctx, .n = n, .depth = b->depth - 1, .seed = b->seed + 1};
    DPL_TRY(busy_run(&inner, err));
    if (inner.n_wrong || inner.n_mapped != n || inner.n_written != n)
        atomic_fetch_add(&b->n_wrong, 1);
    return DPL_OK;
}

static dpl_status busy_produce(void *user, size_t slot, dpl_error *err)
{
    busy *b = user;
    if (b->next == b->n)
        return DPL_END;
    b->in[slot] = b->next++;
    return nest(b, 2, err);
}

static dpl_status busy_map(void *user, size_t slot, unsigned worker, dpl_error *err)
{
    busy *b = user;
    if (worker >= MOST_WORKERS || worker >= dpl_ctx_threads(b->ctx) ||
        atomic_fetch_add(&b->active[worker], 1) != 0)
        return atomic_fetch_add(&b->n_wrong, 1), DPL_OK;
    uint64_t x = dpl__mix(b->seed + b->in[slot]);
    for (size_t i = 0, n = x % 8 ? x % 64 : 20000; i < n; i++) /* mostly short, some long */
        x = dpl__mix(x);
    dpl_status status = x ? nest(b, 3, err) : DPL_OK;
    atomic_fetch_add(&b->n_mapped, 1);
    atomic_fetch_sub(&b->active[worker], 1);
    return status;
}

static dpl_status busy_commit(void *user, size_t slot, dpl_error *err)
{
    busy *b = user;
    if (b->in[slot] != b->n_written++)
        atomic_fetch_add(&b->n_wrong, 1);
    return nest(b, 1, err);
}

static dpl_status busy_run(busy *b, dpl_error *err)
{
    dpl__pipeline p = {b, DPL_LEN(b->in), busy_produce, busy_map, busy_commit};
    return dpl__pipeline_run(b->ctx, &p, err);
}

typedef struct caller {
    pthread_t thread;
    dpl_ctx *ctx;
    uint64_t seed;
    size_t n_rounds, n_bad;
    unsigned depth;
} caller;

static void *call(void *user)
{
    caller *c = user;
    for (size_t round = 0; round < c->n_rounds; round++) {
        busy b = {.ctx = c->ctx, .depth = c->depth, .seed = dpl__mix(c->seed + round)};
        b.n = b.seed % 6; /* few jobs: the state in which a waiting caller can be forgotten */
        dpl_error err = {0};
        dpl_status status = busy_run(&b, &err);
        c->n_bad += status != DPL_OK || b.n_wrong || b.n_mapped != b.n || b.n_written != b.n;
    }
    return NULL;
}

static void call_from_threads(unsigned n_threads, size_t n_rounds, unsigned depth)
{
    dpl_ctx *ctx = test_ctx(n_threads);
    caller callers[8];
    for (size_t i = 0; i < DPL_LEN(callers); i++) {
        callers[i] =
            (caller){.ctx = ctx, .seed = 1000 * i, .n_rounds = n_rounds, .depth = depth};
        CHECK_EQ(pthread_create(&callers[i].thread, NULL, call, &callers[i]), 0);
    }
    size_t n_bad = 0;
    for (size_t i = 0; i < DPL_LEN(callers); i++) {
        pthread_join(callers[i].thread, NULL);
        n_bad += callers[i].n_bad;
    }
    CHECK_EQ(n_bad, 0);
    test_ctx_done(ctx);
}

DPL_TEST(pool, serves_many_callers_with_few_uneven_jobs)
{
    for (unsigned threads = 1; threads <= 4; threads++)
        call_from_threads(threads, 1000, 0);
}

DPL_TEST(pool, runs_inside_runs)
{
    call_from_threads(3, 10, 2);
}

/* A run whose jobs wait for a gate, and one that must get through meanwhile. */
typedef struct gate {
    dpl_ctx *ctx;
    pthread_mutex_t lock;
    pthread_cond_t changed;
    size_t n_held; /* jobs that wait */
    bool is_open;
} gate;

static dpl_status hold(void *user, size_t i, unsigned worker, dpl_error *err)
{
    (void)i, (void)worker, (void)err;
    gate *g = user;
    pthread_mutex_lock(&g->lock);
    g->n_held++;
    pthread_cond_broadcast(&g->changed);
    while (!g->is_open)
        pthread_cond_wait(&g->changed, &g->lock);
    pthread_mutex_unlock(&g->lock);
    return DPL_OK;
}

static void *hold_all(void *user)
{
    gate *g = user;
    dpl_error err = {0};
    return dpl__parallel_for(g->ctx, 20, g, hold, &err) == DPL_OK ? g : NULL;
}

DPL_TEST(pool, a_caller_does_not_depend_on_jobs_of_others)
{
    static atomic_int seen[50];
    memset((void *)seen, 0, sizeof seen);
    dpl_ctx *ctx = test_ctx(2);
    gate g = {ctx, PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, 0, false};
    pthread_t thread;
    CHECK_EQ(pthread_create(&thread, NULL, hold_all, &g), 0);
    pthread_mutex_lock(&g.lock);
    while (g.n_held < 2) /* its caller and the only worker */
        pthread_cond_wait(&g.changed, &g.lock);
    pthread_mutex_unlock(&g.lock);
    dpl_status status = dpl__parallel_for(ctx, DPL_LEN(seen), (void *)seen, mark, &test_err);
    pthread_mutex_lock(&g.lock);
    g.is_open = true;
    pthread_cond_broadcast(&g.changed);
    pthread_mutex_unlock(&g.lock);
    void *answer;
    pthread_join(thread, &answer);
    CHECK_OK(status);
    CHECK(answer == &g);
    CHECK_EQ(g.n_held, 20);
    for (size_t i = 0; i < DPL_LEN(seen); i++)
        CHECK_EQ(seen[i], 1);
    test_ctx_done(ctx);
}

static dpl_status cancel_at_ten(void *user, size_t i, unsigned worker, dpl_error *err)
{
    (void)worker, (void)err;
    if (i == 10)
        dpl_job_cancel(user);
    return DPL_OK;
}

DPL_TEST(parallel_for, ends_soon_when_its_job_is_cancelled)
{
    dpl_ctx *ctx = test_ctx(3), *job;
    CHECK_OK(dpl_job_new(&job, ctx, NULL, &test_err));
    CHECK_EQ(dpl__parallel_for(job, (size_t)1 << 40, job, cancel_at_ten, &test_err),
             DPL_E_STOPPED);
    dpl_ctx_free(job);
    test_ctx_done(ctx);
}

DPL_TEST(parallel_set, sets_every_byte)
{
    static char bytes[(1 << 20) + 7];
    dpl_ctx *ctx = test_ctx(3), *job;
    CHECK_OK(dpl_job_new(&job, ctx, NULL, &test_err));
    dpl__parallel_set(ctx, bytes, 1, sizeof bytes);
    for (size_t i = 0; i < sizeof bytes; i++)
        CHECK_EQ(bytes[i], 1);
    dpl_job_cancel(job); /* what is not filled would be taken for numbers */
    dpl__parallel_set(job, bytes, 2, sizeof bytes - 1);
    for (size_t i = 0; i < sizeof bytes; i++)
        CHECK_EQ(bytes[i], i + 1 < sizeof bytes ? 2 : 1);
    dpl_ctx_free(job);
    test_ctx_done(ctx);
}

static dpl_status note_first(void *user, size_t i, unsigned worker, dpl_error *err)
{
    (void)err;
    if (i == 0)
        *(unsigned *)user = worker;
    return DPL_OK;
}

DPL_TEST(parallel_for, gives_the_first_index_to_the_caller)
{
    dpl_ctx *ctx = test_ctx(3);
    for (int i = 0; i < 200; i++) {
        unsigned worker = 9;
        CHECK_OK(dpl__parallel_for(ctx, 3, &worker, note_first, &test_err));
        CHECK_EQ(worker, 0);
    }
    test_ctx_done(ctx);
}

typedef struct reports {
    dpl_ctx *ctx;
    pthread_t caller;
    atomic_uint n, n_of_others;
} reports;

static int count_report(void *user, const dpl_progress *progress)
{
    reports *r = user;
    (void)progress;
    atomic_fetch_add(pthread_equal(pthread_self(), r->caller) ? &r->n : &r->n_of_others, 1);
    return 0;
}

static dpl_status report_end(void *user, size_t i, unsigned worker, dpl_error *err)
{
    const reports *r = user;
    const dpl_progress progress = {"test", "steps", 1, 1};
    (void)i, (void)worker;
    return dpl__progress(r->ctx, &progress, err);
}

DPL_TEST(parallel_for, reports_progress_on_the_callers_thread_only)
{
    reports r = {.caller = pthread_self()};
    dpl_ctx_options o = DPL_INIT(dpl_ctx_options, .n_threads = 3, .progress = count_report,
                                 .progress_user = &r);
    CHECK_OK(dpl_ctx_new(&r.ctx, &o, &test_err));
    CHECK_OK(dpl__parallel_for(r.ctx, 20000, &r, report_end, &test_err));
    CHECK(r.n > 0);
    CHECK_EQ(r.n_of_others, 0);
    dpl_ctx_free(r.ctx);
}
