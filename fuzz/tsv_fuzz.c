/*
 * tsv_fuzz.c - columns: the same documents for any chunks; what is printed parses back.
 */
#include "readers.h"

extern const dpl__format dpl__format_tsv;

/* "text", "title", "id": the last one never ends in '\r'. */
static void print(dpl__bytes *out, const dpl_doc *doc)
{
    dpl_ctx *ctx = fuzz_ctx();
    const dpl_str fields[] = {doc->text, doc->title, doc->id};
    for (size_t i = 0; i < DPL_LEN(fields); i++) {
        FUZZ_CHECK(dpl__vec_append(ctx, out, fields[i].data, fields[i].n));
        FUZZ_CHECK(dpl__vec_push(ctx, out, i + 1 < DPL_LEN(fields) ? '\t' : '\n'));
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
    dpl_reader_options o = DPL_INIT(dpl_reader_options, .lang = "en", .max_record = 1 << 20,
                                    .columns = "id,title,text");
    dpl_reader_options printed = o;
    printed.columns = "text,title,id";
    fuzz_check_printed(&dpl__format_tsv, o, printed, data, n, print);
    o.max_record = 20 + n % 200;
    o.columns = n & 1 ? "text" : "a\"b,text,-,title";
    fuzz_check_chunks(&dpl__format_tsv, o, data, n);
    return 0;
}
