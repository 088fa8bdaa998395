#include "mine/copies.h"

#include "mine/doc_key.h"
#include "test.h"

#include <stdio.h>

enum { N_DOCS = 40, N_SENTENCES = 6, MOST_TEXT = 1000 };

/* Documents of six sentences; with has_copies a second one of each with a sentence more. */
static dpl_collection *make_docs(dpl_ctx *ctx, bool has_copies, bool is_reversed)
{
    static char text[2 * N_DOCS * MOST_TEXT];
    char tsv[1000], path[1000];
    size_t at = 0;
    unsigned n = has_copies ? 2 * N_DOCS : N_DOCS;
    for (unsigned i = 0; i < n; i++) {
        unsigned k = is_reversed ? n - 1 - i : i, doc = k % N_DOCS;
        at += (size_t)snprintf(text + at, sizeof text - at, "d%u\t", k);
        for (unsigned s = 0; s < N_SENTENCES; s++)
            at += (size_t)snprintf(text + at, sizeof text - at, "Word%u here says thing%u now. ",
                                   doc * 7 + s, doc * 11 + 3 * s);
        if (k >= N_DOCS)
            at += (size_t)snprintf(text + at, sizeof text - at, "One more of number%u. ", doc);
        text[at++] = '\n';
    }
    snprintf(tsv, sizeof tsv, "%s", test_write("docs.tsv", text, at));
    snprintf(path, sizeof path, "%s", test_path("docs.dpl"));
    dpl_reader_options read =
        DPL_INIT(dpl_reader_options, .format = DPL_FORMAT_TSV, .lang = "en");
    dpl_import_options o = DPL_INIT(dpl_import_options, .read = &read);
    const char *in = tsv;
    CHECK_OK(dpl_import(NULL, ctx, path, &in, 1, &o, &test_err));
    dpl_collection *c = NULL;
    CHECK_OK(dpl_collection_open(&c, ctx, path, &test_err));
    return c;
}

static uint32_t *find_groups(uint32_t *n_copies, dpl_ctx *ctx, const dpl_collection *c)
{
    static uint64_t keys[2 * N_DOCS];
    static const uint8_t skip[2 * N_DOCS];
    for (uint32_t doc = 0; doc < dpl_collection_get_sizes(c)->n_docs; doc++)
        keys[doc] = dpl__doc_key(c, doc);
    dpl__copies_input in = {.c = c, .skip = skip, .keys = keys};
    uint32_t *groups = NULL;
    CHECK_OK(dpl__copies_find(&groups, n_copies, ctx, &in, &test_err));
    return groups;
}

DPL_TEST(copies, documents_with_a_sentence_more_are_in_one_group)
{
    for (int is_reversed = 0; is_reversed < 2; is_reversed++) {
        dpl_ctx *ctx = test_ctx(1);
        dpl_collection *c = make_docs(ctx, true, is_reversed);
        uint32_t n = 0, *groups = find_groups(&n, ctx, c);
        CHECK_EQ(n, N_DOCS);
        for (uint32_t doc = 0; doc < 2 * N_DOCS; doc++) {
            uint32_t other = doc < N_DOCS ? doc + N_DOCS : doc - N_DOCS;
            CHECK(groups[doc] == groups[other]);
            CHECK(groups[doc] == doc || groups[doc] == other);
        }
        dpl__free(ctx, groups, 2 * N_DOCS * sizeof *groups);
        dpl_collection_close(c);
        test_ctx_done(ctx);
    }
}

DPL_TEST(copies, different_documents_have_none)
{
    dpl_ctx *ctx = test_ctx(1);
    dpl_collection *c = make_docs(ctx, false, false);
    uint32_t n = 1, *groups = find_groups(&n, ctx, c);
    CHECK(n == 0 && !groups);
    dpl_collection_close(c);
    test_ctx_done(ctx);
}
