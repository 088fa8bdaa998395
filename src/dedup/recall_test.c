#include "dedup/recall.h"

#include "base/ctx.h"
#include "base/hash.h"
#include "test.h"

#include <stdio.h>
#include <stdlib.h>

enum { N_DOCS = 150, N_NEW = 100, N_WORDS = 12, W = 3 };

/* Documents in their rows, as a run has them: windows of a text that repeats itself, so that
 * many share shingles. */
typedef struct side {
    dpl_ctx *ctx;
    char json[N_DOCS * 160];
    dpl__inputs in;
    dpl_collection *c;
    dpl__sets sets;
    dpl__dedup_docs docs;
    uint32_t *n_set;
} side;

static side *side_make(unsigned n_threads)
{
    side *s = calloc(1, sizeof *s);
    dpl__rng rng = {17};
    size_t n = 0, n_first = 0;
    for (size_t i = 0; i < N_DOCS; i++) {
        n_first = i == N_NEW ? n : n_first;
        n += (size_t)sprintf(s->json + n, "{\"id\":\"%zu\",\"lang\":\"en\",\"text\":\"", i);
        const size_t first = dpl__rng_below(&rng, 200);
        for (size_t k = 0; k < N_WORDS; k++)
            n += (size_t)sprintf(s->json + n, "w%zu ", (first + k) * (first + k) % 90);
        n += (size_t)sprintf(s->json + n, "\"}\n");
    }
    const dpl_input in[] = {{.buffer = {s->json, n_first}, .name = "new"},
                            {.buffer = {s->json + n_first, n - n_first}, .name = "old"}};
    const dpl_import_options o = DPL_INIT(dpl_import_options, .number_inputs = true);
    double own;
    s->ctx = test_ctx(n_threads);
    CHECK_OK(dpl__inputs_open(&s->in, s->ctx, in, 2, &test_err));
    CHECK_OK(dpl_collection_from_inputs(&s->c, NULL, s->ctx, s->in.data, 2, &o, &test_err));
    CHECK_OK(dpl__sets_init(&s->sets, s->ctx, s->c, W, &test_err));
    CHECK_OK(dpl__dedup_docs_init(&s->docs, &s->sets, &s->in, 1, &test_err));
    CHECK_OK(dpl__set_sizes(&s->n_set, &own, &s->docs, &s->sets, &test_err));
    return s;
}

static void side_free(side *s)
{
    dpl__free(s->ctx, s->n_set);
    dpl__dedup_docs_clear(&s->docs);
    dpl__sets_clear(&s->sets);
    dpl_collection_close(s->c);
    dpl__inputs_close(&s->in);
    test_ctx_done(s->ctx);
    free(s);
}

/* ---- one by one -------------------------------------------------------------------------- */

/* Different shingles of a, and those of them that b has. */
static size_t count_shingles(const dpl_collection *c, uint32_t a, uint32_t b, size_t *n_both)
{
    size_t n, m, n_all = 0;
    const uint32_t *x = dpl_collection_tokens(c, a, &n), *y = dpl_collection_tokens(c, b, &m);
    *n_both = 0;
    for (size_t i = 0; i + W <= n; i++) {
        bool is_first = true, is_there = false;
        for (size_t k = 0; k < i; k++)
            is_first = is_first && memcmp(x + k, x + i, W * sizeof *x) != 0;
        for (size_t k = 0; k + W <= m; k++)
            is_there = is_there || memcmp(y + k, x + i, W * sizeof *x) == 0;
        n_all += is_first;
        *n_both += is_first && is_there;
    }
    return n_all;
}

static double similarity(const side *s, uint32_t row, uint32_t other, dpl_dedup_measure measure)
{
    size_t both;
    const uint32_t x = s->docs.rows[row].doc, y = s->docs.rows[other].doc;
    const size_t a = count_shingles(s->c, x, y, &both), b = count_shingles(s->c, y, x, &both);
    return (double)both /
           (double)(measure == DPL_DEDUP_CONTAINMENT ? (a < b ? a : b) : a + b - both);
}

/* Is the pair one that is searched for? */
static bool is_wanted(const side *s, bool only_against, uint32_t row, uint32_t other)
{
    const dpl__dedup_row *a = &s->docs.rows[row], *b = &s->docs.rows[other];
    if (only_against)
        return (a->has_new && b->has_old) || (a->has_old && b->has_new);
    return a->has_new || b->has_new;
}

/* Pairs of a row with all others. */
static void count_pairs(const side *s, const dpl__set_query *q, bool only_against,
                        const uint32_t *root, uint32_t row, uint64_t *n_true, uint64_t *n_found)
{
    for (uint32_t other = 0; other < s->docs.n_rows; other++)
        if (other != row && is_wanted(s, only_against, row, other) &&
            similarity(s, row, other, q->measure) >= q->least) {
            ++*n_true;
            *n_found += root[row] == root[other];
        }
}

/* ---- tests ---------------------------------------------------------------------------------
 */

/* With clusters drawn: the check knows nothing of how they were made. */
DPL_TEST(recall, pairs_of_all_rows_are_counted_and_those_in_one_cluster_are_found)
{
    for (int round = 0; round < 8; round++) {
        side *s = side_make(1 + (unsigned)round % 3);
        dpl__rng rng = {(uint64_t)round};
        uint32_t root[N_DOCS];
        uint64_t n_true = 0, n_found = 0;
        const bool only_against = round / 2 % 2;
        const dpl__set_query q = {.docs = &s->docs,
                                  .sets = &s->sets,
                                  .n_set = s->n_set,
                                  .measure =
                                      round % 2 ? DPL_DEDUP_CONTAINMENT : DPL_DEDUP_JACCARD,
                                  .least = round < 4 ? 0.3 : 0.6};
        for (uint32_t row = 0; row < s->docs.n_rows; row++)
            root[row] = (uint32_t)dpl__rng_below(&rng, 3);
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
        side_free(s);
    }
}

/* A sample is the same for any number of threads, and another one with another seed. */
DPL_TEST(recall, a_sample_depends_on_the_seed_alone)
{
    enum { N_SAMPLE = 20 };
    dpl_recall_check checks[4];
    uint64_t most = 0;
    for (unsigned i = 0; i < DPL_LEN(checks); i++) {
        side *s = side_make(1 + i % 2);
        uint32_t root[N_DOCS];
        const dpl__set_query q = {.docs = &s->docs,
                                  .sets = &s->sets,
                                  .n_set = s->n_set,
                                  .measure = DPL_DEDUP_JACCARD,
                                  .least = 0.3};
        for (uint32_t row = 0; row < s->docs.n_rows; row++)
            root[row] = row % 2;
        s->ctx->seed += i / 2;
        CHECK_OK(dpl__set_recall(&checks[i], &q, root, false, N_SAMPLE, &test_err));
        CHECK_EQ(checks[i].n_rows, N_SAMPLE);
        uint64_t n_true = 0, n_found = 0;
        for (uint32_t row = 0; row < s->docs.n_rows; row++)
            count_pairs(s, &q, false, root, row, &n_true, &n_found);
        most = n_true;
        side_free(s);
    }
    CHECK(checks[0].n_true > 0 && checks[0].n_true < most);
    CHECK_EQ(checks[0].n_true, checks[1].n_true);
    CHECK_EQ(checks[0].n_found, checks[1].n_found);
    CHECK_EQ(checks[2].n_true, checks[3].n_true);
    CHECK(checks[0].n_true != checks[2].n_true || checks[0].n_found != checks[2].n_found);
}

DPL_TEST(recall, without_pairs_or_a_sample_it_is_unknown)
{
    side *s = side_make(2);
    uint32_t root[N_DOCS] = {0};
    dpl__set_query q = {.docs = &s->docs,
                        .sets = &s->sets,
                        .n_set = s->n_set,
                        .measure = DPL_DEDUP_JACCARD,
                        .least = 1};
    dpl_recall_check check;
    CHECK_OK(dpl__set_recall(&check, &q, root, false, 50, &test_err)); /* copies are one row */
    CHECK(check.is_empty && check.n_true == 0);
    q.least = 0.3;
    CHECK_OK(dpl__set_recall(&check, &q, root, false, 0, &test_err));
    CHECK(check.is_empty && check.n_rows == 0);
    CHECK_OK(dpl__set_recall(&check, &q, root, false, 50, &test_err)); /* one cluster of all */
    CHECK(!check.is_empty && check.n_true > 0 && check.recall == 1);
    side_free(s);
}
