#include "lexicon/model_tables.h"

#include "test.h"

/* Two left words and a mark, as many right ones; every link is there. */
static dpl__wordmodel model_of(dpl_ctx *ctx, dpl__link_p *links, float *counts)
{
    static uint64_t begin[] = {0, 3, 6, 9};
    static uint32_t right[] = {0, 1, 2, 0, 1, 2, 0, 1, 2};
    return (dpl__wordmodel){.ctx = ctx,
                            .n_words = {3, 3},
                            .n_links = 9,
                            .begin = begin,
                            .right = right,
                            .links = links,
                            .counts = counts};
}

DPL_TEST(tables, both_directions_without_marks)
{
    dpl_ctx *ctx = test_ctx(1);
    dpl__link_p links[9];
    float counts[9];
    for (int k = 0; k < 9; k++) {
        links[k] = (dpl__link_p){{0.01f * (float)(k + 1), 0.05f * (float)(k + 1)}};
        counts[k] = k == 5 ? 0.01f : 2;
    }
    links[8].p[DPL__RIGHT] = 1.5f; /* sums of floats */
    static const uint64_t offsets[] = {0, 1, 2, 4};
    static const dpl__strings words[2] = {{offsets, ",ab7", 3}, {offsets, ".xy8", 3}};
    dpl__wordmodel m = model_of(ctx, links, counts);
    dpl__table t[2];
    CHECK_OK(dpl__model_tables(t, &m, words, NULL, &test_err));
    CHECK_EQ(t[DPL__LEFT].n, 3); /* all four, but one was hardly ever aligned */
    CHECK_EQ(t[DPL__LEFT].offsets[1], 0);
    CHECK_EQ(t[DPL__LEFT].offsets[2], 1);
    CHECK_EQ(t[DPL__LEFT].cols[0], 1);
    CHECK(t[DPL__LEFT].p[0] == links[4].p[DPL__LEFT]);
    CHECK(t[DPL__LEFT].p[1] == links[7].p[DPL__LEFT]);
    CHECK_EQ(t[DPL__RIGHT].n, 3);
    CHECK_EQ(t[DPL__RIGHT].offsets[2], 2);
    CHECK_EQ(t[DPL__RIGHT].cols[0], 1);
    CHECK_EQ(t[DPL__RIGHT].cols[1], 2);
    CHECK(t[DPL__RIGHT].p[0] == links[4].p[DPL__RIGHT]);
    CHECK(t[DPL__RIGHT].p[2] == 1);
    for (int side = 0; side < 2; side++)
        dpl__table_clear(&t[side], ctx);
    test_ctx_done(ctx);
}
