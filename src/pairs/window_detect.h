/*
 * window_detect.h - a detector from the inside, for window_detect.c and window_band.c.
 */
#ifndef DPL_PAIRS_WINDOW_DETECT_H
#define DPL_PAIRS_WINDOW_DETECT_H

#include "pairs/window.h"

#include "base/ctx.h"
#include "kernels/kernels.h"
#include "pairs/rising.h"

enum {
    DPL__DETECT_DOCS = DPL__HAMMING_DOCS,
    DPL__DETECT_QUERIES = 4096, /* in one call of a kernel */
    DPL__DETECT_HITS = 1 << 13
};

/* Rows in table order: their first n_words words. */
typedef struct dpl__detect_side {
    const dpl__bits *bits;
    uint32_t first; /* number of the first row of bits */
    uint64_t *words;
    uint32_t *numbers;
    size_t n;
} dpl__detect_side;

/* Documents [low, high) are within the window of a query. */
typedef struct dpl__detect_range {
    uint32_t low, high;
} dpl__detect_range;

struct dpl__detector {
    dpl_ctx *ctx;
    const dpl__table_rows *rows;
    dpl__cuts cuts;
    unsigned n_words, cut; /* of rows that are compared: those of the early test, or all */
    unsigned window;
    size_t n_most;
    const dpl__seen *seen; /* may be NULL */
    dpl__candidates *found;
    dpl__rising *rising; /* NULL: one cut for all */
    unsigned worker;
    dpl_near_pair *near; /* of rising: hits on their way, and room to sort them */
    uint64_t *spare;
    /* Room for n_most rows: left ones and right ones behind them, or all. */
    uint64_t *words;
    uint32_t *numbers;
    uint32_t *left_before;     /* how many rows of left stand before each place of a chunk */
    dpl__detect_range *ranges; /* of the queries */
    char *turned;              /* n_turned blocks of documents */
    size_t *turned_blocks;     /* which they are; SIZE_MAX: none */
    size_t n_turned;
    uint64_t *mask;
    void *scratch;   /* of the kernels */
    void *memory[3]; /* where turned and scratch are, unaligned */
    unsigned table;
    dpl__detect_side docs, queries;
    size_t queue_at, n_queue;
    size_t n_hits;
    uint64_t hits[DPL__DETECT_HITS];
};

/* The rows of these numbers are within the window, and passed d->cut. */
dpl_status dpl__detector_try(dpl__detector *d, uint32_t a, uint32_t b, dpl_error *err);

/* window_band.c: queries [first, last) with the documents in their ranges; low and high do
 * not fall from one query to the next. */
dpl_status dpl__detect_band(dpl__detector *d, size_t first, size_t last, dpl_error *err);

#endif
