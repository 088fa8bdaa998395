/*
 * row_bound.c - upper bounds of scores.
 */
#include "pairs/row_bound.h"

#include "pairs/exact.h"

#include "base/ctx.h"
#include "kernels/kernels.h"

#include <math.h>

/* A longer row has no bound: blocks stay small. LINE: terms in a cache line. */
enum { MOST_TERMS = 4096, LINE = 16 };

bool dpl__bounder_init(dpl__bounder *b, dpl_ctx *ctx, const dpl__sides *sides)
{
    *b = (dpl__bounder){.sides = sides, .ctx = ctx, .right = DPL__NO_ROW, .first = DPL__NO_ROW};
    b->table = dpl__calloc(ctx, DPL__BOUND_PLACES, sizeof *b->table);
    return b->table != NULL;
}

static void free_entries(dpl__bounder *b)
{
    dpl__free(b->ctx, b->places, b->weights);
    b->places = b->weights = NULL;
    b->n_entries = 0;
}

void dpl__bounder_clear(dpl__bounder *b)
{
    if (!b->ctx)
        return;
    free_entries(b);
    dpl__free(b->ctx, b->table);
    *b = (dpl__bounder){0};
}

/* ---- the block ---------------------------------------------------------------------- */

static bool make_room(dpl__bounder *b, size_t n)
{
    if (n <= b->n_entries)
        return true;
    free_entries(b);
    b->n_entries = n;
    b->places = dpl__alloc(b->ctx, n * sizeof *b->places);
    b->weights = dpl__alloc(b->ctx, n * sizeof *b->weights);
    return b->places && b->weights;
}

/* The upper half of a float, rounded up. */
static uint16_t round_up(float weight)
{
    uint32_t bits;
    memcpy(&bits, &weight, sizeof bits);
    return (uint16_t)((bits + 0xFFFF) >> 16);
}

/* Appends the entries of a row that right has, too. */
static uint32_t put_row(dpl__bounder *b, uint32_t at, const dpl__sparse_row *row)
{
    for (size_t i = 0; row->n <= MOST_TERMS && i < row->n; i++) {
        const uint32_t term = dpl__right_term(b->sides, row->terms[i]);
        b->places[at] = (uint16_t)(term % DPL__BOUND_PLACES);
        b->weights[at] = round_up(row->weights[i]);
        at += term != DPL__NO_TERM;
    }
    for (; at % DPL__BOUND_STEP; at++)
        b->places[at] = b->weights[at] = 0;
    return at;
}

bool dpl__bounder_set_block(dpl__bounder *b, uint32_t left_row)
{
    const dpl__rows *rows = &b->sides->left->rows;
    const uint32_t first = left_row / DPL__BOUND_ROWS * DPL__BOUND_ROWS;
    if (b->first == first)
        return true;
    const uint32_t n = (uint32_t)dpl__min(DPL__BOUND_ROWS, rows->n_rows - first);
    size_t n_entries = 0;
    for (uint32_t i = 0; i < n; i++) {
        const size_t n_terms = dpl__sparse_row_of(rows, first + i).n;
        n_entries += n_terms <= MOST_TERMS ? n_terms + DPL__BOUND_STEP : 0;
    }
    b->first = DPL__NO_ROW;
    if (!make_room(b, n_entries))
        return false;
    for (uint32_t i = 0, at = 0; i < n; i++) {
        const dpl__sparse_row row = dpl__sparse_row_of(rows, first + i);
        b->starts[i] = at;
        b->starts[i + 1] = at = put_row(b, at, &row);
    }
    b->first = first;
    return true;
}

/* ---- bounds ------------------------------------------------------------------------- */

void dpl__bounder_set(dpl__bounder *b, uint32_t right_row, uint32_t next_row)
{
    if (b->right == right_row)
        return;
    const dpl__rows *rows = &b->sides->right->rows;
    if (b->right != DPL__NO_ROW) {
        const dpl__sparse_row old = dpl__sparse_row_of(rows, b->right);
        for (size_t i = 0; i < old.n; i++)
            b->table[old.terms[i] % DPL__BOUND_PLACES] = 0;
    }
    const dpl__sparse_row row = dpl__sparse_row_of(rows, right_row);
    for (size_t i = 0; i < row.n; i++)
        b->table[row.terms[i] % DPL__BOUND_PLACES] += row.weights[i];
    b->right = right_row;
    const dpl__sparse_row next = dpl__sparse_row_of(rows, next_row);
    for (size_t i = 0; i < dpl__min(next.n, MOST_TERMS); i += LINE) {
        DPL_PREFETCH(next.terms + i);
        DPL_PREFETCH(next.weights + i);
    }
}

float dpl__bound(const dpl__bounder *b, uint32_t left_row)
{
    assert(b->right != DPL__NO_ROW && left_row - b->first < DPL__BOUND_ROWS);
    const uint32_t i = left_row - b->first, at = b->starts[i], n = b->starts[i + 1] - at;
    if (n == 0 && dpl__sparse_row_of(&b->sides->left->rows, left_row).n > MOST_TERMS)
        return INFINITY;
    const float sum =
        b->ctx->kernels->sparse_bound(b->table, b->places + at, b->weights + at, n);
    /* what roundings of the sum, of the table and of the score may have taken away */
    const float n_roundings = (float)n + (float)MOST_TERMS;
    return sum * (1 + n_roundings * 0x1p-23f);
}
