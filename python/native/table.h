/*
 * table.h - tables that go out: columns in the layout of Arrow.
 *
 * A chunk is a block of rows in memory, counted, so that a consumer (polars, pandas, numpy)
 * holds its buffers without a copy. A table is a chunk, or an object of the library with a
 * cursor that writes its rows into chunks when they are asked for: a stream of sentence pairs
 * is never in memory as a whole unless a column of it is.
 */
#ifndef DOPPEL_PYTHON_TABLE_H
#define DOPPEL_PYTHON_TABLE_H

#include "core.h"

/* Types by their letter in Arrow's formats. */
enum {
    CORE_TEXT = 'U',
    CORE_U32 = 'I',
    CORE_U64 = 'L',
    CORE_F32 = 'f',
    CORE_F64 = 'g',
    CORE_BOOL = 'b',
    CORE_I64 = 'l'
};

typedef struct core_field {
    const char *name;
    char type;
} core_field;

enum { CORE_MOST_FIELDS = 260 };

typedef struct core_chunk core_chunk;

/* Rows are written column by column, then ended. Failures stick: core_chunk_failed. */
core_chunk *core_chunk_new(const core_field *fields, size_t n_fields); /* NULL: no memory */
void core_chunk_unref(core_chunk *chunk);
void core_put_text(core_chunk *chunk, size_t column, dpl_str text);
/* Line ends, tabs and other control characters become blanks, as in the library's files. */
void core_put_line(core_chunk *chunk, size_t column, dpl_str text);
/* Into a column of texts or of whole numbers. */
void core_put_id(core_chunk *chunk, size_t column, dpl_str id);
void core_put_number(core_chunk *chunk, size_t column, uint64_t x); /* u32, u64, i64, bool */
void core_put_real(core_chunk *chunk, size_t column, double x);     /* f32, f64 */
void core_put_null(core_chunk *chunk, size_t column);
void core_end_row(core_chunk *chunk);
bool core_chunk_failed(const core_chunk *chunk);

typedef struct core_table core_table;

/* How the rows of an object are read. Cursors work without the GIL. */
typedef struct core_cursor {
    void *(*open)(const core_table *table, dpl_error *err); /* NULL: failed */
    /* Writes one row; DPL_END behind the last. */
    dpl_status (*next)(void *cursor, core_chunk *out, dpl_error *err);
    void (*close)(void *cursor);
} core_cursor;

struct core_table {
    const core_cursor *cursor;
    const void *object;
    size_t arg;
    core_field *fields; /* owned, with their names */
    size_t n_fields;
    int64_t n_rows; /* -1: not known */
    core_chunk *chunk;
};

extern const core_kind core_table_kind;

/* Of an object that `owner`, a handle, holds. */
PyObject *core_table_new(const core_field *fields, size_t n_fields, const core_cursor *cursor,
                         const void *object, size_t arg, int64_t n_rows, PyObject *owner);
/* Of a chunk, which is taken also when it fails. */
PyObject *core_table_of_chunk(const core_field *fields, size_t n_fields, core_chunk *chunk);

int core_table_add(PyObject *module); /* the type Column */

#endif
