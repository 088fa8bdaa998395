#include "dedup/set_search.h"

#include "dedup/dedup_search.h"
#include "dedup/made_rows_test.h"
#include "doppel/file.h"

#include <math.h>

/* Does another row have the shingle at a place of this one? */
static bool is_shared(const made_rows *s, uint32_t row, size_t at)
{
    size_t n, m;
    const uint32_t *x = dpl_collection_tokens(s->c, s->docs.rows[row].doc, &n);
    for (uint32_t other = 0; other < s->docs.n_rows; other++) {
        const uint32_t *y = dpl_collection_tokens(s->c, s->docs.rows[other].doc, &m);
        for (size_t i = 0; other != row && i + MADE_SHINGLE <= m; i++)
            if (memcmp(y + i, x + at, MADE_SHINGLE * sizeof *x) == 0)
                return true;
    }
    return false;
}

DPL_TEST(set_search, sizes_of_sets_are_their_different_shingles)
{
    made_rows *s = made_rows_new(2);
    size_t n_all = 0, n_own = 0;
    for (uint32_t row = 0; row < s->docs.n_rows; row++) {
        size_t both;
        CHECK_EQ(s->n_set[row], count_shingles(s, row, row, &both));
        CHECK_EQ(both, s->n_set[row]);
        for (size_t at = 0; at + MADE_SHINGLE <= MADE_WORDS; at++, n_all++)
            n_own += !is_shared(s, row, at);
    }
    CHECK(fabs(s->own - (double)n_own / (double)n_all) < 0.05); /* from a sample */
    made_rows_free(s);
}

/* Rows in any order: what is loaded for one pair serves the next, or not. */
DPL_TEST(set_search, scores_do_not_depend_on_the_pair_before)
{
    static const dpl_dedup_measure measures[] = {DPL_DEDUP_JACCARD, DPL_DEDUP_CONTAINMENT};
    made_rows *s = made_rows_new(3);
    dpl__rng rng = {7};
    for (size_t m = 0; m < DPL_LEN(measures); m++) {
        const dpl__set_query q = made_query(s, measures[m], 0);
        dpl__set_scorer scorer;
        CHECK_OK(dpl__set_scorer_init(&scorer, &q, &test_err));
        uint32_t left = 0;
        size_t n_shared = 0;
        for (int i = 0; i < 6000; i++) {
            if (dpl__rng_below(&rng, 3) == 0)
                left = (uint32_t)dpl__rng_below(&rng, s->docs.n_rows);
            const uint32_t right = (uint32_t)dpl__rng_below(&rng, s->docs.n_rows);
            const unsigned worker = (unsigned)dpl__rng_below(&rng, 3);
            const double expected = made_similarity(s, left, right, measures[m]);
            CHECK(dpl__set_scorer_score(&scorer, left, right, worker) == expected);
            n_shared += expected > 0;
        }
        CHECK(n_shared > 300);
        dpl__set_scorer_clear(&scorer);
    }
    made_rows_free(s);
}

/* ---- methods ----------------------------------------------------------------------- */

static void check_edges(const made_rows *s, const dpl__edges *edges, const dpl_dedup_options *o,
                        bool is_exact)
{
    size_t at = 0, n_true = 0;
    for (uint32_t a = 0; a < s->docs.n_rows; a++)
        for (uint32_t b = a + 1; b < s->docs.n_rows; b++) {
            const dpl__dedup_row *x = &s->docs.rows[a], *y = &s->docs.rows[b];
            const double score = made_similarity(s, a, b, o->measure);
            const bool is_there =
                at < edges->n && edges->data[at].left == a && edges->data[at].right == b;
            const bool is_wanted =
                o->only_against ? (x->has_new && y->has_old) || (x->has_old && y->has_new)
                                : x->has_new || y->has_new;
            if (score < o->floor || !is_wanted) {
                CHECK(!is_there);
                continue;
            }
            n_true++;
            CHECK(is_there || !is_exact);
            CHECK(!is_there || edges->data[at].score == (float)score);
            at += is_there;
        }
    CHECK_EQ(at, edges->n);
    CHECK(n_true > (o->only_against ? 5 : 50));
    CHECK(10 * at >= 9 * n_true); /* codes are planned for 0.99 of them */
}

DPL_TEST(set_search, every_method_gives_true_pairs_and_exact_gives_all)
{
    static const dpl_dedup_method methods[] = {DPL_DEDUP_EXACT, DPL_DEDUP_MINHASH,
                                               DPL_DEDUP_AUTO};
    static const double floors[] = {0.4, 0.6, 0.8};
    made_rows *s = made_rows_new(2);
    for (size_t i = 0; i < DPL_LEN(methods) * DPL_LEN(floors) * 4; i++) {
        const double least = floors[i / 4 % DPL_LEN(floors)];
        const dpl_dedup_options o =
            DPL_INIT(dpl_dedup_options, .threshold = least, .floor = least,
                     .shingle = MADE_SHINGLE, .recall = 0.99, .sample = 100,
                     .method = methods[i / 4 / DPL_LEN(floors)], .only_against = i / 2 % 2,
                     .measure = i % 2 ? DPL_DEDUP_CONTAINMENT : DPL_DEDUP_JACCARD);
        dpl__dedup_search found = {0};
        const dpl__dedup_query q = {s->ctx, &s->docs, &s->sets, &o, test_dir()};
        CHECK_OK(dpl__search_sets(&found, &q, s->n_set, s->own, &test_err));
        check_edges(s, &found.found.edges, &o, o.method != DPL_DEDUP_MINHASH);
        CHECK_EQ(found.found.method,
                 o.method == DPL_DEDUP_MINHASH ? DPL_DEDUP_MINHASH : DPL_DEDUP_EXACT);
        CHECK_EQ(found.found.is_exact, o.method != DPL_DEDUP_MINHASH);
        dpl__vec_clear(s->ctx, &found.found.edges);
    }
    made_rows_free(s);
}

/* More than half of the different shingles of a row have a bit. */
static uint64_t fingerprint(const made_rows *s, uint32_t row)
{
    size_t n;
    uint64_t print = 0;
    const uint64_t *keys =
        dpl__sets_distinct(&s->sets, s->docs.rows[row].doc, &s->sets.scratch[0], &n);
    for (unsigned bit = 0; bit < 64; bit++) {
        size_t n_set = 0;
        for (size_t i = 0; i < n; i++)
            n_set += keys[i] * 0x9E3779B97F4A7C15u >> bit & 1;
        print |= (uint64_t)(n_set > n - n_set) << bit;
    }
    return print;
}

/* Three bits: of rows as short as these, hardly any two that are not nearly the same. */
DPL_TEST(set_search, simhash_gives_the_pairs_whose_fingerprints_are_near)
{
    made_rows *s = made_rows_new(2);
    uint64_t prints[MADE_ROWS];
    size_t at = 0, n_near = 0;
    dpl__dedup_search found = {0};
    const dpl_dedup_options o =
        DPL_INIT(dpl_dedup_options, .threshold = 0.01, .floor = 0.01, .shingle = MADE_SHINGLE,
                 .sample = 100, .method = DPL_DEDUP_SIMHASH, .measure = DPL_DEDUP_JACCARD);
    const dpl__dedup_query q = {s->ctx, &s->docs, &s->sets, &o, test_dir()};
    for (uint32_t row = 0; row < s->docs.n_rows; row++)
        prints[row] = fingerprint(s, row);
    CHECK_OK(dpl__search_sets(&found, &q, s->n_set, s->own, &test_err));
    for (uint32_t a = 0; a < s->docs.n_rows; a++)
        for (uint32_t b = a + 1; b < s->docs.n_rows; b++) {
            const dpl__dedup_row *x = &s->docs.rows[a], *y = &s->docs.rows[b];
            const bool is_near = __builtin_popcountll(prints[a] ^ prints[b]) <= 3 &&
                                 (x->has_new || y->has_new) &&
                                 made_similarity(s, a, b, o.measure) >= o.floor;
            const bool is_there = at < found.found.edges.n &&
                                  found.found.edges.data[at].left == a &&
                                  found.found.edges.data[at].right == b;
            CHECK_EQ(is_there, is_near);
            n_near += is_near;
            at += is_there;
        }
    CHECK(n_near > 0 && at == found.found.edges.n);
    dpl__vec_clear(s->ctx, &found.found.edges);
    made_rows_free(s);
}

/* Counts of shingles are made by several processes then: here one makes them all. */
DPL_TEST(set_search, a_shared_run_finds_the_same_pairs)
{
    made_rows *s = made_rows_new(2);
    for (uint32_t i = 0; i < 6; i++) {
        const uint32_t n_parts = 1 + i / 2;
        const dpl_dedup_options o =
            DPL_INIT(dpl_dedup_options, .threshold = 0.4, .floor = 0.4, .shingle = MADE_SHINGLE,
                     .sample = 100, .method = DPL_DEDUP_EXACT,
                     .measure = i % 2 ? DPL_DEDUP_CONTAINMENT : DPL_DEDUP_JACCARD);
        const dpl__dedup_query q = {s->ctx, &s->docs, &s->sets, &o, test_dir()};
        dpl_shared_run *run = NULL;
        dpl__dedup_search found = {0};
        uint32_t *n_set = NULL;
        double own;
        char name[20];
        snprintf(name, sizeof name, "out%u", i);
        CHECK_OK(dpl_shared_run_open(&run, s->ctx, test_path(name), &(dpl_part){0, n_parts},
                                     "x", &test_err));
        CHECK_OK(dpl__set_sizes(&n_set, &own, &s->docs, &s->sets, true, &test_err));
        CHECK(memcmp(n_set, s->n_set, MADE_ROWS * sizeof *n_set) == 0 && own == s->own);
        CHECK_OK(dpl__search_sets(&found, &q, n_set, own, &test_err));
        check_edges(s, &found.found.edges, &o, true);
        dpl_shared_run_close(run);
        dpl__free(s->ctx, n_set);
        dpl__vec_clear(s->ctx, &found.found.edges);
    }
    made_rows_free(s);
}
