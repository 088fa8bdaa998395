/*
 * json_array_fuzz.c - arrays of objects: the same documents for any chunks, whatever the keys.
 */
#include "readers.h"

extern const dpl__format dpl__format_json;

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
    dpl_reader_options o = DPL_INIT(
        dpl_reader_options, .lang = "en", .max_record = 1 << 20, .id_key = n & 1 ? "" : "id",
        .lang_key = "lang", .title_key = "a.title", .text_key = n & 2 ? "text" : "a.b.text");
    o.max_record = n & 4 ? 20 + n % 200 : o.max_record;
    fuzz_check_chunks(&dpl__format_json, o, data, n);
    return 0;
}
