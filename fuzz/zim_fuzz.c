/*
 * zim_fuzz.c - ZIM files: valid text by every policy, from the bytes of a file. Properties: the
 * policy that skips fails only for a header or a list that cannot be read; a second reading
 * gives the same number of documents.
 */
#include "readers.h"

static dpl_status read_all(const dpl_reader_options *o, const char *bytes, size_t n,
                           dpl_read_counts *counts, bool *is_open)
{
    dpl_reader *reader = NULL;
    dpl_error err = {0};
    dpl_doc doc;
    const dpl_input input = {.buffer = {bytes, n}, .name = "fuzz"};
    dpl_status status = dpl_reader_open_input(&reader, fuzz_ctx(), &input, o, &err);
    *is_open = status == DPL_OK;
    while (status == DPL_OK && (status = dpl_reader_next(reader, &doc, &err)) == DPL_OK) {
        FUZZ_CHECK(fuzz_is_utf8(doc.id) && fuzz_is_utf8(doc.title) && fuzz_is_utf8(doc.text));
        FUZZ_CHECK(doc.id.n && doc.text.n);
    }
    FUZZ_CHECK(status == DPL_END || err.text[0]);
    if (reader)
        *counts = *dpl_reader_counts(reader);
    dpl_reader_close(reader);
    return status;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
    dpl_reader_options o =
        DPL_INIT(dpl_reader_options, .from = DPL_FORMAT_ZIM, .max_record = 1 << 20);
    char *copy = fuzz_copy(data, n);
    for (int policy = DPL_ON_ERROR_FAIL; policy <= DPL_ON_ERROR_SKIP; policy++) {
        dpl_read_counts first = {0}, second = {0};
        bool is_open;
        o.on_error = (dpl_on_error)policy;
        const dpl_status status = read_all(&o, copy, n, &first, &is_open);
        FUZZ_CHECK(policy != DPL_ON_ERROR_SKIP || !is_open || status == DPL_END);
        FUZZ_CHECK(read_all(&o, copy, n, &second, &is_open) == status);
        FUZZ_CHECK(first.n_docs == second.n_docs);
    }
    free(copy);
    return 0;
}
