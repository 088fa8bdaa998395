#include "sentences/cooccurrence.h"

#include "test.h"

/* "1 2 3|4 5": numbers of words, rows with bars between. */
static void read_rows(dpl__bead_rows *rows, dpl_ctx *ctx, int side, const char *text)
{
    CHECK(dpl__vec_push(ctx, &rows->begin[side], 0));
    for (const char *at = text; *at; at++) {
        if (*at >= '0' && *at <= '9')
            CHECK(dpl__vec_push(ctx, &rows->tokens[side], (uint32_t)(*at - '0')));
        if (*at == '|' || !at[1])
            CHECK(dpl__vec_push(ctx, &rows->begin[side], rows->tokens[side].n));
    }
}

static dpl__bead_rows made_rows(dpl_ctx *ctx, const char *left, const char *right)
{
    dpl__bead_rows rows = {0};
    read_rows(&rows, ctx, DPL__LEFT, left);
    read_rows(&rows, ctx, DPL__RIGHT, right);
    return rows;
}

static void clear_rows(dpl__bead_rows *rows, dpl_ctx *ctx)
{
    for (int side = 0; side < 2; side++)
        dpl__vec_clear(ctx, &rows->begin[side], &rows->tokens[side]);
}

/* 0 when there is no such link. */
static double count_of(const dpl__cooccurrence *t, uint32_t left, uint32_t right)
{
    for (uint32_t k = t->begin[left]; k < t->begin[left + 1]; k++)
        if (t->right.data[k] == right)
            return t->counts.data[k];
    return 0;
}

static const uint32_t n_words[2] = {10, 10};

DPL_TEST(cooccurrence, words_find_each_other)
{
    dpl_ctx *ctx = test_ctx(1);
    dpl__cooccurrence t;
    /* 1 stands for 5, 2 for 6; 3 and 7 are everywhere. */
    dpl__bead_rows rows = made_rows(ctx, "1 2 3|1 3|2 3|1 3|2 3", "5 6 7|7 5|7 6|5 7|7 6");
    CHECK_OK(dpl__cooccurrence_find(&t, ctx, &rows, n_words, &test_err));
    CHECK(count_of(&t, 1, 5) > 2 && count_of(&t, 1, 5) <= 3);
    CHECK(count_of(&t, 2, 6) > 2 && count_of(&t, 2, 6) <= 3);
    CHECK(count_of(&t, 3, 7) > 3.5 && count_of(&t, 3, 7) <= 5);
    CHECK(count_of(&t, 1, 7) < 0.7 && count_of(&t, 3, 5) < 0.7);
    CHECK_EQ(t.tokens[DPL__LEFT][3], 5);
    CHECK_EQ(t.tokens[DPL__RIGHT][6], 3);
    dpl__cooccurrence_clear(&t);
    clear_rows(&rows, ctx);
    test_ctx_done(ctx);
}

DPL_TEST(cooccurrence, once_is_nothing)
{
    dpl_ctx *ctx = test_ctx(1);
    dpl__cooccurrence t;
    dpl__bead_rows rows = made_rows(ctx, "1 2|3|", "4 5|6|7");
    CHECK_OK(dpl__cooccurrence_find(&t, ctx, &rows, n_words, &test_err));
    CHECK_EQ(t.right.n, 0);
    CHECK_EQ(t.begin[10], 0);
    dpl__cooccurrence_clear(&t);
    clear_rows(&rows, ctx);
    test_ctx_done(ctx);
}

DPL_TEST(cooccurrence, left_and_right_are_alike)
{
    dpl_ctx *ctx = test_ctx(1);
    const char *texts[2] = {"1 2 3|1 3|2 3|1 3 4|2 3 4|4 1", "5 6 7|7 5|7 6|5 7|8 7 6|5 8"};
    dpl__cooccurrence t[2];
    for (int i = 0; i < 2; i++) {
        dpl__bead_rows rows = made_rows(ctx, texts[i], texts[!i]);
        CHECK_OK(dpl__cooccurrence_find(&t[i], ctx, &rows, n_words, &test_err));
        clear_rows(&rows, ctx);
    }
    for (uint32_t left = 0; left < 10; left++)
        for (uint32_t right = 0; right < 10; right++)
            CHECK(count_of(&t[0], left, right) - count_of(&t[1], right, left) < 1e-12 &&
                  count_of(&t[1], right, left) - count_of(&t[0], left, right) < 1e-12);
    for (int i = 0; i < 2; i++)
        dpl__cooccurrence_clear(&t[i]);
    test_ctx_done(ctx);
}

static dpl_status body(void *user, dpl_ctx *ctx, dpl_error *err)
{
    dpl__cooccurrence t;
    DPL_TRY(dpl__cooccurrence_find(&t, ctx, user, n_words, err));
    dpl__cooccurrence_clear(&t);
    return DPL_OK;
}

DPL_TEST(cooccurrence, every_failed_allocation_is_reported)
{
    dpl_ctx *ctx = test_ctx(1);
    dpl__bead_rows rows = made_rows(ctx, "1 2 3|1 3|2 3|1 3|2 3", "5 6 7|7 5|7 6|5 7|7 6");
    test_allocation_failures(body, &rows);
    clear_rows(&rows, ctx);
    test_ctx_done(ctx);
}
