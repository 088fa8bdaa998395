#include "dedup/recall.h"

#include "dedup/made_rows_test.h"
#include "doppel/file.h"

/* Is the pair one that is searched for? */
static bool is_wanted(const made_rows *s, bool only_against, uint32_t row, uint32_t other)
{
    const dpl__dedup_row *a = &s->docs.rows[row], *b = &s->docs.rows[other];
    if (only_against)
        return (a->has_new && b->has_old) || (a->has_old && b->has_new);
    return a->has_new || b->has_new;
}

/* Pairs of a row with all others. */
static void count_pairs(const made_rows *s, const dpl__set_query *q, bool only_against,
                        const uint32_t *root, uint32_t row, uint64_t *n_true, uint64_t *n_found)
{
    for (uint32_t other = 0; other < s->docs.n_rows; other++)
        if (other != row && is_wanted(s, only_against, row, other) &&
            made_similarity(s, row, other, q->measure) >= q->least) {
            ++*n_true;
            *n_found += root[row] == root[other];
        }
}

/* Clusters that are drawn: the check knows nothing of how they were made. */
static void draw_roots(uint32_t *root, dpl__rng *rng)
{
    for (uint32_t row = 0; row < MADE_ROWS; row++)
        root[row] = (uint32_t)dpl__rng_below(rng, 3);
}

DPL_TEST(recall, pairs_of_all_rows_are_counted_and_those_in_one_cluster_are_found)
{
    for (int round = 0; round < 8; round++) {
        made_rows *s = made_rows_new(1 + (unsigned)round % 3);
        dpl__rng rng = {(uint64_t)round};
        uint32_t root[MADE_ROWS];
        uint64_t n_true = 0, n_found = 0;
        const bool only_against = round / 2 % 2;
        const dpl__set_query q = made_query(
            s, round % 2 ? DPL_DEDUP_CONTAINMENT : DPL_DEDUP_JACCARD, round < 4 ? 0.3 : 0.6);
        draw_roots(root, &rng);
        for (uint32_t row = 0; row < s->docs.n_rows; row++)
            count_pairs(s, &q, only_against, root, row, &n_true, &n_found);
        dpl_recall_check check;
        CHECK_OK(dpl__set_recall(&check, &q, root, only_against, 100000, &test_err));
        CHECK_EQ(check.n_rows, s->docs.n_rows);
        CHECK(n_true > 50 && n_found > 10 && n_found < n_true);
        CHECK_EQ(check.n_true, n_true);
        CHECK_EQ(check.n_found, n_found);
        CHECK(check.recall == (double)n_found / (double)n_true);
        CHECK(check.low <= check.recall && check.recall <= check.high);
        made_rows_free(s);
    }
}

/* Counts of several processes add up: one of them makes all chunks here. */
DPL_TEST(recall, in_a_shared_run_the_counts_are_the_same)
{
    made_rows *s = made_rows_new(2);
    dpl__rng rng = {5};
    uint32_t root[MADE_ROWS];
    dpl_recall_check alone, shared;
    const dpl__set_query q = made_query(s, DPL_DEDUP_JACCARD, 0.3);
    draw_roots(root, &rng);
    CHECK_OK(dpl__set_recall(&alone, &q, root, false, 70, &test_err));
    for (uint32_t n_parts = 1; n_parts < 4; n_parts++) {
        dpl_shared_run *run = NULL;
        char name[20];
        snprintf(name, sizeof name, "out%u", n_parts);
        CHECK_OK(dpl_shared_run_open(&run, s->ctx, test_path(name), &(dpl_part){0, n_parts},
                                     "x", &test_err));
        CHECK_OK(dpl__set_recall(&shared, &q, root, false, 70, &test_err));
        dpl_shared_run_close(run);
        CHECK(alone.n_true > 100);
        CHECK_EQ(shared.n_true, alone.n_true);
        CHECK_EQ(shared.n_found, alone.n_found);
        CHECK(shared.low == alone.low && shared.high == alone.high);
    }
    made_rows_free(s);
}

/* A sample is the same for any number of threads, and another one with another seed. */
DPL_TEST(recall, a_sample_depends_on_the_seed_alone)
{
    enum { N_SAMPLE = 20 };
    dpl_recall_check checks[4];
    uint64_t most = 0;
    for (unsigned i = 0; i < DPL_LEN(checks); i++) {
        made_rows *s = made_rows_new(1 + i % 2);
        uint32_t root[MADE_ROWS];
        const dpl__set_query q = made_query(s, DPL_DEDUP_JACCARD, 0.3);
        for (uint32_t row = 0; row < s->docs.n_rows; row++)
            root[row] = row % 2;
        s->ctx->seed += i / 2;
        CHECK_OK(dpl__set_recall(&checks[i], &q, root, false, N_SAMPLE, &test_err));
        CHECK_EQ(checks[i].n_rows, N_SAMPLE);
        uint64_t n_true = 0, n_found = 0;
        for (uint32_t row = 0; row < s->docs.n_rows; row++)
            count_pairs(s, &q, false, root, row, &n_true, &n_found);
        most = n_true;
        made_rows_free(s);
    }
    CHECK(checks[0].n_true > 0 && checks[0].n_true < most);
    CHECK_EQ(checks[0].n_true, checks[1].n_true);
    CHECK_EQ(checks[0].n_found, checks[1].n_found);
    CHECK_EQ(checks[2].n_true, checks[3].n_true);
    CHECK(checks[0].n_true != checks[2].n_true || checks[0].n_found != checks[2].n_found);
}

DPL_TEST(recall, without_pairs_or_a_sample_it_is_unknown)
{
    made_rows *s = made_rows_new(2);
    uint32_t root[MADE_ROWS] = {0};
    dpl__set_query q = made_query(s, DPL_DEDUP_JACCARD, 1);
    dpl_recall_check check;
    CHECK_OK(dpl__set_recall(&check, &q, root, false, 50, &test_err)); /* copies are one row */
    CHECK(check.is_empty && check.n_true == 0);
    q.least = 0.3;
    CHECK_OK(dpl__set_recall(&check, &q, root, false, 0, &test_err));
    CHECK(check.is_empty && check.n_rows == 0);
    CHECK_OK(dpl__set_recall(&check, &q, root, false, 50, &test_err)); /* one cluster of all */
    CHECK(!check.is_empty && check.n_true > 0 && check.recall == 1);
    made_rows_free(s);
}
