/*
 * cell_table.h - sparse probabilities p(column|row): cells in any order become rows.
 *
 * When words are merged (folded, stemmed), so are their cells: the columns of a row are added;
 * rows are averaged by the caller, who divides each by the number of rows.
 */
#ifndef DPL_LEXICON_CELL_TABLE_H
#define DPL_LEXICON_CELL_TABLE_H

#include "base/base.h"

typedef struct dpl__cell {
    uint32_t row, col;
    float p;
    uint32_t line; /* where it was read; 0: not from a file */
} dpl__cell;

/* Row r has cols[offsets[r]] .. cols[offsets[r + 1] - 1], rising. */
typedef struct dpl__table {
    uint32_t n_rows;
    uint64_t *offsets; /* n_rows + 1 */
    uint32_t *cols;
    float *p;
    size_t n, cap; /* cells: of all rows, and room for them */
} dpl__table;

/* By row, then column; cells of one place stay in the order they were in. Takes memory for
 * another n cells while it runs. Cost: a few passes over the cells and the counters. */
dpl_status dpl__cells_sort(dpl__cell *cells, dpl_ctx *ctx, size_t n, uint32_t n_rows,
                           uint32_t n_cols, dpl_error *err);

/* The table of cells that are sorted; those of one place add up, to 1 at the most. */
dpl_status dpl__table_make(dpl__table *out, dpl_ctx *ctx, const dpl__cell *cells, size_t n,
                           uint32_t n_rows, dpl_error *err);
void dpl__table_clear(dpl__table *table, dpl_ctx *ctx);

#endif
