/*
 * pocket_fuzz.c - hostile index files.
 *
 * Each input is opened as it is, and with all checksums made right. Properties: an index that
 * opens can be asked every way; answers are in order, within the threshold and of documents
 * that are there; every name is UTF-8.
 */
#define _GNU_SOURCE /* memfd_create */
#include "files.h"
#include "index/query.h"

#include "doppel/index.h"

static void check_answer(const dpl_index *index, dpl_query *q, const dpl_query_result *r)
{
    dpl_index_info info = DPL_INIT(dpl_index_info);
    dpl_index_describe(index, &info);
    for (size_t i = 0; i < r->n_hits; i++) {
        const dpl_query_hit *h = &r->hits[i];
        const dpl_query_term *terms;
        const dpl_query_passage *passages;
        size_t n;
        REQUIRE(h->row < info.n_docs);
        REQUIRE(h->score >= 0 && h->score <= 1);
        REQUIRE(i == 0 || r->hits[i - 1].score >= h->score);
        const dpl_index_doc doc = dpl_index_document(index, h->row);
        fuzz_touch(doc.id);
        fuzz_touch(doc.title);
        REQUIRE(dpl_query_terms(q, i, &terms, &n, NULL) == DPL_OK);
        for (size_t k = 0; k < n; k++)
            fuzz_touch(terms[k].document);
        (void)dpl_query_passages(q, i, &passages, &n, NULL);
    }
}

static void ask(const dpl_index *index)
{
    static const dpl_str texts[] = {
        {"word", 4},
        {"The old mill by the river grinds corn for the bakers of the valley. The storm came "
         "in the night; the river rose and nobody slept.",
         127}};
    dpl_query *q = NULL;
    dpl_query_result r = DPL_INIT(dpl_query_result);
    REQUIRE(dpl_query_new(&q, index, NULL, NULL) == DPL_OK);
    for (unsigned method = 0; dpl_query_method_name(method); method++) {
        const dpl_query_options o =
            DPL_INIT(dpl_query_options, .method = (dpl_query_method)method, .threshold = 0.01);
        if (dpl__query_set(q, &o, NULL) != DPL_OK)
            continue;
        for (size_t i = 0; i < DPL_LEN(texts); i++) {
            REQUIRE(dpl_query_text(q, texts[i], &r, NULL) == DPL_OK);
            check_answer(index, q, &r);
        }
        dpl_index_info info = DPL_INIT(dpl_index_info);
        dpl_index_describe(index, &info);
        if (info.n_docs && info.has_vectors) {
            REQUIRE(dpl_query_row(q, info.n_docs / 2, &r, NULL) == DPL_OK);
            check_answer(index, q, &r);
        }
    }
    dpl_query_free(q);
}

static void open_file(dpl_ctx *ctx, const char *path)
{
    dpl_index *index = NULL;
    if (dpl_index_open(&index, ctx, path, NULL) != DPL_OK)
        return;
    dpl_index_info info = DPL_INIT(dpl_index_info);
    dpl_index_describe(index, &info);
    for (uint32_t row = 0; row < info.n_docs; row++) {
        uint32_t found;
        dpl_str text;
        (void)dpl_index_find(index, dpl_index_document(index, row).id, &found);
        if (dpl_index_text(index, row, &text, NULL) == DPL_OK) {
            fuzz_touch(text);
            dpl_index_free_text(index, text);
        }
    }
    ask(index);
    dpl_index_close(index);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
    fuzz_open_both(data, n, open_file);
    return 0;
}
