/*
 * query_many.c - many questions: read, answered on all threads, taken in order.
 */
#include "index/query.h"

#include "base/ctx.h"
#include "par/pool.h"

/* A question on its way. */
typedef struct slot {
    dpl_query *query;
    dpl__bytes bytes; /* id, title and text of the document */
    dpl_doc doc;
    dpl_query_result result;
} slot;

typedef struct many {
    dpl_ctx *ctx;
    const dpl_input *inputs;
    size_t n_inputs, next;
    const dpl_reader_options *read;
    dpl_reader *reader;
    slot *slots;
    dpl_query_take_fn *take;
    void *user;
    uint64_t n_queries;
} many;

static dpl_status next_doc(many *m, dpl_doc *doc, dpl_error *err)
{
    for (;;) {
        if (!m->reader) {
            if (m->next == m->n_inputs)
                return DPL_END;
            DPL_TRY(
                dpl_reader_open_input(&m->reader, m->ctx, &m->inputs[m->next++], m->read, err));
        }
        dpl_status status = dpl_reader_next(m->reader, doc, err);
        if (status != DPL_END)
            return status;
        dpl_reader_close(m->reader);
        m->reader = NULL;
    }
}

static bool keep(dpl_ctx *ctx, dpl__bytes *bytes, dpl_str s)
{
    return dpl__vec_append(ctx, bytes, s.data, s.n);
}

static dpl_status produce(void *user, size_t i, dpl_error *err)
{
    many *m = user;
    slot *s = &m->slots[i];
    dpl_doc doc = {0};
    DPL_TRY(next_doc(m, &doc, err));
    s->bytes.n = 0;
    DPL_TRY(dpl__need(keep(m->ctx, &s->bytes, doc.id) && keep(m->ctx, &s->bytes, doc.title) &&
                          keep(m->ctx, &s->bytes, doc.text) &&
                          keep(m->ctx, &s->bytes, doc.lang) &&
                          dpl__vec_push(m->ctx, &s->bytes, 0),
                      err));
    const char *at = s->bytes.data;
    s->doc = doc;
    s->doc.id.data = at;
    s->doc.title.data = at += doc.id.n;
    s->doc.text.data = at += doc.title.n;
    s->doc.lang.data = at + doc.text.n;
    s->doc.extra = (dpl_str){0};
    return DPL_OK;
}

static dpl_status map(void *user, size_t i, unsigned worker, dpl_error *err)
{
    many *m = user;
    slot *s = &m->slots[i];
    (void)worker;
    s->result = (dpl_query_result)DPL_INIT(dpl_query_result);
    const bool is_given = s->query->o.lang != NULL;
    return dpl__query_ask(s->query, s->doc.text, is_given ? NULL : s->doc.lang.data, &s->result,
                          err);
}

static dpl_status commit(void *user, size_t i, dpl_error *err)
{
    many *m = user;
    const slot *s = &m->slots[i];
    const dpl_progress progress = {"query", "queries", ++m->n_queries, 0};
    DPL_TRY(m->take(m->user, &s->doc, s->query, &s->result, err));
    return dpl__progress(m->ctx, &progress, err);
}

dpl_status dpl_query_inputs(uint64_t *n_queries, dpl_ctx *ctx, const dpl_index *index,
                            const dpl_input *inputs, size_t n_inputs,
                            const dpl_reader_options *read, const dpl_query_options *options,
                            dpl_query_take_fn *take, void *user, dpl_error *err)
{
    const size_t n_slots = ctx->n_threads + 1u;
    many m = {.ctx = ctx,
              .inputs = inputs,
              .n_inputs = n_inputs,
              .read = read,
              .take = take,
              .user = user};
    m.slots = dpl__calloc(ctx, n_slots, sizeof *m.slots);
    const dpl__pipeline p = {&m, n_slots, produce, map, commit};
    dpl_status status = DPL_OK;
    DPL__STEP(dpl__need(m.slots, err));
    for (size_t i = 0; i < n_slots; i++)
        DPL__STEP(dpl_query_new(&m.slots[i].query, index, options, err));
    DPL__STEP(dpl__pipeline_run(ctx, &p, err));
done:
    dpl_reader_close(m.reader);
    for (size_t i = 0; m.slots && i < n_slots; i++) {
        dpl_query_free(m.slots[i].query);
        dpl__vec_clear(ctx, &m.slots[i].bytes);
    }
    dpl__free(ctx, m.slots);
    if (n_queries)
        *n_queries = m.n_queries;
    return status;
}
