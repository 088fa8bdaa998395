/*
 * cell_table.c - cells to rows, by counting.
 */
#include "lexicon/cell_table.h"

/* Stable, by row or by column: key is the number's place in the cell. */
static void count_sort(dpl__cell *to, const dpl__cell *from, size_t n, size_t key,
                       size_t *starts, size_t n_keys)
{
    memset(starts, 0, (n_keys + 1) * sizeof *starts);
    for (size_t i = 0; i < n; i++) {
        assert((key ? from[i].col : from[i].row) < n_keys);
        starts[(key ? from[i].col : from[i].row) + 1]++;
    }
    for (size_t k = 0; k < n_keys; k++)
        starts[k + 1] += starts[k];
    for (size_t i = 0; i < n; i++)
        to[starts[key ? from[i].col : from[i].row]++] = from[i];
}

dpl_status dpl__cells_sort(dpl__cell *cells, dpl_ctx *ctx, size_t n, uint32_t n_rows,
                           uint32_t n_cols, dpl_error *err)
{
    if (n == 0)
        return DPL_OK;
    size_t n_starts = dpl__max(n_rows, n_cols) + 1;
    size_t *starts = dpl__alloc(ctx, n_starts * sizeof *starts);
    dpl__cell *by_col = dpl__alloc(ctx, n * sizeof *by_col);
    bool has_memory = starts && by_col;
    if (has_memory) {
        count_sort(by_col, cells, n, 1, starts, n_cols);
        count_sort(cells, by_col, n, 0, starts, n_rows);
    }
    dpl__free(ctx, by_col, starts);
    return dpl__need(has_memory, err);
}

static void fill(dpl__table *t, const dpl__cell *cells, size_t n)
{
    for (size_t i = 0; i < n;) {
        const dpl__cell *first = &cells[i];
        assert(first->row < t->n_rows && first->p >= 0);
        assert(i == 0 || cells[i - 1].row < first->row ||
               (cells[i - 1].row == first->row && cells[i - 1].col < first->col));
        double sum = 0;
        for (; i < n && cells[i].row == first->row && cells[i].col == first->col; i++)
            sum += cells[i].p;
        t->cols[t->n] = first->col;
        t->p[t->n++] = sum < 1 ? (float)sum : 1;
        t->offsets[first->row + 1]++;
    }
    for (uint32_t r = 0; r < t->n_rows; r++)
        t->offsets[r + 1] += t->offsets[r];
    assert(t->offsets[t->n_rows] == t->n && t->n <= t->cap);
}

dpl_status dpl__table_make(dpl__table *out, dpl_ctx *ctx, const dpl__cell *cells, size_t n,
                           uint32_t n_rows, dpl_error *err)
{
    dpl__table t = {.n_rows = n_rows, .cap = n ? n : 1};
    t.offsets = dpl__calloc(ctx, (size_t)n_rows + 1, sizeof *t.offsets);
    t.cols = dpl__alloc(ctx, t.cap * sizeof *t.cols);
    t.p = dpl__alloc(ctx, t.cap * sizeof *t.p);
    if (!t.offsets || !t.cols || !t.p) {
        dpl__table_clear(&t, ctx);
        return dpl__fail_nomem(err);
    }
    fill(&t, cells, n);
    *out = t;
    return DPL_OK;
}

void dpl__table_clear(dpl__table *t, dpl_ctx *ctx)
{
    dpl__free(ctx, t->offsets, t->cols, t->p);
    *t = (dpl__table){0};
}
