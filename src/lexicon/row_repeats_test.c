#include "lexicon/row_repeats.h"

#include "base/ctx.h"
#include "test.h"

DPL_TEST(repeats, rows_are_counted_at_their_first_occurrence)
{
    /* "1 2 | 5", "1 | 2 5", "1 2 | 5", "|", "1 2 | 6", "|", "1 2 | 5" */
    static const uint32_t left[] = {1, 2, 1, 1, 2, 1, 2, 1, 2}, right[] = {5, 2, 5, 5, 6, 5};
    static const uint64_t begin_left[] = {0, 2, 3, 5, 5, 7, 7, 9},
                          begin_right[] = {0, 1, 3, 4, 4, 5, 5, 6};
    static const uint32_t expected[] = {3, 1, 0, 2, 1, 0, 0};
    dpl__encoded b = {.n_rows = 7,
                      .side = {{.begin = begin_left, .tokens = left, .n_words = 7},
                               {.begin = begin_right, .tokens = right, .n_words = 7}}};
    dpl_ctx *ctx = test_ctx(1);
    uint32_t *times = NULL;
    CHECK_OK(dpl__repeats_find(&times, ctx, &b, 1 << 20, &test_err));
    for (size_t i = 0; i < 7; i++)
        CHECK_EQ(times[i], expected[i]);
    dpl__free(ctx, times);
    CHECK_OK(dpl__repeats_find(&times, ctx, &b, 1, &test_err));
    CHECK(times == NULL);
    test_ctx_done(ctx);
}

DPL_TEST(repeats, are_the_same_for_any_number_of_threads)
{
    enum { ROWS = 20000 };
    static uint32_t tokens[ROWS], first[ROWS];
    static uint64_t begin[ROWS + 1];
    for (uint32_t row = 0; row < ROWS; row++) {
        tokens[row] = row * row % 9973;
        begin[row + 1] = row + 1;
    }
    dpl__encoded b = {.n_rows = ROWS,
                      .side = {{.begin = begin, .tokens = tokens, .n_words = ROWS},
                               {.begin = begin, .tokens = tokens, .n_words = ROWS}}};
    for (unsigned n_threads = 1; n_threads < 6; n_threads += 2) {
        dpl_ctx *ctx = test_ctx(n_threads);
        uint32_t *times = NULL;
        CHECK_OK(dpl__repeats_find(&times, ctx, &b, 1 << 20, &test_err));
        uint64_t sum = 0;
        for (uint32_t row = 0; row < ROWS; row++) {
            sum += times[row];
            first[row] = n_threads == 1 ? times[row] : first[row];
            CHECK_EQ(times[row], first[row]);
        }
        CHECK_EQ(sum, ROWS);
        dpl__free(ctx, times);
        test_ctx_done(ctx);
    }
}
