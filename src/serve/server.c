/*
 * server.c - a server: opened, stopped, closed.
 */
#include "serve/server.h"

#include "base/sized.h"

#include <fcntl.h>
#include <netdb.h>
#include <netinet/in.h>
#include <poll.h>
#include <stdio.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

static void name_url(dpl_server *s)
{
    const char *address = s->app->options.bind;
    const bool is_v6 = strchr(address, ':') != NULL;
    snprintf(s->url, sizeof s->url, "http://%s%s%s:%u/", is_v6 ? "[" : "", address,
             is_v6 ? "]" : "", s->port);
}

/* Descriptors beside those of connections: of each thread, and for files that are opened. */
enum { OWN_DESCRIPTORS = 16, THREAD_DESCRIPTORS = 4 };

/* At most as many connections as there are descriptors: then silent ones make room before none
 * is left. */
static unsigned most_connections(const dpl_server *s, const dpl_serve_options *o)
{
    struct rlimit limit;
    const int first_free = fcntl(s->listener, F_DUPFD_CLOEXEC, 0);
    if (first_free >= 0)
        close(first_free);
    if (first_free < 0 || getrlimit(RLIMIT_NOFILE, &limit) != 0 ||
        limit.rlim_cur == RLIM_INFINITY)
        return o->connections;
    const uint64_t own = (uint64_t)first_free + OWN_DESCRIPTORS +
                         (uint64_t)THREAD_DESCRIPTORS * o->server_threads;
    const uint64_t left = limit.rlim_cur > own + 4 ? limit.rlim_cur - own : 4;
    return left < o->connections ? (unsigned)left : o->connections;
}

/* Milliseconds between two looks at the files that are served; stopping waits for as long. */
enum { LOOK = 200 };

static void tell(const dpl_server *s, dpl__look news)
{
    char line[700 + sizeof s->app->place.path];
    const dpl_serve_options *o = &s->app->options;
    const dpl__place *p = &s->app->place;
    const int n =
        news == DPL__OPENED_AGAIN
            ? snprintf(line, sizeof line, "'%s' has changed and was opened again", p->path)
            : snprintf(line, sizeof line, "'%s' has changed and cannot be opened again: %s",
                       p->path, p->problem);
    if (o->note)
        o->note(o->note_user, line, (size_t)n);
}

static void *watch_files(void *user)
{
    dpl_server *s = user;
    while (!s->is_stopping) {
        const dpl__look news = dpl__place_look(&s->app->place);
        if (news != DPL__NOTHING_NEW)
            tell(s, news);
        poll(NULL, 0, LOOK);
    }
    return NULL;
}

static dpl_status start_watcher(dpl_server *s, dpl_error *err)
{
    const int e = pthread_create(&s->watcher, NULL, watch_files, s);
    s->has_watcher = !e;
    return e ? dpl__fail_errno(err, e, "cannot start a thread") : DPL_OK;
}

static dpl_status start(dpl_server *s, const char *path, const dpl_serve_options *options,
                        dpl_error *err)
{
    DPL_TRY(dpl__app_open(&s->app, s->ctx, path, options, err));
    dpl_serve_options *o = &s->app->options;
    s->port = o->port;
    DPL_TRY(dpl__listen(&s->listener, &s->port, o->bind, o->connections, err));
    name_url(s);
    o->connections = most_connections(s, o);
    DPL_TRY(dpl__connections_begin(&s->connections, s->ctx, &s->app->metrics,
                                   (double)o->timeout, o->connections, err));
    DPL_TRY(start_watcher(s, err));
    return dpl__http_start(&s->http, s, err);
}

dpl_status dpl_server_open(dpl_server **out, dpl_ctx *ctx, const char *path,
                           const dpl_serve_options *options, dpl_error *err)
{
    *out = NULL;
    dpl_server *s = dpl__calloc(ctx, 1, sizeof *s);
    DPL_TRY(dpl__need(s, err));
    s->ctx = ctx;
    s->listener = -1;
    const int e = pthread_mutex_init(&s->lock, NULL);
    s->has_lock = !e;
    dpl_status status;
    DPL__STEP(e ? dpl__fail_errno(err, e, "cannot make a lock") : start(s, path, options, err));
    *out = s;
    s = NULL;
done:
    dpl_server_close(s);
    return status;
}

const char *dpl_server_url(const dpl_server *server)
{
    return server->url;
}

unsigned dpl__server_port(const dpl_server *server)
{
    return server->port;
}

void dpl_server_get_counts(const dpl_server *server, dpl_server_counts *out)
{
    const dpl__metrics *m = &server->app->metrics;
    dpl_server_counts counts = DPL_INIT(dpl_server_counts);
    for (unsigned r = 0; r < DPL__MOST_ROUTES; r++)
        for (unsigned c = 0; c < 6; c++) {
            counts.n_requests += m->routes[r].by_class[c];
            counts.n_errors += c == 5 ? m->routes[r].by_class[c] : 0;
        }
    counts.n_connections = m->n_accepted;
    counts.n_closed = m->n_timed_out + m->n_evicted;
    counts.n_judgements = m->n_judgements;
    counts.n_running = m->n_running;
    counts.n_open = m->n_open;
    DPL__GIVE(out, &counts);
}

bool dpl_server_stop(dpl_server *s, double seconds)
{
    bool is_idle = true;
    pthread_mutex_lock(&s->lock);
    s->is_stopping = true;
    if (s->has_watcher)
        pthread_join(s->watcher, NULL);
    s->has_watcher = false;
    if (s->http) {
        dpl__http_quiesce(s->http);
        close(s->listener); /* who waits in its queue is refused */
        s->listener = -1;
        is_idle = dpl__connections_wait(&s->connections, seconds);
        dpl__http_stop(s->http);
        s->http = NULL;
    }
    if (s->listener >= 0)
        close(s->listener);
    s->listener = -1;
    pthread_mutex_unlock(&s->lock);
    return is_idle;
}

void dpl_server_close(dpl_server *s)
{
    if (!s)
        return;
    if (s->has_lock) {
        dpl_server_stop(s, 5);
        pthread_mutex_destroy(&s->lock);
    }
    dpl__connections_end(&s->connections);
    dpl__app_close(s->app);
    dpl__free(s->ctx, s);
}

/* ---- the socket ------------------------------------------------------------------------- */

static dpl_status fail(dpl_error *err, int e, const char *address, unsigned port)
{
    const dpl_status status =
        dpl__fail_errno(err, e, "cannot listen on '%s' port %u", address, port);
    return e == EADDRINUSE ? dpl__code(err, status, "port-in-use")
           : e == EACCES   ? dpl__code(err, status, "port-not-allowed")
                           : status;
}

static unsigned port_of(int fd)
{
    struct sockaddr_storage at = {0};
    socklen_t n = sizeof at;
    if (getsockname(fd, (struct sockaddr *)&at, &n) != 0)
        return 0;
    return ntohs(at.ss_family == AF_INET6 ? ((struct sockaddr_in6 *)&at)->sin6_port
                                          : ((struct sockaddr_in *)&at)->sin_port);
}

static int open_socket(int *fd, const struct addrinfo *at, unsigned most)
{
    const int yes = 1;
    *fd = socket(at->ai_family, at->ai_socktype, at->ai_protocol);
    if (*fd < 0)
        return errno;
    if (fcntl(*fd, F_SETFD, FD_CLOEXEC) != 0 || fcntl(*fd, F_SETFL, O_NONBLOCK) != 0 ||
        setsockopt(*fd, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes) != 0 ||
        bind(*fd, at->ai_addr, at->ai_addrlen) != 0 || listen(*fd, (int)most) != 0) {
        const int e = errno;
        close(*fd);
        *fd = -1;
        return e;
    }
    return 0;
}

dpl_status dpl__listen(int *fd, unsigned *port, const char *address, unsigned most,
                       dpl_error *err)
{
    char service[16];
    struct addrinfo hints = {.ai_family = AF_UNSPEC,
                             .ai_socktype = SOCK_STREAM,
                             .ai_flags = AI_NUMERICHOST | AI_NUMERICSERV | AI_PASSIVE};
    struct addrinfo *found = NULL;
    snprintf(service, sizeof service, "%u", *port);
    if (*port > 65535 || getaddrinfo(address, service, &hints, &found) != 0)
        return dpl__fail_code(err, DPL_E_USAGE, "bad-address",
                              "'%s' port %u is no address to listen on", address, *port);
    const int e = open_socket(fd, found, most);
    freeaddrinfo(found);
    if (e)
        return fail(err, e, address, *port);
    *port = port_of(*fd);
    return DPL_OK;
}
