/*
 * connections.c - open connections, and the thread that closes slow ones.
 */
#include "serve/connections.h"

#include "base/ctx.h"

#include <math.h>
#include <sys/socket.h>
#include <time.h>

/* Seconds between two looks, and the silence after which a connection may have to make room. */
static const double tick = 0.25, grace = 1;

static void shut(dpl__connection *connection)
{
    connection->is_shut = true;
    shutdown(connection->fd, SHUT_RDWR); /* the HTTP library sees the end and closes it */
}

/* ---- the thread ----------------------------------------------------------------------------
 */

static void shut_late(dpl__connections *c, double now)
{
    for (dpl__connection *p = c->first; p; p = p->next)
        if (!p->is_shut && now - p->since > c->timeout) {
            shut(p);
            c->metrics->n_timed_out++;
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
    }
    pthread_mutex_unlock(&c->lock);
    return NULL;
}

/* ---- begin and end
 * --------------------------------------------------------------------------- */

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

/* ---- connections
 * ------------------------------------------------------------------------------ */

/* Shuts the one that has waited longest for its client, if that is long enough. */
static void make_room(dpl__connections *c, double now)
{
    dpl__connection *oldest = NULL;
    for (dpl__connection *p = c->first; p; p = p->next)
        if (!p->is_shut && (!oldest || p->since < oldest->since))
            oldest = p;
    if (oldest && now - oldest->since > grace) {
        shut(oldest);
        c->metrics->n_evicted++;
    }
}

dpl__connection *dpl__connections_add(dpl__connections *c, int fd)
{
    dpl__connection *new = dpl__calloc(c->ctx, 1, sizeof *new);
    if (!new)
        return NULL;
    *new = (dpl__connection){.fd = fd, .since = dpl__now()};
    pthread_mutex_lock(&c->lock);
    new->next = c->first;
    if (c->first)
        c->first->before = new;
    c->first = new;
    c->n_open++;
    if (c->n_open > c->most - c->most / 4)
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
    *(p->before ? &p->before->next : &c->first) = p->next;
    if (p->next)
        p->next->before = p->before;
    c->n_open--;
    c->metrics->n_open = c->n_open;
    pthread_mutex_unlock(&c->lock);
    dpl__free(c->ctx, p, sizeof *p);
}

void dpl__connections_start_request(dpl__connections *c, dpl__connection *p, void *exchange)
{
    pthread_mutex_lock(&c->lock);
    p->since = dpl__now();
    c->n_running += !p->is_running;
    p->is_running = true;
    p->exchange = exchange;
    c->metrics->n_running = c->n_running;
    pthread_mutex_unlock(&c->lock);
}

void dpl__connections_end_request(dpl__connections *c, dpl__connection *p)
{
    pthread_mutex_lock(&c->lock);
    p->since = dpl__now();
    c->n_running -= p->is_running;
    p->is_running = false;
    p->exchange = NULL;
    c->metrics->n_running = c->n_running;
    if (!c->n_running)
        pthread_cond_broadcast(&c->changed);
    pthread_mutex_unlock(&c->lock);
}

bool dpl__connections_wait(dpl__connections *c, double seconds)
{
    const double end = dpl__now() + seconds;
    pthread_mutex_lock(&c->lock);
    while (c->n_running && dpl__now() < end)
        wait(c, end - dpl__now() > 0 ? end - dpl__now() : 0);
    const bool is_idle = c->n_running == 0;
    pthread_mutex_unlock(&c->lock);
    return is_idle;
}
