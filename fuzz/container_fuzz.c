/*
 * container_fuzz.c - hostile container files.
 *
 * Each input is opened as it is, and once more with all checksums made right, so that the
 * checks behind them are reached. Property: what opens can be walked to its end; a collection
 * that opens holds valid text and rising rows.
 */
#define _GNU_SOURCE /* memfd_create */
#include "files.h"

static void walk_collection(const dpl_collection *c)
{
    const dpl_collection_sizes *size = dpl_collection_get_sizes(c);
    uint32_t number;
    for (uint32_t d = 0; d < size->n_docs; d++) {
        dpl_doc doc = dpl_collection_doc(c, d);
        fuzz_touch(doc.id), fuzz_touch(doc.lang), fuzz_touch(doc.title), fuzz_touch(doc.text),
            fuzz_touch(doc.extra);
        (void)dpl_collection_find_doc(c, doc.id, &number);
        size_t n;
        const uint32_t *counts, *tokens = dpl_collection_tokens(c, d, &n);
        for (size_t i = 0; i < n; i++)
            fuzz_touch(dpl_collection_term(c, tokens[i]));
        const uint32_t *terms = dpl_collection_row(c, d, &counts, &n);
        for (size_t i = 0; i < n; i++) {
            REQUIRE(i == 0 || terms[i] > terms[i - 1]);
            fuzz_checksum += counts[i] + dpl_collection_doc_count(c, terms[i]);
        }
        for (size_t i = 0; i < dpl_collection_n_sentences(c, d); i++)
            fuzz_touch(dpl_collection_sentence_text(c, d, i));
    }
    for (uint32_t t = 0; t < size->n_terms; t++)
        (void)dpl_collection_find_term(c, dpl_collection_term(c, t), &number);
}

static void open_file(dpl_ctx *ctx, const char *path)
{
    dpl_file *f = NULL;
    if (dpl_file_open(&f, ctx, path, NULL) == DPL_OK) {
        for (size_t i = 0; i < dpl_file_get_info(f).n_sections; i++) {
            dpl_section s = dpl_file_section(f, i);
            fuzz_touch((dpl_str){s.data, s.n_bytes});
            REQUIRE((uintptr_t)s.data % DPL__CONTAINER_ALIGN == 0);
        }
        (void)dpl_file_check(f, NULL);
        dpl_file_close(f);
    }
    dpl_collection *c = NULL;
    if (dpl_collection_open(&c, ctx, path, NULL) == DPL_OK)
        walk_collection(c);
    dpl_collection_close(c);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
    fuzz_open_both(data, n, open_file);
    return 0;
}
