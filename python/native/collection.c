/*
 * collection.c - collections: import, open, save, documents.
 */
#include "core.h"

#include <stdlib.h>

static void collection_free(void *p)
{
    dpl_collection_close((dpl_collection *)p);
}

const core_kind core_collection_kind = {"collection", collection_free};

/* import_(context, progress, out or None, inputs, options) -> collection, or None with out */
static PyObject *import_inputs(PyObject *module, PyObject *args)
{
    (void)module;
    PyObject *context, *progress, *out, *list, *options, *result = NULL;
    if (!PyArg_ParseTuple(args, "OOOO!O", &context, &progress, &out, &PyList_Type, &list,
                          &options))
        return NULL;
    core_job *job = core_job_new(context, progress);
    if (!job)
        return NULL;
    core_arena arena = {0};
    size_t n;
    dpl_collection *collection = NULL;
    dpl_import_options o = DPL_INIT(dpl_import_options);
    dpl_input *inputs = core_inputs(list, &n, job, &arena);
    const char *path = out == Py_None ? NULL : core_arena_text(&arena, out);
    if (inputs && (path || out == Py_None) &&
        core_options_set(&o, dpl_option_table_of("import"), options, &arena)) {
        core_run run;
        core_run_begin(&run, job);
        dpl_status st = path ? dpl_import_inputs(NULL, job->ctx, path, inputs, n, &o, &run.err)
                             : dpl_collection_from_inputs(&collection, NULL, job->ctx, inputs,
                                                          n, &o, &run.err);
        if (core_run_end(&run, st)) {
            if (path) {
                result = Py_None;
                Py_INCREF(result);
            } else {
                result =
                    core_handle_new(&core_collection_kind, collection, core_job_ref(job), NULL);
            }
        }
    }
    core_arena_clear(&arena);
    core_job_unref(job);
    return result;
}

static dpl_status open_collection(void **out, dpl_ctx *ctx, const char *path, dpl_error *err)
{
    dpl_collection *collection = NULL;
    dpl_status status = dpl_collection_open(&collection, ctx, path, err);
    *out = collection;
    return status;
}

/* collection_open(context, path) */
static PyObject *collection_open(PyObject *module, PyObject *args)
{
    (void)module;
    return core_open(&core_collection_kind, open_collection, args);
}

/* collection_save(collection, path) */
static PyObject *collection_save(PyObject *module, PyObject *args)
{
    (void)module;
    PyObject *handle, *path;
    if (!PyArg_ParseTuple(args, "OO", &handle, &path))
        return NULL;
    dpl_collection *c = (dpl_collection *)core_get(handle, &core_collection_kind);
    core_arena arena = {0};
    const char *name = c ? core_arena_text(&arena, path) : NULL;
    if (!name)
        return NULL;
    dpl_error err = {0};
    dpl_status st;
    Py_BEGIN_ALLOW_THREADS st = dpl_collection_save(c, name, &err);
    Py_END_ALLOW_THREADS core_arena_clear(&arena);
    if (st != DPL_OK)
        return core_raise(st, &err);
    Py_RETURN_NONE;
}

/* collection_info(collection) -> (documents, terms, tokens, sentences, bytes, settings) */
static PyObject *collection_info(PyObject *module, PyObject *handle)
{
    (void)module;
    dpl_collection *c = (dpl_collection *)core_get(handle, &core_collection_kind);
    if (!c)
        return NULL;
    const dpl_collection_sizes *s = dpl_collection_get_sizes(c);
    return Py_BuildValue("IIKKKN", s->n_docs, s->n_terms, (unsigned long long)s->n_tokens,
                         (unsigned long long)s->n_sentences,
                         (unsigned long long)s->n_text_bytes,
                         core_str(dpl_collection_settings(c)));
}

/* collection_doc(collection, i) -> (id, lang, title, text, extra) */
static PyObject *collection_doc(PyObject *module, PyObject *args)
{
    (void)module;
    PyObject *handle;
    unsigned i;
    if (!PyArg_ParseTuple(args, "OI", &handle, &i))
        return NULL;
    dpl_collection *c = (dpl_collection *)core_get(handle, &core_collection_kind);
    if (!c)
        return NULL;
    if (i >= dpl_collection_get_sizes(c)->n_docs)
        return PyErr_Format(PyExc_IndexError, "there is no document %u", i);
    dpl_doc d = dpl_collection_doc(c, i);
    return Py_BuildValue("NNNNN", core_str(d.id), core_str(d.lang), core_str(d.title),
                         core_str(d.text), core_str(d.extra));
}

/* collection_find(collection, id) -> number or None */
static PyObject *collection_find(PyObject *module, PyObject *args)
{
    (void)module;
    PyObject *handle, *id;
    dpl_str text;
    uint32_t doc;
    if (!PyArg_ParseTuple(args, "OO", &handle, &id))
        return NULL;
    dpl_collection *c = (dpl_collection *)core_get(handle, &core_collection_kind);
    if (!c || !core_to_str(&text, id))
        return NULL;
    if (!dpl_collection_find_doc(c, text, &doc))
        Py_RETURN_NONE;
    return PyLong_FromUnsignedLong(doc);
}

PyMethodDef core_collection_methods[] = {
    {"import_", import_inputs, METH_VARARGS,
     "import_(context, progress, out, inputs, options)"},
    {"collection_open", collection_open, METH_VARARGS, "collection_open(context, path)"},
    {"collection_save", collection_save, METH_VARARGS, "collection_save(collection, path)"},
    {"collection_info", collection_info, METH_O, "sizes and settings"},
    {"collection_doc", collection_doc, METH_VARARGS, "(id, lang, title, text, extra)"},
    {"collection_find", collection_find, METH_VARARGS, "number of the document with an id"},
    {NULL, NULL, 0, NULL},
};
