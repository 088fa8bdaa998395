/*
 * reuse.c - passages that stand in a collection, too.
 */
#include "table.h"

#include <stdlib.h>
#include <string.h>

static void reuse_free(void *p)
{
    dpl_reuse_result_free((dpl_reuse_result *)p);
}

const core_kind core_reuse_kind = {"result of reuse", reuse_free};

/* reuse(context, progress, query, collection, options) */
static PyObject *reuse(PyObject *module, PyObject *args)
{
    (void)module;
    PyObject *context, *progress, *query, *list, *options, *result = NULL;
    if (!PyArg_ParseTuple(args, "OOO!O!O", &context, &progress, &PyList_Type, &query,
                          &PyList_Type, &list, &options))
        return NULL;
    core_job *job = core_job_new(context, progress);
    if (!job)
        return NULL;
    core_arena arena = {0};
    size_t n_query, n;
    dpl_reuse_result *found = NULL;
    dpl_reuse_options o = DPL_INIT(dpl_reuse_options);
    dpl_input *queries = core_inputs(query, &n_query, job, &arena);
    dpl_input *sources = queries ? core_inputs(list, &n, job, &arena) : NULL;
    if (sources && core_options_set(&o, dpl_option_table_of("reuse"), options, &arena)) {
        core_run run;
        core_run_begin(&run, job);
        dpl_status st = dpl_reuse(&found, job->ctx, queries, n_query, sources, n, &o, &run.err);
        if (core_run_end(&run, st))
            result = core_handle_new(&core_reuse_kind, found, core_job_ref(job), NULL);
    }
    core_arena_clear(&arena);
    core_job_unref(job);
    return result;
}

typedef struct passages {
    const dpl_reuse_result *result;
    size_t at, n;
} passages;

static void *passages_open(const core_table *t, dpl_error *err)
{
    passages *p = (passages *)calloc(1, sizeof *p);
    (void)err;
    if (p) {
        p->result = (const dpl_reuse_result *)t->object;
        p->n = dpl_reuse_get_summary(p->result)->n_passages;
    }
    return p;
}

static dpl_status passages_next(void *cursor, core_chunk *out, dpl_error *err)
{
    passages *p = (passages *)cursor;
    (void)err;
    if (p->at == p->n)
        return DPL_END;
    const dpl_passage *x = dpl_reuse_get_passage(p->result, p->at++);
    const char *kind = dpl_passage_kind_name((unsigned)x->kind);
    core_put_id(out, 0, dpl_reuse_doc(p->result, x->query.doc, false).id);
    core_put_id(out, 1, dpl_reuse_doc(p->result, x->source.doc, true).id);
    core_put_text(out, 2, (dpl_str){kind, strlen(kind)});
    core_put_real(out, 3, (double)x->similarity);
    core_put_line(out, 4, dpl_reuse_text(p->result, x, false));
    core_put_line(out, 5, dpl_reuse_text(p->result, x, true));
    core_put_number(out, 6, x->query.begin);
    core_put_number(out, 7, x->query.end);
    core_put_number(out, 8, x->source.begin);
    core_put_number(out, 9, x->source.end);
    return DPL_OK;
}

static const core_cursor passage_cursor = {passages_open, passages_next, free};

/* reuse_table(result, query numbers, source numbers) */
static PyObject *reuse_table(PyObject *module, PyObject *args)
{
    (void)module;
    PyObject *handle;
    int query, source;
    if (!PyArg_ParseTuple(args, "Opp", &handle, &query, &source))
        return NULL;
    dpl_reuse_result *r = (dpl_reuse_result *)core_get(handle, &core_reuse_kind);
    const core_field fields[] = {{"query_id", query ? CORE_U32 : CORE_TEXT},
                                 {"source_id", source ? CORE_U32 : CORE_TEXT},
                                 {"kind", CORE_TEXT},
                                 {"similarity", CORE_F32},
                                 {"query_text", CORE_TEXT},
                                 {"source_text", CORE_TEXT},
                                 {"query_begin", CORE_U32},
                                 {"query_end", CORE_U32},
                                 {"source_begin", CORE_U32},
                                 {"source_end", CORE_U32}};
    return r ? core_table_new(fields, 10, &passage_cursor, r, 0,
                              (int64_t)dpl_reuse_get_summary(r)->n_passages, handle)
             : NULL;
}

/* reuse_html(result) -> page */
static PyObject *reuse_html(PyObject *module, PyObject *handle)
{
    (void)module;
    dpl_reuse_result *r = (dpl_reuse_result *)core_get(handle, &core_reuse_kind);
    if (!r)
        return NULL;
    core_text text = {0};
    dpl_reuse_html(r, core_text_put, &text);
    return core_text_end(&text);
}

/* reuse_summary(result) -> JSON */
static PyObject *reuse_summary(PyObject *module, PyObject *handle)
{
    (void)module;
    dpl_reuse_result *r = (dpl_reuse_result *)core_get(handle, &core_reuse_kind);
    if (!r)
        return NULL;
    return core_summary(&dpl_reuse_figures, dpl_reuse_get_summary(r));
}

PyMethodDef core_reuse_methods[] = {
    {"reuse", reuse, METH_VARARGS, "reuse(context, progress, query, collection, options)"},
    {"reuse_table", reuse_table, METH_VARARGS, "reuse_table(result, query, source)"},
    {"reuse_html", reuse_html, METH_O, "reuse_html(result) -> page"},
    {"reuse_summary", reuse_summary, METH_O, "reuse_summary(result) -> JSON"},
    {NULL, NULL, 0, NULL},
};
