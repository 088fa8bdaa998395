/*
 * connections.h - the open connections of a server, and the thread that closes slow ones.
 * Locked.
 *
 * The HTTP library notices silence, but not a client that sends or takes a byte now and then.
 * Here every connection has a time by which something must be complete: the first line of a
 * request, or the whole exchange from that line to the last byte of the answer. Who is late is
 * shut down. When connections become scarce, those that have waited longest for their client
 * make room, so that silent clients, however many, do not keep others out.
 */
#ifndef DPL_SERVE_CONNECTIONS_H
#define DPL_SERVE_CONNECTIONS_H

#include "serve/metrics.h"

#include <pthread.h>

typedef struct dpl__connection {
    struct dpl__connection *next, *before;
    int fd;
    bool is_running;     /* a request is under way */
    atomic_bool is_shut; /* it was shut down */
    double since;        /* when the wait or the request began, monotonic seconds */
    char client[48];     /* address */
    void *exchange;      /* of the request under way; NULL: none */
} dpl__connection;

typedef struct dpl__connections {
    dpl_ctx *ctx;
    dpl__metrics *metrics;
    double timeout; /* seconds */
    unsigned most;
    pthread_mutex_t lock;
    pthread_cond_t changed;        /* a request ended, or `is_ending` */
    dpl__connection *first, *last; /* by `since`, rising */
    unsigned n_open, n_running, n_shut;
    bool is_ending, is_waited_for;
    bool has_thread;
    pthread_t thread;
} dpl__connections;

dpl_status dpl__connections_begin(dpl__connections *c, dpl_ctx *ctx, dpl__metrics *metrics,
                                  double timeout, unsigned most, dpl_error *err);
/* All connections have been removed. */
void dpl__connections_end(dpl__connections *c);

/* A new connection; NULL: there is no memory. */
dpl__connection *dpl__connections_add(dpl__connections *c, int fd);
/* Before its descriptor is closed. */
void dpl__connections_remove(dpl__connections *c, dpl__connection *connection);

/* The first line of a request is there; or the request has ended. */
void dpl__connections_start_request(dpl__connections *c, dpl__connection *connection,
                                    void *exchange);
void dpl__connections_end_request(dpl__connections *c, dpl__connection *connection);

/* Waits until no request is under way, at most `seconds`. */
bool dpl__connections_wait(dpl__connections *c, double seconds);

#endif
