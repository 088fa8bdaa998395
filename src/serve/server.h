/*
 * server.h - what a server consists of. http.c is the only file that knows the HTTP library.
 */
#ifndef DPL_SERVE_SERVER_H
#define DPL_SERVE_SERVER_H

#include "serve/app.h"

#include "serve/metrics.h"

#include <pthread.h>
#include <stdatomic.h>

/* ---- connections ------------------------------------------------------------------------ */

/* The open ones, and the thread that closes slow ones. Locked.
 *
 * The HTTP library notices silence, but not a client that sends or takes a byte now and then.
 * Here every connection has a time by which something must be complete: the first line of a
 * request, or the whole exchange from that line to the last byte of the answer. Who is late is
 * shut down. When connections become scarce, those that have waited longest for their client
 * make room, so that silent clients, however many, do not keep others out. */

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

struct dpl__http;

struct dpl_server {
    dpl_ctx *ctx;
    dpl__app *app;
    dpl__connections connections;
    struct dpl__http *http; /* NULL: stopped */
    int listener;           /* descriptor; -1: none */
    unsigned port;
    char url[120];
    pthread_mutex_t lock; /* of stopping */
    bool has_lock;
    atomic_bool is_stopping; /* connections end with their answers */
    pthread_t watcher;       /* of the files that are served */
    bool has_watcher;
};

/* Answers the connections that the listener accepts, from now on. */
dpl_status dpl__http_start(struct dpl__http **out, dpl_server *server, dpl_error *err);
/* Accepts no more connections. */
void dpl__http_quiesce(struct dpl__http *http);
/* Closes all connections; no callback comes afterwards. */
void dpl__http_stop(struct dpl__http *http);

/* A socket that listens; port 0: one that is free, *port says which. */
dpl_status dpl__listen(int *fd, unsigned *port, const char *address, unsigned most,
                       dpl_error *err);

unsigned dpl__server_port(const dpl_server *server);

#endif
