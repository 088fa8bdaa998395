#include "pairs/window.h"

#include "base/ctx.h"
#include "base/hash.h"
#include "kernels/kernels.h"
#include "test.h"

#include <stdlib.h>

enum { BLOCK = DPL__COLUMN_ROWS };

/* Bits of a row at so many positions, the first one highest. */
static uint32_t naive_key(const uint64_t *row, const uint32_t *positions)
{
    uint32_t key = 0;
    for (size_t i = 0; i < DPL__KEY_BITS; i++)
        key = key << 1 | (uint32_t)(row[positions[i] / 64] >> positions[i] % 64 & 1);
    return key;
}

/* n_right 0: within left. */
static void check_columns(uint32_t n_left, uint32_t n_right, uint32_t n_words,
                          unsigned n_threads)
{
    const uint64_t seed = n_left * 1000 + n_right * 10 + n_words;
    dpl__rng rng = {seed << 20};
    const size_t n = (size_t)n_left + n_right;
    uint64_t *words = malloc(n * n_words * sizeof *words);
    CHECK(words);
    for (size_t i = 0; i < n * n_words; i++)
        words[i] = dpl__rng_next(&rng);
    dpl_ctx *ctx = test_ctx(n_threads);
    const dpl__bits left = {n_left, n_words, words},
                    right = {n_right, n_words, words + (size_t)n_left * n_words};
    const dpl__table_rows rows = {
        .left = &left, .right = n_right ? &right : NULL, .n = (uint32_t)n, .n_words = n_words};
    dpl__columns *columns = NULL;
    const uint64_t used = dpl__ctx_used(ctx);
    CHECK_OK(dpl__columns_new(&columns, ctx, &rows, &test_err));
    const size_t n_blocks = (n + BLOCK - 1) / BLOCK;
    const size_t n_bytes = n_blocks * BLOCK * n_words * 8; /* as many as signatures have */
    CHECK(dpl__columns_bytes(&rows) >= n_bytes && dpl__columns_bytes(&rows) < n_bytes + 100);
    CHECK(dpl__ctx_used(ctx) - used <= dpl__columns_bytes(&rows) + 200);
    for (size_t block = 0; block < n_blocks; block++)
        for (int round = 0; round < 3; round++) {
            uint32_t positions[DPL__KEY_BITS], keys[BLOCK];
            for (size_t i = 0; i < DPL__KEY_BITS; i++)
                positions[i] = (uint32_t)dpl__rng_below(&rng, 64 * n_words);
            dpl__columns_keys(columns, keys, block, positions);
            for (size_t i = 0; i < BLOCK; i++) {
                const size_t row = block * BLOCK + i;
                const uint32_t key = row < n ? naive_key(words + row * n_words, positions) : 0;
                if (keys[i] != key)
                    dpl__test_fail(__FILE__, __LINE__, "seed %llu: row %zu has %08X, not %08X",
                                   (unsigned long long)seed, row, keys[i], key);
            }
        }
    dpl__columns_free(columns);
    dpl__columns_free(NULL);
    test_ctx_done(ctx);
    free(words);
}

/* Numbers of rows about those of a block and of a word; behind the last row there are zeros. */
DPL_TEST(window_columns, have_the_bits_of_all_rows_of_a_block)
{
    static const uint32_t sizes[][2] = {{1, 0},     {64, 0},        {65, 0},    {BLOCK - 1, 0},
                                        {BLOCK, 0}, {BLOCK + 1, 0}, {3, 4},     {BLOCK - 1, 2},
                                        {BLOCK, 1}, {1, BLOCK},     {100, 1200}};
    for (size_t i = 0; i < DPL_LEN(sizes); i++)
        for (uint32_t n_words = 1; n_words <= 4; n_words++)
            check_columns(sizes[i][0], sizes[i][1], n_words, 1 + (unsigned)i % 3);
}

static dpl_status make_columns(void *user, dpl_ctx *ctx, dpl_error *err)
{
    dpl__columns *columns = NULL;
    const dpl_status status = dpl__columns_new(&columns, ctx, user, err);
    dpl__columns_free(columns);
    return status;
}

DPL_TEST(window_columns, every_allocation_may_fail)
{
    static const uint64_t words[4] = {1, 2, 3, 4};
    const dpl__bits left = {2, 2, words};
    test_allocation_failures(make_columns,
                             &(dpl__table_rows){.left = &left, .n = 2, .n_words = 2});
}
