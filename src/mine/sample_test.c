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

/* ---- growth -------------------------------------------------------------------------------
 */

/* Documents of three sentences. */
static dpl_collection *make_short_docs(dpl_ctx *ctx, unsigned n)
{
    enum { MOST_SHORT = 48 };
    char *text = malloc((size_t)n * MOST_SHORT), tsv[1000];
    dpl_collection *c = NULL;
    size_t at = 0;
    for (unsigned i = 0; i < n; i++)
        at += (size_t)snprintf(text + at, MOST_SHORT, "%u\tOne %u here. Two here. Go.\n", i, i);
    snprintf(tsv, sizeof tsv, "%s", test_write("short.tsv", text, at));
    free(text);
    const dpl_reader_options read =
        DPL_INIT(dpl_reader_options, .from = DPL_FORMAT_TSV, .lang = "en");
    const dpl_import_options o = DPL_INIT(dpl_import_options, .read = &read);
    const char *in = tsv;
    CHECK_OK(dpl_import(NULL, ctx, test_path("short.dpl"), &in, 1, &o, &test_err));
    CHECK_OK(dpl_collection_open(&c, ctx, test_path("short.dpl"), &test_err));
    return c;
}

/* Those with the lowest keys are searched with, of the documents that take part. */
static void check_sample(const dpl__sample *s, const dpl__comparable *p, double times)
{
    const uint32_t n = dpl_collection_get_sizes(p->c[0])->n_docs;
    const uint32_t by_sentences = ((uint32_t)(times * 100000) + 2) / 3, /* three in each */
        by_docs = (uint32_t)(times * 20000),
                   wanted = by_sentences > by_docs ? by_sentences : by_docs;
    uint64_t highest = 0, lowest = UINT64_MAX;
    uint32_t n_there = 0, n_sampled = 0;
    for (uint32_t doc = 0; doc < n; doc++) {
        const uint64_t key = p->keys[s->side][doc];
        n_there += !p->skip[s->side][doc];
        n_sampled += !s->skip[doc];
        CHECK(s->skip[doc] || !p->skip[s->side][doc]);
        if (!s->skip[doc])
            highest = key > highest ? key : highest;
        else if (!p->skip[s->side][doc])
            lowest = key < lowest ? key : lowest;
    }
    CHECK(highest < lowest);
    CHECK_EQ(n_sampled, wanted < n_there ? wanted : n_there);
    CHECK_EQ(s->n_docs, n_sampled);
    CHECK_EQ(s->is_used, 2 * n_sampled <= n_there);
}

/* Pairs of 50,000 sentences are enough; else by what is missing, 1.5 to 4 times. */
DPL_TEST(sample, grows_until_its_pairs_have_enough_sentences)
{
    enum { N = 75000, ENOUGH = 50000 };
    static const uint32_t n_pairs[] = {0, 4000, 6000, 10000, 14000, 16666, 16667, 20000};
    static dpl_doc_pair pairs[20000];
    dpl_ctx *ctx = test_ctx(1);
    dpl_collection *c = make_short_docs(ctx, N);
    dpl__comparable p = make_sides(ctx, c);
    for (uint32_t i = 0; i < DPL_LEN(pairs); i++)
        pairs[i] = (dpl_doc_pair){i, (i * 7) % N};
    for (uint32_t i = 0; i < N; i += 50)
        p.skip[0][i] = 1;
    for (size_t i = 0; i < DPL_LEN(n_pairs); i++) {
        const double n = 1 + 3.0 * n_pairs[i];
        double times = ENOUGH / n;
        dpl__sample s;
        bool has_grown;
        CHECK_OK(dpl__sample_docs(&s, &p, &test_err));
        CHECK(s.times >= 1 && s.times <= 1 && s.is_used && s.is_large);
        check_sample(&s, &p, 1);
        CHECK_OK(dpl__sample_grow(&has_grown, &s, &p, (dpl__pair_list){pairs, n_pairs[i]},
                                  &test_err));
        CHECK_EQ(has_grown, n < ENOUGH);
        times = !has_grown ? 1 : times < 1.5 ? 1.5 : times > 4 ? 4 : times;
        CHECK(s.times > times - 1e-9 && s.times < times + 1e-9);
        check_sample(&s, &p, times);
        CHECK(s.is_large);
        dpl__sample_clear(&s, &p);
        CHECK(!s.skip);
    }
    clear_sides(&p);
    dpl_collection_close(c);
    test_ctx_done(ctx);
}

/* Of equal sides the one that is not the pivot. */
DPL_TEST(sample, is_of_the_smaller_side)
{
    dpl_ctx *ctx = test_ctx(1);
    dpl_collection *c = make_docs(ctx, "some.dpl", 10, false);
    dpl__comparable p = make_sides(ctx, c);
    for (uint32_t left = 8; left < 11; left++)
        for (uint32_t right = 8; right < 11; right++)
            for (p.pivot = 0; p.pivot < 2; p.pivot++) {
                dpl__sample s;
                p.n_docs[0] = left;
                p.n_docs[1] = right;
                CHECK_OK(dpl__sample_docs(&s, &p, &test_err));
                CHECK_EQ(s.side, left < right ? 0 : right < left ? 1 : !p.pivot);
                CHECK(!s.is_used && !s.skip);
            }
    clear_sides(&p);
    dpl_collection_close(c);
    test_ctx_done(ctx);
}
