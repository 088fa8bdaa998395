#include "mine/sample.h"

#include "test.h"

#include <stdio.h>
#include <stdlib.h>

enum { N_SAMPLED = 20000, N_SENTENCES = 6, MOST_TEXT = 120 };

/* n documents of six sentences; each is told from the others by its number. */
static dpl_collection *make_docs(dpl_ctx *ctx, const char *name, unsigned n, bool is_reversed)
{
    char *text = malloc((size_t)n * MOST_TEXT), tsv[1000], path[1000];
    size_t at = 0;
    for (unsigned i = 0; i < n; i++) {
        unsigned doc = is_reversed ? n - 1 - i : i;
        at += (size_t)snprintf(text + at, MOST_TEXT,
                               "d%05u\tOne %05u here. Two here. Go there. See it. Say so. Do "
                               "it.\n",
                               doc, doc);
    }
    snprintf(tsv, sizeof tsv, "%s", test_write("docs.tsv", text, at));
    free(text);
    snprintf(path, sizeof path, "%s", test_path(name));
    dpl_reader_options read =
        DPL_INIT(dpl_reader_options, .from = DPL_FORMAT_TSV, .lang = "en");
    dpl_import_options o = DPL_INIT(dpl_import_options, .read = &read);
    const char *in = tsv;
    CHECK_OK(dpl_import(NULL, ctx, path, &in, 1, &o, &test_err));
    dpl_collection *c = NULL;
    CHECK_OK(dpl_collection_open(&c, ctx, path, &test_err));
    return c;
}

/* Two sides of the same documents, of which none is skipped. */
static dpl__comparable make_sides(dpl_ctx *ctx, const dpl_collection *c)
{
    uint32_t n = dpl_collection_get_sizes(c)->n_docs;
    dpl__comparable p = {.ctx = ctx, .c = {c, c}, .n_docs = {n, n}};
    p.skip[0] = p.skip[1] = dpl__calloc(ctx, n, 1);
    p.keys[0] = p.keys[1] = dpl__alloc(ctx, n * sizeof *p.keys[0]);
    for (uint32_t doc = 0; doc < n; doc++)
        p.keys[0][doc] = dpl__doc_key(c, doc);
    return p;
}

static void clear_sides(dpl__comparable *p)
{
    dpl__free(p->ctx, p->skip[0], p->keys[0]);
}

DPL_TEST(sample, small_collections_have_none)
{
    dpl_ctx *ctx = test_ctx(1);
    dpl_collection *c = make_docs(ctx, "small.dpl", 100, false);
    dpl__comparable p = make_sides(ctx, c);
    dpl_doc_pair pairs[100];
    for (uint32_t i = 0; i < 100; i++)
        pairs[i] = (dpl_doc_pair){i, i};
    dpl__doc_pairs sampled = {0};
    dpl__sample sample;
    CHECK_OK(dpl__sample_docs(&sample, &p, &test_err));
    CHECK(!sample.is_used && !sample.is_large && !sample.skip);
    CHECK_OK(dpl__sample_pairs(&sampled, &p, pairs, 100, &test_err));
    CHECK_EQ(sampled.n, 0);
    clear_sides(&p);
    dpl_collection_close(c);
    test_ctx_done(ctx);
}

DPL_TEST(sample, does_not_depend_on_the_order_of_documents_and_grows)
{
    enum { N = 2 * N_SAMPLED + 100 };
    dpl_ctx *ctx = test_ctx(1);
    dpl_collection *c[2] = {make_docs(ctx, "a.dpl", N, false),
                            make_docs(ctx, "b.dpl", N, true)};
    dpl__comparable p[2] = {make_sides(ctx, c[0]), make_sides(ctx, c[1])};
    dpl__sample s[2];
    for (int i = 0; i < 2; i++) {
        CHECK_OK(dpl__sample_docs(&s[i], &p[i], &test_err));
        CHECK(s[i].is_used && s[i].is_large);
        CHECK_EQ(s[i].n_docs, N_SAMPLED);
    }
    size_t n_sampled = 0;
    for (uint32_t doc = 0; doc < N; doc++) {
        CHECK(s[0].skip[doc] == s[1].skip[N - 1 - doc]);
        n_sampled += !s[0].skip[doc];
    }
    CHECK_EQ(n_sampled, N_SAMPLED);
    bool has_grown = false;
    CHECK_OK(dpl__sample_grow(&has_grown, &s[0], &p[0], (dpl__pair_list){NULL, 0}, &test_err));
    CHECK(has_grown && !s[0].is_used); /* more than half of all: all */
    for (int i = 0; i < 2; i++) {
        dpl__sample_clear(&s[i], &p[i]);
        clear_sides(&p[i]);
        dpl_collection_close(c[i]);
    }
    test_ctx_done(ctx);
}

DPL_TEST(sample, pairs_stay_in_order)
{
    enum { N = 30000 }; /* of six sentences each: a few thousand too many */
    dpl_ctx *ctx = test_ctx(1);
    dpl_collection *c = make_docs(ctx, "c.dpl", N, false);
    dpl__comparable p = make_sides(ctx, c);
    dpl_doc_pair *pairs = malloc(N * sizeof *pairs);
    for (uint32_t i = 0; i < N; i++)
        pairs[i] = (dpl_doc_pair){i, i};
    dpl__doc_pairs sampled = {0};
    CHECK_OK(dpl__sample_pairs(&sampled, &p, pairs, N, &test_err));
    CHECK(sampled.n > N / 2 && sampled.n < N);
    for (size_t i = 1; i < sampled.n; i++)
        CHECK(sampled.data[i].left > sampled.data[i - 1].left);
    dpl__vec_clear(ctx, &sampled);
    free(pairs);
    clear_sides(&p);
    dpl_collection_close(c);
    test_ctx_done(ctx);
}
