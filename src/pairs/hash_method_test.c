#include "doppel/pairs.h"

#include "base/ctx.h"
#include "base/hash.h"
#include "pairs/hash_grid.h"
#include "test.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { ROWS = 600, TERMS = 30, VOCABULARY = 3000 };

/* Rows of which every third is much like the one before. */
static dpl_vectors *make_rows(dpl_ctx *ctx, uint64_t seed, unsigned percent)
{
    static uint64_t offsets[ROWS + 1];
    static uint32_t terms[ROWS * TERMS];
    static float weights[ROWS * TERMS];
    static dpl_str names[VOCABULARY];
    static char text[VOCABULARY][8];
    dpl__rng rng = {dpl__mix(seed)};
    for (uint32_t i = 0; i < VOCABULARY; i++)
        names[i] = (dpl_str){text[i], (size_t)sprintf(text[i], "%c%c%c%u", 'a' + i % 26,
                                                      'a' + i / 26 % 26, 'a' + i % 7, i)};
    uint64_t at = 0;
    for (uint32_t r = 0; r < ROWS; r++) {
        bool is_in[VOCABULARY] = {false};
        const uint64_t before = r ? offsets[r - 1] : 0;
        offsets[r] = at;
        for (uint32_t i = 0; i < TERMS; i++) {
            const bool is_kept = r % 3 == 1 && dpl__rng_below(&rng, 100) < percent;
            uint32_t term = is_kept && before + i < at
                                ? terms[before + i]
                                : (uint32_t)dpl__rng_below(&rng, VOCABULARY);
            if (is_in[term])
                continue;
            is_in[term] = true;
            terms[at] = term;
            weights[at++] = 1;
        }
    }
    offsets[ROWS] = at;
    dpl_csr_array array =
        DPL_INIT(dpl_csr_array, .n_rows = ROWS, .n_terms = VOCABULARY, .offsets = offsets,
                 .terms = terms, .weights = weights, .term_names = names);
    dpl_vectors *v = NULL;
    CHECK_OK(dpl_vectors_from_csr(&v, ctx, &array, &test_err));
    return v;
}

/* The summary stays, with the check of its recall, which belongs to the search. */
static size_t search(dpl_ctx *ctx, const dpl_vectors *left, const dpl_vectors *right,
                     const dpl_pairs_options *o, dpl_pair *out, dpl_pairs_summary *summary)
{
    dpl_pairs *pairs = NULL;
    dpl_pairs_side sides[2] = {{.vectors = left}, {.vectors = right}};
    CHECK_OK(dpl_pairs_open(&pairs, ctx, &sides[0], right ? &sides[1] : NULL, o, &test_err));
    size_t n = 0;
    while (dpl_pairs_next(pairs, &out[n], &test_err) == DPL_OK)
        n++;
    *summary = *dpl_pairs_get_summary(pairs);
    if (summary->recall_check) {
        static dpl_recall_check check;
        check = *summary->recall_check;
        summary->recall_check = &check;
    }
    dpl_pairs_close(pairs);
    return n;
}

DPL_TEST(hash_method, every_function_reaches_about_the_recall_with_true_scores)
{
    static dpl_pair exact[ROWS * 10], found[ROWS * 10];
    dpl_ctx *ctx = test_ctx(2);
    dpl_vectors *v = make_rows(ctx, 1, 93), *w = make_rows(ctx, 1, 93);
    dpl_pairs_summary s;
    for (int is_self = 0; is_self < 2; is_self++) {
        dpl_pairs_options o = DPL_INIT(dpl_pairs_options, .method = DPL_PAIRS_EXACT,
                                       .threshold = 0.8, .recall = 0.9);
        const dpl_vectors *right = is_self ? NULL : w;
        const size_t n = search(ctx, v, right, &o, exact, &s);
        CHECK(n > 50);
        o.method = DPL_PAIRS_HASH;
        for (unsigned f = 0; dpl_hash_get_function_info((dpl_hash_function)f); f++) {
            dpl_hash_options hash =
                DPL_INIT(dpl_hash_options, .function = (dpl_hash_function)f);
            o.hash = &hash;
            const size_t m = search(ctx, v, right, &o, found, &s);
            CHECK(s.code_length > 0 && s.n_codes > 0);
            CHECK((double)m > (f == DPL_HASH_FUZZY ? 0.5 : 0.75) * (double)n);
            size_t at = 0;
            for (size_t i = 0; i < m; i++) { /* each of them is an exact one */
                while (at < n &&
                       (exact[at].left != found[i].left || exact[at].right != found[i].right))
                    at++;
                CHECK(at < n && exact[at].score == found[i].score);
            }
        }
    }
    dpl_vectors_close(w);
    dpl_vectors_close(v);
    test_ctx_done(ctx);
}

/* The row of the plan says what a search with its codes finds. */
DPL_TEST(hash_method, the_plan_predicts_the_recall_and_the_candidates)
{
    static dpl_pair found[ROWS * 10];
    dpl_ctx *ctx = test_ctx(1);
    dpl_vectors *v = make_rows(ctx, 1, 93);
    const dpl_pairs_side side = {.vectors = v};
    const dpl_plan_options o = DPL_INIT(dpl_plan_options, .left = &side, .threshold = 0.5,
                                        .recall = 0.9, .method = DPL_PAIRS_HASH);
    dpl_plan *plan = NULL;
    CHECK_OK(dpl_plan_make(&plan, ctx, &o, &test_err));
    const dpl_plan_row *row = dpl_plan_get_row(plan, 0);
    CHECK(row->method == DPL_PAIRS_HASH && !dpl_plan_get_row(plan, 1) && row->recall >= 0.9);
    const dpl_hash_options hash =
        DPL_INIT(dpl_hash_options, .length = row->code_length, .codes = row->n_tables);
    const dpl_pairs_options search_it =
        DPL_INIT(dpl_pairs_options, .method = DPL_PAIRS_HASH, .threshold = 0.5, .hash = &hash);
    dpl_pairs_summary s;
    search(ctx, v, NULL, &search_it, found, &s);
    CHECK(fabs(s.recall_check->recall - row->recall) < 0.1);
    CHECK((double)s.n_candidates > 0.5 * row->candidates &&
          (double)s.n_candidates < 2 * row->candidates);
    dpl_plan_free(plan);
    dpl_vectors_close(v);
    test_ctx_done(ctx);
}

DPL_TEST(hash_method, the_result_does_not_depend_on_threads_memory_or_processor)
{
    static dpl_pair first[ROWS * 10], found[ROWS * 10];
    dpl_hash_options hash = DPL_INIT(dpl_hash_options, .function = DPL_HASH_MINHASH);
    dpl_pairs_options o =
        DPL_INIT(dpl_pairs_options, .method = DPL_PAIRS_HASH, .threshold = 0.7, .hash = &hash);
    dpl_pairs_summary s;
    size_t n = 0;
    for (unsigned i = 0; i < 3; i++) {
        dpl_ctx *ctx = NULL;
        dpl_ctx_options co = DPL_INIT(dpl_ctx_options, .n_threads = 1 + i,
                                      .cpu = i == 1 ? DPL_CPU_SCALAR : DPL_CPU_AUTO,
                                      .memory = i == 2 ? 1 << 20 : 0);
        CHECK_OK(dpl_ctx_new(&ctx, &co, &test_err));
        dpl_vectors *v = make_rows(ctx, 2, 90);
        const size_t m = search(ctx, v, NULL, &o, i ? found : first, &s);
        CHECK(i == 0 || m == n);
        CHECK(i == 0 || memcmp(first, found, n * sizeof *found) == 0);
        n = m;
        dpl_vectors_close(v);
        test_ctx_done(ctx);
    }
}

DPL_TEST(hash_method, what_cannot_be_searched_is_refused)
{
    dpl_ctx *ctx = test_ctx(1);
    dpl_vectors *v = make_rows(ctx, 1, 90);
    dpl_pairs *pairs = NULL;
    dpl_pairs_side side = {.vectors = v};
    dpl_pairs_options o =
        DPL_INIT(dpl_pairs_options, .method = DPL_PAIRS_HASH, .threshold = -1);
    CHECK_EQ(dpl_pairs_open(&pairs, ctx, &side, NULL, &o, &test_err), DPL_E_USAGE);
    o.threshold = 0.8;
    o.no_verify = true;
    CHECK_EQ(dpl_pairs_open(&pairs, ctx, &side, NULL, &o, &test_err), DPL_E_USAGE);
    dpl_hash_options hash = DPL_INIT(dpl_hash_options, .shingle = 2);
    o.no_verify = false;
    o.hash = &hash;
    CHECK_EQ(dpl_pairs_open(&pairs, ctx, &side, NULL, &o, &test_err), DPL_E_USAGE);
    dpl_neighbours *neighbours = NULL;
    dpl_neighbours_options no = DPL_INIT(dpl_neighbours_options, .method = DPL_PAIRS_HASH);
    CHECK_EQ(dpl_neighbours_find(&neighbours, ctx, &side, NULL, &no, &test_err), DPL_E_USAGE);
    dpl_vectors_close(v);
    test_ctx_done(ctx);
}

/* ---- tuning ------------------------------------------------------------------------- */

DPL_TEST(hash_tune, longer_codes_find_fewer_and_more_codes_find_more)
{
    dpl_ctx *ctx = test_ctx(2);
    dpl_vectors *v = make_rows(ctx, 3, 90);
    for (int is_sampled = 0; is_sampled < 2; is_sampled++) {
        dpl_tune_options o = DPL_INIT(dpl_tune_options, .threshold = 0.75, .recall = 0.9);
        dpl_tuning *t = NULL;
        CHECK_OK(dpl_hash_tune(&t, ctx, is_sampled ? v : NULL, NULL, 1000, &o, &test_err));
        const dpl_tune_summary *s = dpl_tuning_get_summary(t);
        CHECK(s->is_sampled == is_sampled && s->n_points > 10 && s->is_reached);
        const dpl_hash_point *p = s->points, *last = NULL;
        for (; p < s->points + s->n_points; p++) {
            if (last && p->length == last->length)
                CHECK(p->codes > last->codes && p->recall >= last->recall &&
                      p->candidates >= last->candidates);
            last = p;
        }
        p = &s->points[s->best];
        CHECK(p->recall >= 0.9);
        for (size_t i = 0; i < s->n_points; i++)
            CHECK(s->points[i].recall < 0.9 || s->points[i].cost >= p->cost);
        dpl_tuning_free(t);
    }
    dpl_vectors_close(v);
    test_ctx_done(ctx);
}

DPL_TEST(hash_tune, a_wanted_precision_is_kept)
{
    dpl_ctx *ctx = test_ctx(2);
    dpl_vectors *v = make_rows(ctx, 3, 90);
    dpl_hash_options hash = DPL_INIT(dpl_hash_options, .function = DPL_HASH_FUZZY);
    dpl_tune_options o =
        DPL_INIT(dpl_tune_options, .hash = &hash, .threshold = 0.75, .precision = 0.5);
    dpl_tuning *t = NULL;
    CHECK_OK(dpl_hash_tune(&t, ctx, v, NULL, 0, &o, &test_err));
    const dpl_tune_summary *s = dpl_tuning_get_summary(t);
    CHECK(s->is_reached && s->points[s->best].precision >= 0.5);
    dpl_tuning_free(t);
    CHECK_EQ(dpl_hash_tune(&t, ctx, NULL, NULL, 100, &o, &test_err), DPL_E_USAGE);
    o.threshold = 1.5;
    CHECK_EQ(dpl_hash_tune(&t, ctx, v, NULL, 0, &o, &test_err), DPL_E_USAGE);
    dpl_vectors_close(v);
    test_ctx_done(ctx);
}
