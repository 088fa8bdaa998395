/*
 * table.c - chunks, tables, columns; export through the Arrow C data interface and Python's
 * buffer protocol.
 */
#include "table.h"

#include "arrow.h"

#include <errno.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- chunks --------------------------------------------------------------------------- */

typedef struct column {
    char type;
    size_t width; /* bytes of a value; texts: of an offset */
    char *values;
    size_t room; /* values */
    char *text;
    size_t n_text, text_room;
    uint8_t *mask; /* validity bits; NULL: all valid */
    size_t n_null;
    uint8_t *bits; /* booleans as Arrow has them, made when they are exported */
} column;

struct core_chunk {
    atomic_uint n_refs;
    size_t n_rows, n_columns;
    bool failed;
    column columns[];
};

static size_t width_of(char type)
{
    return type == CORE_BOOL ? 1 : type == CORE_U32 || type == CORE_F32 ? 4 : 8;
}

core_chunk *core_chunk_new(const core_field *fields, size_t n_fields)
{
    core_chunk *c = (core_chunk *)calloc(1, sizeof *c + n_fields * sizeof *c->columns);
    if (!c)
        return NULL;
    atomic_init(&c->n_refs, 1);
    c->n_columns = n_fields;
    for (size_t i = 0; i < n_fields; i++) {
        c->columns[i].type = fields[i].type;
        c->columns[i].width = width_of(fields[i].type);
        c->columns[i].room = 64;
        c->columns[i].values = (char *)calloc(65, c->columns[i].width);
        c->failed = c->failed || !c->columns[i].values;
    }
    return c;
}

static core_chunk *chunk_ref(core_chunk *c)
{
    atomic_fetch_add(&c->n_refs, 1);
    return c;
}

void core_chunk_unref(core_chunk *c)
{
    if (!c || atomic_fetch_sub(&c->n_refs, 1) != 1)
        return;
    for (size_t i = 0; i < c->n_columns; i++) {
        free(c->columns[i].values);
        free(c->columns[i].text);
        free(c->columns[i].mask);
        free(c->columns[i].bits);
    }
    free(c);
}

bool core_chunk_failed(const core_chunk *chunk)
{
    return chunk->failed;
}

/* Room for the row at hand in all columns: one value, and an offset behind it. */
static void make_room(core_chunk *c)
{
    for (size_t i = 0; i < c->n_columns; i++) {
        column *k = &c->columns[i];
        if (c->n_rows < k->room || c->failed)
            continue;
        size_t room = 2 * k->room;
        char *values = (char *)realloc(k->values, (room + 1) * k->width);
        uint8_t *mask = k->mask ? (uint8_t *)realloc(k->mask, room / 8 + 8) : NULL;
        if (mask) {
            memset(mask + k->room / 8 + 8, 0xFF, (room - k->room) / 8);
            k->mask = mask;
        }
        if (values)
            k->values = values;
        if (!values || (k->mask && !mask))
            c->failed = true;
        else
            k->room = room;
    }
}

void core_end_row(core_chunk *c)
{
    c->n_rows++;
    make_room(c);
}

static char *text_room(core_chunk *c, column *k, size_t n)
{
    if (!k->text || k->n_text + n > k->text_room) { /* also for an empty text */
        size_t room = 2 * (k->n_text + n) + 256;
        char *text = (char *)realloc(k->text, room);
        if (!text) {
            c->failed = true;
            return NULL;
        }
        k->text = text;
        k->text_room = room;
    }
    return k->text + k->n_text;
}

static void end_text(core_chunk *c, column *k, size_t n)
{
    k->n_text += n;
    ((int64_t *)(void *)k->values)[c->n_rows + 1] = (int64_t)k->n_text;
}

void core_put_text(core_chunk *c, size_t at, dpl_str s)
{
    column *k = &c->columns[at];
    char *to = c->failed ? NULL : text_room(c, k, s.n);
    if (!to)
        return;
    if (s.n)
        memcpy(to, s.data, s.n);
    end_text(c, k, s.n);
}

/* The length of a control character or line break at p[0, n); 0: none. */
static size_t break_at(const unsigned char *p, size_t n)
{
    if (p[0] >= ' ' && p[0] != 0x7F && p[0] != 0xC2 && p[0] != 0xE2)
        return 0;
    if (p[0] < ' ' || p[0] == 0x7F)
        return 1;
    if (p[0] == 0xC2)
        return n >= 2 && p[1] < 0xA0 ? 2 : 0;
    return n >= 3 && p[1] == 0x80 && (p[2] == 0xA8 || p[2] == 0xA9) ? 3 : 0;
}

void core_put_line(core_chunk *c, size_t at, dpl_str s)
{
    column *k = &c->columns[at];
    char *to = c->failed ? NULL : text_room(c, k, s.n);
    size_t n = 0;
    if (!to)
        return;
    for (size_t i = 0; i < s.n;) {
        size_t taken = break_at((const unsigned char *)s.data + i, s.n - i);
        to[n++] = taken ? ' ' : s.data[i];
        i += taken ? taken : 1;
    }
    end_text(c, k, n);
}

void core_put_number(core_chunk *c, size_t at, uint64_t x)
{
    column *k = &c->columns[at];
    if (c->failed)
        return;
    if (k->type == CORE_BOOL)
        k->values[c->n_rows] = x != 0;
    else if (k->width == 4)
        ((uint32_t *)(void *)k->values)[c->n_rows] = (uint32_t)x;
    else
        ((uint64_t *)(void *)k->values)[c->n_rows] = x;
}

void core_put_real(core_chunk *c, size_t at, double x)
{
    column *k = &c->columns[at];
    if (c->failed)
        return;
    if (k->width == 4)
        ((float *)(void *)k->values)[c->n_rows] = (float)x;
    else
        ((double *)(void *)k->values)[c->n_rows] = x;
}

void core_put_id(core_chunk *c, size_t at, dpl_str id)
{
    if (c->columns[at].type == CORE_TEXT) {
        core_put_text(c, at, id);
        return;
    }
    uint64_t x = 0;
    for (size_t i = 0; i < id.n; i++)
        x = 10 * x + (uint64_t)(id.data[i] - '0');
    core_put_number(c, at, x);
}

void core_put_null(core_chunk *c, size_t at)
{
    column *k = &c->columns[at];
    if (!c->failed && !k->mask) {
        k->mask = (uint8_t *)malloc(k->room / 8 + 8);
        if (k->mask)
            memset(k->mask, 0xFF, k->room / 8 + 8);
        c->failed = !k->mask;
    }
    if (c->failed)
        return;
    k->mask[c->n_rows / 8] &= (uint8_t) ~(1u << (c->n_rows & 7));
    k->n_null++;
    if (k->type == CORE_TEXT)
        core_put_text(c, at, (dpl_str){"", 0});
    else
        memset(k->values + c->n_rows * k->width, 0, k->width);
}

static bool is_null(const column *k, size_t row)
{
    return k->mask && !(k->mask[row / 8] >> (row & 7) & 1);
}

/* Booleans are bytes while they are written. */
static bool pack_bits(column *k, size_t n_rows)
{
    if (k->type != CORE_BOOL || k->bits)
        return true;
    k->bits = (uint8_t *)calloc(1, n_rows / 8 + 8);
    for (size_t i = 0; k->bits && i < n_rows; i++)
        k->bits[i / 8] |= (uint8_t)(k->values[i] << (i & 7));
    return k->bits != NULL;
}

/* ---- export: schemas ------------------------------------------------------------------ */

static void schema_release(struct ArrowSchema *s)
{
    for (int64_t i = 0; i < s->n_children; i++) {
        if (s->children[i]->release)
            s->children[i]->release(s->children[i]);
        free(s->children[i]);
    }
    free(s->children);
    free((void *)(uintptr_t)s->name);
    free(s->private_data);
    s->release = NULL;
}

static bool schema_make(struct ArrowSchema *out, const char *format, const char *name)
{
    char *copy = strdup(name), *kind = strdup(format);
    *out = (struct ArrowSchema){.format = kind,
                                .name = copy,
                                .flags = ARROW_FLAG_NULLABLE,
                                .release = schema_release,
                                .private_data = kind};
    return copy && kind;
}

static bool column_schema(struct ArrowSchema *out, const core_field *field)
{
    char format[2] = {field->type, 0};
    return schema_make(out, format, field->name);
}

static bool table_schema(struct ArrowSchema *out, const core_table *t)
{
    bool is_good = schema_make(out, "+s", "");
    out->flags = 0;
    out->children = (struct ArrowSchema **)calloc(t->n_fields + 1, sizeof *out->children);
    is_good = is_good && out->children;
    for (size_t i = 0; is_good && i < t->n_fields; i++) {
        struct ArrowSchema *child = (struct ArrowSchema *)calloc(1, sizeof *child);
        is_good = child && column_schema(child, &t->fields[i]);
        if (child)
            out->children[out->n_children++] = child;
    }
    if (!is_good)
        schema_release(out);
    return is_good;
}

/* ---- export: arrays ------------------------------------------------------------------- */

/* What an array of ours holds. */
typedef struct holder {
    core_chunk *chunk;
    const void *buffers[3];
} holder;

static void array_release(struct ArrowArray *a)
{
    holder *h = (holder *)a->private_data;
    for (int64_t i = 0; i < a->n_children; i++) {
        if (a->children[i]->release)
            a->children[i]->release(a->children[i]);
        free(a->children[i]);
    }
    free(a->children);
    core_chunk_unref(h->chunk);
    free(h);
    a->release = NULL;
}

static bool array_make(struct ArrowArray *out, core_chunk *chunk, size_t first, size_t n)
{
    holder *h = (holder *)calloc(1, sizeof *h);
    if (!h)
        return false;
    h->chunk = chunk_ref(chunk);
    *out = (struct ArrowArray){.length = (int64_t)n,
                               .offset = (int64_t)first,
                               .n_buffers = 1,
                               .buffers = h->buffers,
                               .release = array_release,
                               .private_data = h};
    return true;
}

static bool column_array(struct ArrowArray *out, core_chunk *chunk, size_t at, size_t first,
                         size_t n)
{
    column *k = &chunk->columns[at];
    if (!pack_bits(k, chunk->n_rows) || !array_make(out, chunk, first, n))
        return false;
    holder *h = (holder *)out->private_data;
    h->buffers[0] = k->mask;
    h->buffers[1] = k->type == CORE_BOOL ? (const void *)k->bits : k->values;
    h->buffers[2] = k->text ? k->text : "";
    out->n_buffers = k->type == CORE_TEXT ? 3 : 2;
    out->null_count = k->mask ? -1 : 0;
    return true;
}

static bool chunk_array(struct ArrowArray *out, core_chunk *chunk, size_t first, size_t n)
{
    if (!array_make(out, chunk, 0, n))
        return false;
    out->children = (struct ArrowArray **)calloc(chunk->n_columns + 1, sizeof *out->children);
    bool is_good = out->children != NULL;
    for (size_t i = 0; is_good && i < chunk->n_columns; i++) {
        struct ArrowArray *child = (struct ArrowArray *)calloc(1, sizeof *child);
        is_good = child && column_array(child, chunk, i, first, n);
        if (is_good)
            out->children[out->n_children++] = child;
        else
            free(child);
    }
    if (!is_good)
        array_release(out);
    return is_good;
}

/* ---- tables --------------------------------------------------------------------------- */

static void table_free(void *p)
{
    core_table *t = (core_table *)p;
    core_chunk_unref(t->chunk);
    for (size_t i = 0; t->fields && i < t->n_fields; i++)
        free((void *)(uintptr_t)t->fields[i].name);
    free(t->fields);
    free(t);
}

const core_kind core_table_kind = {"table", table_free};

static core_table *table_make(const core_field *fields, size_t n_fields)
{
    core_table *t = (core_table *)calloc(1, sizeof *t);
    core_field *copy = (core_field *)calloc(n_fields + 1, sizeof *copy);
    bool is_good = t && copy;
    for (size_t i = 0; is_good && i < n_fields; i++) {
        copy[i] = (core_field){strdup(fields[i].name), fields[i].type};
        is_good = copy[i].name != NULL;
    }
    if (t) {
        t->fields = copy;
        t->n_fields = n_fields;
    }
    if (is_good)
        return t;
    if (t)
        table_free(t);
    else
        free(copy);
    PyErr_NoMemory();
    return NULL;
}

PyObject *core_table_new(const core_field *fields, size_t n_fields, const core_cursor *cursor,
                         const void *object, size_t arg, int64_t n_rows, PyObject *owner)
{
    core_table *t = table_make(fields, n_fields);
    if (!t)
        return NULL;
    t->cursor = cursor;
    t->object = object;
    t->arg = arg;
    t->n_rows = n_rows;
    return core_handle_new(&core_table_kind, t, NULL, owner);
}

PyObject *core_table_of_chunk(const core_field *fields, size_t n_fields, core_chunk *chunk)
{
    bool is_bad = !chunk || chunk->failed;
    core_table *t = is_bad ? NULL : table_make(fields, n_fields);
    if (!t) {
        core_chunk_unref(chunk);
        return is_bad ? PyErr_NoMemory() : NULL;
    }
    t->chunk = chunk;
    t->n_rows = (int64_t)chunk->n_rows;
    return core_handle_new(&core_table_kind, t, NULL, NULL);
}

/* At most so many rows of a cursor, which may be none at the end. */
static core_chunk *read_rows(dpl_status *status, const core_table *t, void *cursor, size_t most,
                             dpl_error *err)
{
    core_chunk *c = core_chunk_new(t->fields, t->n_fields);
    *status = c ? DPL_OK : DPL_E_NOMEM;
    while (*status == DPL_OK && c->n_rows < most && !c->failed)
        if ((*status = t->cursor->next(cursor, c, err)) == DPL_OK)
            core_end_row(c);
    if (c && c->failed)
        *status = DPL_E_NOMEM;
    return c;
}

/* All rows in memory. */
static bool load(core_table *t)
{
    if (t->chunk)
        return true;
    dpl_error err = {0};
    dpl_status st = DPL_E_NOMEM;
    core_chunk *c = NULL;
    Py_BEGIN_ALLOW_THREADS void *cursor = t->cursor->open(t, &err);
    if (cursor) {
        c = read_rows(&st, t, cursor, SIZE_MAX, &err);
        t->cursor->close(cursor);
    } else if (err.status) {
        st = err.status;
    }
    Py_END_ALLOW_THREADS if (st != DPL_END)
    {
        core_chunk_unref(c);
        core_raise(st, &err);
        return false;
    }
    if (t->chunk) /* another thread was faster */
        core_chunk_unref(c);
    else
        t->chunk = c;
    t->n_rows = (int64_t)t->chunk->n_rows;
    return true;
}

/* ---- streams -------------------------------------------------------------------------- */

typedef struct table_stream {
    core_table *table;
    PyObject *handle; /* of the table */
    void *cursor;
    size_t at, batch;
    bool is_done;
    dpl_error err;
} table_stream;

static int stream_schema(struct ArrowArrayStream *s, struct ArrowSchema *out)
{
    table_stream *t = (table_stream *)s->private_data;
    return table_schema(out, t->table) ? 0 : ENOMEM;
}

static int stream_next(struct ArrowArrayStream *s, struct ArrowArray *out)
{
    table_stream *t = (table_stream *)s->private_data;
    core_table *table = t->table;
    memset(out, 0, sizeof *out);
    if (t->is_done)
        return 0;
    if (!t->cursor && table->chunk) {
        size_t left = table->chunk->n_rows - t->at, n = left < t->batch ? left : t->batch;
        size_t first = t->at;
        t->at += n;
        t->is_done = t->at == table->chunk->n_rows;
        return n == 0 || chunk_array(out, table->chunk, first, n) ? 0 : ENOMEM;
    }
    dpl_status st;
    if (!t->cursor && !(t->cursor = table->cursor->open(table, &t->err)))
        return EIO;
    core_chunk *c = read_rows(&st, table, t->cursor, t->batch, &t->err);
    int rc = st == DPL_OK || st == DPL_END ? 0 : EIO;
    t->is_done = st != DPL_OK;
    if (rc == 0 && c->n_rows && !chunk_array(out, c, 0, c->n_rows))
        rc = ENOMEM;
    core_chunk_unref(c);
    return rc;
}

static const char *stream_error(struct ArrowArrayStream *s)
{
    table_stream *t = (table_stream *)s->private_data;
    return t->err.text[0] ? t->err.text : "out of memory";
}

static void stream_release(struct ArrowArrayStream *s)
{
    table_stream *t = (table_stream *)s->private_data;
    if (t->cursor)
        t->table->cursor->close(t->cursor);
    PyGILState_STATE gil = PyGILState_Ensure();
    Py_DECREF(t->handle);
    PyGILState_Release(gil);
    free(t);
    s->release = NULL;
}

static bool stream_make(struct ArrowArrayStream *out, PyObject *handle, core_table *table,
                        size_t batch)
{
    table_stream *t = (table_stream *)calloc(1, sizeof *t);
    if (!t) {
        PyErr_NoMemory();
        return false;
    }
    t->table = table;
    t->handle = handle;
    t->batch = batch;
    Py_INCREF(handle);
    *out = (struct ArrowArrayStream){.get_schema = stream_schema,
                                     .get_next = stream_next,
                                     .get_last_error = stream_error,
                                     .release = stream_release,
                                     .private_data = t};
    return true;
}

/* Capsules that nobody took what they hold from. */
static void drop_stream(PyObject *capsule)
{
    struct ArrowArrayStream *s =
        (struct ArrowArrayStream *)PyCapsule_GetPointer(capsule, "arrow_array_stream");
    if (s->release)
        s->release(s);
    free(s);
}

static void drop_schema(PyObject *capsule)
{
    struct ArrowSchema *s = (struct ArrowSchema *)PyCapsule_GetPointer(capsule, "arrow_schema");
    if (s->release)
        s->release(s);
    free(s);
}

static void drop_array(PyObject *capsule)
{
    struct ArrowArray *a = (struct ArrowArray *)PyCapsule_GetPointer(capsule, "arrow_array");
    if (a->release)
        a->release(a);
    free(a);
}

/* table_stream(table, rows of a batch) -> capsule */
static PyObject *table_to_stream(PyObject *module, PyObject *args)
{
    (void)module;
    PyObject *handle;
    Py_ssize_t batch;
    if (!PyArg_ParseTuple(args, "On", &handle, &batch))
        return NULL;
    core_table *t = (core_table *)core_get(handle, &core_table_kind);
    struct ArrowArrayStream *s = t ? (struct ArrowArrayStream *)calloc(1, sizeof *s) : NULL;
    if (!s)
        return t ? PyErr_NoMemory() : NULL;
    PyObject *capsule = stream_make(s, handle, t, batch > 0 ? (size_t)batch : 1)
                            ? PyCapsule_New(s, "arrow_array_stream", drop_stream)
                            : NULL;
    if (!capsule) {
        if (s->release)
            s->release(s);
        free(s);
    }
    return capsule;
}

static PyObject *schema_capsule(bool (*make)(struct ArrowSchema *, const void *),
                                const void *object)
{
    struct ArrowSchema *s = (struct ArrowSchema *)calloc(1, sizeof *s);
    if (!s || !make(s, object)) {
        free(s);
        return PyErr_NoMemory();
    }
    return PyCapsule_New(s, "arrow_schema", drop_schema);
}

static bool make_table_schema(struct ArrowSchema *out, const void *table)
{
    return table_schema(out, (const core_table *)table);
}

static bool make_column_schema(struct ArrowSchema *out, const void *field)
{
    return column_schema(out, (const core_field *)field);
}

static PyObject *table_to_schema(PyObject *module, PyObject *handle)
{
    (void)module;
    core_table *t = (core_table *)core_get(handle, &core_table_kind);
    return t ? schema_capsule(make_table_schema, t) : NULL;
}

/* ---- columns -------------------------------------------------------------------------- */

static PyTypeObject *column_type;

typedef struct column_object {
    PyObject_HEAD core_chunk *chunk;
    core_field field; /* its name is owned */
    size_t at;
    Py_ssize_t n, stride;
} column_object;

static PyObject *column_new(core_chunk *chunk, const core_field *field, size_t at)
{
    allocfunc allocate = (allocfunc)PyType_GetSlot(column_type, Py_tp_alloc);
    column_object *c = (column_object *)allocate(column_type, 0);
    if (!c)
        return NULL;
    c->chunk = chunk_ref(chunk);
    c->field = (core_field){strdup(field->name), field->type};
    c->at = at;
    c->n = (Py_ssize_t)chunk->n_rows;
    c->stride = (Py_ssize_t)chunk->columns[at].width;
    return (PyObject *)c;
}

static void column_free(PyObject *self)
{
    PyTypeObject *type = Py_TYPE(self);
    core_chunk_unref(((column_object *)self)->chunk);
    free((void *)(uintptr_t)((column_object *)self)->field.name);
    freefunc free_object = (freefunc)PyType_GetSlot(type, Py_tp_free);
    free_object(self);
    Py_DECREF(type);
}

static PyObject *value_at(const column *k, size_t row)
{
    if (is_null(k, row))
        Py_RETURN_NONE;
    const char *v = k->values + row * k->width;
    float f;
    double d;
    uint64_t u;
    uint32_t w;
    switch (k->type) {
    case CORE_TEXT: {
        const int64_t *o = (const int64_t *)(const void *)k->values + row;
        return core_str((dpl_str){k->text + o[0], (size_t)(o[1] - o[0])});
    }
    case CORE_F32: memcpy(&f, v, sizeof f); return PyFloat_FromDouble((double)f);
    case CORE_F64: memcpy(&d, v, sizeof d); return PyFloat_FromDouble(d);
    case CORE_BOOL: return PyBool_FromLong(*v);
    case CORE_U32: memcpy(&w, v, sizeof w); return PyLong_FromUnsignedLong(w);
    case CORE_I64: memcpy(&u, v, sizeof u); return PyLong_FromLongLong((long long)u);
    default: memcpy(&u, v, sizeof u); return PyLong_FromUnsignedLongLong(u);
    }
}

static Py_ssize_t column_length(PyObject *self)
{
    return ((column_object *)self)->n;
}

static PyObject *column_item(PyObject *self, Py_ssize_t i)
{
    column_object *c = (column_object *)self;
    if (i < 0 || i >= c->n)
        return PyErr_Format(PyExc_IndexError, "the column has %zd rows", c->n);
    return value_at(&c->chunk->columns[c->at], (size_t)i);
}

static PyObject *column_list(PyObject *self, PyObject *args)
{
    column_object *c = (column_object *)self;
    Py_ssize_t first = 0, end = c->n;
    if (!PyArg_ParseTuple(args, "|nn", &first, &end))
        return NULL;
    first = first < 0 ? 0 : first > c->n ? c->n : first;
    end = end < first ? first : end > c->n ? c->n : end;
    PyObject *list = PyList_New(end - first);
    for (Py_ssize_t i = first; list && i < end; i++) {
        PyObject *value = value_at(&c->chunk->columns[c->at], (size_t)i);
        if (!value)
            Py_CLEAR(list);
        else
            PyList_SetItem(list, i - first, value);
    }
    return list;
}

static int column_buffer(PyObject *self, Py_buffer *view, int flags)
{
    column_object *c = (column_object *)self;
    column *k = &c->chunk->columns[c->at];
    if (k->type == CORE_TEXT || k->n_null || (flags & PyBUF_WRITABLE) == PyBUF_WRITABLE) {
        PyErr_SetString(PyExc_BufferError, k->type == CORE_TEXT ? "a column of texts"
                                           : k->n_null          ? "a column with nulls"
                                                                : "columns are read-only");
        view->obj = NULL;
        return -1;
    }
    static char formats[] = "I\0Q\0f\0d\0?\0q";
    int place = k->type == CORE_U32    ? 0
                : k->type == CORE_U64  ? 2
                : k->type == CORE_F32  ? 4
                : k->type == CORE_F64  ? 6
                : k->type == CORE_BOOL ? 8
                                       : 10;
    memset(view, 0, sizeof *view);
    view->buf = k->values;
    view->obj = self;
    Py_INCREF(self);
    view->len = c->n * c->stride;
    view->itemsize = c->stride;
    view->readonly = 1;
    view->ndim = 1;
    view->format = flags & PyBUF_FORMAT ? formats + place : NULL;
    view->shape = flags & PyBUF_ND ? &c->n : NULL;
    view->strides = (flags & PyBUF_STRIDES) == PyBUF_STRIDES ? &c->stride : NULL;
    return 0;
}

static PyObject *column_schema_method(PyObject *self, PyObject *unused)
{
    (void)unused;
    return schema_capsule(make_column_schema, &((column_object *)self)->field);
}

static PyObject *column_array_method(PyObject *self, PyObject *args, PyObject *keywords)
{
    (void)args, (void)keywords; /* a requested schema may be ignored */
    column_object *c = (column_object *)self;
    PyObject *schema = schema_capsule(make_column_schema, &c->field);
    struct ArrowArray *a = schema ? (struct ArrowArray *)calloc(1, sizeof *a) : NULL;
    if (!a || !column_array(a, c->chunk, c->at, 0, (size_t)c->n)) {
        free(a);
        Py_XDECREF(schema);
        return schema ? PyErr_NoMemory() : NULL;
    }
    PyObject *array = PyCapsule_New(a, "arrow_array", drop_array);
    return array ? Py_BuildValue("NN", schema, array) : NULL;
}

static PyObject *column_name(PyObject *self, void *unused)
{
    (void)unused;
    return PyUnicode_FromString(((column_object *)self)->field.name);
}

static PyObject *column_format(PyObject *self, void *unused)
{
    (void)unused;
    return PyUnicode_FromFormat("%c", ((column_object *)self)->field.type);
}

static PyObject *column_nulls(PyObject *self, void *unused)
{
    (void)unused;
    column_object *c = (column_object *)self;
    return PyLong_FromSize_t(c->chunk->columns[c->at].n_null);
}

static PyObject *column_repr(PyObject *self)
{
    column_object *c = (column_object *)self;
    return PyUnicode_FromFormat("<doppel column '%s', %zd rows>", c->field.name, c->n);
}

static PyMethodDef column_methods[] = {
    {"to_list", column_list, METH_VARARGS, "to_list(first=0, end=len) -> list of values"},
    {"__arrow_c_schema__", column_schema_method, METH_NOARGS, "the type, as a capsule"},
    {"__arrow_c_array__", (PyCFunction)(void *)(uintptr_t)column_array_method,
     METH_VARARGS | METH_KEYWORDS, "type and values, as capsules"},
    {NULL, NULL, 0, NULL},
};
static PyGetSetDef column_attributes[] = {
    {"name", column_name, NULL, "name of the column", NULL},
    {"format", column_format, NULL, "type, as a letter of Arrow's formats", NULL},
    {"null_count", column_nulls, NULL, "rows without a value", NULL},
    {NULL, NULL, NULL, NULL, NULL},
};
static PyType_Slot column_slots[] = {
    {Py_tp_dealloc, (void *)(uintptr_t)column_free},
    {Py_tp_repr, (void *)(uintptr_t)column_repr},
    {Py_tp_methods, column_methods},
    {Py_tp_getset, column_attributes},
    {Py_sq_length, (void *)(uintptr_t)column_length},
    {Py_sq_item, (void *)(uintptr_t)column_item},
    {Py_bf_getbuffer, (void *)(uintptr_t)column_buffer},
    {Py_tp_doc, "One column of a table: a sequence of values, a buffer of numbers, an Arrow "
                "array."},
    {0, NULL},
};
static PyType_Spec column_spec = {"doppel._core.Column", sizeof(column_object), 0,
                                  Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION,
                                  column_slots};

int core_table_add(PyObject *module)
{
    column_type = (PyTypeObject *)PyType_FromModuleAndSpec(module, &column_spec, NULL);
    return column_type ? PyModule_AddType(module, column_type) : -1;
}

static PyObject *columns_of(core_chunk *chunk, const core_table *t)
{
    PyObject *list = PyList_New((Py_ssize_t)t->n_fields);
    for (size_t i = 0; list && i < t->n_fields; i++) {
        PyObject *c = column_new(chunk, &t->fields[i], i);
        if (!c)
            Py_CLEAR(list);
        else
            PyList_SetItem(list, (Py_ssize_t)i, c);
    }
    return list;
}

/* table_columns(table) -> [Column], all rows in memory */
static PyObject *table_columns(PyObject *module, PyObject *handle)
{
    (void)module;
    core_table *t = (core_table *)core_get(handle, &core_table_kind);
    return t && load(t) ? columns_of(t->chunk, t) : NULL;
}

/* table_info(table) -> (rows or -1, [(name, type)], is in memory) */
static PyObject *table_info(PyObject *module, PyObject *handle)
{
    (void)module;
    core_table *t = (core_table *)core_get(handle, &core_table_kind);
    PyObject *fields = t ? PyList_New(0) : NULL;
    for (size_t i = 0; fields && i < t->n_fields; i++) {
        PyObject *row = Py_BuildValue("sC", t->fields[i].name, t->fields[i].type);
        if (!row || PyList_Append(fields, row) != 0)
            Py_CLEAR(fields);
        Py_XDECREF(row);
    }
    return fields ? Py_BuildValue("LNO", (long long)t->n_rows, fields,
                                  t->chunk ? Py_True : Py_False)
                  : NULL;
}

/* ---- batches -------------------------------------------------------------------------- */

typedef struct reader {
    core_table *table;
    void *cursor;
    bool is_done;
} reader;

static void reader_free(void *p)
{
    reader *r = (reader *)p;
    if (r->cursor)
        r->table->cursor->close(r->cursor);
    free(r);
}

static const core_kind reader_kind = {"reader", reader_free};

/* table_reader(table) -> reader of a table that is not in memory */
static PyObject *table_reader(PyObject *module, PyObject *handle)
{
    (void)module;
    core_table *t = (core_table *)core_get(handle, &core_table_kind);
    reader *r = t ? (reader *)calloc(1, sizeof *r) : NULL;
    if (!r)
        return t ? PyErr_NoMemory() : NULL;
    dpl_error err = {0};
    r->table = t;
    r->is_done = !t->cursor;
    if (t->cursor && !(r->cursor = t->cursor->open(t, &err))) {
        free(r);
        return core_raise(err.status ? err.status : DPL_E_NOMEM, &err);
    }
    return core_handle_new(&reader_kind, r, NULL, handle);
}

/* reader_next(reader, most) -> [Column], or None behind the last row */
static PyObject *reader_next(PyObject *module, PyObject *args)
{
    (void)module;
    PyObject *handle;
    Py_ssize_t most;
    if (!PyArg_ParseTuple(args, "On", &handle, &most))
        return NULL;
    reader *r = (reader *)core_get(handle, &reader_kind);
    if (!r)
        return NULL;
    if (r->is_done)
        Py_RETURN_NONE;
    dpl_error err = {0};
    dpl_status st;
    core_chunk *c;
    Py_BEGIN_ALLOW_THREADS c =
        read_rows(&st, r->table, r->cursor, most > 0 ? (size_t)most : 1, &err);
    Py_END_ALLOW_THREADS r->is_done = st != DPL_OK;
    PyObject *list = NULL;
    if (st != DPL_OK && st != DPL_END)
        core_raise(st, &err);
    else if (c->n_rows)
        list = columns_of(c, r->table);
    else
        list = Py_NewRef(Py_None);
    core_chunk_unref(c);
    return list;
}

/* ---- text ----------------------------------------------------------------------------- */

static bool is_separator(char c)
{
    return c == '\t' || c == '\n' || c == '\r';
}

static void write_value(dpl_output *o, const column *k, size_t row)
{
    char text[40];
    const char *v = k->values + row * k->width;
    int n = 0;
    if (is_null(k, row))
        return;
    if (k->type == CORE_TEXT) {
        const int64_t *at = (const int64_t *)(const void *)k->values + row;
        const char *from = k->text + at[0];
        size_t left = (size_t)(at[1] - at[0]);
        for (size_t run; left; from += run, left -= run) { /* ids may hold anything */
            for (run = 0; run < left && !is_separator(from[run]);)
                run++;
            dpl_output_write(o, from, run);
            if (run < left) {
                dpl_output_write(o, " ", 1);
                run++;
            }
        }
        return;
    }
    if (k->type == CORE_F32 || k->type == CORE_F64) {
        float f;
        double d;
        memcpy(&f, v, sizeof f);
        if (k->type == CORE_F64)
            memcpy(&d, v, sizeof d);
        else
            d = (double)f;
        n = (int)dpl_score_text(text, d);
    } else {
        uint64_t u = 0;
        memcpy(&u, v, k->width);
        n = snprintf(text, sizeof text, "%llu", (unsigned long long)u);
    }
    dpl_output_write(o, text, (size_t)n);
}

static void write_chunk(dpl_output *o, const core_chunk *c, size_t n_columns)
{
    for (size_t row = 0; row < c->n_rows; row++)
        for (size_t i = 0; i < n_columns; i++) {
            write_value(o, &c->columns[i], row);
            dpl_output_write(o, i + 1 < n_columns ? "\t" : "\n", 1);
        }
}

static dpl_status write_table(dpl_output *o, core_table *t, size_t n_columns, bool has_header,
                              dpl_error *err)
{
    for (size_t i = 0; has_header && i < n_columns; i++) {
        dpl_output_write(o, t->fields[i].name, strlen(t->fields[i].name));
        dpl_output_write(o, i + 1 < n_columns ? "\t" : "\n", 1);
    }
    if (t->chunk) {
        write_chunk(o, t->chunk, n_columns);
        return dpl_output_finish(o, err);
    }
    void *cursor = t->cursor->open(t, err);
    dpl_status st = cursor ? DPL_OK : DPL_E_NOMEM;
    while (st == DPL_OK) {
        core_chunk *c = read_rows(&st, t, cursor, 8192, err);
        if (c)
            write_chunk(o, c, n_columns);
        core_chunk_unref(c);
    }
    if (cursor)
        t->cursor->close(cursor);
    return st == DPL_END ? dpl_output_finish(o, err) : st;
}

/* table_write(context, table, path, columns, header): tab-separated, six decimals */
static PyObject *table_write(PyObject *module, PyObject *args)
{
    (void)module;
    PyObject *context, *handle, *path;
    Py_ssize_t n_columns;
    int has_header;
    if (!PyArg_ParseTuple(args, "OOOnp", &context, &handle, &path, &n_columns, &has_header))
        return NULL;
    core_table *t = (core_table *)core_get(handle, &core_table_kind);
    dpl_ctx *ctx = t ? (dpl_ctx *)core_get(context, &core_context_kind) : NULL;
    core_arena arena = {0};
    const char *name = ctx ? core_arena_text(&arena, path) : NULL;
    if (!name)
        return NULL;
    size_t n =
        n_columns > 0 && (size_t)n_columns < t->n_fields ? (size_t)n_columns : t->n_fields;
    dpl_error err = {0};
    dpl_output *o = NULL;
    dpl_status st;
    Py_BEGIN_ALLOW_THREADS st = dpl_output_new(&o, ctx, name, &err);
    if (st == DPL_OK)
        st = write_table(o, t, n, has_header, &err);
    dpl_output_free(o);
    Py_END_ALLOW_THREADS core_arena_clear(&arena);
    return st == DPL_OK ? Py_NewRef(Py_None) : core_raise(st, &err);
}

/* ---- tables of files ------------------------------------------------------------------ */

typedef struct lines {
    const core_table *table;
    FILE *file;
    char *line;
    size_t room;
} lines;

static void *lines_open(const core_table *t, dpl_error *err)
{
    lines *l = (lines *)calloc(1, sizeof *l);
    l = l && (l->file = fopen((const char *)t->object, "rb")) ? l : (free(l), NULL);
    if (!l) {
        err->status = DPL_E_IO;
        err->sys_errno = errno;
        snprintf(err->text, sizeof err->text, "cannot open '%.300s': %s",
                 (const char *)t->object, strerror(errno));
        return NULL;
    }
    l->table = t;
    return l;
}

static void lines_close(void *cursor)
{
    lines *l = (lines *)cursor;
    fclose(l->file);
    free(l->line);
    free(l);
}

static dpl_status lines_next(void *cursor, core_chunk *out, dpl_error *err)
{
    lines *l = (lines *)cursor;
    ssize_t n = getline(&l->line, &l->room, l->file);
    (void)err;
    if (n < 0)
        return DPL_END;
    if (n && l->line[n - 1] == '\n')
        l->line[--n] = 0;
    char *at = l->line;
    for (size_t i = 0; i < l->table->n_fields; i++) {
        char *tab = strchr(at, '\t'), *end = tab ? tab : l->line + n;
        dpl_str s = {at, (size_t)(end - at)};
        bool is_text = l->table->fields[i].type == CORE_TEXT;
        if (at > l->line + n || (!s.n && l->table->arg)) {
            core_put_null(out, i);
        } else if (is_text) {
            core_put_text(out, i, s);
        } else {
            double x = 0;
            *end = 0;
            if (!dpl_parse_real(&x, at))
                x = 0;
            core_put_real(out, i, x);
        }
        at = tab ? end + 1 : l->line + n + 1;
    }
    return DPL_OK;
}

static const core_cursor lines_cursor = {lines_open, lines_next, lines_close};

/* table_of_file(path as bytes, [(name, type)], are empty values null) */
static PyObject *table_of_file(PyObject *module, PyObject *args)
{
    (void)module;
    PyObject *path, *list;
    int has_nulls;
    core_field fields[CORE_MOST_FIELDS];
    if (!PyArg_ParseTuple(args, "SO!p", &path, &PyList_Type, &list, &has_nulls))
        return NULL;
    Py_ssize_t n = PyList_Size(list);
    for (Py_ssize_t i = 0; i < n && i < CORE_MOST_FIELDS; i++) {
        const char *type;
        if (!PyArg_ParseTuple(PyList_GetItem(list, i), "ss", &fields[i].name, &type))
            return NULL;
        fields[i].type = type[0];
    }
    return core_table_new(fields, (size_t)(n < CORE_MOST_FIELDS ? n : CORE_MOST_FIELDS),
                          &lines_cursor, PyBytes_AsString(path), (size_t)has_nulls, -1, path);
}

PyMethodDef core_table_methods[] = {
    {"table_stream", table_to_stream, METH_VARARGS, "table_stream(table, rows) -> capsule"},
    {"table_schema", table_to_schema, METH_O, "table_schema(table) -> capsule"},
    {"table_columns", table_columns, METH_O, "table_columns(table) -> [Column]"},
    {"table_info", table_info, METH_O, "(rows, [(name, type)], is in memory)"},
    {"table_reader", table_reader, METH_O, "table_reader(table) -> reader"},
    {"reader_next", reader_next, METH_VARARGS, "reader_next(reader, most) -> [Column] or None"},
    {"table_write", table_write, METH_VARARGS,
     "table_write(context, table, path, columns, header)"},
    {"table_of_file", table_of_file, METH_VARARGS, "table_of_file(path, fields, nulls)"},
    {NULL, NULL, 0, NULL},
};
