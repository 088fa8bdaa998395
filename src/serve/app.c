/*
 * app.c - routes, and what every request must satisfy.
 *
 * A page of another site can make a browser send requests to us. It cannot read the answers,
 * because they allow no other origin (no CORS headers); it cannot change anything, because
 * whatever is not a GET must be of our own origin; and it cannot become our origin by a name
 * that resolves to this machine (DNS rebinding), because `Host` must be an address, localhost,
 * or a name that was allowed.
 */
#include "serve/app.h"

#include "base/ascii.h"
#include "base/base64.h"
#include "base/ctx.h"
#include "base/sha256.h"
#include "base/sized.h"
#include "io/lines.h"
#include "page/page.h"
#include "serve/index_answers.h"

#include <stdio.h>
#include <strings.h>

/* ---- routes ------------------------------------------------------------------------- */

typedef enum needs { NOTHING, ANYTHING, AN_INDEX, A_MINE_RUN } needs;

typedef struct route {
    const char *pattern; /* # is a number */
    const char *method;  /* GET stands for HEAD, too */
    dpl__handler *handler;
    needs needs;
    dpl__lane_of lane;
} route;

/* Bytes of a body that a query takes about a millisecond for. */
enum { SHORT_BODY = 8 << 10 };

static const route routes[] = {
    {NULL, NULL, NULL, NOTHING, DPL__AT_ONCE}, /* no such path */
    {"/", "GET", dpl__get_page, NOTHING, DPL__AT_ONCE},
    {"/healthz", "GET", dpl__get_healthz, NOTHING, DPL__AT_ONCE},
    {"/metrics", "GET", dpl__get_metrics, ANYTHING, DPL__AT_ONCE},
    {"/api/v1/info", "GET", dpl__get_info, ANYTHING, DPL__AT_ONCE},
    {"/api/v1/documents", "GET", dpl__get_documents, AN_INDEX, DPL__AT_ONCE},
    {"/api/v1/documents/#", "GET", dpl__get_document, AN_INDEX, DPL__AT_ONCE},
    {"/api/v1/documents/#/similar", "GET", dpl__get_similar, AN_INDEX, DPL__AT_ONCE},
    {"/api/v1/query", "POST", dpl__post_query, AN_INDEX, DPL__LONG_LANE},
    {"/api/v1/passages", "POST", dpl__post_passages, AN_INDEX, DPL__LONG_LANE},
    {"/api/v1/dedup-check", "POST", dpl__post_dedup_check, AN_INDEX, DPL__LONG_LANE},
    {"/api/v1/align", "POST", dpl__post_align, NOTHING, DPL__LONG_LANE},
    {"/api/v1/text", "POST", dpl__post_text, NOTHING, DPL__LONG_LANE},
    {"/api/v1/pairs", "GET", dpl__get_pairs, A_MINE_RUN, DPL__AT_ONCE},
    {"/api/v1/pairs/#", "GET", dpl__get_pair, A_MINE_RUN, DPL__AT_ONCE},
    {"/api/v1/pairs/#/judgement", "PUT", dpl__put_judgement, A_MINE_RUN, DPL__WRITE_LANE},
    {"/api/v1/links", "GET", dpl__get_links, A_MINE_RUN, DPL__AT_ONCE},
    {"/api/v1/links/#", "GET", dpl__get_link, A_MINE_RUN, DPL__AT_ONCE},
    {"/api/v1/links/#/judgement", "PUT", dpl__put_link_judgement, A_MINE_RUN, DPL__WRITE_LANE},
    {"/api/v1/links.tsv", "GET", dpl__get_links_tsv, A_MINE_RUN, DPL__AT_ONCE},
};

const char *const dpl__route_names[] = {
    "other",          "page",      "healthz", "metrics",   "info",        "documents",
    "document",       "similar",   "query",   "passages",  "dedup_check", "align",
    "text",           "pairs",     "pair",    "judgement", "links",       "link",
    "link_judgement", "links_tsv", NULL};

static unsigned find_route(dpl_str path, dpl_str *number)
{
    for (unsigned r = 1; r < DPL_LEN(routes); r++)
        if (dpl__path_matches(routes[r].pattern, path, number))
            return r;
    return 0;
}

dpl__lane_of dpl__app_lane(const dpl__request *request)
{
    dpl_str number;
    const char *end =
        request->target.n ? memchr(request->target.data, '?', request->target.n) : NULL;
    const dpl_str path = {request->target.data,
                          end ? (size_t)(end - request->target.data) : request->target.n};
    const dpl__lane_of lane = routes[find_route(path, &number)].lane;
    return lane == DPL__LONG_LANE && request->body.n <= SHORT_BODY ? DPL__AT_ONCE : lane;
}

static bool has_method(const route *r, dpl_str method)
{
    return dpl__str_eq(method, dpl__cstr(r->method)) ||
           (dpl__str_eq(method, DPL_STR("HEAD")) && r->method[0] == 'G');
}

/* ---- hosts and origins -------------------------------------------------------------- */

static bool equals_any_case(dpl_str a, const char *b, size_t n)
{
    return a.n == n && strncasecmp(a.data, b, n) == 0;
}

/* The name in "name:port", "[::1]:port"; data is NULL when it is neither. */
static dpl_str host_name(dpl_str host)
{
    size_t n = 0;
    if (host.n && host.data[0] == '[') {
        while (n < host.n && host.data[n] != ']')
            n++;
        if (n == host.n)
            return (dpl_str){0};
        n++;
    } else {
        while (n < host.n && host.data[n] != ':')
            n++;
    }
    if (n == 0 || (n < host.n && host.data[n] != ':'))
        return (dpl_str){0};
    for (size_t i = n + 1; i < host.n; i++)
        if (host.data[i] < '0' || host.data[i] > '9')
            return (dpl_str){0};
    return (dpl_str){host.data, n};
}

/* An address is what no name server can redirect: digits and dots, or in brackets. */
static bool is_address(dpl_str name)
{
    if (name.data[0] == '[')
        return true;
    for (size_t i = 0; i < name.n; i++)
        if (name.data[i] != '.' && (name.data[i] < '0' || name.data[i] > '9'))
            return false;
    return true;
}

static bool is_listed(dpl_str name, const char *hosts)
{
    while (hosts && *hosts) {
        const size_t n = strcspn(hosts, ",");
        if (equals_any_case(name, hosts, n))
            return true;
        hosts += n + (hosts[n] == ',');
    }
    return false;
}

/* A request without a host is not from a browser. */
static bool check_host(dpl__answer *a, const dpl__app *app, dpl_str host)
{
    if (!host.n)
        return true;
    const dpl_str name = host_name(host);
    if (name.data && (is_address(name) || equals_any_case(name, "localhost", 9) ||
                      is_listed(name, app->options.hosts)))
        return true;
    dpl__answer_error(a, 421, "bad-host", "this server does not answer for that host name");
    return false;
}

/* "http://host" or "https://host", with the same host and port as the request's. */
static bool is_own_origin(dpl_str origin, dpl_str host)
{
    static const char *const schemes[] = {"http://", "https://"};
    for (size_t i = 0; i < DPL_LEN(schemes); i++) {
        const size_t n = strlen(schemes[i]);
        if (origin.n > n && memcmp(origin.data, schemes[i], n) == 0)
            return equals_any_case((dpl_str){origin.data + n, origin.n - n}, host.data, host.n);
    }
    return false;
}

static bool check_origin(dpl__answer *a, const dpl__request *r)
{
    const bool is_own =
        (!r->origin.n || is_own_origin(r->origin, r->host)) &&
        (!r->fetch_site.n || dpl__str_eq(r->fetch_site, DPL_STR("same-origin")) ||
         dpl__str_eq(r->fetch_site, DPL_STR("none")));
    if (!is_own)
        dpl__answer_error(a, 403, "cross-site", "the request comes from another site");
    return is_own;
}

/* ---- requests ----------------------------------------------------------------------- */

static bool check_route(dpl__answer *a, const dpl__app *app, const route *r,
                        const dpl__request *request)
{
    if (!r->pattern) {
        dpl__answer_error(a, 404, "not-found", "there is no such path");
    } else if (!has_method(r, request->method)) {
        dpl__answer_error(a, 405, "method", "the path takes %s only", r->method);
        a->allow = r->method[0] == 'G' ? "GET, HEAD" : r->method;
    } else if ((r->needs == AN_INDEX && app->is_mine) ||
               (r->needs == A_MINE_RUN && !app->is_mine)) {
        dpl__answer_error(a, 404, "not-served", "%s is served, not %s",
                          app->is_mine ? "the folder of a mine run" : "an index",
                          app->is_mine ? "an index" : "the folder of a mine run");
    } else {
        return r->method[0] == 'G' || check_origin(a, request);
    }
    return false;
}

typedef struct guarded {
    dpl__handler *handler;
    dpl__answer *answer;
    dpl__app *app;
    const dpl__call *call;
} guarded;

static void run_guarded(void *user)
{
    const guarded *g = user;
    g->handler(g->answer, g->app, g->call);
}

static void answer_changed(dpl__answer *a, dpl__app *app)
{
    char problem[sizeof app->place.problem];
    pthread_mutex_lock(&app->place.lock);
    memcpy(problem, app->place.problem, sizeof problem);
    pthread_mutex_unlock(&app->place.lock);
    dpl__answer_error(a, 503, "changed",
                      "'%s' was overwritten while it was served, and is opened again when "
                      "nobody writes to it%s%s",
                      app->name, *problem ? ": " : "", problem);
}

/* An answer from files that are overwritten meanwhile is not given. */
static void answer_from_site(dpl__answer *a, dpl__app *app, const route *r, dpl__call *call)
{
    dpl__site *site = dpl__site_take(&app->place);
    call->site = site;
    bool is_good = dpl__site_is_good(site);
    if (is_good) {
        guarded g = {r->handler, a, app, call};
        if (!dpl__guard(run_guarded, &g))
            site->has_died = true;
        is_good = dpl__site_is_good(site);
    }
    if (!is_good)
        answer_changed(a, app);
    dpl__site_give(&app->place, site);
}

/* Whether the server is there is no secret. */
static bool check_token(dpl__answer *a, const dpl__app *app, const route *r,
                        const dpl__request *request)
{
    if (r->handler == dpl__get_healthz ||
        dpl__token_fits(&app->token, &a->arena, request->authorization))
        return true;
    dpl__answer_error(a, 401, "token",
                      "this server wants a token: 'Authorization: Bearer TOKEN', or as the "
                      "password of any user");
    return false;
}

static void answer(dpl__answer *a, dpl__app *app, const dpl__request *request)
{
    dpl__call call = {.request = request};
    dpl_str path, number;
    if (!check_host(a, app, request->host) ||
        !dpl__target_parse(&path, &call.parameters, request->target, a))
        return;
    const unsigned found = find_route(path, &number);
    const route *r = &routes[found];
    if (!check_token(a, app, r, request) || !check_route(a, app, r, request))
        return;
    a->route = found;
    if (number.n && !dpl__digits(&call.number, number)) {
        dpl__answer_error(a, 400, "bad-request", "a document, pair or link has a whole number");
        return;
    }
    if (r->needs == NOTHING)
        r->handler(a, app, &call);
    else
        answer_from_site(a, app, r, &call);
}

void dpl__app_answer(dpl__answer *a, dpl__app *app, const dpl__request *request)
{
    const dpl_error none = {0};
    answer(a, app, request);
    if (a->text.has_failed) {
        a->text.has_failed = false;
        dpl__answer_failure(a, DPL_E_NOMEM, &none);
    }
    assert(a->status >= 200 && a->status < 600);
}

/* ---- open and close ----------------------------------------------------------------- */

static void name_app(dpl__app *app, const char *path)
{
    size_t n = strlen(path);
    while (n > 1 && path[n - 1] == '/')
        n--;
    size_t begin = n;
    while (begin && path[begin - 1] != '/')
        begin--;
    snprintf(app->name, sizeof app->name, "%.*s", (int)(n - begin), path + begin);
}

static void fill_in(dpl_serve_options *o, dpl_ctx *ctx)
{
    o->bind = o->bind ? o->bind : "127.0.0.1";
    const uint64_t share = dpl_ctx_memory(ctx) / DPL__BODY_COST; /* a long query in memory */
    o->max_record =
        o->max_record ? o->max_record : dpl__min(4 << 20, dpl__max(share, 64 << 10));
    o->timeout = o->timeout ? o->timeout : 30;
    o->connections = o->connections ? o->connections : 1024;
    o->server_threads = o->server_threads ? o->server_threads : dpl_ctx_threads(ctx);
}

static dpl_status open_app(dpl__app *app, const char *path, const dpl_serve_options *options,
                           dpl_error *err)
{
    DPL_TRY(DPL__TAKE(&app->options, options, err));
    fill_in(&app->options, app->ctx);
    name_app(app, path);
    if (app->options.token)
        DPL_TRY(dpl__token_read(&app->token, app->ctx, app->options.token, err));
    app->metrics.began = dpl__now();
    DPL_TRY(dpl__place_open(&app->place, app->ctx, path, app->options.read_only, err));
    app->is_mine = app->place.now->mine != NULL;
    return DPL_OK;
}

dpl_status dpl__app_open(dpl__app **out, dpl_ctx *ctx, const char *path,
                         const dpl_serve_options *options, dpl_error *err)
{
    *out = NULL;
    dpl__app *app = dpl__calloc(ctx, 1, sizeof *app);
    DPL_TRY(dpl__need(app, err));
    app->ctx = ctx;
    dpl_status status;
    DPL__STEP(open_app(app, path, options, err));
    *out = app;
    app = NULL;
done:
    dpl__app_close(app);
    return status;
}

void dpl__app_close(dpl__app *app)
{
    if (!app)
        return;
    dpl__place_close(&app->place);
    dpl__free(app->ctx, app);
}

/* ---- the secret that requests must have ------------------------------------------------- */

static void sum_of(uint8_t out[32], dpl_str s)
{
    dpl__sha256 sum = dpl__sha256_begin();
    dpl__sha256_add(&sum, s.data, s.n);
    dpl__sha256_end(&sum, out);
}

static dpl_status check(const char *path, dpl_str token, dpl_error *err)
{
    bool is_good = token.n >= DPL__LEAST_TOKEN && token.n <= DPL__MOST_TOKEN;
    for (size_t i = 0; is_good && i < token.n; i++)
        is_good = token.data[i] > ' ' && token.data[i] < 0x7F;
    if (is_good)
        return DPL_OK;
    dpl__fail(
        err, DPL_E_FORMAT,
        "'%s': the first line must be a token of %d to %d ASCII characters without blanks",
        path, DPL__LEAST_TOKEN, DPL__MOST_TOKEN);
    return dpl__code(err, DPL_E_FORMAT, "bad-token");
}

dpl_status dpl__token_read(dpl__token *out, dpl_ctx *ctx, const char *path, dpl_error *err)
{
    dpl__lines lines = {0};
    dpl_str line = {"", 0};
    *out = (dpl__token){0};
    DPL_TRY(dpl__lines_open(&lines, ctx, path, err));
    dpl_status status = dpl__lines_next(&lines, &line, err);
    if (status < 0)
        goto done;
    if (status == DPL_END)
        line = (dpl_str){"", 0};
    DPL__STEP(check(path, line, err));
    out->is_wanted = true;
    sum_of(out->sum, line);
done:
    dpl__lines_close(&lines);
    return status;
}

/* The password of "Basic": what follows the first colon of the decoded text. */
static dpl_str password(dpl__arena *arena, dpl_str packed)
{
    const dpl__base64 table = dpl__base64_make();
    char *text = dpl__arena_alloc(arena, packed.n + 4);
    size_t n;
    if (!text || !dpl__base64_decode(&table, text, &n, packed))
        return (dpl_str){"", 0};
    const char *colon = memchr(text, ':', n);
    return colon ? (dpl_str){colon + 1, (size_t)(text + n - colon - 1)} : (dpl_str){"", 0};
}

bool dpl__token_fits(const dpl__token *token, dpl__arena *arena, dpl_str authorization)
{
    dpl_str given = {"", 0};
    uint8_t sum[32];
    unsigned differences = 0;
    if (!token->is_wanted)
        return true;
    if (dpl__begins_with_word(authorization, "bearer "))
        given = (dpl_str){authorization.data + 7, authorization.n - 7};
    else if (dpl__begins_with_word(authorization, "basic "))
        given = password(arena, (dpl_str){authorization.data + 6, authorization.n - 6});
    sum_of(sum, given);
    for (size_t i = 0; i < sizeof sum; i++) /* all of them, whatever the first ones are */
        differences |= (unsigned)(sum[i] ^ token->sum[i]);
    return differences == 0;
}

/* ---- the page, health, metrics, and what is served -------------------------------------- */

void dpl__get_page(dpl__answer *a, dpl__app *app, const dpl__call *call)
{
    (void)app;
    (void)call;
    a->status = 200;
    a->type = "text/html; charset=utf-8";
    a->policy = dpl__page_csp;
    a->fixed = (dpl_str){(const char *)dpl__page, dpl__page_size};
    a->is_cacheable = true;
}

void dpl__get_healthz(dpl__answer *a, dpl__app *app, const dpl__call *call)
{
    (void)app;
    (void)call;
    dpl_json j = dpl__answer_json(a);
    dpl_json_cstr(&j, "status", "ok");
    dpl_json_end(&j, '}');
}

static size_t mine_gauges(dpl__gauge *out, const dpl__mine_folder *f)
{
    uint64_t n[3] = {0};
    for (size_t i = 0; i < f->pairs.n; i++)
        n[f->states[i] % 3]++;
    out[0] = (dpl__gauge){"pairs", "Pairs of documents.", f->pairs.n};
    out[1] = (dpl__gauge){"pairs_accepted", "Pairs accepted.", n[DPL__JUDGED_ACCEPT]};
    out[2] = (dpl__gauge){"pairs_rejected", "Pairs rejected.", n[DPL__JUDGED_REJECT]};
    return 3;
}

void dpl__get_metrics(dpl__answer *a, dpl__app *app, const dpl__call *call)
{
    (void)call;
    dpl__gauge gauges[8];
    const size_t n = call->site->mine
                         ? mine_gauges(gauges, call->site->mine)
                         : dpl__index_gauges(gauges, DPL_LEN(gauges), call->site->index);
    a->status = 200;
    a->type = "text/plain; version=0.0.4; charset=utf-8";
    if (!dpl__metrics_print(a->ctx, &a->text.bytes, &app->metrics, dpl__route_names, gauges, n))
        a->text.has_failed = true;
}

void dpl__get_info(dpl__answer *a, dpl__app *app, const dpl__call *call)
{
    (void)call;
    dpl_json j = dpl__info_begin(a, call->site->mine ? "mine" : "index", app->name,
                                 app->options.max_record);
    if (call->site->mine)
        dpl__mine_put_info(&j, call->site->mine);
    else
        dpl__index_site_put_info(&j, call->site->index);
    dpl_json_end(&j, '}');
}
