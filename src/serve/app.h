/*
 * app.h - what is served, and the handlers of requests: from a dpl__request to a dpl__answer,
 * from any number of threads. Locked.
 *
 * A path is a row of the table in app.c; its handler is there, in index_api.c, mine_api.c or
 * link_api.c.
 */
#ifndef DPL_SERVE_APP_H
#define DPL_SERVE_APP_H

#include "base/arena.h"
#include "doppel/serve.h"
#include "serve/message.h"
#include "serve/metrics.h"
#include "serve/site.h"

/* ---- the secret that requests must have ------------------------------------------------- */

/* If the server has one. It is kept as its SHA-256 only, and what a request has is compared as
 * its SHA-256, all bytes of it: the time says nothing about the secret. Programs send
 * "Authorization: Bearer TOKEN", browsers ask their user for a password ("Basic"): any name,
 * and the token. Frozen. */

/* Characters of a token: fewer could be guessed. */
enum { DPL__LEAST_TOKEN = 16, DPL__MOST_TOKEN = 512 };

typedef struct dpl__token {
    bool is_wanted; /* else every request is welcome */
    uint8_t sum[32];
} dpl__token;

/* The first line of a file: printable ASCII without blanks. */
dpl_status dpl__token_read(dpl__token *out, dpl_ctx *ctx, const char *path, dpl_error *err);

/* Does the header "Authorization" have the token? Scratch is in the arena; without memory it
 * has not. */
bool dpl__token_fits(const dpl__token *token, dpl__arena *arena, dpl_str authorization);

typedef struct dpl__app {
    dpl_ctx *ctx;
    dpl_serve_options options; /* with defaults filled in */
    char name[300];            /* of the file or folder, without its folder */
    dpl__metrics metrics;
    dpl__place place; /* what is served */
    bool is_mine;     /* the folder of a mine run, else an index */
    dpl__token token; /* that requests must have */
} dpl__app;

/* Opens the index or the folder. */
dpl_status dpl__app_open(dpl__app **out, dpl_ctx *ctx, const char *path,
                         const dpl_serve_options *options, dpl_error *err);
void dpl__app_close(dpl__app *app);

/* Where a request is best answered: at once, on the thread of its connection; with others that
 * take long; or with those that write to a file. */
/* Bytes of memory for a byte of a long query: 32 for a token of one letter and a blank, twice
 * while the list of tokens grows. */
enum { DPL__BODY_COST = 64 };

typedef enum dpl__lane_of {
    DPL__AT_ONCE = 0,
    DPL__LONG_LANE,
    DPL__WRITE_LANE,
    DPL__N_LANES
} dpl__lane_of;

dpl__lane_of dpl__app_lane(const dpl__request *request);

/* Answers a request; *a is initialised or reset. */
void dpl__app_answer(dpl__answer *a, dpl__app *app, const dpl__request *request);

/* Names of the routes for the metrics; NULL ends. */
extern const char *const dpl__route_names[];

/* ---- handlers ----------------------------------------------------------------------- */

typedef void dpl__handler(dpl__answer *a, dpl__app *app, const dpl__call *call);

/* app.c */
dpl__handler dpl__get_page, dpl__get_healthz, dpl__get_metrics, dpl__get_info;
/* index_api.c */
dpl__handler dpl__get_documents, dpl__get_document, dpl__get_similar, dpl__post_query;
dpl_status dpl__index_site_open(struct dpl__index_site **out, dpl_ctx *ctx, const char *path,
                                dpl_error *err);
void dpl__index_site_close(struct dpl__index_site *site);
/* Members of the object that /api/v1/info answers with. */
void dpl__index_site_put_info(dpl_json *j, const struct dpl__index_site *site);
size_t dpl__index_gauges(dpl__gauge *out, size_t n_most, const struct dpl__index_site *site);
/* passage_api.c */
dpl__handler dpl__post_passages, dpl__post_dedup_check, dpl__post_align, dpl__post_text;
/* mine_api.c */
dpl__handler dpl__get_pairs, dpl__get_pair, dpl__put_judgement;
/* Writes what the body says about the pair of these ids; false: the answer says why not. */
bool dpl__judge(dpl__answer *a, dpl__app *app, const dpl__call *call, const dpl_str ids[2],
                uint32_t run);
/* "open", "accepted" or "rejected". */
const char *dpl__state_name(unsigned verdict);
/* Reads judgements that were written since; false: the answer says why not. */
bool dpl__refresh(dpl__answer *a, dpl__mine_folder *f);
void dpl__mine_put_info(dpl_json *j, dpl__mine_folder *f);
/* link_api.c */
dpl__handler dpl__get_links, dpl__get_link, dpl__put_link_judgement, dpl__get_links_tsv;
void dpl__links_put_info(dpl_json *j, const dpl__mine_folder *f);

#endif
