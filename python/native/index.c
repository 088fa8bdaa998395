/*
 * index.c - pocket indexes: build, change, ask.
 */
#include "table.h"

#include <stdlib.h>
#include <string.h>

static void index_free(void *p)
{
    dpl_index_close((dpl_index *)p);
}

const core_kind core_index_kind = {"index", index_free};

static bool take_lexicons(dpl_index_options *o, PyObject *list, core_arena *arena)
{
    Py_ssize_t n = PyList_Size(list);
    const char **paths =
        n < 0 ? NULL : (const char **)core_arena_take(arena, (size_t)n * sizeof *paths);
    for (Py_ssize_t i = 0; paths && i < n; i++)
        if (!(paths[i] = core_arena_text(arena, PyList_GetItem(list, i))))
            return false;
    o->lexicons = n > 0 ? paths : NULL;
    o->n_lexicons = n > 0 ? (size_t)n : 0;
    return paths != NULL;
}

/* index_build(context, progress, path, inputs, lexicons, options) */
static PyObject *index_build(PyObject *module, PyObject *args)
{
    (void)module;
    PyObject *context, *progress, *path, *list, *lexicons, *options;
    if (!PyArg_ParseTuple(args, "OOOO!O!O", &context, &progress, &path, &PyList_Type, &list,
                          &PyList_Type, &lexicons, &options))
        return NULL;
    core_job *job = core_job_new(context, progress);
    if (!job)
        return NULL;
    core_arena arena = {0};
    size_t n;
    bool is_good = false;
    dpl_index_options o = DPL_INIT(dpl_index_options);
    dpl_input *inputs = core_inputs(list, &n, job, &arena);
    const char *name = inputs ? core_arena_text(&arena, path) : NULL;
    if (name && take_lexicons(&o, lexicons, &arena) &&
        core_options_set(&o, dpl_option_table_of("index"), options, &arena)) {
        core_run run;
        core_run_begin(&run, job);
        dpl_status st = dpl_index_build(NULL, job->ctx, name, inputs, n, &o, &run.err);
        is_good = core_run_end(&run, st);
    }
    core_arena_clear(&arena);
    core_job_unref(job);
    return is_good ? Py_NewRef(Py_None) : NULL;
}

/* index_add(context, progress, path, inputs) */
static PyObject *index_add(PyObject *module, PyObject *args)
{
    (void)module;
    PyObject *context, *progress, *path, *list;
    if (!PyArg_ParseTuple(args, "OOOO!", &context, &progress, &path, &PyList_Type, &list))
        return NULL;
    core_job *job = core_job_new(context, progress);
    if (!job)
        return NULL;
    core_arena arena = {0};
    size_t n;
    bool is_good = false;
    dpl_input *inputs = core_inputs(list, &n, job, &arena);
    const char *name = inputs ? core_arena_text(&arena, path) : NULL;
    if (name) {
        core_run run;
        core_run_begin(&run, job);
        dpl_status st = dpl_index_add(NULL, job->ctx, name, inputs, n, &run.err);
        is_good = core_run_end(&run, st);
    }
    core_arena_clear(&arena);
    core_job_unref(job);
    return is_good ? Py_NewRef(Py_None) : NULL;
}

/* index_delete(context, progress, path, ids) */
static PyObject *index_delete(PyObject *module, PyObject *args)
{
    (void)module;
    PyObject *context, *progress, *path, *list;
    if (!PyArg_ParseTuple(args, "OOOO!", &context, &progress, &path, &PyList_Type, &list))
        return NULL;
    core_job *job = core_job_new(context, progress);
    if (!job)
        return NULL;
    core_arena arena = {0};
    size_t n = (size_t)PyList_Size(list);
    dpl_str *ids = (dpl_str *)core_arena_take(&arena, n * sizeof *ids);
    bool is_good = ids != NULL;
    for (size_t i = 0; is_good && i < n; i++)
        is_good = core_to_str(&ids[i], PyList_GetItem(list, (Py_ssize_t)i));
    const char *name = is_good ? core_arena_text(&arena, path) : NULL;
    is_good = false;
    if (name) {
        core_run run;
        core_run_begin(&run, job);
        dpl_status st = dpl_index_delete(NULL, job->ctx, name, ids, n, &run.err);
        is_good = core_run_end(&run, st);
    }
    core_arena_clear(&arena);
    core_job_unref(job);
    return is_good ? Py_NewRef(Py_None) : NULL;
}

static dpl_status open_index(void **out, dpl_ctx *ctx, const char *path, dpl_error *err)
{
    dpl_index *index = NULL;
    dpl_status status = dpl_index_open(&index, ctx, path, err);
    *out = index;
    return status;
}

/* index_open(context, path) */
static PyObject *index_open(PyObject *module, PyObject *args)
{
    (void)module;
    return core_open(&core_index_kind, open_index, args);
}

/* index_info(index) -> JSON */
static PyObject *index_info(PyObject *module, PyObject *handle)
{
    (void)module;
    dpl_index *index = (dpl_index *)core_get(handle, &core_index_kind);
    if (!index)
        return NULL;
    dpl_index_info s = DPL_INIT(dpl_index_info);
    dpl_index_describe(index, &s);
    return core_summary(&dpl_index_info_figures, &s);
}

/* index_doc(index, id or row) -> (row, id, title, lang, words), or None */
static PyObject *index_doc(PyObject *module, PyObject *args)
{
    (void)module;
    PyObject *handle, *key;
    uint32_t row;
    if (!PyArg_ParseTuple(args, "OO", &handle, &key))
        return NULL;
    dpl_index *index = (dpl_index *)core_get(handle, &core_index_kind);
    if (!index)
        return NULL;
    dpl_index_info info = DPL_INIT(dpl_index_info);
    dpl_index_describe(index, &info);
    if (PyUnicode_Check(key)) {
        dpl_str id;
        if (!core_to_str(&id, key))
            return NULL;
        if (!dpl_index_find(index, id, &row))
            Py_RETURN_NONE;
    } else {
        unsigned long x = PyLong_AsUnsignedLong(key);
        if (PyErr_Occurred())
            return NULL;
        if (x >= info.n_docs)
            return PyErr_Format(PyExc_IndexError, "there is no document %lu", x);
        row = (uint32_t)x;
    }
    dpl_index_doc d = dpl_index_document(index, row);
    return Py_BuildValue("INNsI", row, core_str(d.id), core_str(d.title), d.lang, d.n_words);
}

/* index_text(index, row) */
static PyObject *index_text(PyObject *module, PyObject *args)
{
    (void)module;
    PyObject *handle;
    unsigned row;
    if (!PyArg_ParseTuple(args, "OI", &handle, &row))
        return NULL;
    dpl_index *index = (dpl_index *)core_get(handle, &core_index_kind);
    if (!index)
        return NULL;
    dpl_index_info info = DPL_INIT(dpl_index_info);
    dpl_index_describe(index, &info);
    if (row >= info.n_docs)
        return PyErr_Format(PyExc_IndexError, "there is no document %u", row);
    dpl_error err = {0};
    dpl_str text = {0};
    dpl_status st = dpl_index_text(index, row, &text, &err);
    if (st != DPL_OK)
        return core_raise(st, &err);
    PyObject *result = core_str(text);
    dpl_index_free_text(index, text);
    return result;
}

/* ---- asking --------------------------------------------------------------------------- */

static const core_field hit_fields[] = {{"query_id", CORE_TEXT}, {"rank", CORE_U32},
                                        {"id", CORE_TEXT},       {"title", CORE_TEXT},
                                        {"lang", CORE_TEXT},     {"score", CORE_F32}};
enum { N_HIT_FIELDS = sizeof hit_fields / sizeof *hit_fields };

typedef struct hits {
    const dpl_index *index;
    core_chunk *chunk;
} hits;

static void put_hits(hits *h, dpl_str id, const dpl_query_result *r)
{
    for (size_t i = 0; i < r->n_hits; i++) {
        dpl_index_doc d = dpl_index_document(h->index, r->hits[i].row);
        core_put_id(h->chunk, 0, id);
        core_put_number(h->chunk, 1, i + 1);
        core_put_id(h->chunk, 2, d.id);
        core_put_text(h->chunk, 3, d.title);
        core_put_text(h->chunk, 4, (dpl_str){d.lang, strlen(d.lang)});
        core_put_real(h->chunk, 5, (double)r->hits[i].score);
        core_end_row(h->chunk);
    }
}

static dpl_status take(void *user, const dpl_doc *doc, dpl_query *query,
                       const dpl_query_result *result, dpl_error *err)
{
    hits *h = (hits *)user;
    (void)query, (void)err;
    put_hits(h, doc->id, result);
    return core_chunk_failed(h->chunk) ? DPL_E_NOMEM : DPL_OK;
}

/* index_search(context, progress, index, inputs, reading, options, query ids are numbers, ids
 * are numbers) -> table */
static PyObject *index_search(PyObject *module, PyObject *args)
{
    (void)module;
    PyObject *context, *progress, *handle, *list, *reading, *options, *result = NULL;
    int numbers, id_numbers;
    if (!PyArg_ParseTuple(args, "OOOO!OOpp", &context, &progress, &handle, &PyList_Type, &list,
                          &reading, &options, &numbers, &id_numbers))
        return NULL;
    hits h = {(dpl_index *)core_get(handle, &core_index_kind), NULL};
    core_job *job = h.index ? core_job_new(context, progress) : NULL;
    if (!job)
        return NULL;
    core_field fields[N_HIT_FIELDS];
    memcpy(fields, hit_fields, sizeof fields);
    fields[0].type = numbers ? CORE_U32 : CORE_TEXT;
    fields[2].type = id_numbers ? CORE_U32 : CORE_TEXT;
    core_arena arena = {0};
    size_t n;
    dpl_reader_options read = DPL_INIT(dpl_reader_options);
    dpl_query_options o = DPL_INIT(dpl_query_options);
    dpl_input *inputs = core_inputs(list, &n, job, &arena);
    if (inputs && core_options_set(&read, dpl_option_table_of("reader"), reading, &arena) &&
        core_options_set(&o, dpl_option_table_of("query"), options, &arena)) {
        h.chunk = core_chunk_new(fields, N_HIT_FIELDS);
        core_run run;
        core_run_begin(&run, job);
        dpl_status st = h.chunk ? dpl_query_inputs(NULL, job->ctx, h.index, inputs, n, &read,
                                                   &o, take, &h, &run.err)
                                : DPL_E_NOMEM;
        if (core_run_end(&run, st))
            result = core_table_of_chunk(fields, N_HIT_FIELDS, h.chunk);
        else
            core_chunk_unref(h.chunk);
    }
    core_arena_clear(&arena);
    core_job_unref(job);
    return result;
}

/* index_like(index, row, options, ids are numbers) -> table: documents like one of the index */
static PyObject *index_like(PyObject *module, PyObject *args)
{
    (void)module;
    PyObject *handle, *options, *result = NULL;
    unsigned row;
    int id_numbers;
    if (!PyArg_ParseTuple(args, "OIOp", &handle, &row, &options, &id_numbers))
        return NULL;
    hits h = {(dpl_index *)core_get(handle, &core_index_kind), NULL};
    if (!h.index)
        return NULL;
    core_field fields[N_HIT_FIELDS];
    memcpy(fields, hit_fields, sizeof fields);
    fields[0].type = fields[2].type = id_numbers ? CORE_U32 : CORE_TEXT;
    core_arena arena = {0};
    dpl_query_options o = DPL_INIT(dpl_query_options);
    if (core_options_set(&o, dpl_option_table_of("query"), options, &arena)) {
        dpl_error err = {0};
        dpl_query *query = NULL;
        dpl_query_result found = DPL_INIT(dpl_query_result);
        dpl_status st = dpl_query_new(&query, h.index, &o, &err);
        if (st == DPL_OK)
            st = dpl_query_row(query, row, &found, &err);
        if (st == DPL_OK && (h.chunk = core_chunk_new(fields, N_HIT_FIELDS))) {
            put_hits(&h, dpl_index_document(h.index, row).id, &found);
            result = core_table_of_chunk(fields, N_HIT_FIELDS, h.chunk);
        } else {
            core_raise(st == DPL_OK ? DPL_E_NOMEM : st, &err);
        }
        dpl_query_free(query);
    }
    core_arena_clear(&arena);
    return result;
}

/* ---- what a hit consists of ----------------------------------------------------------- */

static PyObject *hit_terms(dpl_query *query, size_t hit, dpl_error *err)
{
    const dpl_query_term *terms;
    size_t n;
    dpl_status st = dpl_query_words(query, hit, &terms, &n, err);
    if (st != DPL_OK)
        return core_raise(st, err);
    PyObject *list = PyList_New((Py_ssize_t)n);
    for (size_t i = 0; list && i < n; i++)
        PyList_SetItem(list, (Py_ssize_t)i,
                       Py_BuildValue("NNd", core_str(terms[i].query),
                                     core_str(terms[i].document), (double)terms[i].weight));
    return list;
}

static PyObject *hit_passages(dpl_query *query, size_t hit, dpl_error *err)
{
    const dpl_query_passage *p;
    size_t n;
    dpl_status st = dpl_query_passages(query, hit, &p, &n, err);
    if (st == DPL_E_UNSUPPORTED)
        Py_RETURN_NONE;
    if (st != DPL_OK)
        return core_raise(st, err);
    PyObject *list = PyList_New((Py_ssize_t)n);
    for (size_t i = 0; list && i < n; i++)
        PyList_SetItem(list, (Py_ssize_t)i,
                       Py_BuildValue("IIIId", p[i].query_begin, p[i].query_end, p[i].begin,
                                     p[i].end, (double)p[i].score));
    return list;
}

/* index_explain(index, text, options) -> [(id, score, [(query, document, weight)], [(query
 * begin, end, begin, end, score)] or None)] */
static PyObject *index_explain(PyObject *module, PyObject *args)
{
    (void)module;
    PyObject *handle, *text, *options, *list = NULL;
    dpl_str s;
    if (!PyArg_ParseTuple(args, "OO!O", &handle, &PyUnicode_Type, &text, &options))
        return NULL;
    dpl_index *index = (dpl_index *)core_get(handle, &core_index_kind);
    if (!index || !core_to_str(&s, text))
        return NULL;
    core_arena arena = {0};
    dpl_query_options o = DPL_INIT(dpl_query_options);
    dpl_error err = {0};
    dpl_query *query = NULL;
    dpl_query_result found = DPL_INIT(dpl_query_result);
    if (core_options_set(&o, dpl_option_table_of("query"), options, &arena)) {
        dpl_status st = dpl_query_new(&query, index, &o, &err);
        if (st == DPL_OK)
            st = dpl_query_text(query, s, &found, &err);
        list = st == DPL_OK ? PyList_New(0) : core_raise(st, &err);
    }
    for (size_t i = 0; list && i < found.n_hits; i++) {
        PyObject *terms = hit_terms(query, i, &err);
        PyObject *passages = terms ? hit_passages(query, i, &err) : NULL;
        PyObject *row =
            passages ? Py_BuildValue("NdNN",
                                     core_str(dpl_index_document(index, found.hits[i].row).id),
                                     (double)found.hits[i].score, terms, passages)
                     : NULL;
        if (!passages)
            Py_XDECREF(terms);
        if (!row || PyList_Append(list, row) != 0)
            Py_CLEAR(list);
        Py_XDECREF(row);
    }
    dpl_query_free(query);
    core_arena_clear(&arena);
    return list;
}

PyMethodDef core_index_methods[] = {
    {"index_build", index_build, METH_VARARGS,
     "index_build(context, progress, path, inputs, lexicons, options)"},
    {"index_add", index_add, METH_VARARGS, "index_add(context, progress, path, inputs)"},
    {"index_delete", index_delete, METH_VARARGS, "index_delete(context, progress, path, ids)"},
    {"index_open", index_open, METH_VARARGS, "index_open(context, path)"},
    {"index_info", index_info, METH_O, "index_info(index) -> JSON"},
    {"index_doc", index_doc, METH_VARARGS, "(row, id, title, lang, words) or None"},
    {"index_text", index_text, METH_VARARGS, "index_text(index, row)"},
    {"index_search", index_search, METH_VARARGS,
     "index_search(context, progress, index, inputs, reading, options, ...)"},
    {"index_like", index_like, METH_VARARGS, "index_like(index, row, options, numbers)"},
    {"index_explain", index_explain, METH_VARARGS, "index_explain(index, text, options)"},
    {NULL, NULL, 0, NULL},
};
