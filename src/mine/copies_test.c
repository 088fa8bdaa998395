#include "mine/copies.h"

#include "mine/doc_key.h"
#include "test.h"

#include <stdio.h>

enum { N_DOCS = 40, N_SENTENCES = 8, MOST_TEXT = 1000 };

/* What the second ones of documents are. */
typedef enum change { SAME, LONGER, EDITED } change;

typedef struct side {
    change change;
    unsigned n_copies; /* of the first documents */
    bool is_reversed;
    unsigned n_families; /* documents that they are copies of; 0: as many as copies */
} side;

/* Copies are longer by a sentence, or their last sentence and another word are others. */
static size_t write_doc(char *out, size_t most, unsigned doc, change how, unsigned copy)
{
    size_t at = 0;
    for (unsigned s = 0; s < N_SENTENCES; s++) {
        unsigned other = how == EDITED && (s == 2 || s == N_SENTENCES - 1) ? 1000 * copy : 0;
        at += (size_t)snprintf(out + at, most - at, "Word%u here says thing%u now%u. ",
                               doc * 7 + s + other, doc * 11 + 3 * s,
                               s == N_SENTENCES - 1 ? other : 0);
    }
    if (how == LONGER)
        at += (size_t)snprintf(out + at, most - at, "One more of number%u. ", doc);
    return at;
}

static dpl_collection *make_docs(dpl_ctx *ctx, side is)
{
    static char text[2 * N_DOCS * MOST_TEXT];
    char tsv[1000], path[1000];
    size_t at = 0;
    unsigned n = N_DOCS + is.n_copies, n_families = is.n_families ? is.n_families : is.n_copies;
    for (unsigned i = 0; i < n; i++) {
        unsigned k = is.is_reversed ? n - 1 - i : i;
        at += (size_t)snprintf(text + at, sizeof text - at, "d%u\t", k);
        unsigned copy = k < N_DOCS ? 0 : 1 + (k - N_DOCS) / n_families,
                 doc = k < N_DOCS ? k : (k - N_DOCS) % n_families;
        at += write_doc(text + at, sizeof text - at, doc, copy ? is.change : SAME, copy);
        text[at++] = '\n';
    }
    snprintf(tsv, sizeof tsv, "%s", test_write("docs.tsv", text, at));
    snprintf(path, sizeof path, "%s", test_path("docs.dpl"));
    dpl_reader_options read =
        DPL_INIT(dpl_reader_options, .from = DPL_FORMAT_TSV, .lang = "en");
    dpl_import_options o = DPL_INIT(dpl_import_options, .read = &read);
    const char *in = tsv;
    CHECK_OK(dpl_import(NULL, ctx, path, &in, 1, &o, &test_err));
    dpl_collection *c = NULL;
    CHECK_OK(dpl_collection_open(&c, ctx, path, &test_err));
    return c;
}

/* Checks that each first document and its copy are a group, where the side has any. */
static void check_groups(const uint32_t *groups, side is)
{
    for (uint32_t k = 0; groups && k < N_DOCS; k++) {
        uint32_t n = N_DOCS + is.n_copies, copy = k + N_DOCS,
                 doc = is.is_reversed ? n - 1 - k : k;
        copy = is.is_reversed ? n - 1 - copy : copy;
        if (k >= is.n_copies)
            CHECK(groups[doc] == DPL__NO_DOC);
        else
            CHECK(groups[doc] == groups[copy] && (groups[doc] == doc || groups[doc] == copy));
    }
}

/* Finds the copies of two sides; n: how many there are. */
static void find_copies(uint32_t n[2], side left, side right, unsigned n_threads)
{
    static uint64_t keys[2][2 * N_DOCS];
    static const uint8_t skip[2 * N_DOCS];
    dpl_ctx *ctx = test_ctx(n_threads);
    side is[2] = {left, right};
    dpl_collection *c[2];
    dpl__copies_input in[2];
    uint32_t *groups[2] = {NULL, NULL};
    for (int i = 0; i < 2; i++) {
        c[i] = make_docs(ctx, is[i]);
        for (uint32_t doc = 0; doc < dpl_collection_get_sizes(c[i])->n_docs; doc++)
            keys[i][doc] = dpl__doc_key(c[i], doc);
        in[i] = (dpl__copies_input){.c = c[i], .skip = skip, .keys = keys[i]};
    }
    CHECK_OK(dpl__copies_find(groups, n, ctx, in, &test_err));
    for (int i = 0; i < 2; i++) {
        CHECK(!groups[i] == (n[i] == 0));
        check_groups(groups[i], is[i]);
        if (groups[i])
            dpl__free(ctx, groups[i]);
        dpl_collection_close(c[i]);
    }
    test_ctx_done(ctx);
}

DPL_TEST(copies, documents_with_a_sentence_more_are_in_one_group)
{
    for (int is_reversed = 0; is_reversed < 2; is_reversed++) {
        uint32_t n[2];
        find_copies(n, (side){LONGER, N_DOCS, is_reversed, 0}, (side){SAME, 0, false, 0}, 1);
        CHECK_EQ(n[0], N_DOCS);
        CHECK_EQ(n[1], 0);
    }
}

DPL_TEST(copies, edited_documents_are_in_one_group)
{
    for (unsigned n_threads = 1; n_threads < 4; n_threads++) {
        uint32_t n[2];
        find_copies(n, (side){SAME, 0, false, 0}, (side){EDITED, N_DOCS / 2, n_threads == 2, 0},
                    n_threads);
        CHECK_EQ(n[0], 0);
        CHECK_EQ(n[1], N_DOCS / 2);
    }
}

DPL_TEST(copies, siblings_of_both_sides_are_none)
{
    uint32_t n[2];
    find_copies(n, (side){EDITED, N_DOCS / 2, false, 0}, (side){EDITED, N_DOCS / 3, false, 0},
                1);
    CHECK(n[0] == 0 && n[1] == 0);
}

DPL_TEST(copies, documents_of_both_sides_that_hardly_differ_are_in_one_group)
{
    uint32_t n[2];
    find_copies(n, (side){LONGER, N_DOCS / 2, false, 0}, (side){LONGER, N_DOCS / 2, false, 0},
                1);
    CHECK(n[0] == N_DOCS / 2 && n[1] == N_DOCS / 2);
}

DPL_TEST(copies, different_documents_have_none)
{
    uint32_t n[2];
    find_copies(n, (side){SAME, 0, false, 0}, (side){SAME, 0, false, 0}, 1);
    CHECK(n[0] == 0 && n[1] == 0);
}

DPL_TEST(copies, large_families_of_one_side_are_none)
{
    uint32_t n[2];
    find_copies(n, (side){EDITED, N_DOCS, false, 5}, (side){SAME, 0, false, 0}, 1);
    CHECK(n[0] == 0 && n[1] == 0);
    find_copies(n, (side){LONGER, N_DOCS, false, 0}, (side){EDITED, N_DOCS, false, 5}, 1);
    CHECK(n[0] == N_DOCS && n[1] == 0);
}
