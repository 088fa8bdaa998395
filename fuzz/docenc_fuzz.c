/*
 * docenc_fuzz.c - base64 columns: the same documents for any chunks; what is printed parses
 * back, and every text survives being encoded.
 */
#include "readers.h"

extern const dpl__format dpl__format_docenc;

static void append_base64(dpl__bytes *out, dpl_str s)
{
    static const char alphabet[] =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    const uint8_t *p = (const uint8_t *)s.data;
    for (size_t i = 0; i < s.n; i += 3) {
        uint32_t x = (uint32_t)p[i] << 16 | (i + 1 < s.n ? (uint32_t)p[i + 1] << 8 : 0) |
                     (i + 2 < s.n ? p[i + 2] : 0);
        for (size_t k = 0; k < 4; k++)
            FUZZ_CHECK(dpl__vec_push(fuzz_ctx(), out,
                                     i + k > s.n ? '=' : alphabet[x >> (18 - 6 * k) & 63]));
    }
}

static void print(dpl__bytes *out, const dpl_doc *doc)
{
    append_base64(out, doc->text);
    FUZZ_CHECK(dpl__vec_push(fuzz_ctx(), out, '\t'));
    FUZZ_CHECK(dpl__vec_append(fuzz_ctx(), out, doc->id.data, doc->id.n));
    FUZZ_CHECK(dpl__vec_push(fuzz_ctx(), out, '\n'));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
    dpl_reader_options o =
        DPL_INIT(dpl_reader_options, .lang = "en", .max_record = 1 << 20, .columns = "text,id");
    fuzz_check_printed(&dpl__format_docenc, o, o, data, n, print);

    /* The input itself as the text of a document. */
    dpl__bytes line = {0};
    const dpl_doc doc = {.id = DPL_STR("1"), .text = {(const char *)data, n}};
    print(&line, &doc);
    fuzz_check_printed(&dpl__format_docenc, o, o, (const uint8_t *)line.data, line.n, print);
    dpl__vec_clear(fuzz_ctx(), &line);

    o.max_record = 20 + n % 200;
    o.columns = n & 1 ? "text" : "id,text,url";
    fuzz_check_chunks(&dpl__format_docenc, o, data, n);
    return 0;
}
