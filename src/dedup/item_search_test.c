#include "dedup/made_rows_test.h"

#include "dedup/set_search.h"

/* Of an old row in a new one, or of both. */
static double score_of(const made_rows *s, uint32_t new, uint32_t old,
                       dpl_dedup_measure measure)
{
    size_t both;
    if (measure != DPL_DEDUP_CONTAINMENT)
        return made_similarity(s, new, old, measure);
    const size_t n = count_shingles(s, old, new, &both);
    return (double)both / (double)n;
}

/* The best of both directions, where both rows have new and old documents; below 0: no pair. */
static double best_score(const made_rows *s, uint32_t a, uint32_t b, dpl_dedup_measure measure)
{
    const dpl__dedup_row *x = &s->docs.rows[a], *y = &s->docs.rows[b];
    const double ab = x->has_new && y->has_old ? score_of(s, a, b, measure) : -1,
                 ba = y->has_new && x->has_old ? score_of(s, b, a, measure) : -1;
    return ab > ba ? ab : ba;
}

/* In as many parts as the memory needs: down to one old row in each. */
DPL_TEST(item_search, pairs_of_new_and_old_rows_are_those_of_all_comparisons)
{
    static const uint64_t memories[] = {(uint64_t)1 << 30, 1 << 14, 1 << 12, 200};
    static const double least[] = {0.1, 0.5, 1};
    size_t n_pairs = 0;
    for (size_t i = 0; i < 2 * DPL_LEN(least); i++) {
        made_rows *s = made_rows_new(1 + (unsigned)i % 3);
        const dpl_dedup_measure measure = i % 2 ? DPL_DEDUP_CONTAINMENT : DPL_DEDUP_JACCARD;
        const dpl__set_query q = made_query(s, measure, least[i / 2]);
        for (size_t m = 0; m < DPL_LEN(memories); m++) {
            dpl__edges edges = {0};
            uint64_t n_candidates = 0, n_expected = 0;
            size_t at = 0;
            const uint64_t before = s->ctx->memory;
            s->ctx->memory = memories[m];
            CHECK_OK(dpl__item_search(&edges, &n_candidates, &q, &test_err));
            s->ctx->memory = before;
            for (uint32_t a = 0; a < s->docs.n_rows; a++)
                for (uint32_t b = a + 1; b < s->docs.n_rows; b++) {
                    size_t both;
                    const dpl__dedup_row *x = &s->docs.rows[a], *y = &s->docs.rows[b];
                    (void)count_shingles(s, a, b, &both);
                    n_expected += both && x->has_new && y->has_old;
                    n_expected += both && y->has_new && x->has_old;
                    const double score = best_score(s, a, b, measure);
                    if (score < q.least)
                        continue;
                    CHECK(at < edges.n);
                    CHECK(edges.data[at].left == a && edges.data[at].right == b);
                    CHECK(edges.data[at].score == (float)score);
                    at++;
                }
            CHECK_EQ(at, edges.n);
            CHECK_EQ(n_candidates, n_expected);
            n_pairs += at;
            dpl__vec_clear(s->ctx, &edges);
        }
        made_rows_free(s);
    }
    CHECK(n_pairs > 1000);
}
