#include "mine/siblings.h"

#include "test.h"

#include <stdio.h>

enum { N_DOCS = 30, N_WORDS = 40, SIBLINGS = 12 };

/* Documents of words of their own; of those below n_siblings, two in a row differ in the last
 * of their words. */
static dpl_collection *make_docs(dpl_ctx *ctx, const char *name, unsigned n_siblings)
{
    static char text[N_DOCS * (N_WORDS + 1) * 16];
    char tsv[1000], path[1000];
    size_t at = 0;
    for (unsigned doc = 0; doc < N_DOCS; doc++) {
        at += (size_t)snprintf(text + at, sizeof text - at, "d%u\t", doc);
        for (unsigned i = 0; i < N_WORDS; i++) {
            const unsigned like = doc < n_siblings && i + 2 < N_WORDS ? doc / 2 * 2 : doc;
            at += (size_t)snprintf(text + at, sizeof text - at, "w%ux%u ", like, i % 10);
        }
        text[at++] = '\n';
    }
    snprintf(tsv, sizeof tsv, "%s", test_write("docs.tsv", text, at));
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

static double sum(const dpl__siblings *s)
{
    double n = 0;
    for (size_t bin = 0; bin < DPL__SIBLING_BINS; bin++)
        n += s->n[bin];
    return n;
}

DPL_TEST(siblings, are_counted_within_both_sides)
{
    dpl_ctx *ctx = test_ctx(2);
    dpl_collection *c[2] = {make_docs(ctx, "a.dpl", SIBLINGS), make_docs(ctx, "b.dpl", 4)};
    uint8_t skip[N_DOCS] = {0};
    dpl__comparable p = {.ctx = ctx, .c = {c[0], c[1]}, .skip = {skip, skip}};
    snprintf(p.work, sizeof p.work, "%s", test_path("."));
    dpl__siblings all, other;
    CHECK_OK(dpl__siblings_find(&all, &p, &test_err));
    CHECK(sum(&all) > 7.9 && sum(&all) < 8.1); /* 6 + 2 */
    CHECK(all.n[0] <= 0);                      /* they differ in one word of ten */
    p.c[0] = c[1];
    p.c[1] = c[0];
    CHECK_OK(dpl__siblings_find(&other, &p, &test_err));
    CHECK(memcmp(&all, &other, sizeof all) == 0);
    skip[1] = 1; /* its sibling is alone, on both sides */
    CHECK_OK(dpl__siblings_find(&other, &p, &test_err));
    CHECK(sum(&other) > 5.9 && sum(&other) < 6.1);
    uint32_t groups[N_DOCS];
    for (uint32_t i = 0; i < N_DOCS; i++)
        groups[i] = i == 2 || i == 3 ? 2 : UINT32_MAX;
    p.groups[0] = groups; /* copies of each other */
    CHECK_OK(dpl__siblings_find(&other, &p, &test_err));
    CHECK(sum(&other) > 4.9 && sum(&other) < 5.1);
    for (int side = 0; side < 2; side++)
        dpl_collection_close(c[side]);
    test_ctx_done(ctx);
}

/* 6 within 30 documents and 2 within 10: 2 * 30 * 10 between for 30^2 + 10^2 within. */
DPL_TEST(siblings, are_fewer_between_where_one_side_is_small)
{
    dpl_ctx *ctx = test_ctx(1);
    dpl_collection *c[2] = {make_docs(ctx, "a.dpl", SIBLINGS), make_docs(ctx, "b.dpl", 4)};
    uint8_t skip[2][N_DOCS] = {{0}};
    for (size_t i = 10; i < N_DOCS; i++)
        skip[1][i] = 1;
    dpl__comparable p = {.ctx = ctx, .c = {c[0], c[1]}, .skip = {skip[0], skip[1]}};
    snprintf(p.work, sizeof p.work, "%s", test_path("."));
    dpl__siblings s;
    CHECK_OK(dpl__siblings_find(&s, &p, &test_err));
    CHECK(sum(&s) > 8 * 0.59 && sum(&s) < 8 * 0.61);
    for (int side = 0; side < 2; side++)
        dpl_collection_close(c[side]);
    test_ctx_done(ctx);
}

DPL_TEST(siblings, bins_are_in_order)
{
    for (size_t bin = 1; bin < DPL__SIBLING_BINS; bin++)
        CHECK(dpl__siblings_cosine(bin) > dpl__siblings_cosine(bin - 1));
    CHECK(dpl__siblings_cosine(DPL__SIBLING_BINS - 1) < 1);
}
