/*
 * row_repeats.c - a hash table of rows with open addressing; equal hashes are compared.
 */
#include "lexicon/row_repeats.h"

#include "base/ctx.h"
#include "base/hash.h"

#define NO_ROW UINT32_MAX

static uint64_t hash_row(const dpl__encoded *b, size_t row)
{
    uint64_t hash = 0;
    for (int side = 0; side < 2; side++) {
        size_t n = dpl__encoded_length(b, side, row);
        hash = dpl__hash(dpl__encoded_tokens(b, side, row), n * sizeof(uint32_t), hash + n);
    }
    return hash;
}

static bool is_equal(const dpl__encoded *b, size_t x, size_t y)
{
    for (int side = 0; side < 2; side++) {
        size_t n = dpl__encoded_length(b, side, x);
        if (dpl__encoded_length(b, side, y) != n ||
            (n && memcmp(dpl__encoded_tokens(b, side, x), dpl__encoded_tokens(b, side, y),
                         n * sizeof(uint32_t)) != 0))
            return false;
    }
    return true;
}

static void count_rows(uint32_t *times, uint32_t *table, size_t n_slots, const dpl__encoded *b)
{
    for (size_t i = 0; i < n_slots; i++)
        table[i] = NO_ROW;
    for (size_t row = 0; row < b->n_rows; row++) {
        size_t at = (size_t)hash_row(b, row) & (n_slots - 1);
        while (table[at] != NO_ROW && !is_equal(b, table[at], row))
            at = (at + 1) & (n_slots - 1);
        if (table[at] == NO_ROW)
            table[at] = (uint32_t)row;
        times[row] = 0;
        times[table[at]]++;
    }
}

dpl_status dpl__repeats_find(uint32_t **out, dpl_ctx *ctx, const dpl__encoded *b,
                             uint64_t n_bytes, dpl_error *err)
{
    size_t n_slots = 16;
    *out = NULL;
    if (b->n_rows == 0 || b->n_rows >= NO_ROW || b->n_rows * 12 > n_bytes)
        return DPL_OK;
    while (n_slots < b->n_rows + b->n_rows / 4)
        n_slots *= 2;
    uint32_t *table = dpl__alloc(ctx, n_slots * sizeof *table);
    *out = dpl__alloc(ctx, b->n_rows * sizeof **out);
    bool has_memory = table && *out;
    if (has_memory)
        count_rows(*out, table, n_slots, b);
    else
        dpl__free(ctx, *out, b->n_rows * sizeof **out);
    dpl__free(ctx, table, n_slots * sizeof *table);
    if (has_memory)
        return DPL_OK;
    *out = NULL;
    return dpl__fail_nomem(err);
}
