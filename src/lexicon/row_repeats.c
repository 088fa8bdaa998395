/*
 * row_repeats.c - maps of rows; equal hashes are compared.
 */
#include "lexicon/row_repeats.h"

#include "base/ctx.h"
#include "base/hash.h"
#include "base/map.h"
#include "par/pool.h"

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

/* Rows in the order of the corpus; a part has those of some hashes and a map of its own. */
typedef struct repeats {
    dpl_ctx *ctx;
    const dpl__encoded *b;
    uint64_t *hashes; /* of each row */
    uint32_t *times;
    size_t n_parts;
} repeats;

enum { BLOCK_ROWS = 4096 };

static void hash_rows(void *user, size_t block)
{
    const repeats *r = user;
    const size_t end = dpl__min((block + 1) * BLOCK_ROWS, r->b->n_rows);
    for (size_t row = block * BLOCK_ROWS; row < end; row++) {
        r->hashes[row] = hash_row(r->b, (uint32_t)row);
        r->times[row] = 0;
    }
}

static bool is_of_part(const repeats *r, size_t row, size_t part)
{
    return (r->hashes[row] >> 32) % r->n_parts == part;
}

static dpl_status count_part(void *user, size_t part, unsigned worker, dpl_error *err)
{
    const repeats *r = user;
    row_map map = {.user = r->b};
    size_t n = 0;
    (void)worker;
    for (size_t row = 0; row < r->b->n_rows; row++)
        n += is_of_part(r, row, part);
    DPL_TRY(dpl__need(row_map_reserve(&map, r->ctx, n + 1), err));
    for (uint32_t row = 0; row < r->b->n_rows; row++) {
        if (!is_of_part(r, row, part))
            continue;
        uint32_t *slot = row_map_find(&map, r->hashes[row], row);
        if (!*slot) {
            *slot = row + 1;
            map.n_used++;
        }
        assert(*slot <= row + 1);
        r->times[*slot - 1]++;
    }
    row_map_clear(&map, r->ctx);
    return DPL_OK;
}

static dpl_status count(repeats *r, dpl_error *err)
{
    DPL_TRY(dpl__need(r->hashes && r->times, err));
    DPL_TRY(dpl__parallel_each(r->ctx, (r->b->n_rows + BLOCK_ROWS - 1) / BLOCK_ROWS, r,
                               hash_rows, err));
    return dpl__parallel_for(r->ctx, r->n_parts, r, count_part, err);
}

dpl_status dpl__repeats_find(uint32_t **out, dpl_ctx *ctx, const dpl__encoded *b,
                             uint64_t n_bytes, dpl_error *err)
{
    *out = NULL;
    if (b->n_rows == 0 || b->n_rows >= UINT32_MAX || b->n_rows * 20 > n_bytes)
        return DPL_OK;
    repeats r = {.ctx = ctx,
                 .b = b,
                 .hashes = dpl__alloc(ctx, b->n_rows * sizeof *r.hashes),
                 .times = dpl__alloc(ctx, b->n_rows * sizeof *r.times),
                 .n_parts = dpl__min(dpl_ctx_threads(ctx), b->n_rows / BLOCK_ROWS + 1)};
    const dpl_status status = count(&r, err);
    dpl__free(ctx, r.hashes);
    if (status != DPL_OK)
        dpl__free(ctx, r.times);
    *out = status == DPL_OK ? r.times : NULL;
    return status;
}
