#include "dedup/verify_edges.h"

#include "base/ctx.h"
#include "base/hash.h"
#include "test.h"

enum { ROWS = 60 };

/* A similarity that any two rows have, in steps of a tenth. */
static double score_of(void *user, uint32_t left, uint32_t right, unsigned worker)
{
    (void)user, (void)worker;
    return (double)(dpl__mix((uint64_t)left << 32 | right) % 11) / 10;
}

static bool is_wanted(const dpl__dedup_row *rows, bool only_against, uint32_t a, uint32_t b)
{
    return only_against ? rows[a].has_old != rows[b].has_old
                        : rows[a].has_new || rows[b].has_new;
}

/* Candidates in any order, either way round and several times; against all pairs of rows. */
static void check_against_all_pairs(bool only_against, uint64_t seed)
{
    dpl_ctx *ctx = test_ctx(2);
    dpl__rng rng = {seed};
    dpl__dedup_row rows[ROWS] = {{0}};
    bool is_candidate[ROWS][ROWS] = {{false}};
    const dpl__dedup_docs docs = {
        .ctx = ctx, .rows = rows, .n_rows = ROWS, .n_docs = ROWS, .n_new = ROWS / 2};
    for (uint32_t row = 0; row < ROWS; row++) {
        rows[row] = (dpl__dedup_row){.doc = row, .n_docs = 1};
        rows[row].has_new = row < ROWS / 2;
        rows[row].has_old = row >= ROWS / 2;
    }
    dpl__verifier v = {
        .docs = &docs, .score = score_of, .least = 0.5, .only_against = only_against};
    dpl__verifier_begin(&v);
    v.most = 50; /* many batches */
    for (int i = 0; i < 4000; i++) {
        const uint32_t a = (uint32_t)dpl__rng_below(&rng, ROWS),
                       b = (uint32_t)dpl__rng_below(&rng, ROWS);
        is_candidate[a < b ? a : b][a < b ? b : a] = true;
        CHECK_OK(dpl__verifier_add(&v, a, b, &test_err));
    }
    CHECK_OK(dpl__verifier_finish(&v, &test_err));
    size_t at = 0;
    for (uint32_t a = 0; a < ROWS; a++)
        for (uint32_t b = a + 1; b < ROWS; b++) {
            const float score = (float)score_of(NULL, a, b, 0);
            if (!is_candidate[a][b] || score < 0.5f || !is_wanted(rows, only_against, a, b))
                continue;
            CHECK(at < v.edges.n);
            CHECK(v.edges.data[at].left == a && v.edges.data[at].right == b);
            CHECK(v.edges.data[at].score == score);
            CHECK_EQ(v.edges.data[at].kind, DPL_EDGE_NEAR);
            at++;
        }
    CHECK(at > 50);
    CHECK_EQ(at, v.edges.n);
    dpl__verifier_clear(&v);
    test_ctx_done(ctx);
}

DPL_TEST(verify_edges, each_good_candidate_becomes_one_edge_in_order)
{
    check_against_all_pairs(false, 1);
    check_against_all_pairs(false, 2);
}

DPL_TEST(verify_edges, against_old_ones_only_pairs_of_new_and_old_are_verified)
{
    check_against_all_pairs(true, 3);
}

DPL_TEST(verify_edges, of_the_same_pair_the_first_kind_and_then_the_higher_score_stays)
{
    dpl_ctx *ctx = test_ctx(1);
    dpl__edges edges = {0};
    static const dpl_dedup_edge all[] = {
        {3, 4, 0.5f, DPL_EDGE_NEAR},        {1, 2, 0.6f, DPL_EDGE_NEAR},
        {1, 2, 0.9f, DPL_EDGE_NEAR},        {1, 2, 0.7f, DPL_EDGE_NEAR},
        {0, 9, 0.9f, DPL_EDGE_TRANSLATION}, {0, 9, 0.8f, DPL_EDGE_NEAR},
    };
    CHECK(dpl__vec_append(ctx, &edges, all, DPL_LEN(all)));
    dpl__edges_sort(&edges);
    CHECK_EQ(edges.n, 3);
    CHECK(edges.data[0].right == 9 && edges.data[0].kind == DPL_EDGE_NEAR);
    CHECK(edges.data[1].left == 1 && edges.data[1].score == 0.9f);
    CHECK(edges.data[2].left == 3 && edges.data[2].right == 4);
    dpl__vec_clear(ctx, &edges);
    test_ctx_done(ctx);
}
