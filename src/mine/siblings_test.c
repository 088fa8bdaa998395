#include "mine/siblings.h"

#include "mine/random_sides_test.h"

#include <math.h>

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

/* ---- a naive count ------------------------------------------------------------------------
 */

enum { MOST_ROWS = 60 };

/* The nearest row that takes part, is no copy, and has a cosine of one half. */
static uint32_t naive_nearest(const dpl_vectors *v, const uint32_t *groups, uint32_t row)
{
    uint32_t best = UINT32_MAX;
    double most = 0;
    for (uint32_t other = 0; other < dpl_vectors_get_sizes(v)->n_rows; other++) {
        const double cosine = dpl_vectors_cosine(v, row, v, other);
        if (other == row || cosine < 0.5 ||
            (groups && groups[row] != UINT32_MAX && groups[row] == groups[other]))
            continue;
        if (best == UINT32_MAX || cosine > most) {
            best = other;
            most = cosine;
        }
    }
    return best;
}

/* Two rows that are each other's nearest, in bins of a fortieth. */
static double count_naively(double n[DPL__SIBLING_BINS], const dpl__comparable *p, int side)
{
    dpl_vectors *v = NULL;
    const dpl_vectors_options o = DPL_INIT(dpl_vectors_options, .skip = p->skip[side]);
    uint32_t groups[MOST_ROWS], at = 0;
    CHECK_OK(dpl_vectors_from_collection(&v, NULL, p->ctx, p->c[side], NULL, &o, &test_err));
    const uint32_t n_rows = dpl_vectors_get_sizes(v)->n_rows;
    for (uint32_t doc = 0; doc < dpl_collection_get_sizes(p->c[side])->n_docs; doc++)
        if (!p->skip[side][doc] && at < n_rows &&
            dpl__str_eq(dpl_vectors_id(v, at), dpl_collection_doc(p->c[side], doc).id))
            groups[at++] = p->groups[side] ? p->groups[side][doc] : UINT32_MAX;
    CHECK_EQ(at, n_rows);
    for (uint32_t row = 0; row < n_rows; row++) {
        const uint32_t to = naive_nearest(v, groups, row);
        if (to == UINT32_MAX || to < row || naive_nearest(v, groups, to) != row)
            continue;
        const size_t bin = (size_t)((dpl_vectors_cosine(v, row, v, to) - 0.5) * 40);
        n[bin < DPL__SIBLING_BINS ? bin : DPL__SIBLING_BINS - 1]++;
    }
    dpl_vectors_close(v);
    return n_rows;
}

/* As many between sides of a and b documents as 2 a b of those within them, of a^2 + b^2. */
DPL_TEST(siblings, are_those_of_a_naive_count)
{
    dpl__rng rng = {dpl__mix(131)};
    double n_all = 0;
    for (unsigned turn = 0; turn < 12; turn++) {
        const side_shape shape = {20 + 3 * turn, 3, 6, 40, true, false};
        dpl_ctx *ctx = test_ctx(1);
        dpl__comparable p = make_random_sides(ctx, &rng, shape, 0);
        dpl__siblings found;
        double n[DPL__SIBLING_BINS] = {0}, rows[2];
        uint32_t groups[MOST_ROWS];
        snprintf(p.work, sizeof p.work, "%s", test_dir());
        for (uint32_t doc = 0; doc < p.n_docs[1]; doc++) {
            p.skip[1][doc] = dpl__rng_below(&rng, 3) == 0;
            groups[doc] = doc % 4 ? UINT32_MAX : doc % 8;
        }
        p.groups[turn % 2] = turn % 3 ? groups : NULL;
        CHECK_OK(dpl__siblings_find(&found, &p, &test_err));
        for (int side = 0; side < 2; side++)
            rows[side] = count_naively(n, &p, side);
        const double by = 2 * rows[0] * rows[1] / (rows[0] * rows[0] + rows[1] * rows[1]);
        for (size_t bin = 0; bin < DPL__SIBLING_BINS; bin++) {
            CHECK(fabs(found.n[bin] - n[bin] * by) < 1e-9);
            n_all += n[bin];
        }
        double n_tokens = 0;
        for (int side = 0; side < 2; side++)
            n_tokens += (double)dpl_collection_get_sizes(p.c[side])->n_tokens;
        CHECK(fabs(found.words - n_tokens / (p.n_docs[0] + p.n_docs[1])) < 1e-9);
        close_sides(&p);
        test_ctx_done(ctx);
    }
    CHECK(n_all > 20);
}
