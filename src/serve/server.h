/*
 * server.h - what a server consists of. http.c is the only file that knows the HTTP library.
 */
#ifndef DPL_SERVE_SERVER_H
#define DPL_SERVE_SERVER_H

#include "serve/app.h"
#include "serve/connections.h"

#include <stdatomic.h>

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
