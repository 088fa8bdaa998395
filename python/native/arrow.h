/*
 * arrow.h - the Arrow C data interface
 * (https://arrow.apache.org/docs/format/CDataInterface.html), whose structs are a fixed ABI,
 * and the columns of documents that we read through it.
 */
#ifndef DOPPEL_PYTHON_ARROW_H
#define DOPPEL_PYTHON_ARROW_H

#include <doppel/base.h>

#ifndef ARROW_C_DATA_INTERFACE
#define ARROW_C_DATA_INTERFACE

#define ARROW_FLAG_NULLABLE 2

struct ArrowSchema {
    const char *format, *name, *metadata;
    int64_t flags, n_children;
    struct ArrowSchema **children, *dictionary;
    void (*release)(struct ArrowSchema *);
    void *private_data;
};

struct ArrowArray {
    int64_t length, null_count, offset, n_buffers, n_children;
    const void **buffers;
    struct ArrowArray **children, *dictionary;
    void (*release)(struct ArrowArray *);
    void *private_data;
};
#endif

#ifndef ARROW_C_STREAM_INTERFACE
#define ARROW_C_STREAM_INTERFACE
struct ArrowArrayStream {
    int (*get_schema)(struct ArrowArrayStream *, struct ArrowSchema *out);
    int (*get_next)(struct ArrowArrayStream *, struct ArrowArray *out);
    const char *(*get_last_error)(struct ArrowArrayStream *);
    void (*release)(struct ArrowArrayStream *);
    void *private_data;
};
#endif

/* How the values of a column are stored. */
typedef enum arrow_layout {
    ARROW_NONE = 0, /* there is no such column */
    ARROW_UTF8,     /* u, z: 32-bit offsets */
    ARROW_LARGE,    /* U, Z: 64-bit offsets */
    ARROW_VIEW,     /* vu, vz: views of 16 bytes */
    ARROW_INTEGER,  /* c C s S i I l L */
    ARROW_REAL,     /* f g */
    ARROW_BOOL,     /* b */
    ARROW_EMPTY     /* n: nothing but nulls */
} arrow_layout;

/* One column: its type, from a schema, and its values, from an array. */
typedef struct arrow_column {
    arrow_layout layout;
    char type;           /* of integers and reals: the format's letter */
    char index;          /* dictionary: the letter of its indices; 0: none */
    const uint8_t *mask; /* validity bits; NULL: all are valid */
    const uint8_t *index_mask;
    const void *values; /* offsets, views, numbers */
    const char *text;
    const void *const *buffers; /* of views */
    const void *indices;
    int64_t offset, index_offset;
} arrow_column;

/* False when the format is none of ours. */
bool arrow_column_type(arrow_column *out, const struct ArrowSchema *schema);
void arrow_column_bind(arrow_column *column, const struct ArrowArray *array);

enum { ARROW_SCRATCH = 32 };
/* Row i as text; numbers are written to scratch. False: null. */
bool arrow_column_text(dpl_str *out, const arrow_column *column, int64_t i,
                       char scratch[ARROW_SCRATCH]);

#endif
