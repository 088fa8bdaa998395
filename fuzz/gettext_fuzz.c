/*
 * gettext_fuzz.c - any bytes as a catalogue, .mo or .po, alone and joined with itself.
 *
 * Property: the same for any pieces.
 */
#include "rows.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
    char *copy = fuzz_copy(data, n);
    const dpl_str texts[] = {{copy, n}, {copy, n}};
    dpl_bitext_options o = DPL_INIT(dpl_bitext_options, .max_record = 10 + n % 100);
    fuzz_check_pieces(&dpl__bitext_gettext, o, texts);
    o = (dpl_bitext_options)DPL_INIT(dpl_bitext_options, .left_lang = "de", .right_lang = "de");
    fuzz_check_pieces(&dpl__bitext_gettext_joined, o, texts);
    free(copy);
    return 0;
}
