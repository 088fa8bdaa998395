/*
 * doppel/serve.h - an HTTP server for a pocket index or for the folder of a mine run: a page
 * for people and JSON for programs (docs/guides/serve.md, docs/reference/openapi.yaml).
 *
 *     dpl_server *server = NULL;
 *     DPL_TRY(dpl_server_open(&server, ctx, "help.pocket", NULL, err));
 *     printf("%s\n", dpl_server_url(server));
 *     getchar(); // until somebody presses a key
 *     dpl_server_stop(server, 10);
 *     dpl_server_close(server);
 *
 * It listens on the loopback address unless told otherwise, and answers on threads of its own.
 */
#ifndef DOPPEL_SERVE_H
#define DOPPEL_SERVE_H

#include "doppel/base.h"

#ifdef __cplusplus
extern "C" {
#endif

/* How a line of the access log looks. */
typedef enum dpl_log_format {
    DPL_LOG_COMMON =
        0,       /* 127.0.0.1 - - [16/Nov/2026:08:00:00 +0000] "GET / HTTP/1.1" 200 512 */
    DPL_LOG_JSON /* an object: time, client, method, path, status, bytes, micros */
} dpl_log_format;

/* Takes a line of the access log, without a line end. Called from the threads of the server,
 * one call at a time. */
typedef void dpl_serve_log_fn(void *user, const char *line, size_t n);

/* Begin with DPL_INIT; zero in a field means its default. */
typedef struct dpl_serve_options {
    size_t size;
    const char *bind;  /* address to listen on, numeric; default 127.0.0.1 */
    unsigned port;     /* TCP port; default: one that is free */
    const char *hosts; /* names that requests may ask for, beside addresses and localhost, with
                          commas between; a request for another name is refused, because it
                          may come from a page of another site (DNS rebinding) */
    uint64_t max_record; /* bytes of a request's body; default 4 MiB, or a 64th of the memory */
    unsigned timeout;    /* seconds for a request, from its first line to the end of the answer,
                            and for a connection without one; default 30 */
    unsigned connections;    /* open at a time; default 1024. Above three quarters of it, those
                                that have been idle longest are closed */
    unsigned server_threads; /* that answer; default: those of the context */
    bool read_only;          /* do not accept judgements */
    dpl_log_format log_format;
    dpl_serve_log_fn *log; /* default: none */
    void *log_user;
    dpl_serve_log_fn *note; /* takes a line about what is served, when its files were changed;
                               default: none */
    void *note_user;
    const char *token; /* path of a file: requests must have its first line, of 16 characters or
                          more, as "Authorization: Bearer TOKEN" or as the password of any user
                          (Basic), or are answered with 401; /healthz needs none. Default: all
                          requests are answered */
} dpl_serve_options;

/* Locked. */
typedef struct dpl_server dpl_server;

/* Opens a pocket index (doppel/index.h) or the folder of a mine run (doppel/mine.h), and
 * listens. Requests are answered from now on. A build without HTTP is DPL_E_UNSUPPORTED
 * ("no-http"); a port in use DPL_E_IO ("port-in-use"). A damaged file is DPL_E_FORMAT; damage
 * that shows only later is an answer with status 500. Files that are replaced are opened again;
 * while a file is overwritten in place, answers about it have status 503. */
DPL_API dpl_status dpl_server_open(dpl_server **out, dpl_ctx *ctx, const char *path,
                                   const dpl_serve_options *options, dpl_error *err);

/* "http://127.0.0.1:8080/"; borrowed until it is closed. */
DPL_API const char *dpl_server_url(const dpl_server *server);

/* What has happened so far. Begin with DPL_INIT. */
typedef struct dpl_server_counts {
    size_t size;
    uint64_t n_requests;    /* answered */
    uint64_t n_errors;      /* of these, with a status of 500 or more */
    uint64_t n_connections; /* accepted */
    uint64_t n_closed;      /* of these, closed because the client took too long */
    uint64_t n_judgements;  /* written */
    uint64_t n_running;     /* requests under way now */
    uint64_t n_open;        /* connections open now */
} dpl_server_counts;

DPL_API void dpl_server_get_counts(const dpl_server *server, dpl_server_counts *out);

/* Accepts no more connections, waits at most `seconds` for the requests under way, and closes
 * all connections. False: some were cut off. From any thread; not from the log function.
 */
DPL_API bool dpl_server_stop(dpl_server *server, double seconds);
/* To be called by a handler of SIGBUS, on the thread that got it, in programs whose files may
 * be overwritten while they are served. Ends the request of that thread with status 503, as if
 * the file could not be read, and does not return; returns when the signal had another reason.
 */
DPL_API void dpl_server_fault(void);

/* Stops it first, with 5 seconds, if that was not done. */
DPL_API void dpl_server_close(dpl_server *server);

/* ---- Model Context Protocol ----------------------------------------------------------- */

/* Answers messages of a program that offers tools to a language model: query, passages, align,
 * dedup-check and others, as far as the served index or folder has them, with the handlers of
 * the HTTP server. Owned.
 *
 *     while (read_line(&line)) {
 *         DPL_TRY(dpl_mcp_answer(mcp, line, &reply, err));
 *         if (reply.n)
 *             write_line(reply);
 *     }
 */
typedef struct dpl_mcp dpl_mcp;

/* A pocket index or the folder of a mine run. Of the options only max_record is used: the
 * longest message. */
DPL_API dpl_status dpl_mcp_open(dpl_mcp **out, dpl_ctx *ctx, const char *path,
                                const dpl_serve_options *options, dpl_error *err);
/* Answers one message, JSON-RPC 2.0 on one line; a line end behind it does not count. *reply
 * has none, is empty where nothing is to be answered, and is borrowed until the next call. A
 * bad message is answered with an error; the call fails only when it is out of memory. */
DPL_API dpl_status dpl_mcp_answer(dpl_mcp *mcp, dpl_str line, dpl_str *reply, dpl_error *err);
DPL_API void dpl_mcp_close(dpl_mcp *mcp);

#ifdef __cplusplus
}
#endif
#endif
