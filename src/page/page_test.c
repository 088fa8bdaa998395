#include "doppel/page.h"

#include "page/page.h"
#include "page/stem_marks.h"
#include "test.h"

#include <stdio.h>
#include <stdlib.h>

static const char documents[] = "{\"id\":\"a\",\"lang\":\"en\",\"title\":\"</"
                                "script><b>\",\"text\":\"Volcanoes rarely erupt "
                                "without warning a happy country.\"}\n"
                                "{\"id\":\"b\",\"lang\":\"en\",\"title\":\"Two\",\"text\":"
                                "\"Magma rises and rock cracks before "
                                "volcanoes erupt.\"}\n";

static size_t count(const char *text, const char *part)
{
    size_t n = 0;
    for (const char *at = text; (at = strstr(at, part)); at += strlen(part))
        n++;
    return n;
}

static dpl_status build(const char *path, const char *name, const dpl_index_options *o)
{
    dpl_ctx *ctx = test_ctx(0);
    dpl_input input = {.path = test_write("docs.jsonl", documents, sizeof documents - 1)};
    dpl_page_summary s = DPL_INIT(dpl_page_summary);
    dpl_status status = dpl_page_build(&s, ctx, path, name, &input, 1, o, &test_err);
    if (status == DPL_OK)
        CHECK(s.n_bytes > dpl__offline_head_size + dpl__offline_tail_size && s.n_index_bytes);
    test_ctx_done(ctx);
    return status;
}

DPL_TEST(page, of_the_server_names_its_own_hashes_only)
{
    const char *page = (const char *)dpl__page;
    CHECK(dpl__page_size > 10000 && page[dpl__page_size] == '\0');
    CHECK_EQ(count(page, "<script"), 1);
    CHECK_EQ(count(page, "<style"), 1);
    CHECK_EQ(count(dpl__page_csp, "'sha256-"), 2);
    CHECK(!strstr(dpl__page_csp, "unsafe"));
    CHECK(!strstr(page, "http://") || strstr(page, "http://www.w3.org/2000/svg"));
}

DPL_TEST(page, holds_code_and_index_as_blocks_of_data)
{
    if (!dpl_page_is_supported())
        dpl__test_skip("built without WebAssembly");
    dpl_index_options o = DPL_INIT(dpl_index_options);
    o.texts = true;
    CHECK_OK(build(test_path("page.html"), "<b>name", &o));
    size_t n;
    char *page = test_read(test_path("page.html"), &n);
    CHECK_EQ(count(page, "id=\"pocket-data\">{\"name\":\"\\u003cb>name\""), 1);
    CHECK_EQ(count(page, "class=\"pocket-code\""), 1);
    CHECK_EQ(count(page, "class=\"pocket-block\""), 1);
    CHECK_EQ(count(page, "<script"), 4);
    CHECK(strstr(page, "</html>"));
    free(page);
}

DPL_TEST(page, is_called_like_its_file_unless_it_has_a_name)
{
    static const struct {
        const char *file, *name, *shown;
    } cases[] = {
        {"river.html", NULL, "river"},
        {"river.htm", NULL, "river.htm"},
        {".html", NULL, ".html"},
        {"a.html.html", NULL, "a.html"},
        {"page", NULL, "page"},
        {"page", "a & b", "a & b"},
        {"page", "\"</x>", "\\\"\\u003c/x>"},
        {"page", "", ""},
    };
    if (!dpl_page_is_supported())
        dpl__test_skip("built without WebAssembly");
    for (size_t i = 0; i < DPL_LEN(cases); i++) {
        char wanted[100];
        snprintf(wanted, sizeof wanted, "id=\"pocket-data\">{\"name\":\"%s\",", cases[i].shown);
        CHECK_OK(build(test_path(cases[i].file), cases[i].name, NULL));
        char *page = test_read(test_path(cases[i].file), NULL);
        if (count(page, wanted) != 1)
            dpl__test_fail(__FILE__, __LINE__, "%s: not %s", cases[i].file, wanted);
        free(page);
    }
}

DPL_TEST(page, has_the_same_bytes_every_time)
{
    if (!dpl_page_is_supported())
        dpl__test_skip("built without WebAssembly");
    CHECK_OK(build(test_path("1.html"), "x", NULL));
    CHECK_OK(build(test_path("2.html"), "x", NULL));
    size_t n[2];
    char *pages[] = {test_read(test_path("1.html"), &n[0]),
                     test_read(test_path("2.html"), &n[1])};
    CHECK_EQ(n[0], n[1]);
    CHECK(memcmp(pages[0], pages[1], n[0]) == 0);
    free(pages[0]);
    free(pages[1]);
}

DPL_TEST(page, refuses_what_a_browser_cannot_do)
{
    dpl_tokens_options tokens = DPL_INIT(dpl_tokens_options);
    tokens.stem = true;
    dpl_index_options o = DPL_INIT(dpl_index_options);
    o.tokens = &tokens; /* and no texts to take words from */
    CHECK_EQ(build(test_path("no.html"), NULL, &o), DPL_E_UNSUPPORTED);
    CHECK_STR(dpl__cstr(test_err.code), dpl_page_is_supported() ? "page-stems" : "no-wasm");
    tokens.stem = false;
    tokens.stop_file = "stop.txt";
    CHECK_EQ(build(test_path("no.html"), NULL, &o), DPL_E_UNSUPPORTED);
    FILE *f = fopen(test_path("no.html"), "rb");
    CHECK(!f);
}

DPL_TEST(page, stems_are_a_sorted_table_with_rules)
{
    dpl_ctx *ctx = test_ctx(0);
    dpl_tokens_options tokens = DPL_INIT(dpl_tokens_options);
    dpl_index_options o = DPL_INIT(dpl_index_options);
    dpl_input input = {.path = test_write("docs.jsonl", documents, sizeof documents - 1)};
    dpl_index *index = NULL;
    dpl__bytes table = {0};
    tokens.stem = o.texts = true;
    o.tokens = &tokens;
    CHECK_OK(dpl_index_build(NULL, ctx, test_path("x.pocket"), &input, 1, &o, &test_err));
    CHECK_OK(dpl_index_open(&index, ctx, test_path("x.pocket"), &test_err));
    CHECK_OK(dpl__page_stems(&table, ctx, index, &test_err));
    CHECK(dpl__vec_push(ctx, &table, '\0'));
    const char *text = (const char *)table.data;
    CHECK(strncmp(text, "=en\n", 4) == 0);
    CHECK(strstr(text, "\nvolcanoes\tvolcano\n") && strstr(text, "\nrock\t\n"));
    CHECK(strstr(text, "\n~en\n") && strstr(text, "\ns\t1 \n")); /* "rises", "cracks" */
    CHECK(strstr(text, "\nhappy\thappi\n") && strstr(text, "\ny\t1 i\n")); /* "country" */
    const char *last = text + 4, *end = strstr(text, "~en");
    for (const char *line = last; line < end; line = strchr(line, '\n') + 1) {
        CHECK(line == last || strncmp(last, line, strcspn(line, "\t") + 1) < 0);
        last = line;
    }
    dpl__vec_clear(ctx, &table);
    dpl_index_close(index);
    test_ctx_done(ctx);
}

DPL_TEST(page, accents_go_where_the_stemmer_takes_them)
{
    char out[16];
    CHECK_STR(((dpl_str){out, dpl__without_stem_marks(out, "h\xC3\xA4user", 7, "de")}),
              "hauser");
    CHECK_STR(((dpl_str){out, dpl__without_stem_marks(out, "caf\xC3\xA9", 5, "de")}),
              "caf\xC3\xA9");
    CHECK_STR(((dpl_str){out, dpl__without_stem_marks(out, "caf\xC3\xA9", 5, "es")}), "cafe");
    CHECK_STR(((dpl_str){out, dpl__without_stem_marks(out, "x\xC3", 2, "de")}), "x\xC3");
}

static dpl_status build_once(void *user, dpl_ctx *ctx, dpl_error *err)
{
    dpl_tokens_options tokens = DPL_INIT(dpl_tokens_options);
    dpl_index_options o = DPL_INIT(dpl_index_options);
    tokens.stem = o.texts = true;
    o.tokens = &tokens;
    return dpl_page_build(NULL, ctx, test_path("fails.html"), NULL, user, 1, &o, err);
}

DPL_TEST(page, failed_allocations_leave_no_page)
{
    if (!dpl_page_is_supported())
        dpl__test_skip("built without WebAssembly");
    dpl_input input = {.path = test_write("docs.jsonl", documents, sizeof documents - 1)};
    test_allocation_failures(build_once, &input);
}
