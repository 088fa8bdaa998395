/*
 * window.h - the parts of the window search: the order of one table, the pairs of one chunk.
 */
#ifndef DPL_PAIRS_WINDOW_H
#define DPL_PAIRS_WINDOW_H

#include "pairs/candidates.h"
#include "pairs/searches.h"

/* The rows of both sides as one list: numbers below left->n_rows are rows of left, the others
 * of right. A search within one set has no right. */
typedef struct dpl__table_rows {
    const dpl__bits *left, *right; /* right NULL: within left */
    uint32_t n, n_words;
    const struct dpl__columns *columns; /* turned over; NULL: orders take longer to make */
} dpl__table_rows;

static inline const uint64_t *dpl__table_row(const dpl__table_rows *rows, uint32_t number)
{
    return number < rows->left->n_rows
               ? dpl__bits_row(rows->left, number)
               : dpl__bits_row(rows->right, number - rows->left->n_rows);
}

/* ---- the signatures turned over ------------------------------------------------------ */

/* window_columns.c. Frozen. */
typedef struct dpl__columns dpl__columns;

/* On all threads. */
dpl_status dpl__columns_new(dpl__columns **out, dpl_ctx *ctx, const dpl__table_rows *rows,
                            dpl_error *err);
void dpl__columns_free(dpl__columns *columns);
size_t dpl__columns_bytes(const dpl__table_rows *rows);
/* The keys of DPL__COLUMN_ROWS rows: those of number DPL__COLUMN_ROWS * block and up. */
void dpl__columns_keys(const dpl__columns *columns, uint32_t *keys, size_t block,
                       const uint32_t *positions);

/* ---- the order of a table ----------------------------------------------------------- */

/* window_order.c: sorts the rows by their permuted signatures. Owned. */
typedef struct dpl__order dpl__order;

/* share: bytes it may hold. is_serial: it may work on any thread, and works on one only; else
 * on the caller's, and works on all. */
dpl_status dpl__order_new(dpl__order **out, dpl__spill *spill, const dpl__table_rows *rows,
                          size_t share, bool is_serial, dpl_error *err);
void dpl__order_free(dpl__order *order);
/* Sorts for this table of this seed; what is left of an earlier table is forgotten. */
dpl_status dpl__order_sort(dpl__order *order, uint64_t seed, unsigned table, dpl_error *err);
/* The next n numbers in the table's order; there must be that many. */
dpl_status dpl__order_next(dpl__order *order, uint32_t *numbers, size_t n, dpl_error *err);

/* The positions 0 .. n_bits - 1 in the order in which this table looks at them. */
void dpl__permutation(uint32_t *positions, uint32_t n_bits, uint64_t seed, unsigned table);

/* ---- pairs of earlier tables --------------------------------------------------------- */

/* window_seen.c: where rows stood in the first tables. Places of a table are added on one
 * thread, while others may ask about tables before it. */
typedef struct dpl__seen dpl__seen;

dpl_status dpl__seen_new(dpl__seen **out, dpl_ctx *ctx, uint32_t n_rows, unsigned n_tables,
                         dpl_error *err);
void dpl__seen_free(dpl__seen *seen);
/* The table has these numbers from this place on. Tables after the first ones are ignored. */
void dpl__seen_add(dpl__seen *seen, unsigned table, uint32_t place, const uint32_t *numbers,
                   size_t n);
/* Whether a and b were within the window in one of the first tables, before this one. */
bool dpl__seen_has(const dpl__seen *seen, unsigned table, unsigned window, uint32_t a,
                   uint32_t b);

/* ---- the pairs of a chunk ----------------------------------------------------------- */

/* window_detect.c: compares the rows of a chunk. Owned. */
typedef struct dpl__detector dpl__detector;

/* A stretch of a table. Pairs among the first n_old rows were found with the chunk before. */
typedef struct dpl__chunk {
    unsigned table;
    const uint32_t *numbers;
    size_t n, n_old;
} dpl__chunk;

typedef struct dpl__detector_options {
    const dpl__table_rows *rows;
    const dpl__cuts *cuts;
    unsigned window;
    size_t n_most;          /* rows of a chunk */
    const dpl__seen *seen;  /* pairs that are left out; may be NULL */
    dpl__candidates *found; /* receives the others */
} dpl__detector_options;

dpl_status dpl__detector_new(dpl__detector **out, dpl_ctx *ctx, const dpl__detector_options *o,
                             dpl_error *err);
/* Cuts of rows instead, which fall; what is found goes there, with this number of a worker. */
dpl_status dpl__detector_rise(dpl__detector *detector, struct dpl__rising *rising,
                              unsigned worker, dpl_error *err);
void dpl__detector_free(dpl__detector *detector);
/* Figure 4: all pairs at most `window` places apart. *n_compared is added to. */
dpl_status dpl__detect_chunk(dpl__detector *detector, const dpl__chunk *chunk,
                             uint64_t *n_compared, dpl_error *err);
/* Figure 2: the next row of a table against a queue of the last `window` ones. Starts with an
 * empty queue. */
void dpl__queue_reset(dpl__detector *detector);
dpl_status dpl__queue_add(dpl__detector *detector, uint32_t number, uint64_t *n_compared,
                          dpl_error *err);
/* Hands over what is not yet with `found`. */
dpl_status dpl__detector_flush(dpl__detector *detector, dpl_error *err);
/* Bytes for each of n_most rows. */
size_t dpl__detector_row_bytes(const dpl__table_rows *rows);

#endif
