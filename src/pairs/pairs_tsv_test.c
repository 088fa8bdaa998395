#include "pairs/pairs_tsv.h"

#include "test.h"

/* *n is the number of pairs in front of the end, or of the fault. */
static dpl_status parse(dpl_ctx *ctx, const char *text, size_t *n)
{
    dpl__lines lines;
    dpl__pair_line p;
    dpl_status status =
        dpl__lines_open_memory(&lines, ctx, "pairs", text, strlen(text), &test_err);
    *n = 0;
    while (status == DPL_OK && (status = dpl__pairs_tsv_next(&lines, &p, &test_err)) == DPL_OK)
        ++*n;
    dpl__lines_close(&lines);
    return status;
}

DPL_TEST(pairs_tsv, headers_are_skipped_in_the_first_line_only)
{
    dpl_ctx *ctx = test_ctx(1);
    size_t n;
    CHECK_EQ(parse(ctx, "left_id\tright_id\na\tb\nleft_id\tright_id\tx\n", &n), DPL_END);
    CHECK_EQ(n, 2);
    CHECK_EQ(parse(ctx, "left_id\tright_id\tscore\r\n", &n), DPL_END);
    CHECK_EQ(n, 0);
    CHECK_EQ(parse(ctx, "left_id\tright\n", &n), DPL_END);
    CHECK_EQ(n, 1);
    CHECK_EQ(parse(ctx, "", &n), DPL_END);
    CHECK_EQ(n, 0);
    test_ctx_done(ctx);
}

DPL_TEST(pairs_tsv, columns_are_taken_as_they_stand)
{
    dpl_ctx *ctx = test_ctx(1);
    static const char text[] = " a \\t\tb\"\t0.5\tmore\r\nc\td\t\n";
    dpl__lines lines;
    dpl__pair_line p;
    CHECK_OK(dpl__lines_open_memory(&lines, ctx, "x", text, sizeof text - 1, &test_err));
    CHECK_OK(dpl__pairs_tsv_next(&lines, &p, &test_err));
    CHECK_STR(p.left, " a \\t");
    CHECK_STR(p.right, "b\"");
    CHECK_STR(p.rest, "0.5\tmore");
    CHECK_OK(dpl__pairs_tsv_next(&lines, &p, &test_err));
    CHECK_STR(p.right, "d");
    CHECK_STR(p.rest, "");
    CHECK_EQ(dpl__pairs_tsv_next(&lines, &p, &test_err), DPL_END);
    dpl__lines_close(&lines);
    test_ctx_done(ctx);
}

DPL_TEST(pairs_tsv, what_is_no_pair_is_refused_with_its_line)
{
    static const char *const bad[] = {"a\tb\nc\n", "a\tb\n\n", "a\tb\n\tc\n", "a\tb\nc\t\n",
                                      "a\tb\nc\t\td\n"};
    dpl_ctx *ctx = test_ctx(1);
    size_t n;
    for (size_t i = 0; i < DPL_LEN(bad); i++) {
        CHECK_EQ(parse(ctx, bad[i], &n), DPL_E_FORMAT);
        CHECK_EQ(test_err.line, 2);
        CHECK_EQ(n, 1);
    }
    test_ctx_done(ctx);
}
