/*
 * row_repeats.c - a map of rows; equal hashes are compared.
 */
#include "lexicon/row_repeats.h"

#include "base/ctx.h"
#include "base/hash.h"
#include "base/map.h"

static uint64_t hash_row(const void *user, uint32_t row)
{
    const dpl__encoded *b = user;
    uint64_t hash = 0;
    for (int side = 0; side < 2; side++) {
        size_t n = dpl__encoded_length(b, side, row);
        hash = dpl__hash(dpl__encoded_tokens(b, side, row), n * sizeof(uint32_t), hash + n);
    }
    return hash;
}

static bool is_equal(const void *user, uint32_t x, uint32_t y)
{
    const dpl__encoded *b = user;
    for (int side = 0; side < 2; side++) {
        size_t n = dpl__encoded_length(b, side, x);
        if (dpl__encoded_length(b, side, y) != n ||
            (n && memcmp(dpl__encoded_tokens(b, side, x), dpl__encoded_tokens(b, side, y),
                         n * sizeof(uint32_t)) != 0))
            return false;
    }
    return true;
}

DPL_NUMBER_MAP(row_map, uint32_t, hash_row, is_equal);

static void count_rows(uint32_t *times, row_map *map, const dpl__encoded *b)
{
    for (uint32_t row = 0; row < b->n_rows; row++) {
        uint32_t *slot = row_map_find(map, hash_row(b, row), row);
        if (!*slot) {
            *slot = row + 1;
            map->n_used++;
        }
        assert(*slot <= row + 1);
        times[row] = 0;
        times[*slot - 1]++;
    }
}

dpl_status dpl__repeats_find(uint32_t **out, dpl_ctx *ctx, const dpl__encoded *b,
                             uint64_t n_bytes, dpl_error *err)
{
    row_map map = {.user = b};
    *out = NULL;
    if (b->n_rows == 0 || b->n_rows >= UINT32_MAX || b->n_rows * 12 > n_bytes)
        return DPL_OK;
    *out = dpl__alloc(ctx, b->n_rows * sizeof **out);
    const bool has_memory = row_map_reserve(&map, ctx, b->n_rows) && *out;
    if (has_memory)
        count_rows(*out, &map, b);
    row_map_clear(&map, ctx);
    if (has_memory)
        return DPL_OK;
    dpl__free(ctx, *out);
    *out = NULL;
    return dpl__fail_nomem(err);
}
