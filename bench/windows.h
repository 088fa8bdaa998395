/*
 * windows.h - two sets of sparse rows made from real text, alike pair by pair.
 *
 * Left: windows of 250 tokens of the English collections. Right: the same windows with 30 % of
 * the tokens replaced by others of the text and 10 % dropped. BM25, length one.
 */
#ifndef DPL_BENCH_WINDOWS_H
#define DPL_BENCH_WINDOWS_H

#include "vectors/vectors.h"

#include "base/arena.h"

/* Owned. */
typedef struct windows {
    dpl__arena arena;
    dpl_vectors left, right;    /* only sizes, rows and terms are there */
    const uint32_t *numbers[2]; /* of each side's terms among those of both */
    uint32_t n_numbers;         /* terms of both */
    bool is_synthetic;          /* the data sets were not there: drawn by Zipf's law */
} windows;

/* data: folder of the data sets. */
dpl_status windows_make(windows *w, dpl_ctx *ctx, const char *data, uint32_t n_rows,
                        dpl_error *err);
void windows_clear(windows *w);
/* One side as int64 rows, columns, entries, row ends; int32 columns; float values. */
dpl_status windows_write(const windows *w, int side, const char *path, dpl_error *err);

#endif
