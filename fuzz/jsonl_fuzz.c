/*
 * jsonl_fuzz.c - JSON Lines: the same documents for any chunks; `extra` is JSON; what is
 * printed parses back.
 */
#include "readers.h"

#include "readers/json_parser.h"

extern const dpl__format dpl__format_jsonl;

static void print(dpl__bytes *out, const dpl_doc *doc)
{
    dpl_ctx *ctx = fuzz_ctx();
    static const char *const keys[] = {"{\"id\":", ",\"title\":", ",\"text\":"};
    const dpl_str values[] = {doc->id, doc->title, doc->text};
    for (size_t i = 0; i < DPL_LEN(keys); i++) {
        FUZZ_CHECK(dpl__vec_append(ctx, out, keys[i], strlen(keys[i])));
        FUZZ_CHECK(dpl__json_escape(ctx, out, values[i]));
    }
    dpl_str rest = DPL_STR("}");
    if (doc->extra.n) {
        dpl__json j = dpl__json_begin(ctx, doc->extra);
        FUZZ_CHECK(dpl__json_skip(&j, &rest) == DPL_OK && dpl__json_end(&j) == DPL_OK);
        FUZZ_CHECK(rest.n > 2 && rest.data[0] == '{');
        rest = (dpl_str){rest.data + 1, rest.n - 1};
        FUZZ_CHECK(dpl__vec_push(ctx, out, ','));
    }
    FUZZ_CHECK(dpl__vec_append(ctx, out, rest.data, rest.n));
    FUZZ_CHECK(dpl__vec_push(ctx, out, '\n'));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
    dpl_reader_options o =
        DPL_INIT(dpl_reader_options, .id_key = "id", .title_key = "title", .text_key = "text",
                 .lang_key = "", .lang = "en", .max_record = 1 << 20);
    fuzz_check_printed(&dpl__format_jsonl, o, o, data, n, print);
    o.max_record = 100 + n % 200;
    fuzz_check_chunks(&dpl__format_jsonl, o, data, n);
    return 0;
}
