/*
 * html_fuzz.c - HTML: whatever comes in, valid text in clean lines comes out, and that text as
 * a page gives itself. Bytes that are not UTF-8 go through the encoding they declare.
 */
#include "readers.h"

#include "readers/html/html.h"
#include "unicode/charset.h"
#include "unicode/unicode.h"

static void append(dpl__bytes *out, const char *s, size_t n)
{
    FUZZ_CHECK(dpl__vec_append(fuzz_ctx(), out, s, n));
}

/* What is written as a reference: control characters and noncharacters. Those from 0x80 to 0x9F
 * are written as they are: a reference to one means a character of windows-1252. */
static bool is_odd(uint32_t c)
{
    return c < 0x20 || c == 0x7F || (c >= 0xFDD0 && c < 0xFDF0) || (c & 0xFFFE) == 0xFFFE;
}

static void print(dpl__bytes *out, dpl_str text)
{
    append(out, "<p>", 3);
    for (size_t i = 0; i < text.n;) {
        uint32_t c;
        unsigned n = dpl__utf8_decode((const uint8_t *)text.data + i, &c);
        char reference[16];
        if (c == '\n')
            append(out, "<br>", 4);
        else if (c == '<' || c == '&' || is_odd(c))
            append(out, reference, (size_t)sprintf(reference, "&#%u;", c));
        else
            append(out, text.data + i, n);
        i += n;
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
    dpl__arena arena;
    dpl__arena_init(&arena, fuzz_ctx());
    char *copy = fuzz_copy(data, n);
    dpl_str html = {copy, n};
    size_t n_replaced;
    dpl__charset charset = dpl__charset_declared(html);
    if (charset.name[0])
        FUZZ_CHECK(dpl__charset_convert(&html, &arena, &charset, &n_replaced, NULL) >= 0);
    dpl_doc doc, again;
    if (fuzz_is_utf8(html) && dpl__html_read(&doc, &arena, html, NULL) == DPL_OK) {
        fuzz_check_text(doc.text);
        fuzz_check_text(doc.title);
        FUZZ_CHECK(fuzz_is_utf8(doc.lang));
        dpl__bytes page = {0};
        print(&page, doc.text);
        dpl_str printed = {page.data, page.n};
        FUZZ_CHECK(dpl__html_read(&again, &arena, printed, NULL) == DPL_OK);
        FUZZ_CHECK(dpl__str_eq(doc.text, again.text));
        dpl__vec_clear(fuzz_ctx(), &page);
    }
    free(copy);
    dpl__arena_clear(&arena);
    return 0;
}
