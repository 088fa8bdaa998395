#include "doppel/page.h"

#include "page/offline.h"
#include "page/page.h"
#include "test.h"

#include <stdio.h>
#include <stdlib.h>

static const char documents[] =
    "{\"id\":\"a\",\"lang\":\"en\",\"title\":\"</script><b>\",\"text\":\"Volcanoes rarely erupt "
    "without warning.\"}\n"
    "{\"id\":\"b\",\"lang\":\"en\",\"title\":\"Two\",\"text\":\"Magma rises and rock cracks before "
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

DPL_TEST(page, has_the_same_bytes_every_time)
{
    if (!dpl_page_is_supported())
        dpl__test_skip("built without WebAssembly");
    CHECK_OK(build(test_path("1.html"), "x", NULL));
    CHECK_OK(build(test_path("2.html"), "x", NULL));
    size_t n[2];
    char *pages[] = {test_read(test_path("1.html"), &n[0]), test_read(test_path("2.html"), &n[1])};
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
    FILE *f = fopen(test_path("no.html"), "rb");
    CHECK(!f);
}
