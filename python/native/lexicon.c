/*
 * lexicon.c - lexicons: training, import, entries, lookup, word alignment.
 */
#include "arrow.h"
#include "table.h"

#include <stdlib.h>
#include <string.h>

/* A lexicon of its own, or one that belongs to a result, which the handle keeps. */
static void lexicon_free(void *p)
{
    dpl_lexicon_close((dpl_lexicon *)p);
}

static void borrowed_free(void *p)
{
    (void)p;
}

const core_kind core_lexicon_kind = {"lexicon", lexicon_free};
const core_kind core_borrowed_lexicon_kind = {"lexicon", borrowed_free};

const dpl_lexicon *core_get_lexicon(PyObject *handle)
{
    core_handle *h = (core_handle *)handle;
    bool is_borrowed =
        Py_TYPE(handle) == core_handle_type() && h->kind == &core_borrowed_lexicon_kind;
    return (const dpl_lexicon *)core_get(handle, is_borrowed ? &core_borrowed_lexicon_kind
                                                             : &core_lexicon_kind);
}

bool core_get_lexicon_or_none(const dpl_lexicon **out, PyObject *handle)
{
    *out = NULL;
    return handle == Py_None || (*out = core_get_lexicon(handle)) != NULL;
}

/* lexicon_open(context, path, options) */
static PyObject *lexicon_open(PyObject *module, PyObject *args)
{
    (void)module;
    PyObject *context, *path, *options, *result = NULL;
    if (!PyArg_ParseTuple(args, "OOO", &context, &path, &options))
        return NULL;
    core_job *job = core_job_new(context, Py_None);
    if (!job)
        return NULL;
    core_arena arena = {0};
    dpl_lexicon_options o = DPL_INIT(dpl_lexicon_options);
    const char *name = core_arena_text(&arena, path);
    if (name && core_options_set(&o, dpl_option_table_of("lexicon"), options, &arena)) {
        dpl_lexicon *lexicon = NULL;
        core_run run;
        core_run_begin(&run, job);
        dpl_status st = dpl_lexicon_open(&lexicon, job->ctx, name, &o, &run.err);
        if (core_run_end(&run, st))
            result = core_handle_new(&core_lexicon_kind, lexicon, core_job_ref(job), NULL);
    }
    core_arena_clear(&arena);
    core_job_unref(job);
    return result;
}

/* ---- rows of parallel text ------------------------------------------------------------ */

/* Pairs of texts of an iterator, taken in blocks as documents are. */
enum { BLOCK = 256 };

typedef struct pair_rows {
    PyObject *iterator, *block[BLOCK];
    size_t n, at;
    bool is_done;
    core_job *job;
    const dpl_doc_source *source; /* an Arrow stream: id is left, text right */
} pair_rows;

static void drop_block(pair_rows *r)
{
    for (size_t i = 0; i < r->n; i++)
        Py_CLEAR(r->block[i]);
    r->n = r->at = 0;
}

static bool fill(pair_rows *r)
{
    drop_block(r);
    while (r->n < BLOCK && !r->is_done) {
        PyObject *row = PyIter_Next(r->iterator);
        r->is_done = !row;
        if (row)
            r->block[r->n++] = row;
    }
    return !PyErr_Occurred();
}

static bool take_pair(dpl_bitext_row *out, PyObject *row)
{
    if (PyTuple_Check(row) && PyTuple_Size(row) >= 2)
        return core_to_str(&out->left, PyTuple_GetItem(row, 0)) &&
               core_to_str(&out->right, PyTuple_GetItem(row, 1));
    PyErr_Format(PyExc_TypeError, "expected a pair of texts, not %R", row);
    return false;
}

static dpl_status next_pair(void *user, dpl_bitext_row *row, dpl_error *err)
{
    pair_rows *r = (pair_rows *)user;
    dpl_status st = DPL_OK;
    PyGILState_STATE gil = PyGILState_Ensure();
    if ((r->at == r->n && !fill(r)) || (r->at < r->n && !take_pair(row, r->block[r->at]))) {
        core_job_fail(r->job);
        st = DPL_E_STOPPED;
        if (err)
            err->status = st;
    } else if (r->at == r->n) {
        st = DPL_END;
    } else {
        r->at++;
    }
    PyGILState_Release(gil);
    return st;
}

static dpl_status next_in_stream(void *user, dpl_bitext_row *row, dpl_error *err)
{
    const dpl_doc_source *source = ((pair_rows *)user)->source;
    dpl_doc doc = {0};
    DPL_TRY(source->next(source->user, &doc, err));
    *row = (dpl_bitext_row){doc.id, doc.text};
    return DPL_OK;
}

/* The reader of files (a list of paths) or of pairs (any iterable). */
static bool open_rows(dpl_bitext **out, pair_rows *r, PyObject *source, core_job *job,
                      const dpl_bitext_options *options, core_arena *arena)
{
    core_run run;
    dpl_status st;
    r->job = job;
    if (PyList_Check(source) && PyList_Size(source) > 0 &&
        PyBytes_Check(PyList_GetItem(source, 0))) {
        size_t n = (size_t)PyList_Size(source);
        const char **paths = (const char **)core_arena_take(arena, n * sizeof *paths);
        for (size_t i = 0; paths && i < n; i++)
            if (!(paths[i] = core_arena_text(arena, PyList_GetItem(source, (Py_ssize_t)i))))
                return false;
        if (!paths)
            return false;
        core_run_begin(&run, job);
        st = dpl_bitext_open(out, job->ctx, paths, n, options, &run.err);
        return core_run_end(&run, st);
    }
    bool is_stream = Py_TYPE(source) == core_handle_type();
    if (is_stream ? !(r->source = core_source(source))
                  : !(r->iterator = PyObject_GetIter(source)))
        return false;
    dpl_bitext_source *s = (dpl_bitext_source *)core_arena_take(arena, sizeof *s);
    if (!s)
        return false;
    *s = (dpl_bitext_source){is_stream ? next_in_stream : next_pair, r, NULL};
    core_run_begin(&run, job);
    st = dpl_bitext_open_source(out, job->ctx, s, options, &run.err);
    return core_run_end(&run, st);
}

static void close_rows(dpl_bitext *rows, pair_rows *r)
{
    dpl_bitext_close(rows);
    drop_block(r);
    Py_XDECREF(r->iterator);
}

/* lexicon_train(context, progress, paths as bytes or pairs, options) */
static PyObject *lexicon_train(PyObject *module, PyObject *args)
{
    (void)module;
    PyObject *context, *progress, *source, *options, *result = NULL;
    if (!PyArg_ParseTuple(args, "OOOO", &context, &progress, &source, &options))
        return NULL;
    core_job *job = core_job_new(context, progress);
    if (!job)
        return NULL;
    core_arena arena = {0};
    dpl_train_options o = DPL_INIT(dpl_train_options);
    dpl_bitext *rows = NULL;
    pair_rows pairs = {0};
    dpl_lexicon *lexicon = NULL;
    if (core_options_set(&o, dpl_option_table_of("train"), options, &arena) &&
        open_rows(&rows, &pairs, source, job, o.read, &arena)) {
        core_run run;
        core_run_begin(&run, job);
        dpl_status st = dpl_lexicon_train_rows(&lexicon, NULL, job->ctx, rows, &o, &run.err);
        if (core_run_end(&run, st))
            result = core_handle_new(&core_lexicon_kind, lexicon, core_job_ref(job), NULL);
    }
    close_rows(rows, &pairs);
    core_arena_clear(&arena);
    core_job_unref(job);
    return result;
}

/* lexicon_entries(context, [(source, target, p)], options) */
static PyObject *lexicon_entries(PyObject *module, PyObject *args)
{
    (void)module;
    PyObject *context, *list, *options, *result = NULL;
    if (!PyArg_ParseTuple(args, "OO!O", &context, &PyList_Type, &list, &options))
        return NULL;
    core_job *job = core_job_new(context, Py_None);
    if (!job)
        return NULL;
    core_arena arena = {0};
    dpl_lexicon_import_options o = DPL_INIT(dpl_lexicon_import_options);
    size_t n = (size_t)PyList_Size(list);
    dpl_lexicon_entry *entries =
        (dpl_lexicon_entry *)core_arena_take(&arena, (n + 1) * sizeof *entries);
    bool is_good =
        entries && core_options_set(&o, dpl_option_table_of("lexicon_import"), options, &arena);
    for (size_t i = 0; is_good && i < n; i++) {
        PyObject *source, *target;
        double p;
        is_good = PyArg_ParseTuple(PyList_GetItem(list, (Py_ssize_t)i), "O!O!d",
                                   &PyUnicode_Type, &source, &PyUnicode_Type, &target, &p) &&
                  core_to_str(&entries[i].source, source) &&
                  core_to_str(&entries[i].target, target);
        if (is_good)
            entries[i].p = (float)p;
    }
    if (is_good) {
        dpl_lexicon *lexicon = NULL;
        core_run run;
        core_run_begin(&run, job);
        dpl_status st = dpl_lexicon_from_entries(&lexicon, job->ctx, entries, n, &o, &run.err);
        if (core_run_end(&run, st))
            result = core_handle_new(&core_lexicon_kind, lexicon, core_job_ref(job), NULL);
    }
    core_arena_clear(&arena);
    core_job_unref(job);
    return result;
}

/* lexicon_import(context, progress, [(path, weight)], options) */
static PyObject *lexicon_import(PyObject *module, PyObject *args)
{
    (void)module;
    PyObject *context, *progress, *list, *options, *result = NULL;
    if (!PyArg_ParseTuple(args, "OOO!O", &context, &progress, &PyList_Type, &list, &options))
        return NULL;
    core_job *job = core_job_new(context, progress);
    if (!job)
        return NULL;
    core_arena arena = {0};
    dpl_lexicon_import_options o = DPL_INIT(dpl_lexicon_import_options);
    size_t n = (size_t)PyList_Size(list);
    dpl_dictionary *from = (dpl_dictionary *)core_arena_take(&arena, (n + 1) * sizeof *from);
    bool is_good =
        from && core_options_set(&o, dpl_option_table_of("lexicon_import"), options, &arena);
    for (size_t i = 0; is_good && i < n; i++) {
        PyObject *path;
        is_good = PyArg_ParseTuple(PyList_GetItem(list, (Py_ssize_t)i), "Od", &path,
                                   &from[i].weight) &&
                  (from[i].path = core_arena_text(&arena, path)) != NULL;
    }
    if (is_good) {
        dpl_lexicon *lexicon = NULL;
        core_run run;
        core_run_begin(&run, job);
        dpl_status st =
            dpl_lexicon_from_dictionaries(&lexicon, job->ctx, from, n, &o, &run.err);
        if (core_run_end(&run, st))
            result = core_handle_new(&core_lexicon_kind, lexicon, core_job_ref(job), NULL);
    }
    core_arena_clear(&arena);
    core_job_unref(job);
    return result;
}

/* ---- reading -------------------------------------------------------------------------- */

/* lexicon_info(lexicon) -> (sources, targets, entries, back entries, links, source language,
 * target language, has stems, settings) */
static PyObject *lexicon_info(PyObject *module, PyObject *handle)
{
    (void)module;
    const dpl_lexicon *l = core_get_lexicon(handle);
    if (!l)
        return NULL;
    const dpl_lexicon_sizes *s = dpl_lexicon_get_sizes(l);
    return Py_BuildValue("IIKKKssON", s->n_sources, s->n_targets,
                         (unsigned long long)s->n_entries, (unsigned long long)s->n_back,
                         (unsigned long long)s->n_links, dpl_lexicon_get_info(l).source_lang,
                         dpl_lexicon_get_info(l).target_lang,
                         dpl_lexicon_get_info(l).is_stemmed ? Py_True : Py_False,
                         core_str(dpl_lexicon_get_info(l).settings));
}

static PyObject *row_list(const dpl_lexicon *l, bool is_target, uint32_t number)
{
    size_t n;
    const float *p;
    const uint32_t *words = is_target ? dpl_lexicon_back_row(l, number, &p, &n)
                                      : dpl_lexicon_row(l, number, &p, &n);
    PyObject *list = PyList_New(0);
    for (size_t i = 0; list && i < n; i++) {
        dpl_str w =
            is_target ? dpl_lexicon_source(l, words[i]) : dpl_lexicon_target(l, words[i]);
        PyObject *row = Py_BuildValue("Nd", core_str(w), (double)p[i]);
        if (!row || PyList_Append(list, row) != 0)
            Py_CLEAR(list);
        Py_XDECREF(row);
    }
    return list;
}

/* lexicon_look_up(context, lexicon, word, is target) -> (word as it is in the lexicon,
 * [(translation, p)] or None, count) */
static PyObject *lexicon_look_up(PyObject *module, PyObject *args)
{
    (void)module;
    PyObject *context, *handle, *word;
    int is_target;
    dpl_str text;
    if (!PyArg_ParseTuple(args, "OOO!p", &context, &handle, &PyUnicode_Type, &word, &is_target))
        return NULL;
    const dpl_lexicon *l = core_get_lexicon(handle);
    dpl_ctx *ctx = l ? (dpl_ctx *)core_get(context, &core_context_kind) : NULL;
    if (!ctx || !core_to_str(&text, word))
        return NULL;
    dpl_error err = {0};
    dpl_lexicon_hit hit;
    dpl_status st = dpl_lexicon_look_up(&hit, ctx, l, is_target, text, &err);
    if (st != DPL_OK)
        return core_raise(st, &err);
    if (!hit.is_known)
        return Py_BuildValue("sOK", hit.text, Py_None, 0ULL);
    uint64_t count = dpl_lexicon_count(l, is_target, hit.number);
    return Py_BuildValue("sNK", hit.text, row_list(l, is_target, hit.number),
                         (unsigned long long)count);
}

/* lexicon_near(context, lexicon, word, is target, n) -> [word] */
static PyObject *lexicon_near(PyObject *module, PyObject *args)
{
    (void)module;
    PyObject *handle;
    const char *word;
    Py_ssize_t n_word;
    int is_target;
    unsigned n;
    uint32_t found[256];
    if (!PyArg_ParseTuple(args, "Os#pI", &handle, &word, &n_word, &is_target, &n))
        return NULL;
    const dpl_lexicon *l = core_get_lexicon(handle);
    if (!l)
        return NULL;
    size_t n_found = dpl_lexicon_near(l, is_target, (dpl_str){word, (size_t)n_word}, found,
                                      n < 256 ? n : 256);
    PyObject *list = PyList_New((Py_ssize_t)n_found);
    for (size_t i = 0; list && i < n_found; i++)
        PyList_SetItem(list, (Py_ssize_t)i,
                       core_str(is_target ? dpl_lexicon_target(l, found[i])
                                          : dpl_lexicon_source(l, found[i])));
    return list;
}

static void *entries_open(const core_table *t, dpl_error *err)
{
    (void)err;
    dpl_lexicon_entries *e = (dpl_lexicon_entries *)malloc(sizeof *e);
    if (e)
        *e = dpl_lexicon_entries_begin((const dpl_lexicon *)t->object, t->arg != 0);
    return e;
}

static dpl_status entries_next(void *cursor, core_chunk *out, dpl_error *err)
{
    dpl_lexicon_entry e;
    (void)err;
    if (!dpl_lexicon_entries_next((dpl_lexicon_entries *)cursor, &e))
        return DPL_END;
    core_put_text(out, 0, e.source);
    core_put_text(out, 1, e.target);
    core_put_real(out, 2, (double)e.p);
    return DPL_OK;
}

static const core_cursor entries_cursor = {entries_open, entries_next, free};

/* lexicon_table(lexicon, is back) */
static PyObject *lexicon_table(PyObject *module, PyObject *args)
{
    (void)module;
    PyObject *handle;
    int is_back;
    static const core_field fields[] = {
        {"source", CORE_TEXT}, {"target", CORE_TEXT}, {"p", CORE_F32}};
    if (!PyArg_ParseTuple(args, "Op", &handle, &is_back))
        return NULL;
    const dpl_lexicon *l = core_get_lexicon(handle);
    if (!l)
        return NULL;
    const dpl_lexicon_sizes *s = dpl_lexicon_get_sizes(l);
    return core_table_new(fields, 3, &entries_cursor, l, (size_t)is_back,
                          (int64_t)(is_back ? s->n_back : s->n_entries), handle);
}

/* lexicon_save(lexicon, path) */
static PyObject *lexicon_save(PyObject *module, PyObject *args)
{
    (void)module;
    PyObject *handle, *path;
    if (!PyArg_ParseTuple(args, "OO", &handle, &path))
        return NULL;
    const dpl_lexicon *l = core_get_lexicon(handle);
    core_arena arena = {0};
    const char *name = l ? core_arena_text(&arena, path) : NULL;
    if (!name)
        return NULL;
    dpl_error err = {0};
    dpl_status st;
    Py_BEGIN_ALLOW_THREADS st = dpl_lexicon_save(l, name, &err);
    Py_END_ALLOW_THREADS core_arena_clear(&arena);
    return st == DPL_OK ? Py_NewRef(Py_None) : core_raise(st, &err);
}

/* ---- word alignment ------------------------------------------------------------------- */

static PyObject *word_list(const dpl_str *words, size_t n)
{
    PyObject *list = PyList_New((Py_ssize_t)n);
    for (size_t i = 0; list && i < n; i++)
        PyList_SetItem(list, (Py_ssize_t)i, core_str(words[i]));
    return list;
}

static PyObject *aligned_row(const dpl_aligned_row *row)
{
    PyObject *links = PyList_New((Py_ssize_t)row->n_links);
    for (size_t i = 0; links && i < row->n_links; i++)
        PyList_SetItem(links, (Py_ssize_t)i,
                       Py_BuildValue("II", row->links[i].left, row->links[i].right));
    return links ? Py_BuildValue("NNN", word_list(row->left, row->n_left),
                                 word_list(row->right, row->n_right), links)
                 : NULL;
}

/* lexicon_align(context, progress, lexicon, paths or pairs, options)
 * -> [([left words], [right words], [(left, right)])] */
static PyObject *lexicon_align(PyObject *module, PyObject *args)
{
    (void)module;
    PyObject *context, *progress, *handle, *source, *options, *list = NULL;
    if (!PyArg_ParseTuple(args, "OOOOO", &context, &progress, &handle, &source, &options))
        return NULL;
    const dpl_lexicon *l = core_get_lexicon(handle);
    core_job *job = l ? core_job_new(context, progress) : NULL;
    if (!job)
        return NULL;
    core_arena arena = {0};
    dpl_align_options o = DPL_INIT(dpl_align_options);
    dpl_bitext *rows = NULL;
    dpl_alignment *alignment = NULL;
    pair_rows pairs = {0};
    if (core_options_set(&o, dpl_option_table_of("align"), options, &arena) &&
        open_rows(&rows, &pairs, source, job, o.read, &arena)) {
        core_run run;
        core_run_begin(&run, job);
        dpl_status st = dpl_alignment_open(&alignment, job->ctx, l, rows, &o, &run.err);
        if (core_run_end(&run, st))
            list = PyList_New(0);
        while (list) {
            dpl_aligned_row row;
            core_run_begin(&run, job);
            st = dpl_alignment_next(alignment, &row, &run.err);
            bool is_good = core_run_end(&run, st);
            if (is_good && st == DPL_END)
                break;
            PyObject *made = is_good ? aligned_row(&row) : NULL;
            if (!made || PyList_Append(list, made) != 0)
                Py_CLEAR(list);
            Py_XDECREF(made);
        }
    }
    dpl_alignment_close(alignment);
    close_rows(rows, &pairs);
    core_arena_clear(&arena);
    core_job_unref(job);
    return list;
}

PyMethodDef core_lexicon_methods[] = {
    {"lexicon_open", lexicon_open, METH_VARARGS, "lexicon_open(context, path, options)"},
    {"lexicon_train", lexicon_train, METH_VARARGS,
     "lexicon_train(context, progress, source, options)"},
    {"lexicon_entries", lexicon_entries, METH_VARARGS,
     "lexicon_entries(context, entries, options)"},
    {"lexicon_import", lexicon_import, METH_VARARGS,
     "lexicon_import(context, progress, dictionaries, options)"},
    {"lexicon_info", lexicon_info, METH_O, "sizes, languages, settings"},
    {"lexicon_look_up", lexicon_look_up, METH_VARARGS,
     "lexicon_look_up(context, lexicon, word, is_target)"},
    {"lexicon_near", lexicon_near, METH_VARARGS, "lexicon_near(lexicon, word, is_target, n)"},
    {"lexicon_table", lexicon_table, METH_VARARGS, "lexicon_table(lexicon, is_back)"},
    {"lexicon_save", lexicon_save, METH_VARARGS, "lexicon_save(lexicon, path)"},
    {"lexicon_align", lexicon_align, METH_VARARGS,
     "lexicon_align(context, progress, lexicon, source, options)"},
    {NULL, NULL, 0, NULL},
};
