/*
 * csv_fuzz.c - comma-separated values: the same documents for any chunks; what is printed
 * parses back.
 */
#include "readers.h"

extern const dpl__format dpl__format_csv;

static void print_field(dpl__bytes *out, dpl_str s, char end)
{
    dpl_ctx *ctx = fuzz_ctx();
    FUZZ_CHECK(dpl__vec_push(ctx, out, '"'));
    for (size_t i = 0; i < s.n; i++) {
        FUZZ_CHECK(dpl__vec_push(ctx, out, s.data[i]));
        if (s.data[i] == '"')
            FUZZ_CHECK(dpl__vec_push(ctx, out, '"'));
    }
    FUZZ_CHECK(dpl__vec_push(ctx, out, '"') && dpl__vec_push(ctx, out, end));
}

static void print(dpl__bytes *out, const dpl_doc *doc)
{
    print_field(out, doc->text, ',');
    print_field(out, doc->title, ',');
    print_field(out, doc->id, '\n');
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
    dpl_reader_options o = DPL_INIT(dpl_reader_options, .lang = "en", .max_record = 1 << 20,
                                    .id_key = "id", .lang_key = "lang", .title_key = "title",
                                    .text_key = "text", .columns = "id,title,text");
    dpl_reader_options printed = o;
    printed.columns = "text,title,id";
    fuzz_check_printed(&dpl__format_csv, o, printed, data, n, print);
    o.columns = n & 1 ? "text" : NULL;
    o.max_record = n & 2 ? 20 + n % 200 : o.max_record;
    o.id_key = n & 4 ? "" : "id";
    fuzz_check_chunks(&dpl__format_csv, o, data, n);
    return 0;
}
