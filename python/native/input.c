/*
 * input.c - documents that come from Python: paths, bytes, rows of an iterator, Arrow streams.
 *
 * Rows of an iterator are taken in blocks, so that the GIL is taken once for many documents.
 * Of an Arrow stream nothing is copied: a document's slices point into the batch, which is
 * released when the document behind its last one is asked for.
 */
#include "arrow.h"
#include "core.h"

#include <stdlib.h>
#include <string.h>

enum { BLOCK = 256, N_COLUMNS = 4 }; /* id, text, lang, title */

typedef struct rows {
    PyObject *iterator;
    PyObject *block[BLOCK]; /* tuples that documents point into */
    size_t n, at;
    bool is_done;
} rows;

typedef struct stream {
    struct ArrowArrayStream source;
    struct ArrowSchema schema;
    struct ArrowArray batch;
    int64_t at;
    bool is_struct;
    int64_t place[N_COLUMNS]; /* number of the column; -1: none */
    arrow_column columns[N_COLUMNS];
    char scratch[N_COLUMNS][ARROW_SCRATCH];
    /* Columns that go into extra, and their names. */
    size_t n_extra;
    int64_t *extra_place;
    arrow_column *extra;
    core_text json;
} stream;

typedef struct input {
    dpl_input in;
    dpl_doc_source source;
    core_arena arena;
    core_job *job;    /* of the operation that reads; borrowed */
    bool has_numbers; /* ids are positions, from 0 */
    char number[24];  /* the last one, at the end */
    size_t n_digits;
    rows *rows;
    stream *stream;
    PyObject *keep;
    Py_buffer buffer;
    bool has_buffer;
} input;

/* ---- rows of an iterator -------------------------------------------------------------- */

static void rows_clear(rows *r)
{
    for (size_t i = 0; i < r->n; i++)
        Py_CLEAR(r->block[i]);
    r->n = r->at = 0;
}

static bool rows_fill(rows *r)
{
    rows_clear(r);
    while (r->n < BLOCK && !r->is_done) {
        PyObject *row = PyIter_Next(r->iterator);
        if (!row) {
            r->is_done = true;
            return !PyErr_Occurred();
        }
        r->block[r->n++] = row;
    }
    return true;
}

static bool row_text(dpl_str *out, PyObject *text)
{
    if (text == Py_None)
        return true;
    if (PyUnicode_Check(text))
        return core_to_str(out, text);
    char *data;
    Py_ssize_t n;
    if (PyBytes_Check(text) && PyBytes_AsStringAndSize(text, &data, &n) == 0) {
        *out = (dpl_str){data, (size_t)n};
        return true;
    }
    PyErr_Format(PyExc_TypeError, "the fields of a document are texts, not %R", text);
    return false;
}

/* str, or a tuple (id, text, lang, title, extra) that may end early. */
static bool row_doc(dpl_doc *doc, PyObject *row)
{
    dpl_str *const fields[] = {&doc->id, &doc->text, &doc->lang, &doc->title, &doc->extra};
    if (!PyTuple_Check(row))
        return row_text(&doc->text, row);
    Py_ssize_t n = PyTuple_Size(row);
    for (Py_ssize_t i = 0; i < n && i < 5; i++)
        if (!row_text(fields[i], PyTuple_GetItem(row, i)))
            return false;
    return true;
}

/* A document without an id column has its position as id. The digits are counted up where they
 * stand: printing them would take longer than all the rest. */
static void number(input *in, dpl_doc *doc)
{
    size_t end = sizeof in->number;
    if (!in->has_numbers)
        return;
    if (!in->n_digits) {
        in->n_digits = 1;
        in->number[end - 1] = '0';
    } else {
        size_t at = end - 1;
        while (at >= end - in->n_digits && in->number[at] == '9')
            in->number[at--] = '0';
        if (at < end - in->n_digits) {
            in->number[at] = '0';
            in->n_digits++;
        }
        in->number[at]++;
    }
    doc->id = (dpl_str){in->number + end - in->n_digits, in->n_digits};
}

static dpl_status next_row(void *user, dpl_doc *doc, dpl_error *err)
{
    input *in = (input *)user;
    rows *r = in->rows;
    PyGILState_STATE gil = PyGILState_Ensure();
    dpl_status st = DPL_OK;
    if ((r->at == r->n && !rows_fill(r)) || (r->at < r->n && !row_doc(doc, r->block[r->at]))) {
        if (in->job)
            core_job_fail(in->job);
        else
            PyErr_Clear();
        st = DPL_E_STOPPED;
        if (err) {
            err->status = st;
            strcpy(err->text, "the documents could not be read");
        }
    } else if (r->at == r->n) {
        st = DPL_END;
    } else {
        r->at++;
        number(in, doc);
    }
    PyGILState_Release(gil);
    return st;
}

/* ---- Arrow streams -------------------------------------------------------------------- */

static dpl_status stream_fail(stream *s, dpl_error *err)
{
    const char *why = s->source.get_last_error ? s->source.get_last_error(&s->source) : NULL;
    if (err) {
        err->status = DPL_E_FORMAT;
        strcpy(err->text, "the Arrow stream failed: ");
        strncat(err->text, why ? why : "no reason given", sizeof err->text - 60);
        for (char *c = err->text; *c; c++)
            if (*c == '\n')
                *c = ' ';
    }
    return DPL_E_FORMAT;
}

static void bind(stream *s, arrow_column *c, int64_t place)
{
    if (place >= 0)
        arrow_column_bind(c, s->is_struct ? s->batch.children[place] : &s->batch);
}

/* The next batch with rows. */
static dpl_status next_batch(stream *s, dpl_error *err)
{
    do {
        if (s->batch.release)
            s->batch.release(&s->batch);
        memset(&s->batch, 0, sizeof s->batch);
        if (s->source.get_next(&s->source, &s->batch) != 0)
            return stream_fail(s, err);
        if (!s->batch.release)
            return DPL_END;
    } while (s->batch.length == 0);
    s->at = 0;
    for (int i = 0; i < N_COLUMNS; i++)
        bind(s, &s->columns[i], s->place[i]);
    for (size_t i = 0; i < s->n_extra; i++)
        bind(s, &s->extra[i], s->extra_place[i]);
    return DPL_OK;
}

static void write_extra(stream *s, int64_t row, dpl_doc *doc)
{
    char scratch[ARROW_SCRATCH];
    dpl_json j = {.put = core_text_put, .user = &s->json};
    s->json.n = 0;
    dpl_json_begin(&j, NULL, '{');
    for (size_t i = 0; i < s->n_extra; i++) {
        const arrow_column *c = &s->extra[i];
        const char *name = s->schema.children[s->extra_place[i]]->name;
        dpl_str value;
        if (!arrow_column_text(&value, c, row, scratch))
            dpl_json_null(&j, name);
        else if (c->layout >= ARROW_INTEGER)
            dpl_json_raw(&j, name, value);
        else
            dpl_json_text(&j, name, value);
    }
    dpl_json_end(&j, '}');
    doc->extra = (dpl_str){s->json.data, s->json.n};
}

static dpl_status next_in_stream(void *user, dpl_doc *doc, dpl_error *err)
{
    stream *s = ((input *)user)->stream;
    if (!s->batch.release || s->at == s->batch.length) {
        if (!s->source.release)
            return DPL_END;
        dpl_status st = next_batch(s, err);
        if (st != DPL_OK)
            return st;
    }
    /* Offsets of a struct count for its children, too. */
    int64_t row = s->at++ + (s->is_struct ? s->batch.offset : 0);
    dpl_str *const fields[N_COLUMNS] = {&doc->id, &doc->text, &doc->lang, &doc->title};
    for (int i = 0; i < N_COLUMNS; i++)
        if (s->place[i] >= 0)
            arrow_column_text(fields[i], &s->columns[i], row, s->scratch[i]);
    if (s->n_extra)
        write_extra(s, row, doc);
    number((input *)user, doc);
    return DPL_OK;
}

static void stream_free(stream *s)
{
    if (s->batch.release)
        s->batch.release(&s->batch);
    if (s->schema.release)
        s->schema.release(&s->schema);
    if (s->source.release)
        s->source.release(&s->source);
    free(s->json.data);
    free(s);
}

/* ---- handles -------------------------------------------------------------------------- */

static void input_free(void *p)
{
    input *in = (input *)p;
    if (in->rows) {
        rows_clear(in->rows);
        Py_XDECREF(in->rows->iterator);
        free(in->rows);
    }
    if (in->stream)
        stream_free(in->stream);
    if (in->has_buffer)
        PyBuffer_Release(&in->buffer);
    Py_XDECREF(in->keep);
    core_arena_clear(&in->arena);
    free(in);
}

const core_kind core_input_kind = {"input", input_free};

static input *input_new(PyObject *name)
{
    input *in = (input *)calloc(1, sizeof *in);
    if (!in)
        return (input *)PyErr_NoMemory();
    if (name != Py_None && !(in->in.name = core_arena_text(&in->arena, name))) {
        input_free(in);
        return NULL;
    }
    return in;
}

static PyObject *finish(input *in, bool is_good)
{
    if (is_good)
        return core_handle_new(&core_input_kind, in, NULL, NULL);
    input_free(in);
    return NULL;
}

/* input_path(path) */
static PyObject *input_path(PyObject *module, PyObject *path)
{
    (void)module;
    input *in = input_new(Py_None);
    return in ? finish(in, (in->in.path = core_arena_text(&in->arena, path)) != NULL) : NULL;
}

/* input_bytes(buffer, name) */
static PyObject *input_bytes(PyObject *module, PyObject *args)
{
    (void)module;
    PyObject *object, *name;
    if (!PyArg_ParseTuple(args, "OO", &object, &name))
        return NULL;
    input *in = input_new(name);
    if (!in)
        return NULL;
    if (PyObject_GetBuffer(object, &in->buffer, PyBUF_SIMPLE) != 0)
        return finish(in, false);
    in->has_buffer = true;
    in->in.buffer.data = in->buffer.len ? (const char *)in->buffer.buf : "";
    in->in.buffer.n = (size_t)in->buffer.len;
    return finish(in, true);
}

/* input_collection(collection) */
static PyObject *input_collection(PyObject *module, PyObject *handle)
{
    (void)module;
    dpl_collection *c = (dpl_collection *)core_get(handle, &core_collection_kind);
    input *in = c ? input_new(Py_None) : NULL;
    if (!in)
        return NULL;
    in->in.collection = c;
    in->keep = handle;
    Py_INCREF(handle);
    return finish(in, true);
}

/* input_rows(iterator, numbers, name): str, or tuples (id, text, lang, title, extra) */
static PyObject *input_rows(PyObject *module, PyObject *args)
{
    (void)module;
    PyObject *iterable, *name;
    int has_numbers;
    if (!PyArg_ParseTuple(args, "OpO", &iterable, &has_numbers, &name))
        return NULL;
    input *in = input_new(name);
    if (!in)
        return NULL;
    in->has_numbers = has_numbers;
    in->rows = (rows *)calloc(1, sizeof *in->rows);
    if (!in->rows) {
        PyErr_NoMemory();
        return finish(in, false);
    }
    in->source.next = next_row;
    in->source.user = in;
    in->source.name = in->in.name;
    in->in.source = &in->source;
    in->rows->iterator = PyObject_GetIter(iterable);
    return finish(in, in->rows->iterator != NULL);
}

/* ---- finding the columns -------------------------------------------------------------- */

static int64_t find_column(const struct ArrowSchema *schema, const char *name)
{
    for (int64_t i = 0; i < schema->n_children; i++)
        if (strcmp(schema->children[i]->name, name) == 0)
            return i;
    return -1;
}

static bool take_type(arrow_column *out, const struct ArrowSchema *schema)
{
    if (arrow_column_type(out, schema))
        return true;
    PyErr_Format(PyExc_TypeError, "column '%s' has the Arrow type '%s', which is not text",
                 schema->name ? schema->name : "", schema->format);
    return false;
}

/* All columns whose type can be written. */
static bool take_all_columns(stream *s, core_arena *arena)
{
    size_t n = (size_t)s->schema.n_children;
    s->extra_place = (int64_t *)core_arena_take(arena, n * sizeof *s->extra_place);
    s->extra = (arrow_column *)core_arena_take(arena, n * sizeof *s->extra);
    for (size_t i = 0; s->extra_place && s->extra && i < n; i++)
        if (arrow_column_type(&s->extra[s->n_extra], s->schema.children[i]))
            s->extra_place[s->n_extra++] = (int64_t)i;
    return s->extra_place && s->extra;
}

/* names: (id, text, lang, title), each a name or None; missing columns are a KeyError. extra:
 * names, or None for all columns. */
static bool take_columns(stream *s, PyObject *names, PyObject *extra, core_arena *arena)
{
    if (extra == Py_None)
        return take_all_columns(s, arena);
    Py_ssize_t n_extra = PySequence_Size(extra);
    for (int i = 0; i < N_COLUMNS; i++) {
        PyObject *name = PyTuple_GetItem(names, i);
        dpl_str text;
        if (!name)
            return false;
        if (name == Py_None)
            continue;
        if (!core_to_str(&text, name))
            return false;
        s->place[i] = find_column(&s->schema, text.data);
        if (s->place[i] < 0) {
            PyErr_SetObject(PyExc_KeyError, name);
            return false;
        }
        if (!take_type(&s->columns[i], s->schema.children[s->place[i]]))
            return false;
    }
    if (n_extra <= 0)
        return n_extra == 0;
    s->extra_place =
        (int64_t *)core_arena_take(arena, (size_t)n_extra * sizeof *s->extra_place);
    s->extra = (arrow_column *)core_arena_take(arena, (size_t)n_extra * sizeof *s->extra);
    if (!s->extra_place || !s->extra)
        return false;
    for (Py_ssize_t i = 0; i < n_extra; i++) {
        PyObject *name = PySequence_GetItem(extra, i);
        dpl_str text;
        bool is_good = name && core_to_str(&text, name);
        if (is_good && (s->extra_place[i] = find_column(&s->schema, text.data)) < 0) {
            PyErr_SetObject(PyExc_KeyError, name);
            is_good = false;
        }
        Py_XDECREF(name);
        if (!is_good || !take_type(&s->extra[i], s->schema.children[s->extra_place[i]]))
            return false;
    }
    s->n_extra = (size_t)n_extra;
    return true;
}

/* A stream of one array, for objects that have __arrow_c_array__ alone. */
typedef struct single {
    struct ArrowSchema schema;
    struct ArrowArray array;
} single;

static int single_schema(struct ArrowArrayStream *s, struct ArrowSchema *out)
{
    single *one = (single *)s->private_data;
    *out = one->schema;
    memset(&one->schema, 0, sizeof one->schema);
    return 0;
}

static int single_next(struct ArrowArrayStream *s, struct ArrowArray *out)
{
    single *one = (single *)s->private_data;
    *out = one->array;
    memset(&one->array, 0, sizeof one->array);
    return 0;
}

static void single_release(struct ArrowArrayStream *s)
{
    single *one = (single *)s->private_data;
    if (one->schema.release)
        one->schema.release(&one->schema);
    if (one->array.release)
        one->array.release(&one->array);
    free(one);
    s->release = NULL;
}

/* Moves what the capsules hold into the stream. */
static bool take_source(struct ArrowArrayStream *out, PyObject *first, PyObject *second)
{
    if (second == Py_None) {
        struct ArrowArrayStream *given =
            (struct ArrowArrayStream *)PyCapsule_GetPointer(first, "arrow_array_stream");
        if (!given)
            return false;
        *out = *given;
        given->release = NULL;
        return true;
    }
    struct ArrowSchema *schema =
        (struct ArrowSchema *)PyCapsule_GetPointer(first, "arrow_schema");
    struct ArrowArray *array =
        schema ? (struct ArrowArray *)PyCapsule_GetPointer(second, "arrow_array") : NULL;
    single *one = array ? (single *)calloc(1, sizeof *one) : NULL;
    if (!one)
        return array ? PyErr_NoMemory() != NULL : false;
    one->schema = *schema;
    one->array = *array;
    schema->release = NULL;
    array->release = NULL;
    *out = (struct ArrowArrayStream){.get_schema = single_schema,
                                     .get_next = single_next,
                                     .release = single_release,
                                     .private_data = one};
    return true;
}

static bool open_stream(stream *s)
{
    int rc;
    Py_BEGIN_ALLOW_THREADS rc = s->source.get_schema(&s->source, &s->schema);
    Py_END_ALLOW_THREADS if (rc == 0) return true;
    dpl_error err = {0};
    stream_fail(s, &err);
    core_raise(DPL_E_FORMAT, &err);
    return false;
}

/* input_arrow(stream or schema, None or array, choose, name)
 *
 * choose(names or None) -> ((id, text, lang, title), extra): which columns are what; None for a
 * column alone, which is the text. */
static PyObject *input_arrow(PyObject *module, PyObject *args)
{
    (void)module;
    PyObject *first, *second, *choose, *name;
    if (!PyArg_ParseTuple(args, "OOOO", &first, &second, &choose, &name))
        return NULL;
    input *in = input_new(name);
    if (!in)
        return NULL;
    stream *s = in->stream = (stream *)calloc(1, sizeof *s);
    if (!s) {
        PyErr_NoMemory();
        return finish(in, false);
    }
    for (int i = 0; i < N_COLUMNS; i++)
        s->place[i] = -1;
    in->source = (dpl_doc_source){next_in_stream, in, in->in.name};
    in->in.source = &in->source;
    if (!take_source(&s->source, first, second) || !open_stream(s))
        return finish(in, false);
    s->is_struct = strcmp(s->schema.format, "+s") == 0;
    if (!s->is_struct) {
        s->place[1] = 0;
        in->has_numbers = true;
        return finish(in, take_type(&s->columns[1], &s->schema));
    }
    PyObject *names = PyList_New(0), *chosen = NULL, *columns, *extra;
    for (int64_t i = 0; names && i < s->schema.n_children; i++) {
        PyObject *text = PyUnicode_FromString(s->schema.children[i]->name);
        if (!text || PyList_Append(names, text) != 0)
            Py_CLEAR(names);
        Py_XDECREF(text);
    }
    chosen = names ? PyObject_CallFunctionObjArgs(choose, names, NULL) : NULL;
    bool is_good = chosen && PyArg_ParseTuple(chosen, "O!O", &PyTuple_Type, &columns, &extra) &&
                   take_columns(s, columns, extra, &in->arena);
    in->has_numbers = s->place[0] < 0;
    Py_XDECREF(chosen);
    Py_XDECREF(names);
    return finish(in, is_good);
}

/* input_numbers(input) -> whether ids are positions */
static PyObject *input_numbers(PyObject *module, PyObject *handle)
{
    (void)module;
    input *in = (input *)core_get(handle, &core_input_kind);
    return in ? PyBool_FromLong(in->has_numbers) : NULL;
}

static void put_doc(dpl_output *o, core_text *text, const dpl_doc *doc, bool is_whole)
{
    if (is_whole) {
        dpl_output_write(o, doc->extra.data, doc->extra.n);
        dpl_output_write(o, "\n", 1);
        return;
    }
    dpl_json j = {.put = core_text_put, .user = text, .style = DPL_JSON_COMPACT};
    text->n = 0;
    dpl_json_begin(&j, NULL, '{');
    dpl_json_text(&j, "id", doc->id);
    if (doc->lang.n)
        dpl_json_text(&j, "lang", doc->lang);
    if (doc->title.n)
        dpl_json_text(&j, "title", doc->title);
    dpl_json_text(&j, "text", doc->text);
    dpl_json_end(&j, '}');
    core_text_put(text, "\n", 1);
    dpl_output_write(o, text->data, text->n);
}

/* input_spool(context, progress, input, path): writes the documents as JSON Lines, for runs
 * that read them several times; of tables whose columns are all kept (choose), just those. */
static PyObject *input_spool(PyObject *module, PyObject *args)
{
    (void)module;
    PyObject *context, *progress, *handle, *path;
    if (!PyArg_ParseTuple(args, "OOOO", &context, &progress, &handle, &path))
        return NULL;
    input *in = (input *)core_get(handle, &core_input_kind);
    if (!in || !in->in.source)
        return in ? PyErr_Format(PyExc_TypeError, "not documents from Python") : NULL;
    core_job *job = core_job_new(context, progress);
    core_arena arena = {0};
    const char *name = job ? core_arena_text(&arena, path) : NULL;
    bool is_good = false;
    if (name) {
        core_run run;
        core_text text = {0};
        dpl_output *o = NULL;
        bool is_whole = in->stream && in->stream->n_extra && in->stream->place[1] < 0;
        in->job = job;
        core_run_begin(&run, job);
        dpl_status st = dpl_output_new(&o, job->ctx, name, &run.err);
        while (st == DPL_OK) {
            dpl_doc doc = {0};
            st = in->in.source->next(in->in.source->user, &doc, &run.err);
            if (st == DPL_OK)
                put_doc(o, &text, &doc, is_whole);
        }
        if (st == DPL_END)
            st = text.failed ? DPL_E_NOMEM : dpl_output_finish(o, &run.err);
        dpl_output_free(o);
        free(text.data);
        is_good = core_run_end(&run, st);
    }
    core_arena_clear(&arena);
    core_job_unref(job);
    return is_good ? Py_NewRef(Py_None) : NULL;
}

/* input_drain(input) -> (documents, bytes of text): reads to the end and keeps nothing. */
static PyObject *input_drain(PyObject *module, PyObject *handle)
{
    (void)module;
    input *in = (input *)core_get(handle, &core_input_kind);
    if (!in || !in->in.source)
        return in ? PyErr_Format(PyExc_TypeError, "not documents from Python") : NULL;
    unsigned long long n_docs = 0, n_bytes = 0;
    dpl_error err = {0};
    dpl_status st;
    Py_BEGIN_ALLOW_THREADS for (;;)
    {
        dpl_doc doc = {0};
        st = in->in.source->next(in->in.source->user, &doc, &err);
        if (st != DPL_OK)
            break;
        n_docs++;
        n_bytes += doc.text.n;
    }
    Py_END_ALLOW_THREADS return st == DPL_END ? Py_BuildValue("KK", n_docs, n_bytes)
                                              : core_raise(st, &err);
}

/* input_list(input) -> [(id, text)] */
static PyObject *input_list(PyObject *module, PyObject *handle)
{
    (void)module;
    input *in = (input *)core_get(handle, &core_input_kind);
    if (!in || !in->in.source)
        return in ? PyErr_Format(PyExc_TypeError, "not documents from Python") : NULL;
    PyObject *list = PyList_New(0);
    dpl_error err = {0};
    while (list) {
        dpl_doc doc = {0};
        dpl_status st = in->in.source->next(in->in.source->user, &doc, &err);
        if (st == DPL_END)
            break;
        PyObject *row = st == DPL_OK ? Py_BuildValue("NN", core_str(doc.id), core_str(doc.text))
                                     : core_raise(st, &err);
        if (!row || PyList_Append(list, row) != 0)
            Py_CLEAR(list);
        Py_XDECREF(row);
    }
    return list;
}

const dpl_doc_source *core_source(PyObject *handle)
{
    input *in = (input *)core_get(handle, &core_input_kind);
    return in ? in->in.source : NULL;
}

dpl_input *core_inputs(PyObject *list, size_t *n, core_job *job, core_arena *arena)
{
    Py_ssize_t n_list = PyList_Size(list);
    if (n_list < 0)
        return NULL;
    dpl_input *out = (dpl_input *)core_arena_take(arena, (size_t)n_list * sizeof *out);
    for (Py_ssize_t i = 0; out && i < n_list; i++) {
        input *in = (input *)core_get(PyList_GetItem(list, i), &core_input_kind);
        if (!in)
            return NULL;
        in->job = job;
        out[i] = in->in;
    }
    *n = (size_t)n_list;
    return out;
}

PyMethodDef core_input_methods[] = {
    {"input_path", input_path, METH_O, "input_path(path)"},
    {"input_bytes", input_bytes, METH_VARARGS, "input_bytes(buffer, name)"},
    {"input_rows", input_rows, METH_VARARGS, "input_rows(iterable, numbers, name)"},
    {"input_arrow", input_arrow, METH_VARARGS, "input_arrow(first, second, choose, name)"},
    {"input_collection", input_collection, METH_O, "input_collection(collection)"},
    {"input_list", input_list, METH_O, "input_list(input) -> [(id, text)]"},
    {"input_numbers", input_numbers, METH_O, "whether ids are positions"},
    {"input_spool", input_spool, METH_VARARGS, "input_spool(context, progress, input, path)"},
    {"input_drain", input_drain, METH_O, "input_drain(input) -> (documents, bytes)"},
    {NULL, NULL, 0, NULL},
};
