/*
 * hash_lookup.c - documents that share a code, asked a document at a time.
 *
 * Each table is sorted by its code: a query finds its bucket by bisection. That is the hash
 * table of the paper with a logarithm in place of a constant; dpl_codes_join finds the same
 * pairs for all documents at once.
 */
#include "lab/hashing.h"

#include "base/lower_bound.h"
#include "base/order.h"

#include <stdlib.h>

/* What is sorted: a code and its row. */
typedef struct entry {
    uint64_t code;
    uint32_t row;
} entry;

DPL__ORDER(by_code, entry, DPL__RISING(code) DPL__RISING(row))

static void fill(dpl__lab_lookup *l, unsigned c, const uint64_t *column, uint32_t step,
                 entry *scratch)
{
    for (uint32_t i = 0; i < l->n_rows; i++)
        scratch[i] = (entry){column[(size_t)i * step], i * step};
    qsort(scratch, l->n_rows, sizeof *scratch, by_code);
    for (uint32_t i = 0; i < l->n_rows; i++) {
        l->codes[(size_t)c * l->n_rows + i] = scratch[i].code;
        l->rows[(size_t)c * l->n_rows + i] = scratch[i].row;
    }
}

dpl_status dpl__lab_lookup_new(dpl__lab_lookup *out, dpl_ctx *ctx, const dpl_codes *codes,
                               unsigned l, uint32_t step, dpl_error *err)
{
    assert(step > 0 && l <= dpl_codes_get_info(codes).n_codes);
    *out = (dpl__lab_lookup){.l = l,
                             .n_rows = (dpl_codes_get_info(codes).n_rows + step - 1) / step};
    const size_t n = (size_t)l * out->n_rows + 1;
    out->codes = dpl__alloc(ctx, n * sizeof *out->codes);
    out->rows = dpl__alloc(ctx, n * sizeof *out->rows);
    entry *scratch = dpl__alloc(ctx, (out->n_rows + 1) * sizeof *scratch);
    const bool is_there = out->codes && out->rows && scratch;
    for (unsigned c = 0; is_there && c < l; c++)
        fill(out, c, dpl_codes_column(codes, c), step, scratch);
    dpl__free(ctx, scratch);
    if (is_there)
        return DPL_OK;
    dpl__lab_lookup_clear(out, ctx);
    return dpl__fail_nomem(err);
}

void dpl__lab_lookup_clear(dpl__lab_lookup *lookup, dpl_ctx *ctx)
{
    dpl__free(ctx, lookup->codes, lookup->rows);
    *lookup = (dpl__lab_lookup){0};
}

/* The first place at or above the code. */
static uint32_t place_of(const uint64_t *codes, uint32_t n, uint64_t code)
{
    size_t at;
    DPL__LOWER_BOUND(at, n, codes[at] < code);
    return (uint32_t)at;
}

void dpl__lab_lookup_find(dpl__lab_found *out, const dpl__lab_lookup *lookup,
                          const dpl_codes *codes, uint32_t row)
{
    const uint32_t mark = ++out->query;
    out->n = 0;
    out->seen[row] = mark;
    for (unsigned c = 0; c < lookup->l; c++) {
        const uint64_t code = dpl_codes_column(codes, c)[row];
        const uint64_t *column = lookup->codes + (size_t)c * lookup->n_rows;
        const uint32_t *rows = lookup->rows + (size_t)c * lookup->n_rows;
        uint32_t i = place_of(column, lookup->n_rows, code);
        for (; code != DPL_NO_CODE && i < lookup->n_rows && column[i] == code; i++)
            if (out->seen[rows[i]] != mark) {
                out->seen[rows[i]] = mark;
                out->rows[out->n++] = rows[i];
            }
    }
}
