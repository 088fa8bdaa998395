/*
 * documents_fuzz.c - subtitles, XLIFF, gettext catalogues and flat OpenDocument files; the
 * first byte says which. Properties: valid text, in clean lines where the format promises them;
 * XLIFF has the same rows in any pieces, if it can be read to its end.
 */
#include "documents.h"
#include "rows.h"

static void check_lines(const dpl_doc *doc)
{
    fuzz_check_text(doc->text);
}

static void check_rows(dpl_str text)
{
    dpl_bitext_options o =
        DPL_INIT(dpl_bitext_options, .left_lang = "de", .on_error = DPL_ON_ERROR_SKIP);
    fuzz_rows whole = fuzz_read_rows(&dpl__bitext_xliff, &o, &text, 0, NULL);
    fuzz_rows parts = fuzz_read_rows(&dpl__bitext_xliff, &o, &text, 1 + text.n % 7, NULL);
    /* what looks compressed and is not stops in any case */
    FUZZ_CHECK(whole.status == parts.status);
    FUZZ_CHECK(whole.status == DPL_END || whole.status == DPL_E_FORMAT ||
               whole.status == DPL_E_LIMIT);
    if (whole.status == DPL_END && !whole.counts.n_skipped && !parts.counts.n_skipped)
        fuzz_check_same_rows(&whole, &parts);
    fuzz_rows_clear(&whole);
    fuzz_rows_clear(&parts);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
    static const struct {
        const char *name;
        bool has_lines;
    } files[] = {{"x.srt", true}, {"x.vtt", true}, {"x.xlf", false},
                 {"x.po", false}, {"x.mo", false}, {"x.fodt", true}};
    if (!n)
        return 0;
    const size_t i = data[0] % DPL_LEN(files);
    char *copy = fuzz_copy(data + 1, n - 1);
    const dpl_str text = {copy, n - 1};
    dpl_reader_options o =
        DPL_INIT(dpl_reader_options, .max_record = 1 << 20, .side = (dpl_side)(n % 3));
    fuzz_read_document(files[i].name, o, text, files[i].has_lines ? check_lines : NULL);
    if (i == 2)
        check_rows(text);
    free(copy);
    return 0;
}
