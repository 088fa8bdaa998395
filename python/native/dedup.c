/*
 * dedup.c - removal of duplicates, and the tables of what it found.
 */
#include "table.h"

#include <stdlib.h>
#include <string.h>

static void dedup_free(void *p)
{
    dpl_dedup_result_free((dpl_dedup_result *)p);
}

const core_kind core_dedup_kind = {"result of dedup", dedup_free};

/* dedup(context, progress, folder or None, inputs, against, options) */
static PyObject *dedup(PyObject *module, PyObject *args)
{
    (void)module;
    PyObject *context, *progress, *dir, *list, *against, *options, *result = NULL;
    if (!PyArg_ParseTuple(args, "OOOO!O!O", &context, &progress, &dir, &PyList_Type, &list,
                          &PyList_Type, &against, &options))
        return NULL;
    core_job *job = core_job_new(context, progress);
    if (!job)
        return NULL;
    core_arena arena = {0};
    size_t n;
    dpl_dedup_result *found = NULL;
    dpl_dedup_options o = DPL_INIT(dpl_dedup_options);
    dpl_input *inputs = core_inputs(list, &n, job, &arena);
    o.against = inputs ? core_inputs(against, &o.n_against, job, &arena) : NULL;
    const char *path = dir == Py_None ? NULL : core_arena_text(&arena, dir);
    if (o.against && (path || dir == Py_None) &&
        core_options_set(&o, dpl_option_table_of("dedup"), options, &arena)) {
        if (!o.n_against)
            o.against = NULL;
        core_run run;
        core_run_begin(&run, job);
        dpl_status st = dpl_dedup(&found, job->ctx, path, inputs, n, &o, &run.err);
        if (core_run_end(&run, st))
            result = core_handle_new(&core_dedup_kind, found, core_job_ref(job), NULL);
    }
    core_arena_clear(&arena);
    core_job_unref(job);
    return result;
}

typedef struct dedup_rows {
    const dpl_dedup_result *result;
    size_t at, n;
    const dpl_dedup_edge *edges;
    const dpl_dedup_hit *hits;
    const dpl_collection *collection;
} dedup_rows;

static void *docs_open(const core_table *t, dpl_error *err)
{
    dedup_rows *r = (dedup_rows *)calloc(1, sizeof *r);
    (void)err;
    if (!r)
        return NULL;
    r->result = (const dpl_dedup_result *)t->object;
    const dpl_dedup_summary *s = dpl_dedup_get_summary(r->result);
    r->n = s->unit == DPL_DEDUP_DOCUMENT ? (size_t)s->n_docs : 0;
    return r;
}

static dpl_status next_doc(void *cursor, core_chunk *out, dpl_error *err)
{
    dedup_rows *r = (dedup_rows *)cursor;
    (void)err;
    if (r->at == r->n)
        return DPL_END;
    dpl_dedup_doc d = dpl_dedup_get_doc(r->result, (uint32_t)r->at++);
    core_put_id(out, 0, d.id);
    core_put_id(out, 1, d.cluster);
    core_put_real(out, 2, (double)d.score);
    core_put_number(out, 3, d.is_kept);
    if (d.is_kept) {
        core_put_null(out, 4);
    } else {
        const char *kind = dpl_dedup_kind_name((unsigned)d.kind);
        core_put_text(out, 4, (dpl_str){kind, strlen(kind)});
    }
    return DPL_OK;
}

static const core_cursor doc_cursor = {docs_open, next_doc, free};

static void *edges_open(const core_table *t, dpl_error *err)
{
    dedup_rows *r = (dedup_rows *)docs_open(t, err);
    if (r) {
        r->edges = dpl_dedup_get_edges(r->result, &r->n);
        r->collection = dpl_dedup_get_collection(r->result);
        if (!r->collection)
            r->n = 0;
    }
    return r;
}

static dpl_str doc_id(const dedup_rows *r, uint32_t doc)
{
    return doc < dpl_dedup_get_summary(r->result)->n_docs
               ? dpl_dedup_get_doc(r->result, doc).id
               : dpl_collection_doc(r->collection, doc).id;
}

static dpl_status next_edge(void *cursor, core_chunk *out, dpl_error *err)
{
    dedup_rows *r = (dedup_rows *)cursor;
    (void)err;
    if (r->at == r->n)
        return DPL_END;
    const dpl_dedup_edge *e = &r->edges[r->at++];
    const char *kind = dpl_dedup_kind_name(e->kind);
    core_put_id(out, 0, doc_id(r, e->left));
    core_put_id(out, 1, doc_id(r, e->right));
    core_put_real(out, 2, (double)e->score);
    core_put_text(out, 3, (dpl_str){kind, strlen(kind)});
    return DPL_OK;
}

static const core_cursor edge_cursor = {edges_open, next_edge, free};

static void *hits_open(const core_table *t, dpl_error *err)
{
    dedup_rows *r = (dedup_rows *)docs_open(t, err);
    if (r)
        r->hits = dpl_dedup_get_hits(r->result, &r->n);
    return r;
}

static dpl_status next_hit(void *cursor, core_chunk *out, dpl_error *err)
{
    dedup_rows *r = (dedup_rows *)cursor;
    (void)err;
    if (r->at == r->n)
        return DPL_END;
    const dpl_dedup_hit *h = &r->hits[r->at++];
    const char *how = dpl_dedup_how_name(h->how);
    core_put_id(out, 0, dpl_dedup_get_item(r->result, h->item));
    core_put_id(out, 1, dpl_dedup_get_doc(r->result, h->doc).id);
    core_put_text(out, 2, (dpl_str){how, strlen(how)});
    core_put_real(out, 3, (double)h->score);
    core_put_number(out, 4, h->begin);
    core_put_number(out, 5, h->end);
    return DPL_OK;
}

static const core_cursor hit_cursor = {hits_open, next_hit, free};

/* dedup_table(result, what, ids are numbers) */
static PyObject *dedup_table(PyObject *module, PyObject *args)
{
    (void)module;
    PyObject *handle;
    const char *what;
    int numbers;
    if (!PyArg_ParseTuple(args, "Osp", &handle, &what, &numbers))
        return NULL;
    dpl_dedup_result *r = (dpl_dedup_result *)core_get(handle, &core_dedup_kind);
    if (!r)
        return NULL;
    char id = numbers ? CORE_U32 : CORE_TEXT;
    if (strcmp(what, "documents") == 0) {
        const core_field fields[] = {{"id", id},
                                     {"cluster", id},
                                     {"score", CORE_F32},
                                     {"keep", CORE_BOOL},
                                     {"kind", CORE_TEXT}};
        const dpl_dedup_summary *s = dpl_dedup_get_summary(r);
        return core_table_new(fields, 5, &doc_cursor, r, 0,
                              s->unit == DPL_DEDUP_DOCUMENT ? (int64_t)s->n_docs : 0, handle);
    }
    if (strcmp(what, "contamination") == 0) {
        const core_field fields[] = {{"item_id", CORE_TEXT}, {"id", CORE_TEXT},
                                     {"how", CORE_TEXT},     {"score", CORE_F32},
                                     {"begin", CORE_U32},    {"end", CORE_U32}};
        size_t n_hits;
        dpl_dedup_get_hits(r, &n_hits);
        return core_table_new(fields, 6, &hit_cursor, r, 0, (int64_t)n_hits, handle);
    }
    const core_field fields[] = {
        {"left_id", id}, {"right_id", id}, {"score", CORE_F32}, {"kind", CORE_TEXT}};
    size_t n;
    dpl_dedup_get_edges(r, &n);
    return core_table_new(fields, 4, &edge_cursor, r, 0, (int64_t)n, handle);
}

/* dedup_summary(result) -> JSON */
static PyObject *dedup_summary(PyObject *module, PyObject *handle)
{
    (void)module;
    dpl_dedup_result *r = (dpl_dedup_result *)core_get(handle, &core_dedup_kind);
    if (!r)
        return NULL;
    return core_summary(&dpl_dedup_figures, dpl_dedup_get_summary(r));
}

PyMethodDef core_dedup_methods[] = {
    {"dedup", dedup, METH_VARARGS,
     "dedup(context, progress, folder, inputs, against, options)"},
    {"dedup_table", dedup_table, METH_VARARGS, "dedup_table(result, what, numbers)"},
    {"dedup_summary", dedup_summary, METH_O, "dedup_summary(result) -> JSON"},
    {NULL, NULL, 0, NULL},
};
