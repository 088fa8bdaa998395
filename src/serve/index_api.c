/*
 * index_api.c - requests about a pocket index, from many threads: each takes a query object
 * from a stack, or makes one.
 */
#include "serve/app.h"
#include "serve/index_answers.h"
#include "serve/passage_answers.h"

#include <pthread.h>

typedef struct dpl__index_site {
    dpl_ctx *ctx;
    dpl_index *index;
    pthread_mutex_t lock;         /* of the stack */
    DPL_VEC(dpl_query *) queries; /* not in use now */
} dpl__index_site;

dpl_status dpl__index_site_open(dpl__index_site **out, dpl_ctx *ctx, const char *path,
                                dpl_error *err)
{
    *out = NULL;
    dpl__index_site *s = dpl__calloc(ctx, 1, sizeof *s);
    DPL_TRY(dpl__need(s, err));
    s->ctx = ctx;
    const int e = pthread_mutex_init(&s->lock, NULL);
    if (e) {
        dpl__free(ctx, s);
        return dpl__fail_errno(err, e, "cannot make a lock");
    }
    dpl_status status;
    DPL__STEP(dpl_index_open(&s->index, ctx, path, err));
    *out = s;
    s = NULL;
done:
    dpl__index_site_close(s);
    return status;
}

void dpl__index_site_close(dpl__index_site *s)
{
    if (!s)
        return;
    for (size_t i = 0; i < s->queries.n; i++)
        dpl_query_free(s->queries.data[i]);
    dpl__vec_clear(s->ctx, &s->queries);
    dpl_index_close(s->index);
    pthread_mutex_destroy(&s->lock);
    dpl__free(s->ctx, s);
}

void dpl__index_site_put_info(dpl_json *j, const dpl__index_site *s)
{
    dpl__index_put_info(j, s->index);
}

size_t dpl__index_gauges(dpl__gauge *out, size_t n_most, const dpl__index_site *s)
{
    assert(n_most >= 2);
    (void)n_most;
    dpl_index_info info = DPL_INIT(dpl_index_info);
    dpl_index_describe(s->index, &info);
    out[0] = (dpl__gauge){"index_documents", "Documents of the index.", info.n_docs};
    out[1] = (dpl__gauge){"index_bytes", "Size of the index.", info.n_bytes};
    return 2;
}

static const dpl_index *index_of(const struct dpl__site *site)
{
    return site->index->index;
}

/* ---- query objects ------------------------------------------------------------------ */

/* NULL: there is none, and the answer says so. */
static dpl_query *take_query(dpl__answer *a, dpl__index_site *s)
{
    dpl_query *query = NULL;
    pthread_mutex_lock(&s->lock);
    if (s->queries.n)
        query = s->queries.data[--s->queries.n];
    pthread_mutex_unlock(&s->lock);
    if (query)
        return query;
    dpl_error err = {0};
    const dpl_status status = dpl_query_new(&query, s->index, NULL, &err);
    if (status != DPL_OK)
        dpl__answer_failure(a, status, &err);
    return status == DPL_OK ? query : NULL;
}

enum { KEPT_BODY = 64 << 10 };

/* Kept for the next request, unless it has the memory that a long text took. */
static void give_query(dpl__index_site *s, dpl_query *query, size_t n_body)
{
    pthread_mutex_lock(&s->lock);
    const bool is_kept = n_body <= KEPT_BODY && dpl__vec_push(s->ctx, &s->queries, query);
    pthread_mutex_unlock(&s->lock);
    if (!is_kept)
        dpl_query_free(query);
}

/* ---- handlers ----------------------------------------------------------------------- */

void dpl__get_documents(dpl__answer *a, dpl__app *app, const dpl__call *call)
{
    (void)app;
    dpl__answer_documents(a, call->site->index->index, call);
}

void dpl__get_document(dpl__answer *a, dpl__app *app, const dpl__call *call)
{
    (void)app;
    dpl__answer_document(a, call->site->index->index, call);
}

void dpl__get_similar(dpl__answer *a, dpl__app *app, const dpl__call *call)
{
    (void)app;
    dpl_query *query = take_query(a, call->site->index);
    if (!query)
        return;
    dpl__answer_similar(a, call->site->index->index, query, call);
    give_query(call->site->index, query, 0);
}

void dpl__post_query(dpl__answer *a, dpl__app *app, const dpl__call *call)
{
    (void)app;
    dpl_query *query = take_query(a, call->site->index);
    if (!query)
        return;
    dpl__answer_query(a, call->site->index->index, query, call);
    give_query(call->site->index, query, call->request->body.n);
}

void dpl__post_passages(dpl__answer *a, dpl__app *app, const dpl__call *call)
{
    (void)app;
    dpl__answer_passages(a, index_of(call->site), call);
}

void dpl__post_dedup_check(dpl__answer *a, dpl__app *app, const dpl__call *call)
{
    (void)app;
    dpl__answer_dedup_check(a, index_of(call->site), call);
}

void dpl__post_align(dpl__answer *a, dpl__app *app, const dpl__call *call)
{
    (void)app;
    dpl__answer_align(a, call);
}
