/*
 * message.h - a request and its answer, whatever carries them.
 *
 * Handlers take a dpl__request and fill in a dpl__answer; they know nothing of sockets, so that
 * tests and the fuzzer call them directly.
 */
#ifndef DPL_SERVE_MESSAGE_H
#define DPL_SERVE_MESSAGE_H

#include "base/arena.h"
#include "base/json_writer.h"

/* Headers are empty where the request has none. */
typedef struct dpl__request {
    dpl_str method; /* "GET" */
    dpl_str target; /* path and query as the client wrote them */
    dpl_str host, origin, fetch_site, content_type, authorization;
    dpl_str body;
    double until; /* of dpl__now(): waits for other programs end then; 0: there are none */
} dpl__request;

/* Owned; reused from request to request. */
typedef struct dpl__answer {
    dpl_ctx *ctx;
    dpl__arena arena;    /* scratch of the request */
    dpl__json_text text; /* the body, unless `fixed` is set */
    dpl_str fixed;       /* a body that outlives the answer */
    unsigned status;
    const char *type;   /* of the content; static */
    const char *policy; /* Content-Security-Policy; static */
    const char *allow;  /* methods, with status 405; else NULL */
    unsigned route;     /* number in the table of routes, for the metrics */
    bool is_cacheable;
} dpl__answer;

void dpl__answer_init(dpl__answer *a, dpl_ctx *ctx);
void dpl__answer_reset(dpl__answer *a);
void dpl__answer_clear(dpl__answer *a);
dpl_str dpl__answer_body(const dpl__answer *a);

/* Begins a body of JSON with status 200: one object, which the caller fills in and ends. */
dpl_json dpl__answer_json(dpl__answer *a);

/* Makes it an error with a code for programs; takes the place of what was written before. */
DPL_COLD void dpl__answer_error(dpl__answer *a, unsigned status, const char *code,
                                const char *fmt, ...) DPL_PRINTF(4, 5);
/* The same of a failure of the library. */
DPL_COLD void dpl__answer_failure(dpl__answer *a, dpl_status status, const dpl_error *err);

/* ---- parameters of the query ---------------------------------------------------------- */

enum { DPL__MOST_PARAMETERS = 32 };

typedef struct dpl__parameter {
    dpl_str name, value; /* decoded */
} dpl__parameter;

typedef struct dpl__parameters {
    dpl__parameter at[DPL__MOST_PARAMETERS];
    size_t n;
} dpl__parameters;

/* Splits a target into the decoded path and parameters. False: it is not valid, and the answer
 * says so. */
bool dpl__target_parse(dpl_str *path, dpl__parameters *out, dpl_str target, dpl__answer *a);

/* The following leave *out alone when there is no such parameter; false: its value is not what
 * it must be, and the answer says so. */
bool dpl__parameter_text(dpl_str *out, const dpl__parameters *p, const char *name, size_t most,
                         dpl__answer *a);
bool dpl__parameter_count(uint64_t *out, const dpl__parameters *p, const char *name,
                          uint64_t least, uint64_t most, dpl__answer *a);
/* From 0 to 1. */
bool dpl__parameter_share(double *out, const dpl__parameters *p, const char *name,
                          dpl__answer *a);
bool dpl__parameter_bool(bool *out, const dpl__parameters *p, const char *name, dpl__answer *a);
/* *out is the number of the name among the choices; NULL ends them. */
bool dpl__parameter_choice(unsigned *out, const dpl__parameters *p, const char *name,
                           const char *const *choices, dpl__answer *a);

/* A request with its target taken apart. */
typedef struct dpl__call {
    const dpl__request *request;
    struct dpl__site *site; /* what is served; NULL where the path does not need it */
    dpl__parameters parameters;
    uint64_t number; /* in the path: row or pair */
} dpl__call;

/* Whether a path has the pattern, in which # stands for a part: "/documents/#/similar". *part
 * is what stands there. */
bool dpl__path_matches(const char *pattern, dpl_str path, dpl_str *part);

/* Maximum numbers of list elements, of hits, and of words of a hit; more are cut. */
enum { DPL__MOST_LISTED = 1000, DPL__MOST_HITS = 100, DPL__MOST_TERMS = 50 };

/* Whether text has `part` in it; ASCII letters in any case. An empty part is in every text. */
bool dpl__has_part(dpl_str text, dpl_str part);

/* A whole number as a text: digits and nothing else, below 2^63. */
bool dpl__digits(uint64_t *out, dpl_str s);

/* "application/json; charset=utf-8" is of the type "application/json". */
bool dpl__has_type(dpl_str content_type, const char *type);

#endif
