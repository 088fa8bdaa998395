#include "mine/floor.h"

#include "test.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static void add(dpl__doc_candidate_vec *all, dpl_ctx *ctx, float score, double confidence)
{
    dpl__doc_candidate c = {.match = {.score = score}, .confidence = confidence};
    CHECK(dpl__vec_push(ctx, all, c));
}

DPL_TEST(floor, half_of_the_decoys_and_nearly_all_pairs_are_above_it)
{
    dpl_ctx *ctx = test_ctx(1);
    dpl__doc_candidates f = {0};
    for (int i = 0; i <= 100; i++) {
        add(&f.pairs, ctx, 0.5f + 0.001f * (float)(100 - i), 1);
        add(&f.decoys, ctx, 0.1f + 0.002f * (float)i, 0);
    }
    add(&f.pairs, ctx, 0.01f, 0.4); /* not likely enough to count */
    double floor = 0;
    CHECK_OK(dpl__floor_of_found(&floor, &f, ctx, &test_err));
    CHECK(fabs(floor - 0.2) < 1e-6);
    for (size_t i = 0; i < f.decoys.n; i++)
        f.decoys.data[i].match.score += 0.5f;
    CHECK_OK(dpl__floor_of_found(&floor, &f, ctx, &test_err));
    CHECK(fabs(floor - 0.5) < 1e-6); /* the lowest of so few pairs */
    dpl__doc_candidates_clear(&f, ctx);
    test_ctx_done(ctx);
}

DPL_TEST(floor, nothing_found_sets_none)
{
    dpl_ctx *ctx = test_ctx(1);
    dpl__doc_candidates f = {0};
    double floor = 1;
    CHECK_OK(dpl__floor_of_found(&floor, &f, ctx, &test_err));
    CHECK(floor <= 0);
    test_ctx_done(ctx);
}

enum { N_DOCS = 300 };

/* Documents of three words out of 40, in rising or falling order. */
static dpl_vectors *make_vectors(dpl_ctx *ctx, dpl_collection **c, const char *name,
                                 bool is_reversed)
{
    char text[N_DOCS * 80], tsv[1000], path[1000], vectors[1000];
    size_t at = 0;
    for (unsigned i = 0; i < N_DOCS; i++) {
        unsigned doc = is_reversed ? N_DOCS - 1 - i : i;
        at += (size_t)snprintf(
            text + at, sizeof text - at, "d%u\tw%ux w%ux w%ux w%ux w%ux w%ux\n", doc, doc % 40,
            doc * 7 % 39, doc * 3 % 37, 100 + doc % 11, 200 + doc % 13, 300 + doc % 17);
    }
    snprintf(tsv, sizeof tsv, "%s", test_write("floor.tsv", text, at));
    snprintf(path, sizeof path, "%s.dpl", test_path(name));
    snprintf(vectors, sizeof vectors, "%s.v.dpl", test_path(name));
    dpl_reader_options read =
        DPL_INIT(dpl_reader_options, .from = DPL_FORMAT_TSV, .lang = "en");
    dpl_import_options o = DPL_INIT(dpl_import_options, .read = &read);
    const char *in = tsv;
    dpl_vectors *v = NULL;
    CHECK_OK(dpl_import(NULL, ctx, path, &in, 1, &o, &test_err));
    CHECK_OK(dpl_collection_open(c, ctx, path, &test_err));
    CHECK_OK(dpl_vectors_make(NULL, ctx, vectors, *c, NULL, NULL, &test_err));
    CHECK_OK(dpl_vectors_open(&v, ctx, vectors, &test_err));
    return v;
}

DPL_TEST(floor, of_rows_depends_neither_on_their_order_nor_on_threads)
{
    double floors[2];
    for (int i = 0; i < 2; i++) {
        dpl_ctx *ctx = test_ctx(i ? 4 : 1);
        dpl_collection *c[2] = {NULL, NULL};
        dpl_vectors *v[2] = {make_vectors(ctx, &c[0], "a", i),
                             make_vectors(ctx, &c[1], "b", i)};
        dpl__comparable p = {.ctx = ctx, .c = {c[0], c[1]}};
        static uint64_t keys[2][N_DOCS];
        for (int side = 0; side < 2; side++) {
            p.keys[side] = keys[side];
            for (uint32_t doc = 0; doc < N_DOCS; doc++)
                keys[side][doc] = dpl__doc_key(c[side], doc);
        }
        CHECK_OK(dpl__floor_of_rows(&floors[i], &p, v, &test_err));
        for (int side = 0; side < 2; side++) {
            dpl_vectors_close(v[side]);
            dpl_collection_close(c[side]);
        }
        test_ctx_done(ctx);
    }
    CHECK(floors[0] > 0 && floors[0] < 1);
    CHECK(floors[0] >= floors[1] && floors[0] <= floors[1]);
}
