#include "serve/lane.h"

#include "test.h"

enum { MOST_JOBS = 200 };

/* Jobs with numbers; what became of them is noted. */
typedef struct noted {
    pthread_mutex_t lock;
    pthread_cond_t changed;
    struct job {
        dpl__lane_job head; /* the lane's */
        unsigned number, n_runs;
        bool is_ending;
    } jobs[MOST_JOBS];
    unsigned order[MOST_JOBS], n_run, n_waiting;
    bool is_held; /* jobs wait for this to be over */
} noted;

static void run_job(void *user, dpl__lane_job *job, bool is_ending)
{
    noted *n = user;
    struct job *j = (struct job *)(void *)job;
    pthread_mutex_lock(&n->lock);
    n->n_waiting++;
    pthread_cond_broadcast(&n->changed);
    while (n->is_held && !is_ending)
        pthread_cond_wait(&n->changed, &n->lock);
    j->n_runs++;
    j->is_ending = is_ending;
    n->order[n->n_run++] = j->number;
    pthread_cond_broadcast(&n->changed);
    pthread_mutex_unlock(&n->lock);
}

static void begin(noted *n, dpl__lane *lane, dpl_ctx *ctx, unsigned n_threads, bool is_held)
{
    *n = (noted){.is_held = is_held};
    CHECK(pthread_mutex_init(&n->lock, NULL) == 0 && pthread_cond_init(&n->changed, NULL) == 0);
    CHECK_OK(dpl__lane_begin(lane, ctx, n_threads, run_job, n, &test_err));
}

static bool put(noted *n, dpl__lane *lane, unsigned number)
{
    n->jobs[number].number = number;
    return dpl__lane_put(lane, &n->jobs[number].head);
}

/* Until so many have been begun, or run. */
static void wait_for(noted *n, const unsigned *count, unsigned least)
{
    pthread_mutex_lock(&n->lock);
    while (*count < least)
        pthread_cond_wait(&n->changed, &n->lock);
    pthread_mutex_unlock(&n->lock);
}

static void let_go(noted *n)
{
    pthread_mutex_lock(&n->lock);
    n->is_held = false;
    pthread_cond_broadcast(&n->changed);
    pthread_mutex_unlock(&n->lock);
}

static void end(noted *n)
{
    pthread_cond_destroy(&n->changed);
    pthread_mutex_destroy(&n->lock);
}

DPL_TEST(lane, one_thread_runs_jobs_in_the_order_they_were_put)
{
    dpl_ctx *ctx = test_ctx(1);
    dpl__lane lane;
    static noted n;
    begin(&n, &lane, ctx, 1, true);
    for (unsigned i = 0; i < MOST_JOBS / 2; i++)
        CHECK(put(&n, &lane, i)); /* behind the first one, which waits */
    let_go(&n);
    for (unsigned i = MOST_JOBS / 2; i < MOST_JOBS; i++)
        CHECK(put(&n, &lane, i));
    wait_for(&n, &n.n_run, MOST_JOBS);
    dpl__lane_end(&lane);
    for (unsigned i = 0; i < MOST_JOBS; i++) {
        CHECK_EQ(n.order[i], i);
        CHECK(n.jobs[i].n_runs == 1 && !n.jobs[i].is_ending);
    }
    end(&n);
    test_ctx_done(ctx);
}

DPL_TEST(lane, as_many_jobs_run_at_a_time_as_there_are_threads)
{
    enum { THREADS = 3 };
    dpl_ctx *ctx = test_ctx(1);
    dpl__lane lane;
    static noted n;
    begin(&n, &lane, ctx, THREADS, true);
    for (unsigned i = 0; i < MOST_JOBS; i++)
        CHECK(put(&n, &lane, i));
    wait_for(&n, &n.n_waiting, THREADS); /* all of them are busy */
    CHECK_EQ(n.n_run, 0);
    let_go(&n);
    wait_for(&n, &n.n_run, MOST_JOBS);
    dpl__lane_end(&lane);
    for (unsigned i = 0; i < MOST_JOBS; i++)
        CHECK_EQ(n.jobs[i].n_runs, 1);
    end(&n);
    test_ctx_done(ctx);
}

static void *stop(void *lane)
{
    dpl__lane_stop(lane);
    return NULL;
}

/* Jobs that run are waited for; those behind them are given back; nothing more is taken. */
DPL_TEST(lane, a_lane_that_is_stopped_gives_back_what_waits)
{
    enum { RUNNING = 2, WAITING = 9 };
    dpl_ctx *ctx = test_ctx(1);
    dpl__lane lane;
    static noted n;
    pthread_t thread;
    begin(&n, &lane, ctx, RUNNING, true);
    for (unsigned i = 0; i < RUNNING + WAITING; i++)
        CHECK(put(&n, &lane, i));
    wait_for(&n, &n.n_waiting, RUNNING);
    CHECK(pthread_create(&thread, NULL, stop, &lane) == 0);
    bool is_ending = false;
    while (!is_ending) {
        pthread_mutex_lock(&lane.lock);
        is_ending = lane.is_ending;
        pthread_mutex_unlock(&lane.lock);
    }
    CHECK(!put(&n, &lane, MOST_JOBS - 1));
    let_go(&n);
    CHECK(pthread_join(thread, NULL) == 0);
    CHECK_EQ(n.n_run, RUNNING + WAITING);
    for (unsigned i = 0; i < RUNNING + WAITING; i++) {
        CHECK_EQ(n.jobs[i].n_runs, 1);
        CHECK_EQ(n.jobs[i].is_ending, i >= RUNNING);
    }
    CHECK_EQ(n.jobs[MOST_JOBS - 1].n_runs, 0);
    dpl__lane_end(&lane);
    dpl__lane_end(&lane); /* has ended */
    end(&n);
    test_ctx_done(ctx);
}

static dpl_status begin_lane(void *user, dpl_ctx *ctx, dpl_error *err)
{
    dpl__lane lane;
    const dpl_status status = dpl__lane_begin(&lane, ctx, 2, run_job, user, err);
    dpl__lane_end(&lane);
    return status;
}

DPL_TEST(lane, no_memory_leaves_nothing_behind)
{
    static noted n;
    test_allocation_failures(begin_lane, &n);
}
