/*
 * warc_fuzz.c - web archives: the same documents for any chunks, valid text in clean lines,
 * with boilerplate and without; HTTP bodies that are inflated keep to the limit.
 */
#include "readers.h"

#include "readers/blocks.h"
#include "readers/guess.h"
#include "readers/http.h"

extern const dpl__format dpl__format_warc;

static void check_http(const char *p, size_t n)
{
    dpl__arena arena;
    dpl__http http;
    dpl__arena_init(&arena, fuzz_ctx());
    if (dpl__http_read(&http, &arena, (dpl_str){p, n}, 1 << 16, NULL) == DPL_OK)
        FUZZ_CHECK(http.body.n <= n || http.body.n <= 1 << 16);
    dpl__arena_clear(&arena);
}

static void check_guess(const char *p, size_t n)
{
    dpl__guess guess;
    bool is_little_endian;
    FUZZ_CHECK(dpl__charset_guess(&guess, fuzz_ctx(), (dpl_str){p, n}, NULL) == DPL_OK);
    FUZZ_CHECK(!guess.is_sure || guess.charset.name[0]);
    dpl__is_utf16((dpl_str){p, n}, &is_little_endian);
}

/* Lines are dropped, none is changed. */
static void check_blocks(const char *p, size_t n)
{
    dpl__arena arena;
    dpl__html_page page;
    const dpl__html_options o = {.with_links = true};
    dpl__arena_init(&arena, fuzz_ctx());
    dpl_str html = {p, n};
    if (fuzz_is_utf8(html) && dpl__html_text(&page, &arena, html, &o, NULL) == DPL_OK) {
        dpl__blocks *blocks = dpl__blocks_new(fuzz_ctx());
        FUZZ_CHECK(blocks != NULL);
        for (int i = 0; i < 5; i++)
            FUZZ_CHECK(dpl__blocks_learn(blocks, DPL_STR("site"), page.text));
        uint64_t n_alone, n_all;
        dpl__html_page copy = page;
        copy.text = dpl__arena_copy(&arena, page.text);
        dpl_str left = dpl__blocks_filter(NULL, DPL_STR("site"), &copy, &n_alone);
        FUZZ_CHECK(left.n <= page.text.n);
        fuzz_check_text(left);
        left = dpl__blocks_filter(blocks, DPL_STR("site"), &page, &n_all);
        FUZZ_CHECK(left.n == 0 && n_all >= n_alone); /* each line stands on all pages */
        dpl__blocks_free(blocks);
    }
    dpl__arena_clear(&arena);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
    dpl_reader_options o = DPL_INIT(dpl_reader_options, .lang = "en", .max_record = 1 << 20);
    fuzz_check_chunks(&dpl__format_warc, o, data, n);
    o.on_error = DPL_ON_ERROR_SKIP;
    fuzz_check_chunks(&dpl__format_warc, o, data, n);
    char *copy = fuzz_copy(data, n);
    check_http(copy, n);
    check_guess(copy, n);
    check_blocks(copy, n);
    free(copy);
    return 0;
}
