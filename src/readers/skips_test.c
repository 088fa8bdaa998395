#include "readers/skips.h"

#include "readers/wiki/dump_test.h"
#include "test.h"

#include <stdio.h>

static dpl__skip skip(uint32_t input, uint64_t line, dpl_drop reason)
{
    dpl__skip s = {.input = input, .line = line, .reason = reason};
    snprintf(s.file, sizeof s.file, "f%u", input);
    return s;
}

DPL_TEST(skips, the_first_of_each_reason_stay_whatever_the_order)
{
    dpl_ctx *ctx = test_ctx(1);
    struct dpl_skip_list a = {.ctx = ctx}, b = {.ctx = ctx};
    for (uint64_t i = 0; i < 1000; i++) {
        dpl__skip one = skip((uint32_t)(i / 500), i, i % 3 ? DPL_DROP_UTF8 : DPL_DROP_EMPTY);
        CHECK(dpl__skips_add(&a, &one));
        const uint64_t k = i * 617 % 1000;
        one = skip((uint32_t)(k / 500), k, k % 3 ? DPL_DROP_UTF8 : DPL_DROP_EMPTY);
        CHECK(dpl__skips_add(&b, &one));
    }
    CHECK_EQ(a.records.n, 2 * DPL__SKIPS_MOST);
    CHECK_EQ(b.records.n, a.records.n);
    CHECK(memcmp(a.records.data, b.records.data, a.records.n * sizeof *a.records.data) == 0);
    dpl__skip redirect = skip(0, 0, DPL_DROP_REDIRECT); /* by nature */
    CHECK(dpl__skips_add(&a, &redirect));
    CHECK_EQ(a.records.n, b.records.n);
    dpl__skips_clear(&a);
    dpl__skips_clear(&b);
    test_ctx_done(ctx);
}

DPL_TEST(skips, a_list_is_the_same_when_it_is_read_again_and_merged)
{
    dpl_ctx *ctx = test_ctx(1);
    struct dpl_skip_list a = {.ctx = ctx}, b = {.ctx = ctx}, c = {.ctx = ctx};
    dpl_read_counts counts = {0};
    counts.n_dropped[DPL_DROP_UTF8] = 30;
    dpl__skip one = skip(0, 7, DPL_DROP_UTF8);
    snprintf(one.text, sizeof one.text, "a\tb");
    CHECK(dpl__skips_add(&b, &one));
    CHECK(dpl__skips_take(&a, &b, "f3", 3, &counts));
    const char *path = test_path("skips.tsv");
    CHECK_OK(dpl__skips_write(&a, path, &test_err));
    CHECK_OK(dpl__skips_read(&b, path, &test_err));
    CHECK_EQ(dpl_skip_list_count(&b, DPL_DROP_UTF8), 30);
    CHECK_EQ(dpl_skip_list_n(&b), 1);
    CHECK_STR(dpl__cstr(dpl_skip_list_get(&b, 0).text), "a b");
    CHECK_EQ(dpl_skip_list_get(&b, 0).line, 7);
    CHECK(dpl__skips_merge(&c, &a) && dpl__skips_merge(&c, &b)); /* of the same input: once */
    CHECK_EQ(dpl_skip_list_count(&c, DPL_DROP_UTF8), 30);
    CHECK_EQ(dpl_skip_list_n(&c), 1);
    CHECK_OK(dpl__skips_read(&b, test_path("none.tsv"), &test_err));
    CHECK_EQ(dpl_skip_list_n(&b), 0);
    dpl__skips_clear(&a);
    dpl__skips_clear(&b);
    dpl__skips_clear(&c);
    test_ctx_done(ctx);
}

DPL_TEST(skips, a_reader_lists_what_it_skipped)
{
    static const char text[] =
        "{\"id\":1,\"text\":\"a\"}\nnot JSON\n{\"id\":2,\"text\":\" \"}\n"
        "{\"id\":3,\"text\":\"\xFF\"}\n{\"id\":4}\n";
    dpl_ctx *ctx = test_ctx(1);
    dpl_reader *reader = NULL;
    dpl_doc doc;
    dpl_reader_options o = DPL_INIT(dpl_reader_options, .on_error = DPL_ON_ERROR_SKIP);
    for (o.chunk = 1; o.chunk < 200; o.chunk += 13) {
        CHECK_OK(dpl_reader_open(&reader, ctx, test_write("a.jsonl", text, sizeof text - 1), &o,
                                 &test_err));
        while (dpl_reader_next(reader, &doc, &test_err) == DPL_OK)
            ;
        const dpl_skip_list *list = dpl_reader_skipped(reader);
        CHECK_EQ(dpl_skip_list_n(list), 4);
        static const dpl_drop reasons[] = {DPL_DROP_MALFORMED, DPL_DROP_EMPTY, DPL_DROP_UTF8,
                                           DPL_DROP_MISSING};
        for (size_t i = 0; i < 4; i++) {
            CHECK_EQ(dpl_skip_list_get(list, i).line, i + 2);
            CHECK_EQ(dpl_skip_list_get(list, i).reason, reasons[i]);
        }
        CHECK_STR(dpl__cstr(dpl_skip_list_get(list, 3).text), "missing key 'text'");
        dpl_reader_close(reader);
    }
    test_ctx_done(ctx);
}
