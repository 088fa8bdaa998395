/*
 * connections.c - open connections, and the thread that closes slow ones.
 */
#include "serve/server.h"

#include "base/ctx.h"

#include <math.h>
#include <sys/socket.h>
#include <time.h>

/* Seconds between two looks, and the silence after which a connection may have to make room. A
 * request under way is spared for a sixth of the timeout. */
static const double tick = 0.25, grace = 1, running_share = 1 / 6.0;

static void shut(dpl__connections *c, dpl__connection *connection)
{
    assert(!connection->is_shut && c->n_shut < c->n_open);
    connection->is_shut = true;
    c->n_shut++;
    shutdown(connection->fd, SHUT_RDWR); /* the HTTP library sees the end and closes it */
}

/* ---- the thread --------------------------------------------------------------------- */

static void shut_late(dpl__connections *c, double now)
{
    for (dpl__connection *p = c->first; p && now - p->since > c->timeout; p = p->next)
        if (!p->is_shut) {
            shut(c, p);
            c->metrics->n_timed_out++;
        }
}

/* Shuts those that have waited longest for their client, down to three quarters of the
 * connections; the list is in that order. */
static void make_room(dpl__connections *c, double now)
{
    const unsigned enough = c->most - c->most / 4;
    const double running =
        c->timeout * running_share > grace ? c->timeout * running_share : grace;
    for (dpl__connection *p = c->first;
         p && c->n_open - c->n_shut > enough && now - p->since > grace; p = p->next)
        if (!p->is_shut && (!p->is_running || now - p->since > running)) {
            shut(c, p);
            c->metrics->n_evicted++;
        }
}

/* Until the condition is signalled, or the time has passed. Under the lock. */
static void wait(dpl__connections *c, double seconds)
{
    struct timespec until;
    clock_gettime(CLOCK_MONOTONIC, &until);
    const double whole = floor(seconds);
    until.tv_sec += (time_t)whole;
    until.tv_nsec += (long)((seconds - whole) * 1e9);
    if (until.tv_nsec >= 1000000000) {
        until.tv_nsec -= 1000000000;
        until.tv_sec++;
    }
    pthread_cond_timedwait(&c->changed, &c->lock, &until);
}

static void *watch(void *user)
{
    dpl__connections *c = user;
    double last = dpl__now();
    pthread_mutex_lock(&c->lock);
    while (!c->is_ending) {
        wait(c, tick);
        const double now = dpl__now();
        if (now - last < tick)
            continue;
        last = now;
        shut_late(c, now);
        make_room(c, now);
    }
    pthread_mutex_unlock(&c->lock);
    return NULL;
}

/* ---- begin and end ------------------------------------------------------------------ */

static int make_locks(dpl__connections *c)
{
    pthread_condattr_t attributes;
    int e = pthread_mutex_init(&c->lock, NULL);
    if (e)
        return e;
    e = pthread_condattr_init(&attributes);
    if (!e) {
        e = pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
        e = e ? e : pthread_cond_init(&c->changed, &attributes);
        pthread_condattr_destroy(&attributes);
    }
    if (e)
        pthread_mutex_destroy(&c->lock);
    return e;
}

dpl_status dpl__connections_begin(dpl__connections *c, dpl_ctx *ctx, dpl__metrics *metrics,
                                  double timeout, unsigned most, dpl_error *err)
{
    *c = (dpl__connections){.ctx = ctx, .metrics = metrics, .timeout = timeout, .most = most};
    int e = make_locks(c);
    if (!e) {
        e = pthread_create(&c->thread, NULL, watch, c);
        c->has_thread = !e;
        if (e) {
            pthread_cond_destroy(&c->changed);
            pthread_mutex_destroy(&c->lock);
        }
    }
    return e ? dpl__fail_errno(err, e, "cannot start a thread") : DPL_OK;
}

void dpl__connections_end(dpl__connections *c)
{
    if (!c->has_thread)
        return;
    pthread_mutex_lock(&c->lock);
    c->is_ending = true;
    pthread_cond_broadcast(&c->changed);
    pthread_mutex_unlock(&c->lock);
    pthread_join(c->thread, NULL);
    assert(!c->first);
    pthread_cond_destroy(&c->changed);
    pthread_mutex_destroy(&c->lock);
    c->has_thread = false;
}

/* ---- connections -------------------------------------------------------------------- */

/* Behind the others: it is the one that did something last. */
static void append(dpl__connections *c, dpl__connection *p)
{
    assert(!c->last == !c->first);
    p->next = NULL;
    p->before = c->last;
    *(c->last ? &c->last->next : &c->first) = p;
    c->last = p;
}

static void take_out(dpl__connections *c, dpl__connection *p)
{
    assert(c->n_open > 0 && c->first && c->last);
    *(p->before ? &p->before->next : &c->first) = p->next;
    *(p->next ? &p->next->before : &c->last) = p->before;
}

dpl__connection *dpl__connections_add(dpl__connections *c, int fd)
{
    dpl__connection *new = dpl__calloc(c->ctx, 1, sizeof *new);
    if (!new)
        return NULL;
    *new = (dpl__connection){.fd = fd, .since = dpl__now()};
    pthread_mutex_lock(&c->lock);
    append(c, new);
    c->n_open++;
    make_room(c, new->since);
    c->metrics->n_open = c->n_open;
    pthread_mutex_unlock(&c->lock);
    c->metrics->n_accepted++;
    return new;
}

void dpl__connections_remove(dpl__connections *c, dpl__connection *p)
{
    dpl__connections_end_request(c, p);
    pthread_mutex_lock(&c->lock);
    take_out(c, p);
    c->n_open--;
    c->n_shut -= p->is_shut;
    assert(c->n_shut <= c->n_open);
    c->metrics->n_open = c->n_open;
    pthread_mutex_unlock(&c->lock);
    dpl__free(c->ctx, p);
}

/* Its wait or request begins now. */
static void restart(dpl__connections *c, dpl__connection *p, bool is_running, void *exchange)
{
    p->since = dpl__now();
    take_out(c, p);
    append(c, p);
    c->n_running += (unsigned)is_running - (unsigned)p->is_running;
    assert(c->n_running <= c->n_open);
    p->is_running = is_running;
    p->exchange = exchange;
    c->metrics->n_running = c->n_running;
}

void dpl__connections_start_request(dpl__connections *c, dpl__connection *p, void *exchange)
{
    pthread_mutex_lock(&c->lock);
    restart(c, p, true, exchange);
    pthread_mutex_unlock(&c->lock);
}

void dpl__connections_end_request(dpl__connections *c, dpl__connection *p)
{
    pthread_mutex_lock(&c->lock);
    restart(c, p, false, NULL);
    if (!c->n_running && c->is_waited_for)
        pthread_cond_broadcast(&c->changed);
    pthread_mutex_unlock(&c->lock);
}

bool dpl__connections_wait(dpl__connections *c, double seconds)
{
    const double end = dpl__now() + seconds;
    pthread_mutex_lock(&c->lock);
    c->is_waited_for = true;
    while (c->n_running && dpl__now() < end)
        wait(c, end - dpl__now() > 0 ? end - dpl__now() : 0);
    const bool is_idle = c->n_running == 0;
    pthread_mutex_unlock(&c->lock);
    return is_idle;
}
