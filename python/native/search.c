/*
 * search.c - vectors from collections, dense arrays and sparse matrices; pairs of their rows.
 */
#include "table.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static void vectors_free(void *p)
{
    dpl_vectors_close((dpl_vectors *)p);
}

const core_kind core_vectors_kind = {"set of vectors", vectors_free};

static dpl_status open_vectors(void **out, dpl_ctx *ctx, const char *path, dpl_error *err)
{
    dpl_vectors *vectors = NULL;
    dpl_status status = dpl_vectors_open(&vectors, ctx, path, err);
    *out = vectors;
    return status;
}

/* vectors_open(context, path) */
static PyObject *vectors_open(PyObject *module, PyObject *args)
{
    (void)module;
    return core_open(&core_vectors_kind, open_vectors, args);
}

/* vectors_make(context, progress, collection, lexicon or None, options) */
static PyObject *vectors_make(PyObject *module, PyObject *args)
{
    (void)module;
    PyObject *context, *progress, *handle, *lexicon, *options, *result = NULL;
    const dpl_lexicon *l;
    if (!PyArg_ParseTuple(args, "OOOOO", &context, &progress, &handle, &lexicon, &options))
        return NULL;
    dpl_collection *c = (dpl_collection *)core_get(handle, &core_collection_kind);
    core_job *job =
        c && core_get_lexicon_or_none(&l, lexicon) ? core_job_new(context, progress) : NULL;
    if (!job)
        return NULL;
    core_arena arena = {0};
    dpl_vectors_options o = DPL_INIT(dpl_vectors_options);
    if (core_options_set(&o, dpl_option_table_of("vectors"), options, &arena)) {
        dpl_vectors *vectors = NULL;
        core_run run;
        core_run_begin(&run, job);
        dpl_status st =
            dpl_vectors_from_collection(&vectors, NULL, job->ctx, c, l, &o, &run.err);
        if (core_run_end(&run, st))
            result = core_handle_new(&core_vectors_kind, vectors, core_job_ref(job), NULL);
    }
    core_arena_clear(&arena);
    core_job_unref(job);
    return result;
}

/* ---- arrays of the caller ------------------------------------------------------------- */

static bool take_ids(const dpl_str **out, PyObject *ids, size_t n, core_arena *arena)
{
    *out = NULL;
    if (ids == Py_None)
        return true;
    if (!PyList_Check(ids) || (size_t)PyList_Size(ids) != n) {
        PyErr_Format(PyExc_ValueError, "there must be %zu ids", n);
        return false;
    }
    dpl_str *list = (dpl_str *)core_arena_take(arena, (n + 1) * sizeof *list);
    for (size_t i = 0; list && i < n; i++)
        if (!core_to_str(&list[i], PyList_GetItem(ids, (Py_ssize_t)i)))
            return false;
    *out = list;
    return list != NULL;
}

/* One letter of the struct module's formats; 0: something else. */
static char number_type(const Py_buffer *b)
{
    const char *f = b->format ? b->format : "B";
    f += *f == '<' || *f == '=' || *f == '@';
    return f[0] && !f[1] ? f[0] : 0;
}

static float half_to_float(uint16_t h)
{
    int exponent = h >> 10 & 31;
    double m = h & 1023;
    double x = exponent == 0    ? ldexp(m, -24)
               : exponent == 31 ? (m > 0 ? (double)NAN : (double)INFINITY)
                                : ldexp(m + 1024, exponent - 25);
    return (float)(h >> 15 ? -x : x);
}

static bool real_at(double *out, char type, const char *p)
{
    float f;
    double d;
    uint16_t h;
    int8_t b;
    switch (type) {
    case 'f':
        memcpy(&f, p, sizeof f);
        *out = (double)f;
        return true;
    case 'd':
        memcpy(&d, p, sizeof d);
        *out = d;
        return true;
    case 'e':
        memcpy(&h, p, sizeof h);
        *out = (double)half_to_float(h);
        return true;
    case 'b':
        memcpy(&b, p, sizeof b);
        *out = b;
        return true;
    case 'B':
    case '?': *out = *(const unsigned char *)p; return true;
    default: return false;
    }
}

static bool integer_at(int64_t *out, const Py_buffer *b, char type, size_t i)
{
    const char *p =
        (const char *)b->buf + (Py_ssize_t)i * (b->strides ? b->strides[0] : b->itemsize);
    if (!type || !strchr("bBhHiIlLqQnN", type))
        return false;
    int64_t x = 0;
    memcpy(&x, p, (size_t)b->itemsize); /* little-endian, as all we build for */
    if (b->itemsize < 8 && strchr("bhilqn", type)) {
        int shift = 64 - 8 * (int)b->itemsize;
        x = (int64_t)((uint64_t)x << shift) >> shift;
    }
    *out = x;
    return true;
}

static bool convert_rows(float *to, const Py_buffer *b, char type)
{
    double x;
    for (Py_ssize_t row = 0; row < b->shape[0]; row++)
        for (Py_ssize_t k = 0; k < b->shape[1]; k++) {
            if (!real_at(&x, type,
                         (const char *)b->buf + row * b->strides[0] + k * b->strides[1]))
                return false;
            *to++ = (float)x;
        }
    return true;
}

/* vectors_dense(context, array, ids or None) */
static PyObject *vectors_dense(PyObject *module, PyObject *args)
{
    (void)module;
    PyObject *context, *array, *ids, *result = NULL;
    Py_buffer b;
    if (!PyArg_ParseTuple(args, "OOO", &context, &array, &ids) ||
        PyObject_GetBuffer(array, &b, PyBUF_STRIDED_RO | PyBUF_FORMAT) != 0)
        return NULL;
    core_arena arena = {0};
    core_job *job = NULL;
    dpl_dense_array o = DPL_INIT(dpl_dense_array);
    char type = number_type(&b);
    float *copy = NULL;
    if (b.ndim != 2 || b.shape[0] > UINT32_MAX || b.shape[1] > UINT32_MAX) {
        PyErr_SetString(PyExc_ValueError, "dense vectors are an array of two dimensions");
        goto done;
    }
    o.n_rows = (uint32_t)b.shape[0];
    o.dim = (uint32_t)b.shape[1];
    if (!take_ids(&o.ids, ids, o.n_rows, &arena))
        goto done;
    if (type == 'f' && b.strides[1] == 4 && b.strides[0] % 4 == 0 && b.strides[0] >= 0) {
        o.values = (const float *)b.buf;
        o.stride = (size_t)b.strides[0] / 4;
    } else {
        copy = (float *)malloc(((size_t)o.n_rows * o.dim + 1) * sizeof *copy);
        if (!copy) {
            PyErr_NoMemory();
            goto done;
        }
        if (!convert_rows(copy, &b, type) && o.n_rows && o.dim) {
            PyErr_Format(PyExc_TypeError,
                         "vectors of type '%s': floats of 2, 4 or 8 bytes are "
                         "expected",
                         b.format ? b.format : "B");
            goto done;
        }
        o.values = copy;
    }
    if (!(job = core_job_new(context, Py_None)))
        goto done;
    dpl_vectors *vectors = NULL;
    core_run run;
    core_run_begin(&run, job);
    dpl_status st = dpl_vectors_from_dense(&vectors, job->ctx, &o, &run.err);
    if (core_run_end(&run, st))
        result = core_handle_new(&core_vectors_kind, vectors, core_job_ref(job), NULL);
done:
    free(copy);
    core_job_unref(job);
    core_arena_clear(&arena);
    PyBuffer_Release(&b);
    return result;
}

/* What a sparse matrix consists of. */
typedef struct csr {
    Py_buffer offsets, terms, weights;
    int n_open;
} csr;

static bool csr_open(csr *m, PyObject *offsets, PyObject *terms, PyObject *weights)
{
    const int flags = PyBUF_STRIDED_RO | PyBUF_FORMAT;
    PyObject *const parts[] = {offsets, terms, weights};
    Py_buffer *const buffers[] = {&m->offsets, &m->terms, &m->weights};
    for (; m->n_open < 3; m->n_open++) {
        if (PyObject_GetBuffer(parts[m->n_open], buffers[m->n_open], flags) != 0)
            return false;
        if (buffers[m->n_open]->ndim != 1) {
            PyErr_SetString(PyExc_ValueError, "indptr, indices and data have one dimension");
            m->n_open++;
            return false;
        }
    }
    return true;
}

static void csr_close(csr *m)
{
    Py_buffer *const buffers[] = {&m->offsets, &m->terms, &m->weights};
    while (m->n_open)
        PyBuffer_Release(buffers[--m->n_open]);
}

static bool csr_convert(dpl_csr_array *out, const csr *m, core_arena *arena)
{
    size_t n = (size_t)m->terms.shape[0], n_offsets = (size_t)m->offsets.shape[0];
    uint64_t *offsets = (uint64_t *)core_arena_take(arena, (n_offsets + 1) * sizeof *offsets);
    uint32_t *terms = (uint32_t *)core_arena_take(arena, (n + 1) * sizeof *terms);
    float *weights = (float *)core_arena_take(arena, (n + 1) * sizeof *weights);
    if (!offsets || !terms || !weights)
        return false;
    char t = number_type(&m->offsets), u = number_type(&m->terms), w = number_type(&m->weights);
    bool is_good = n_offsets == (size_t)out->n_rows + 1 && (size_t)m->weights.shape[0] == n;
    int64_t x = 0, before = 0;
    double real = 0;
    for (size_t i = 0; is_good && i < n_offsets; i++, before = x) {
        is_good = integer_at(&x, &m->offsets, t, i) && x >= before && (uint64_t)x <= n;
        offsets[i] = (uint64_t)x;
    }
    for (size_t i = 0; is_good && i < n; i++) {
        const char *p = (const char *)m->weights.buf + (Py_ssize_t)i * m->weights.strides[0];
        is_good = integer_at(&x, &m->terms, u, i) && x >= 0 && x < out->n_terms;
        if (is_good && !real_at(&real, w, p)) {
            is_good = integer_at(&x, &m->weights, w, i);
            real = (double)x;
        }
        integer_at(&x, &m->terms, u, i);
        terms[i] = (uint32_t)x;
        weights[i] = (float)real;
    }
    if (!is_good)
        PyErr_SetString(PyExc_ValueError,
                        "not a sparse matrix of compressed rows: indptr rises from 0 to the "
                        "number of entries, indices are below the number of columns");
    out->offsets = offsets;
    out->terms = terms;
    out->weights = weights;
    return is_good;
}

/* vectors_csr(context, indptr, indices, data, rows, columns, ids or None, names or None) */
static PyObject *vectors_csr(PyObject *module, PyObject *args)
{
    (void)module;
    PyObject *context, *offsets, *terms, *weights, *ids, *names, *result = NULL;
    dpl_csr_array o = DPL_INIT(dpl_csr_array);
    if (!PyArg_ParseTuple(args, "OOOOIIOO", &context, &offsets, &terms, &weights, &o.n_rows,
                          &o.n_terms, &ids, &names))
        return NULL;
    csr m = {.n_open = 0};
    core_arena arena = {0};
    core_job *job = NULL;
    if (csr_open(&m, offsets, terms, weights) && csr_convert(&o, &m, &arena) &&
        take_ids(&o.ids, ids, o.n_rows, &arena) &&
        take_ids(&o.term_names, names, o.n_terms, &arena) &&
        (job = core_job_new(context, Py_None))) {
        dpl_vectors *vectors = NULL;
        core_run run;
        core_run_begin(&run, job);
        dpl_status st = dpl_vectors_from_csr(&vectors, job->ctx, &o, &run.err);
        if (core_run_end(&run, st))
            result = core_handle_new(&core_vectors_kind, vectors, core_job_ref(job), NULL);
    }
    core_job_unref(job);
    core_arena_clear(&arena);
    csr_close(&m);
    return result;
}

/* vectors_info(vectors) -> (rows, dropped, terms, dimensions, entries, language, space) */
static PyObject *vectors_info(PyObject *module, PyObject *handle)
{
    (void)module;
    dpl_vectors *v = (dpl_vectors *)core_get(handle, &core_vectors_kind);
    if (!v)
        return NULL;
    const dpl_vectors_sizes *s = dpl_vectors_get_sizes(v);
    return Py_BuildValue("IIIIKNN", s->n_rows, s->n_dropped, s->n_terms, s->dim,
                         (unsigned long long)s->n_entries,
                         core_str(dpl_vectors_get_info(v).lang),
                         core_str(dpl_vectors_get_info(v).space));
}

/* vectors_save(vectors, path) */
static PyObject *vectors_save(PyObject *module, PyObject *args)
{
    (void)module;
    PyObject *handle, *path;
    if (!PyArg_ParseTuple(args, "OO", &handle, &path))
        return NULL;
    dpl_vectors *v = (dpl_vectors *)core_get(handle, &core_vectors_kind);
    core_arena arena = {0};
    const char *name = v ? core_arena_text(&arena, path) : NULL;
    if (!name)
        return NULL;
    dpl_error err = {0};
    dpl_status st;
    Py_BEGIN_ALLOW_THREADS st = dpl_vectors_save(v, name, &err);
    Py_END_ALLOW_THREADS core_arena_clear(&arena);
    return st == DPL_OK ? Py_NewRef(Py_None) : core_raise(st, &err);
}

/* ---- pairs ---------------------------------------------------------------------------- */

/* What is searched: sides are vectors or collections. */
typedef struct core_search {
    PyObject *context, *progress, *options;
    dpl_pairs_side left, right;
    bool is_self;
    int has_numbers[2]; /* ids are numbers */
    /* By n-grams: the options beside those of pairs; NULL: vectors. */
    dpl_ngram_options *ngram;
    PyObject *ngram_options;
} core_search;

static dpl_status take_pairs(core_chunk *chunk, dpl_pairs *found, dpl_error *err)
{
    dpl_pair p;
    dpl_status st;
    while ((st = dpl_pairs_next(found, &p, err)) == DPL_OK) {
        core_put_id(chunk, 0, dpl_pairs_id(found, false, p.left));
        core_put_id(chunk, 1, dpl_pairs_id(found, true, p.right));
        core_put_real(chunk, 2, (double)p.score);
        core_end_row(chunk);
    }
    return st;
}

/* -> (table, summary) */
static PyObject *pairs_result(const core_field *fields, core_chunk *chunk,
                              const dpl_pairs *found)
{
    PyObject *summary = core_summary(&dpl_pairs_figures, dpl_pairs_get_summary(found));
    PyObject *table = summary ? core_table_of_chunk(fields, 3, chunk) : NULL;
    if (!table) {
        if (!summary)
            core_chunk_unref(chunk);
        Py_XDECREF(summary);
        return NULL;
    }
    return Py_BuildValue("NN", table, summary);
}

static PyObject *search_pairs(const core_search *s)
{
    PyObject *result = NULL;
    core_job *job = core_job_new(s->context, s->progress);
    if (!job)
        return NULL;
    core_arena arena = {0};
    dpl_pairs_options o = DPL_INIT(dpl_pairs_options, .ngram = s->ngram);
    const core_field fields[] = {{"left_id", s->has_numbers[0] ? CORE_U32 : CORE_TEXT},
                                 {"right_id", s->has_numbers[1] ? CORE_U32 : CORE_TEXT},
                                 {"score", CORE_F32}};
    if (core_options_set(&o, dpl_option_table_of("pairs"), s->options, &arena) &&
        (!s->ngram ||
         core_options_set(s->ngram, dpl_option_table_of("ngram"), s->ngram_options, &arena))) {
        dpl_pairs *found = NULL;
        core_chunk *chunk = NULL;
        core_run run;
        core_run_begin(&run, job);
        dpl_status st = dpl_pairs_open(&found, job->ctx, &s->left,
                                       s->is_self ? NULL : &s->right, &o, &run.err);
        if (st == DPL_OK)
            st = (chunk = core_chunk_new(fields, 3)) ? take_pairs(chunk, found, &run.err)
                                                     : DPL_E_NOMEM;
        if (core_run_end(&run, st))
            result = pairs_result(fields, chunk, found);
        else
            core_chunk_unref(chunk);
        dpl_pairs_close(found);
    }
    core_arena_clear(&arena);
    core_job_unref(job);
    return result;
}

/* pairs(context, progress, left, right or None, options, left numbers, right numbers)
 * -> (table, summary) */
static PyObject *pairs(PyObject *module, PyObject *args)
{
    (void)module;
    PyObject *a, *b;
    void *right;
    core_search s = {0};
    if (!PyArg_ParseTuple(args, "OOOOOpp", &s.context, &s.progress, &a, &b, &s.options,
                          &s.has_numbers[0], &s.has_numbers[1]))
        return NULL;
    s.left.vectors = (dpl_vectors *)core_get(a, &core_vectors_kind);
    if (!s.left.vectors || !core_get_optional(&right, b, &core_vectors_kind))
        return NULL;
    s.right.vectors = (dpl_vectors *)right;
    s.is_self = b == Py_None;
    return search_pairs(&s);
}

/* ---- by n-grams ----------------------------------------------------------------------- */

/* ngram(context, progress, left, right or None, lexicon or None, options of pairs, options of
 * n-grams, left numbers, right numbers) -> (table, summary); sides are collections */
static PyObject *ngram(PyObject *module, PyObject *args)
{
    (void)module;
    PyObject *a, *b, *lexicon;
    void *right;
    dpl_ngram_options o = DPL_INIT(dpl_ngram_options);
    core_search s = {.ngram = &o};
    if (!PyArg_ParseTuple(args, "OOOOOOOpp", &s.context, &s.progress, &a, &b, &lexicon,
                          &s.options, &s.ngram_options, &s.has_numbers[0], &s.has_numbers[1]))
        return NULL;
    s.left.collection = (dpl_collection *)core_get(a, &core_collection_kind);
    if (!s.left.collection || !core_get_optional(&right, b, &core_collection_kind) ||
        !core_get_lexicon_or_none(&o.lexicon, lexicon))
        return NULL;
    s.right.collection = (dpl_collection *)right;
    s.is_self = !right;
    return search_pairs(&s);
}

PyMethodDef core_search_methods[] = {
    {"vectors_open", vectors_open, METH_VARARGS, "vectors_open(context, path)"},
    {"vectors_make", vectors_make, METH_VARARGS,
     "vectors_make(context, progress, collection, lexicon, options)"},
    {"vectors_dense", vectors_dense, METH_VARARGS, "vectors_dense(context, array, ids)"},
    {"vectors_csr", vectors_csr, METH_VARARGS,
     "vectors_csr(context, indptr, indices, data, rows, columns, ids, names)"},
    {"vectors_info", vectors_info, METH_O, "sizes, language, space"},
    {"vectors_save", vectors_save, METH_VARARGS, "vectors_save(vectors, path)"},
    {"pairs", pairs, METH_VARARGS, "pairs(context, progress, left, right, options, ...)"},
    {"ngram", ngram, METH_VARARGS,
     "ngram(context, progress, left, right, lexicon, options, ngram options, ...)"},
    {NULL, NULL, 0, NULL},
};
