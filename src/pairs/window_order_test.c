#include "pairs/window.h"

#include "base/ctx.h"
#include "base/hash.h"
#include "kernels/kernels.h"
#include "test.h"

#include <stdlib.h>

/* Rows of few distinct values, so that many agree in their first bits, or in all. */
static uint64_t *make_rows(uint32_t n, uint32_t n_words, uint64_t seed)
{
    dpl__rng rng = {seed << 32};
    uint64_t *words = calloc((size_t)n * n_words, sizeof *words);
    CHECK(words != NULL);
    uint64_t n_distinct = 1 + dpl__rng_below(&rng, seed % 3 ? n : 5);
    for (uint32_t i = 0; i < n; i++) {
        dpl__rng row = {seed + dpl__rng_below(&rng, n_distinct)};
        for (uint32_t w = 0; w < n_words; w++) /* one bit in 16, mostly the same */
            words[(size_t)i * n_words + w] = dpl__rng_next(&row) & dpl__rng_next(&row) &
                                             dpl__rng_next(&row) & dpl__rng_next(&row);
    }
    return words;
}

static unsigned bit_at(const uint64_t *row, uint32_t position)
{
    return row[position / 64] >> position % 64 & 1;
}

/* Whether a stands before b, looking at one bit after the other. */
static bool is_before(const dpl__table_rows *rows, const uint32_t *positions, uint32_t a,
                      uint32_t b)
{
    const uint64_t *x = dpl__table_row(rows, a), *y = dpl__table_row(rows, b);
    for (uint32_t i = 0; i < 64 * rows->n_words; i++)
        if (bit_at(x, positions[i]) != bit_at(y, positions[i]))
            return bit_at(y, positions[i]);
    return a < b;
}

static void check_order(const dpl__table_rows *rows, const uint32_t *numbers, uint64_t seed,
                        unsigned table)
{
    uint32_t *positions = malloc(64 * rows->n_words * sizeof *positions);
    CHECK(positions != NULL);
    dpl__permutation(positions, 64 * rows->n_words, seed, table);
    for (uint32_t i = 1; i < rows->n; i++)
        if (!is_before(rows, positions, numbers[i - 1], numbers[i]))
            dpl__test_fail(__FILE__, __LINE__, "seed %llu: wrong order at place %u",
                           (unsigned long long)seed, i);
    free(positions);
}

DPL_TEST(window_order, is_that_of_permuted_signatures)
{
    for (uint64_t seed = 1; seed <= 40; seed++) {
        dpl__rng rng = {seed << 20};
        uint32_t n = 1 + (uint32_t)dpl__rng_below(&rng, seed % 8 ? 700 : 70000);
        uint32_t n_words = 1 + (uint32_t)dpl__rng_below(&rng, 4);
        uint32_t n_left = (uint32_t)dpl__rng_below(&rng, n);
        uint64_t *words = make_rows(n, n_words, seed);
        dpl__bits left = {n_left, n_words, words};
        dpl__bits right = {n - n_left, n_words, words + (size_t)n_left * n_words};
        dpl__table_rows rows = {&left, &right, n, n_words, NULL};
        dpl_ctx *ctx = test_ctx(1 + (unsigned)seed % 3);
        dpl__spill spill;
        CHECK_OK(dpl__spill_init(&spill, ctx, test_dir(), &test_err));
        dpl__columns *columns = NULL;
        if (seed % 2)
            CHECK_OK(dpl__columns_new(&columns, ctx, &rows, &test_err));
        rows.columns = columns;
        dpl__order *order = NULL;
        size_t share = seed % 3 ? 0 : 1 << 24;
        CHECK_OK(dpl__order_new(&order, &spill, &rows, share, seed % 5 == 0, &test_err));
        uint32_t *numbers = malloc(n * sizeof *numbers);
        CHECK(numbers != NULL);
        for (unsigned table = 0; table < 3; table++) {
            CHECK_OK(dpl__order_sort(order, seed, table, &test_err));
            for (uint32_t at = 0; at < n;) { /* in uneven pieces */
                size_t piece = dpl__min(1 + dpl__rng_below(&rng, 400), n - at);
                CHECK_OK(dpl__order_next(order, numbers + at, piece, &test_err));
                at += (uint32_t)piece;
            }
            check_order(&rows, numbers, seed, table);
        }
        free(numbers);
        dpl__order_free(order);
        dpl__columns_free(columns);
        dpl__spill_clear(&spill);
        test_ctx_done(ctx);
        free(words);
    }
}

DPL_TEST(window_order, permutations_differ_by_table_and_seed_and_hold_every_position)
{
    enum { N = 256 };
    uint32_t a[N], b[N], c[N];
    bool has[N] = {false};
    dpl__permutation(a, N, 1, 0);
    dpl__permutation(b, N, 1, 1);
    dpl__permutation(c, N, 2, 0);
    CHECK(memcmp(a, b, sizeof a) != 0 && memcmp(a, c, sizeof a) != 0);
    for (int i = 0; i < N; i++)
        has[a[i]] = true;
    for (int i = 0; i < N; i++)
        CHECK(has[i]);
}

DPL_TEST(window_seen, knows_pairs_of_earlier_tables_only)
{
    dpl_ctx *ctx = test_ctx(1);
    dpl__seen *seen = NULL;
    CHECK_OK(dpl__seen_new(&seen, ctx, 4, 2, &test_err));
    const uint32_t first[] = {0, 1, 2, 3}, second[] = {0, 2, 1, 3};
    dpl__seen_add(seen, 0, 0, first, 4);
    CHECK(!dpl__seen_has(seen, 0, 1, 0, 1));
    CHECK(dpl__seen_has(seen, 1, 1, 0, 1) && dpl__seen_has(seen, 1, 1, 1, 0));
    CHECK(!dpl__seen_has(seen, 1, 1, 0, 2) && dpl__seen_has(seen, 1, 2, 0, 2));
    dpl__seen_add(seen, 1, 0, second, 2);
    dpl__seen_add(seen, 1, 2, second + 2, 2);
    dpl__seen_add(seen, 2, 0, second, 4); /* beyond the tables that are kept */
    CHECK(!dpl__seen_has(seen, 1, 1, 0, 2) && dpl__seen_has(seen, 2, 1, 0, 2));
    CHECK(!dpl__seen_has(seen, 3, 1, 0, 3));
    dpl__seen_free(seen);
    test_ctx_done(ctx);
}
