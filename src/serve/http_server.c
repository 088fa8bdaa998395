/*
 * http_server.c - requests from libmicrohttpd to the handlers, and answers back.
 *
 * A pool of threads, each with its own epoll and connections: sockets never block, so that a
 * slow client costs memory but no thread. Connections are accepted here and dealt out in turn:
 * left to the pool, the thread that wakes first takes all that come at once, and the others
 * idle. A handler runs on the thread of its connection, to the end, where it takes microseconds
 * to a few milliseconds; what takes longer, or may have to wait, runs on a lane (lane.h), and
 * its connection is suspended meanwhile. What belongs to a request, an exchange, is reused by
 * later ones.
 *
 * The bodies of all requests under way have one budget, a share of the context's memory.
 */
#include "serve/server.h"

#ifndef DPL_HAVE_HTTP

dpl_status dpl__http_start(struct dpl__http **out, dpl_server *server, dpl_error *err)
{
    (void)out;
    (void)server;
    return dpl__fail_code(err, DPL_E_UNSUPPORTED, "no-http", "this build has no HTTP server");
}

void dpl__http_quiesce(struct dpl__http *http)
{
    (void)http;
}

void dpl__http_stop(struct dpl__http *http)
{
    (void)http;
}

#else

#include "base/ctx.h"
#include "serve/access_log.h"
#include "serve/lane.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <microhttpd.h>
#include <netinet/in.h>
#include <poll.h>
#include <stdatomic.h>
#include <stdio.h>
#include <strings.h>
#include <sys/socket.h>

typedef enum MHD_Result result;

enum {
    LONGEST_TARGET = 8 << 10, /* bytes of path and query */
    HEADER_MEMORY = 32 << 10, /* bytes of headers of a connection, both ways */
    KEPT_BODY = 64 << 10,     /* buffers of a spare exchange up to this size are kept */
    MOST_SPARE = 64,          /* exchanges */
    BODY_SHARE = 4,           /* of the memory for bodies: one part of so many */
    LOCK_WAIT = 1             /* seconds that a request waits for another program's lock */
};

/* Why a request is not answered. */
typedef enum refusal { TAKEN = 0, MALFORMED, LONG_TARGET, LARGE_BODY, NO_ROOM } refusal;

/* A request and its answer. */
typedef struct exchange {
    dpl__lane_job job;     /* first: it is found by it */
    struct exchange *next; /* spare ones */
    dpl__connection *connection;
    struct MHD_Connection *suspended; /* of a lane */
    dpl__request request;
    dpl__answer answer;
    dpl__bytes target, body;
    char method[16], version[16];
    double began;     /* its first line was there */
    double answered;  /* seconds that the handler took */
    uint64_t charged; /* bytes of the budget for bodies */
    refusal refusal;
    const char *problem; /* of a malformed one; static */
    bool has_headers, has_run, is_answered;
} exchange;

typedef struct dpl__http {
    dpl_server *server;
    dpl_ctx *ctx;
    struct MHD_Daemon *daemon;
    pthread_t acceptor;
    bool has_acceptor;
    uint64_t n_accepted;  /* by the acceptor */
    atomic_bool is_quiet; /* accepts no more */
    pthread_mutex_t lock; /* of the spare exchanges */
    exchange *spare;
    unsigned n_spare;
    uint64_t body_budget;          /* bytes */
    _Atomic uint64_t n_body_bytes; /* of the budget, in use */
    dpl__lane lanes[DPL__N_LANES]; /* the first is not used */
    pthread_mutex_t log_lock;
    dpl__bytes log_line;
} dpl__http;

/* ---- exchanges ---------------------------------------------------------------------- */

static void free_exchange(dpl__http *h, exchange *x)
{
    dpl__answer_clear(&x->answer);
    dpl__vec_clear(h->ctx, &x->target, &x->body);
    dpl__free(h->ctx, x);
}

static exchange *take_exchange(dpl__http *h)
{
    pthread_mutex_lock(&h->lock);
    exchange *x = h->spare;
    if (x) {
        h->spare = x->next;
        h->n_spare--;
    }
    pthread_mutex_unlock(&h->lock);
    if (x)
        return x;
    x = dpl__calloc(h->ctx, 1, sizeof *x);
    if (x)
        dpl__answer_init(&x->answer, h->ctx);
    return x;
}

static void give_exchange(dpl__http *h, exchange *x)
{
    dpl__answer_reset(&x->answer);
    if (x->body.cap > KEPT_BODY)
        dpl__vec_clear(h->ctx, &x->body);
    if (x->answer.text.bytes.cap > KEPT_BODY)
        dpl__vec_clear(h->ctx, &x->answer.text.bytes);
    h->n_body_bytes -= x->charged;
    x->charged = 0;
    x->target.n = x->body.n = 0;
    x->connection = NULL;
    x->suspended = NULL;
    x->refusal = TAKEN;
    x->has_headers = x->has_run = x->is_answered = false;
    x->method[0] = x->version[0] = 0;
    pthread_mutex_lock(&h->lock);
    const bool is_kept = h->n_spare < MOST_SPARE;
    if (is_kept) {
        x->next = h->spare;
        h->spare = x;
        h->n_spare++;
    }
    pthread_mutex_unlock(&h->lock);
    if (!is_kept)
        free_exchange(h, x);
}

/* ---- the end of a request ----------------------------------------------------------- */

static void log_exchange(dpl__http *h, const exchange *x, bool is_complete)
{
    const dpl_serve_options *o = &h->server->app->options;
    if (!o->log)
        return;
    const dpl__access access = {
        .client = x->connection ? x->connection->client : "",
        .method = dpl__cstr(x->method),
        .target = {x->target.data, x->target.n},
        .version = dpl__cstr(x->version),
        .status = x->answer.status ? x->answer.status : 408,
        .n_bytes = dpl__answer_body(&x->answer).n,
        .seconds = dpl__now() - x->began,
        .is_complete = is_complete,
    };
    pthread_mutex_lock(&h->log_lock);
    if (dpl__access_line(h->ctx, &h->log_line, o->log_format, &access, time(NULL)))
        o->log(o->log_user, h->log_line.data, h->log_line.n);
    pthread_mutex_unlock(&h->log_lock);
}

static void end_exchange(dpl__http *h, exchange *x, bool is_complete)
{
    dpl__metrics *m = &h->server->app->metrics;
    if (x->is_answered)
        dpl__metrics_count(m, x->answer.route, x->answer.status, x->answered,
                           dpl__answer_body(&x->answer).n);
    log_exchange(h, x, is_complete);
    if (x->connection)
        dpl__connections_end_request(&h->server->connections, x->connection);
    give_exchange(h, x);
}

static void completed(void *user, struct MHD_Connection *connection, void **req_cls,
                      enum MHD_RequestTerminationCode code)
{
    exchange *x = *req_cls;
    (void)connection;
    *req_cls = NULL;
    if (x)
        end_exchange(user, x, code == MHD_REQUEST_TERMINATED_COMPLETED_OK);
}

/* ---- connections -------------------------------------------------------------------- */

static void name_client(char out[48], struct MHD_Connection *connection)
{
    const union MHD_ConnectionInfo *info =
        MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CLIENT_ADDRESS);
    const struct sockaddr *at = info ? info->client_addr : NULL;
    if (at && at->sa_family == AF_INET)
        inet_ntop(AF_INET, &((const struct sockaddr_in *)at)->sin_addr, out, 48);
    else if (at && at->sa_family == AF_INET6)
        inet_ntop(AF_INET6, &((const struct sockaddr_in6 *)at)->sin6_addr, out, 48);
}

static void notify_connection(void *user, struct MHD_Connection *connection, void **context,
                              enum MHD_ConnectionNotificationCode code)
{
    dpl__http *h = user;
    if (code == MHD_CONNECTION_NOTIFY_STARTED) {
        const union MHD_ConnectionInfo *fd =
            MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD);
        dpl__connection *c =
            fd ? dpl__connections_add(&h->server->connections, (int)fd->connect_fd) : NULL;
        if (c)
            name_client(c->client, connection);
        *context = c;
    } else if (*context) {
        dpl__connection *c = *context;
        if (c->exchange)
            end_exchange(h, c->exchange, false);
        dpl__connections_remove(&h->server->connections, c);
        *context = NULL;
    }
}

/* The first line of a request is there: the exchange begins. */
static void *begin_exchange(void *user, const char *uri, struct MHD_Connection *connection)
{
    dpl__http *h = user;
    const union MHD_ConnectionInfo *info =
        MHD_get_connection_info(connection, MHD_CONNECTION_INFO_SOCKET_CONTEXT);
    dpl__connection *c = info ? info->socket_context : NULL;
    exchange *x = c ? take_exchange(h) : NULL;
    if (!x)
        return NULL;
    x->connection = c;
    x->began = dpl__now();
    x->answered = 0;
    const size_t n = uri ? strlen(uri) : 0;
    if (!dpl__vec_append(h->ctx, &x->target, uri, dpl__min(n, LONGEST_TARGET))) {
        give_exchange(h, x);
        return NULL;
    }
    x->refusal = n > LONGEST_TARGET ? LONG_TARGET : TAKEN;
    dpl__connections_start_request(&h->server->connections, c, x);
    return x;
}

/* ---- answers ------------------------------------------------------------------------ */

static void add_headers(const dpl__http *h, struct MHD_Response *r, const exchange *x)
{
    const dpl__answer *a = &x->answer;
    MHD_add_response_header(r, "Content-Type", a->type);
    MHD_add_response_header(r, "Content-Security-Policy", a->policy);
    MHD_add_response_header(r, "X-Content-Type-Options", "nosniff");
    MHD_add_response_header(r, "X-Frame-Options", "DENY");
    MHD_add_response_header(r, "Referrer-Policy", "no-referrer");
    MHD_add_response_header(r, "Cross-Origin-Resource-Policy", "same-origin");
    MHD_add_response_header(r, "Cross-Origin-Opener-Policy", "same-origin");
    MHD_add_response_header(r, "Cache-Control", a->is_cacheable ? "no-cache" : "no-store");
    if (a->allow)
        MHD_add_response_header(r, "Allow", a->allow);
    if (a->status == 401) /* browsers ask for a password */
        MHD_add_response_header(r, "WWW-Authenticate",
                                "Basic realm=\"doppel\", charset=\"UTF-8\"");
    if (a->status == 503)
        MHD_add_response_header(r, "Retry-After", "1");
    if (h->server->is_stopping || x->refusal == MALFORMED)
        MHD_add_response_header(r, "Connection", "close");
}

static result queue_answer(dpl__http *h, struct MHD_Connection *connection, exchange *x)
{
    const dpl_str body = dpl__answer_body(&x->answer);
    struct MHD_Response *r = MHD_create_response_from_buffer(
        body.n, (void *)(uintptr_t)body.data, MHD_RESPMEM_PERSISTENT);
    if (!r)
        return MHD_NO;
    add_headers(h, r, x);
    x->is_answered = true;
    const result queued = MHD_queue_response(connection, x->answer.status, r);
    MHD_destroy_response(r);
    return queued;
}

static dpl_str header(struct MHD_Connection *connection, const char *name)
{
    return dpl__cstr(MHD_lookup_connection_value(connection, MHD_HEADER_KIND, name));
}

/* "http://host/path" is the same as "/path". */
static dpl_str without_host(dpl_str target)
{
    const char *colon =
        target.n && target.data[0] != '/' ? memchr(target.data, ':', target.n) : NULL;
    size_t i = colon ? (size_t)(colon - target.data) + 1 : 0;
    if (!colon || target.n - i < 2 || target.data[i] != '/' || target.data[i + 1] != '/')
        return target;
    for (i += 2; i < target.n && target.data[i] != '/'; i++)
        ;
    return i < target.n ? (dpl_str){target.data + i, target.n - i} : DPL_STR("/");
}

/* Its texts belong to the connection and the exchange. */
static dpl__request request_of(const exchange *x, struct MHD_Connection *connection)
{
    return (dpl__request){
        .method = dpl__cstr(x->method),
        .target = without_host((dpl_str){x->target.data, x->target.n}),
        .host = header(connection, "Host"),
        .origin = header(connection, "Origin"),
        .fetch_site = header(connection, "Sec-Fetch-Site"),
        .content_type = header(connection, "Content-Type"),
        .authorization = header(connection, "Authorization"),
        .body = {x->body.data, x->body.n},
        .until = dpl__now() + LOCK_WAIT,
    };
}

static void run_handler(dpl__http *h, exchange *x)
{
    const double began = dpl__now();
    dpl__app_answer(&x->answer, h->server->app, &x->request);
    x->answered = dpl__now() - began;
    x->has_run = true;
}

/* On a thread of a lane. Nobody waits for the answer of a connection that was shut down. */
static void run_in_lane(void *user, dpl__lane_job *job, bool is_ending)
{
    exchange *x = (exchange *)job;
    if (is_ending || x->connection->is_shut) {
        dpl__answer_error(&x->answer, 503, "busy", "the server is ending");
        x->has_run = true;
    } else {
        run_handler(user, x);
    }
    MHD_resume_connection(x->suspended);
}

/* Runs the handler, or has it run while the connection is suspended; then we come here again.
 */
static result answer(dpl__http *h, struct MHD_Connection *connection, exchange *x)
{
    if (!x->has_run) {
        h->server->app->metrics.n_body_bytes += x->body.n;
        x->request = request_of(x, connection);
        const dpl__lane_of lane = dpl__app_lane(&x->request);
        if (lane != DPL__AT_ONCE) {
            x->suspended = connection;
            MHD_suspend_connection(connection);
            if (!dpl__lane_put(&h->lanes[lane], &x->job))
                run_in_lane(h, &x->job, true);
            return MHD_YES;
        }
        run_handler(h, x);
    }
    return queue_answer(h, connection, x);
}

static result refuse(dpl__http *h, struct MHD_Connection *connection, exchange *x)
{
    switch (x->refusal) {
    case LONG_TARGET:
        dpl__answer_error(&x->answer, 414, "too-large", "path and query are too long");
        break;
    case LARGE_BODY:
        dpl__answer_error(&x->answer, 413, "too-large", "the body is larger than %llu bytes",
                          (unsigned long long)h->server->app->options.max_record);
        break;
    case NO_ROOM:
        dpl__answer_error(&x->answer, 503, "busy",
                          "there is no memory for another body: other requests have it");
        break;
    default: dpl__answer_error(&x->answer, 400, "bad-request", "%s", x->problem);
    }
    return queue_answer(h, connection, x);
}

/* ---- headers and bodies ------------------------------------------------------------- */

typedef struct header_counts {
    unsigned n_hosts, n_lengths, n_encodings;
    unsigned n_odd; /* names that are none, encodings that we do not know */
} header_counts;

static result count_header(void *user, enum MHD_ValueKind kind, const char *name,
                           const char *value)
{
    header_counts *n = user;
    (void)kind;
    n->n_odd += !*name || strpbrk(name, " \t\r\n") != NULL;
    n->n_hosts += strcasecmp(name, "Host") == 0;
    n->n_lengths += strcasecmp(name, "Content-Length") == 0;
    if (strcasecmp(name, "Transfer-Encoding") == 0) {
        n->n_encodings++;
        n->n_odd += !value || strcasecmp(value, "chunked") != 0;
    }
    return MHD_YES;
}

/* What two programs on the way may understand in two ways (RFC 9112, 3.2 and 6.3), as static
 * text; NULL: nothing. */
static const char *ambiguity(struct MHD_Connection *connection, const char *version)
{
    header_counts n = {0};
    MHD_get_connection_values(connection, MHD_HEADER_KIND, count_header, &n);
    return n.n_odd           ? "the request has a header that is not understood"
           : n.n_hosts > 1   ? "the request has more than one Host"
           : n.n_lengths > 1 ? "the request has more than one Content-Length"
           : n.n_encodings > 1 || (n.n_encodings && n.n_lengths)
               ? "the request gives the length of its body in two ways"
           : !n.n_hosts && strcmp(version, "HTTP/1.1") == 0 ? "the request has no Host"
                                                            : NULL;
}

/* The headers are there. A body that is too large is refused before it is sent. */
static result take_headers(dpl__http *h, struct MHD_Connection *connection, exchange *x,
                           const char *method, const char *version)
{
    uint64_t n_body = 0;
    x->has_headers = true;
    snprintf(x->method, sizeof x->method, "%s", method);
    snprintf(x->version, sizeof x->version, "%s", version);
    const dpl_str length = header(connection, "Content-Length");
    x->problem = ambiguity(connection, version);
    if (x->problem)
        x->refusal = MALFORMED;
    else if (length.n &&
             (!dpl__digits(&n_body, length) || n_body > h->server->app->options.max_record))
        x->refusal = LARGE_BODY;
    else if (n_body > h->body_budget - dpl__min(h->n_body_bytes, h->body_budget))
        x->refusal = NO_ROOM;
    return x->refusal ? refuse(h, connection, x) : MHD_YES;
}

/* Room for n more bytes of a body, within the budget of all bodies. */
static bool reserve_body(dpl__http *h, exchange *x, size_t n)
{
    const size_t needed = x->body.n + n, most = (size_t)h->server->app->options.max_record;
    if (needed <= x->body.cap)
        return true;
    const size_t cap = dpl__min(dpl__max(2 * x->body.cap, needed), dpl__max(most, needed));
    const uint64_t more = cap - x->charged;
    if (atomic_fetch_add(&h->n_body_bytes, more) + more > h->body_budget) {
        h->n_body_bytes -= more;
        return false;
    }
    x->charged += more;
    return dpl__vec_reserve(h->ctx, &x->body, cap - x->body.n);
}

/* A body that is refused when part of it is there is read to its end, within limits, so that
 * the client sees the answer. */
static result take_body(dpl__http *h, exchange *x, const char *data, size_t n)
{
    const uint64_t most = h->server->app->options.max_record;
    if (!x->refusal && n <= most - x->body.n && reserve_body(h, x, n))
        return dpl__vec_append(h->ctx, &x->body, data, n) ? MHD_YES : MHD_NO;
    if (!x->refusal) {
        const size_t taken = x->body.n;
        x->refusal = n > most - taken ? LARGE_BODY : NO_ROOM;
        dpl__vec_clear(h->ctx, &x->body);
        h->n_body_bytes -= x->charged;
        x->charged = 0;
        x->body.n = taken; /* counts, holds nothing */
    }
    x->body.n += n;
    return x->body.n > 8 * most ? MHD_NO : MHD_YES;
}

static result handle(void *user, struct MHD_Connection *connection, const char *url,
                     const char *method, const char *version, const char *data, size_t *n_data,
                     void **req_cls)
{
    dpl__http *h = user;
    exchange *x = *req_cls;
    (void)url;
    if (!x)
        return MHD_NO;
    if (!x->has_headers)
        return take_headers(h, connection, x, method, version);
    if (*n_data) {
        const size_t n = *n_data;
        *n_data = 0;
        return take_body(h, x, data, n);
    }
    if (x->refusal) {
        x->body.n = 0;
        return refuse(h, connection, x);
    }
    return answer(h, connection, x);
}

/* ---- start and stop ----------------------------------------------------------------- */

/* What the HTTP library has to say about clients is no news. */
static void be_quiet(void *user, const char *fmt, va_list args)
{
    (void)user;
    (void)fmt;
    (void)args;
}

enum { SPARE_CONNECTIONS = 4096, LONG_WAIT = 1 /* seconds */ };

static struct MHD_Daemon *start_daemon(dpl__http *h)
{
    const dpl_serve_options *o = &h->server->app->options;
    const unsigned n_threads = o->server_threads < o->connections ? o->server_threads : 1;
    unsigned flags = MHD_USE_INTERNAL_POLLING_THREAD | MHD_USE_ITC | MHD_USE_ERROR_LOG |
                     MHD_USE_NO_LISTEN_SOCKET | MHD_ALLOW_SUSPEND_RESUME;
    flags |=
        MHD_is_feature_supported(MHD_FEATURE_EPOLL) == MHD_YES ? MHD_USE_EPOLL : MHD_USE_AUTO;
    /* The acceptor keeps the limit. The library must not reach its own: each thread counts
     * connections until it has cleaned up behind them, and version 0.9.75 waits for itself
     * where it refuses one. */
    const unsigned most = n_threads * (o->connections + SPARE_CONNECTIONS);
    return MHD_start_daemon(
        flags, 0, NULL, NULL, handle, h, MHD_OPTION_EXTERNAL_LOGGER, be_quiet, NULL,
        MHD_OPTION_CONNECTION_LIMIT, most, MHD_OPTION_CONNECTION_TIMEOUT, o->timeout,
        MHD_OPTION_CONNECTION_MEMORY_LIMIT, (size_t)HEADER_MEMORY, MHD_OPTION_URI_LOG_CALLBACK,
        begin_exchange, h, MHD_OPTION_NOTIFY_COMPLETED, completed, h,
        MHD_OPTION_NOTIFY_CONNECTION, notify_connection, h,
        n_threads > 1 ? MHD_OPTION_THREAD_POOL_SIZE : MHD_OPTION_END, n_threads,
        MHD_OPTION_END);
}

/* The pool gives a connection to a thread by the number of its descriptor. False: there are no
 * descriptors, or no memory, for it; whoever waits at the door stays there. */
static bool accept_one(dpl__http *h, int listener)
{
    struct sockaddr_storage at = {0};
    socklen_t n = sizeof at;
    const int fd = accept(listener, (struct sockaddr *)&at, &n);
    if (fd < 0)
        return errno != EMFILE && errno != ENFILE && errno != ENOBUFS && errno != ENOMEM;
    (void)fcntl(fd, F_SETFD, FD_CLOEXEC);
    (void)fcntl(fd, F_SETFL, O_NONBLOCK);
    h->n_accepted += /* it closes what it refuses */
        MHD_add_connection(h->daemon, fd, (struct sockaddr *)&at, n) == MHD_YES;
    return true;
}

/* Open connections and those that no thread has begun yet. One that is not begun for long was
 * closed before. */
static uint64_t n_connections(dpl__http *h, double *since)
{
    const dpl__metrics *m = &h->server->app->metrics;
    const uint64_t n_begun = m->n_accepted;
    if (h->n_accepted <= n_begun)
        *since = dpl__now();
    else if (dpl__now() - *since > LONG_WAIT)
        h->n_accepted = n_begun;
    return m->n_open + (h->n_accepted > n_begun ? h->n_accepted - n_begun : 0);
}

/* Until it is told to be quiet, which it looks for a few times a second. At the limit clients
 * wait in the queue of the socket. */
static void *accept_all(void *user)
{
    dpl__http *h = user;
    const unsigned most = h->server->app->options.connections;
    struct pollfd p = {.fd = h->server->listener, .events = POLLIN};
    double since = dpl__now();
    while (!h->is_quiet) {
        if (n_connections(h, &since) >= most) {
            poll(NULL, 0, 5);
            continue;
        }
        if (poll(&p, 1, 100) == 1 && !accept_one(h, p.fd))
            poll(NULL, 0, 50);
    }
    return NULL;
}

static void free_http(dpl__http *h)
{
    while (h->spare) {
        exchange *x = h->spare;
        h->spare = x->next;
        free_exchange(h, x);
    }
    dpl__vec_clear(h->ctx, &h->log_line);
    pthread_mutex_destroy(&h->lock);
    pthread_mutex_destroy(&h->log_lock);
    dpl__free(h->ctx, h);
}

/* Long requests have half as many threads as the others, as far as there is memory for the
 * longest ones on all of them; at least one. */
static dpl_status begin_lanes(dpl__http *h, dpl_error *err)
{
    const dpl_serve_options *o = &h->server->app->options;
    const uint64_t room = dpl_ctx_memory(h->ctx) / DPL__BODY_COST / o->max_record;
    const unsigned n = (unsigned)dpl__min(room, o->server_threads / 2);
    DPL_TRY(dpl__lane_begin(&h->lanes[DPL__LONG_LANE], h->ctx, n ? n : 1, run_in_lane, h, err));
    return dpl__lane_begin(&h->lanes[DPL__WRITE_LANE], h->ctx, 1, run_in_lane, h, err);
}

static dpl_status start_all(dpl__http *h, dpl_error *err)
{
    DPL_TRY(begin_lanes(h, err));
    h->daemon = start_daemon(h);
    h->has_acceptor = h->daemon && pthread_create(&h->acceptor, NULL, accept_all, h) == 0;
    return h->has_acceptor ? DPL_OK : dpl__fail(err, DPL_E_IO, "cannot start the HTTP server");
}

dpl_status dpl__http_start(struct dpl__http **out, dpl_server *server, dpl_error *err)
{
    dpl__http *h = dpl__calloc(server->ctx, 1, sizeof *h);
    DPL_TRY(dpl__need(h, err));
    h->server = server;
    h->ctx = server->ctx;
    h->body_budget =
        dpl__max(dpl_ctx_memory(h->ctx) / BODY_SHARE, server->app->options.max_record);
    pthread_mutex_init(&h->lock, NULL);
    pthread_mutex_init(&h->log_lock, NULL);
    dpl_status status;
    DPL__STEP(start_all(h, err));
    *out = h;
    h = NULL;
done:
    dpl__http_stop(h);
    return status;
}

void dpl__http_quiesce(struct dpl__http *h)
{
    h->is_quiet = true;
    if (h->has_acceptor)
        pthread_join(h->acceptor, NULL);
    h->has_acceptor = false;
}

/* The lanes first: the daemon cannot be stopped while connections are suspended. */
void dpl__http_stop(struct dpl__http *h)
{
    if (!h)
        return;
    for (unsigned i = 0; i < DPL__N_LANES; i++)
        dpl__lane_stop(&h->lanes[i]);
    if (h->daemon)
        MHD_stop_daemon(h->daemon);
    for (unsigned i = 0; i < DPL__N_LANES; i++)
        dpl__lane_end(&h->lanes[i]);
    free_http(h);
}

#endif
