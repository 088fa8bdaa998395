/*
 * tmx_fuzz.c - any bytes as a translation memory.
 *
 * Properties: the same for any pieces; the rows, written as TMX, parse back.
 */
#include "rows.h"

static void put(dpl__bytes *out, const char *text)
{
    FUZZ_CHECK(dpl__vec_append(fuzz_ctx(), out, text, strlen(text)));
}

static void put_segment(dpl__bytes *out, const char *lang, dpl_str text)
{
    put(out, "<tuv xml:lang=\"");
    put(out, lang);
    put(out, "\"><seg>");
    for (size_t i = 0; i < text.n; i++) {
        if (text.data[i] == '<')
            put(out, "&lt;");
        else if (text.data[i] == '&')
            put(out, "&amp;");
        else if (text.data[i] == '>')
            put(out, "&gt;");
        else
            FUZZ_CHECK(dpl__vec_push(fuzz_ctx(), out, text.data[i]));
    }
    put(out, "</seg></tuv>");
}

static void print(dpl__bytes *out, const dpl_bitext_row *row)
{
    if (!out->n)
        put(out, "<tmx><body>");
    put(out, "<tu>");
    put_segment(out, "de", row->left);
    put_segment(out, "en", row->right);
    put(out, "</tu>");
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
    char *copy = fuzz_copy(data, n);
    const dpl_str text = {copy, n};
    dpl_bitext_options o = DPL_INIT(dpl_bitext_options, .left_lang = "de", .right_lang = "en",
                                    .on_error = DPL_ON_ERROR_REPLACE);
    fuzz_rows first = fuzz_read_rows(&dpl__bitext_tmx, &o, &text, 0, print);
    if (first.printed.n) {
        put(&first.printed, "</body></tmx>");
        const dpl_str printed = {first.printed.data, first.printed.n};
        o.on_error = DPL_ON_ERROR_FAIL;
        fuzz_rows second = fuzz_read_rows(&dpl__bitext_tmx, &o, &printed, 0, NULL);
        FUZZ_CHECK(second.status == DPL_END);
        fuzz_check_same_rows(&first, &second);
        fuzz_rows_clear(&second);
    }
    fuzz_rows_clear(&first);
    o.max_record = 10 + n % 100;
    fuzz_check_pieces(&dpl__bitext_tmx, o, &text);
    free(copy);
    return 0;
}
