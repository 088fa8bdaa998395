#include "io/lines.h"

#include "base/hash.h"
#include "test.h"

static dpl_status next(dpl__lines *lines, dpl_str *line)
{
    return dpl__lines_next(lines, line, &test_err);
}

DPL_TEST(lines, ends_of_lines_and_a_mark_in_front_are_no_part_of_them)
{
    static const char text[] = "\xEF\xBB\xBF"
                               "one\r\n\ntwo\rtwo\n\xEF\xBB\xBF\nlast\r";
    static const char *const expected[] = {"one", "", "two\rtwo", "\xEF\xBB\xBF", "last"};
    dpl_ctx *ctx = test_ctx(1);
    dpl__lines lines;
    dpl_str line;
    CHECK_OK(dpl__lines_open_memory(&lines, ctx, "text", text, sizeof text - 1, &test_err));
    for (size_t i = 0; i < DPL_LEN(expected); i++) {
        CHECK_OK(next(&lines, &line));
        CHECK_STR(line, expected[i]);
        CHECK_EQ(lines.number, i + 1);
    }
    CHECK_EQ(next(&lines, &line), DPL_END);
    CHECK_EQ(next(&lines, &line), DPL_END);
    dpl__lines_close(&lines);
    dpl__lines_close(&lines);
    test_ctx_done(ctx);
}

DPL_TEST(lines, nothing_has_no_lines_and_a_file_that_is_not_there_fails)
{
    dpl_ctx *ctx = test_ctx(1);
    dpl__lines lines;
    dpl_str line;
    CHECK_OK(dpl__lines_open(&lines, ctx, test_write("empty", "", 0), &test_err));
    CHECK_EQ(next(&lines, &line), DPL_END);
    dpl__lines_close(&lines);
    CHECK_EQ(dpl__lines_open(&lines, ctx, test_path("missing"), &test_err), DPL_E_IO);
    dpl__lines_close(&lines);
    test_ctx_done(ctx);
}

/* Lines of all lengths, so that their ends fall on all sides of a read. */
DPL_TEST(lines, long_and_short_ones_come_out_as_they_went_in)
{
    dpl_ctx *ctx = test_ctx(1);
    dpl__rng rng = {4711};
    dpl__bytes text = {0};
    DPL_VEC(size_t) lengths = {0};
    while (text.n < 3000000) {
        size_t n = (size_t)dpl__rng_below(&rng, dpl__rng_below(&rng, 20) ? 200 : 300000);
        CHECK(dpl__vec_push(ctx, &lengths, n));
        for (size_t i = 0; i < n; i++)
            CHECK(dpl__vec_push(ctx, &text, (char)('a' + i % 26)));
        CHECK(dpl__vec_push(ctx, &text, '\n'));
    }
    dpl__lines lines;
    dpl_str line;
    CHECK_OK(dpl__lines_open(&lines, ctx, test_write("long", text.data, text.n), &test_err));
    for (size_t i = 0, at = 0; i < lengths.n; at += lengths.data[i++] + 1) {
        CHECK_OK(next(&lines, &line));
        CHECK(dpl__str_eq(line, (dpl_str){text.data + at, lengths.data[i]}));
    }
    CHECK_EQ(next(&lines, &line), DPL_END);
    dpl__lines_close(&lines);
    dpl__vec_clear(ctx, &lengths, &text);
    test_ctx_done(ctx);
}

DPL_TEST(lines, a_line_without_end_is_refused_with_its_number)
{
    dpl_ctx *ctx = test_ctx(1);
    size_t n = DPL__LONGEST_LINE + 8;
    char *text = dpl__alloc(ctx, n);
    memset(text, 'x', n);
    text[3] = text[4] = '\n';
    dpl__lines lines;
    dpl_str line;
    CHECK_OK(dpl__lines_open_memory(&lines, ctx, "long", text, n, &test_err));
    CHECK_OK(next(&lines, &line));
    CHECK_OK(next(&lines, &line));
    CHECK_EQ(next(&lines, &line), DPL_E_FORMAT);
    CHECK_STR(dpl__cstr(test_err.text), "'long' line 3: longer than 16 MiB");
    CHECK_EQ(test_err.line, 3);
    dpl__lines_close(&lines);
    dpl__free(ctx, text);
    test_ctx_done(ctx);
}
