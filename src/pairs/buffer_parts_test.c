/* Parts searched and merged are the whole, byte for byte, however it is divided. */
#include "base/ctx.h"
#include "base/hash.h"
#include "doppel/pairs.h"
#include "test.h"

#include <math.h>
#include <stdlib.h>

enum { N_LEFT = 170, N_RIGHT = 210, N_TERMS = 300, MOST_TERMS = 24, N_WORDS = 4, MOST = 8 };

/* Rows of length one, with terms that many of them share; and signatures. */
typedef struct rows {
    uint64_t offsets[N_RIGHT + 1];
    uint32_t terms[N_RIGHT * MOST_TERMS];
    float weights[N_RIGHT * MOST_TERMS];
    uint64_t words[N_RIGHT * N_WORDS];
    uint32_t n;
} rows;

static void make_rows(rows *r, uint32_t n, dpl__rng *rng)
{
    r->n = n;
    for (uint32_t row = 0; row < n; row++) {
        uint64_t at = r->offsets[row];
        double sum = 0;
        uint32_t term = 0;
        for (size_t i = 0; i < MOST_TERMS; i++) {
            term += 1 + (uint32_t)dpl__rng_below(rng, N_TERMS / MOST_TERMS - 1);
            r->terms[at] = term;
            r->weights[at] = (float)(1 + dpl__rng_below(rng, 5));
            sum += (double)r->weights[at] * (double)r->weights[at];
            at += dpl__rng_below(rng, 4) != 0;
        }
        r->offsets[row + 1] = at;
        for (uint64_t i = r->offsets[row]; i < at; i++)
            r->weights[i] = (float)((double)r->weights[i] / sqrt(sum));
        for (size_t i = 0; i < N_WORDS; i++) /* near one of 10 */
            r->words[row * N_WORDS + i] =
                dpl__mix(100 * i + row % 10) ^ (dpl__rng_next(rng) & dpl__rng_next(rng));
    }
}

static dpl_part_rows part_of(const rows *r, uint32_t first, uint32_t end)
{
    return (dpl_part_rows){.first = first,
                           .n_rows = end - first,
                           .offsets = r->offsets + first,
                           .terms = r->terms,
                           .weights = r->weights,
                           .n_terms = N_TERMS};
}

static dpl_part_bits bits_of(const rows *r, uint32_t first, uint32_t end)
{
    return (dpl_part_bits){.first = first,
                           .n_rows = end - first,
                           .n_words = N_WORDS,
                           .words = r->words + (size_t)first * N_WORDS};
}

/* Where parts begin and end: 0, rising, n. Some may be empty. */
static size_t divide(uint32_t *ends, uint32_t n, dpl__rng *rng)
{
    size_t n_parts = 1 + (size_t)dpl__rng_below(rng, MOST);
    uint8_t is_end[N_RIGHT + 1] = {0};
    for (size_t i = 1; i < n_parts; i++)
        is_end[dpl__rng_below(rng, n + 1)] = 1;
    size_t k = 0;
    ends[k++] = 0;
    for (uint32_t i = 0; i <= n; i++)
        if (is_end[i])
            ends[k++] = i;
    ends[k] = n;
    return k;
}

static void check_same(const dpl_pair_list *a, const dpl_pair_list *b, uint64_t seed)
{
    if (a->n != b->n || memcmp(a->pairs, b->pairs, a->n * sizeof *a->pairs) != 0)
        dpl__test_fail(__FILE__, __LINE__, "seed %llu: %zu pairs of parts, %zu of the whole",
                       (unsigned long long)seed, a->n, b->n);
}

/* What is done with two parts. */
typedef void search_fn(dpl_pair_list *out, dpl_ctx *ctx, const rows *const r[2],
                       const uint32_t range[2][2]);

static const dpl_part_cuts cuts = {.cut = 90, .first_bits = 64, .first_cut = 30};

static void search_exact(dpl_pair_list *out, dpl_ctx *ctx, const rows *const r[2],
                         const uint32_t range[2][2])
{
    dpl_part_rows left = part_of(r[0], range[0][0], range[0][1]), right;
    if (r[1])
        right = part_of(r[1], range[1][0], range[1][1]);
    CHECK_OK(dpl_part_exact(out, ctx, &left, r[1] ? &right : NULL, 0.2, &test_err));
}

static void search_brute(dpl_pair_list *out, dpl_ctx *ctx, const rows *const r[2],
                         const uint32_t range[2][2])
{
    dpl_part_rows left = part_of(r[0], range[0][0], range[0][1]), right;
    dpl_part_bits a = bits_of(r[0], range[0][0], range[0][1]), b;
    if (r[1]) {
        right = part_of(r[1], range[1][0], range[1][1]);
        b = bits_of(r[1], range[1][0], range[1][1]);
    }
    dpl_candidate_list found = {0};
    CHECK_OK(dpl_part_brute(&found, ctx, &a, r[1] ? &b : NULL, &cuts, &test_err));
    CHECK_OK(dpl_part_verify(out, ctx, &left, r[1] ? &right : NULL, &found, 0.05, &test_err));
    dpl_candidate_list_clear(&found, ctx);
}

/* right NULL: within left. */
static void check_parts(search_fn *search, const rows *left, const rows *right, uint64_t seed)
{
    dpl_ctx *ctx = test_ctx(1 + (unsigned)(seed % 2));
    dpl__rng rng = {dpl__mix(seed)};
    uint32_t ends[2][MOST + 2];
    size_t n[2], n_lists = 0;
    dpl_pair_list lists[(MOST + 1) * (MOST + 1)] = {{0}}, whole = {0}, merged = {0};
    n[0] = divide(ends[0], left->n, &rng);
    n[1] = divide(ends[1], right ? right->n : 0, &rng);
    const uint32_t all[2][2] = {{0, left->n}, {0, right ? right->n : 0}};
    search(&whole, ctx, (const rows *[2]){left, right}, all);
    CHECK(whole.n > 50);
    for (size_t i = 0; i < n[0]; i++)
        for (size_t k = right ? 0 : i; k < (right ? n[1] : n[0]); k++) {
            const uint32_t *e = right ? ends[1] : ends[0];
            const uint32_t range[2][2] = {{ends[0][i], ends[0][i + 1]}, {e[k], e[k + 1]}};
            const rows *r[2] = {left, right ? right : k == i ? NULL : left};
            search(&lists[n_lists++], ctx, r, range);
        }
    CHECK_OK(dpl_pairs_merge(&merged, ctx, lists, n_lists, 0, &test_err));
    check_same(&merged, &whole, seed);
    /* the n best of lists of the n best are those of everything */
    dpl_pair_list best = {0}, of_best = {0};
    CHECK_OK(dpl_pairs_merge(&best, ctx, &whole, 1, 3, &test_err));
    for (size_t i = 0; i < n_lists; i++) {
        dpl_pair_list cut = {0};
        CHECK_OK(dpl_pairs_merge(&cut, ctx, &lists[i], 1, 3, &test_err));
        dpl_pair_list_clear(&lists[i], ctx);
        lists[i] = cut;
    }
    CHECK_OK(dpl_pairs_merge(&of_best, ctx, lists, n_lists, 3, &test_err));
    check_same(&of_best, &best, seed);
    for (size_t i = 0; i < n_lists; i++)
        dpl_pair_list_clear(&lists[i], ctx);
    dpl_pair_list_clear(&best, ctx);
    dpl_pair_list_clear(&of_best, ctx);
    dpl_pair_list_clear(&merged, ctx);
    dpl_pair_list_clear(&whole, ctx);
    test_ctx_done(ctx);
}

DPL_TEST(parts, of_any_division_merge_to_the_whole)
{
    static rows left, right;
    for (uint64_t seed = 1; seed <= 12; seed++) {
        dpl__rng rng = {seed};
        left = right = (rows){0};
        make_rows(&left, N_LEFT, &rng);
        make_rows(&right, N_RIGHT, &rng);
        check_parts(search_exact, &left, &right, seed);
        check_parts(search_exact, &right, NULL, seed);
        check_parts(search_brute, &left, &right, seed);
        check_parts(search_brute, &right, NULL, seed);
    }
}

/* Rows of signed bytes; right rows from `first` on, against the naive products. */
DPL_TEST(parts, of_products_merge_to_the_whole)
{
    enum { LEFT = 30, RIGHT = 90, DIMS = 128, WORDS = DIMS / 8, CUT = 1024 * DIMS - 40000 };
    static int8_t left[LEFT][DIMS], right[RIGHT][DIMS];
    static uint64_t words[2][RIGHT * WORDS];
    dpl__rng rng = {5};
    for (size_t i = 0; i < RIGHT; i++)
        for (size_t k = 0; k < DIMS; k++) {
            right[i][k] = (int8_t)((int)dpl__rng_below(&rng, 255) - 127);
            if (i < LEFT)
                left[i][k] = (int8_t)((int)dpl__rng_below(&rng, 255) - 127);
        }
    memcpy(words[0], left, sizeof left);
    memcpy(words[1], right, sizeof right);
    dpl_ctx *ctx = test_ctx(2);
    dpl_candidate_list lists[3] = {{0}}, all = {0};
    dpl_part_bits a = {0, LEFT, WORDS, words[0]};
    for (uint32_t part = 0; part < 3; part++) {
        dpl_part_bits b = {30 * part, 30, WORDS, words[1] + (size_t)30 * part * WORDS};
        CHECK_OK(dpl_part_products(&lists[part], ctx, &a, &b, CUT, &test_err));
    }
    CHECK_OK(dpl_candidates_merge(&all, ctx, lists, 3, &test_err));
    size_t n = 0;
    for (uint32_t i = 0; i < LEFT; i++)
        for (uint32_t j = 0; j < RIGHT; j++) {
            int product = 0;
            for (size_t k = 0; k < DIMS; k++)
                product += left[i][k] * right[j][k];
            if (product < 40000)
                continue;
            CHECK(n < all.n && all.candidates[n].left == i && all.candidates[n].right == j);
            CHECK_EQ(all.candidates[n++].distance,
                     product < 1024 * DIMS ? 1024 * DIMS - product : 0);
        }
    CHECK(n == all.n && n > 100);
    a.n_words = 3;
    CHECK_EQ(dpl_part_products(&all, ctx, &a, NULL, CUT, &test_err), DPL_E_USAGE);
    for (size_t i = 0; i < 3; i++)
        dpl_candidate_list_clear(&lists[i], ctx);
    dpl_candidate_list_clear(&all, ctx);
    test_ctx_done(ctx);
}

DPL_TEST(parts, ranges_of_tables_merge_to_all_tables)
{
    static rows left, right;
    dpl__rng rng = {5};
    dpl_ctx *ctx = test_ctx(2);
    make_rows(&left, N_LEFT, &rng);
    make_rows(&right, N_RIGHT, &rng);
    dpl_part_bits a = bits_of(&left, 0, N_LEFT), b = bits_of(&right, 0, N_RIGHT);
    dpl_candidate_list lists[3] = {{0}}, merged = {0}, whole = {0};
    dpl_part_tables all = {.n = 20, .width = 15};
    CHECK_OK(dpl_part_window(&whole, ctx, &a, &b, &all, &cuts, &test_err));
    CHECK(whole.n > 100);
    for (unsigned i = 0; i < 3; i++) {
        dpl_part_tables some = {.first = 7 * i, .n = i < 2 ? 7 : 6, .width = 15};
        CHECK_OK(dpl_part_window(&lists[i], ctx, &a, &b, &some, &cuts, &test_err));
        CHECK(lists[i].n < whole.n);
    }
    CHECK_OK(dpl_candidates_merge(&merged, ctx, lists, 3, &test_err));
    CHECK_EQ(merged.n, whole.n);
    CHECK(memcmp(merged.candidates, whole.candidates, whole.n * sizeof *whole.candidates) == 0);
    for (unsigned i = 0; i < 3; i++)
        dpl_candidate_list_clear(&lists[i], ctx);
    dpl_candidate_list_clear(&merged, ctx);
    dpl_candidate_list_clear(&whole, ctx);
    test_ctx_done(ctx);
}

DPL_TEST(parts, have_the_pairs_of_dpl_pairs_open)
{
    static const char text[] =
        "\003\000\000\000\000\000\200\077\000\000\000\000\000\000\000\000"
        "\003\000\000\000\000\000\200\077\000\000\200\077\000\000\000\000";
    dpl_ctx *ctx = test_ctx(1);
    dpl_vectors *v = NULL;
    CHECK_OK(
        dpl_vectors_open(&v, ctx, test_write("two.fvecs", text, sizeof text - 1), &test_err));
    dpl_pairs_side side = {.vectors = v};
    dpl_pairs *pairs = NULL;
    dpl_pair pair;
    CHECK_OK(dpl_pairs_open(&pairs, ctx, &side, NULL, NULL, &test_err));
    CHECK_OK(dpl_pairs_next(pairs, &pair, &test_err));
    dpl_part_rows part = {
        .first = 40, .n_rows = 2, .dim = 3, .values = dpl_vectors_dense(v, 0)};
    dpl_pair_list found = {0};
    CHECK_OK(dpl_part_exact(&found, ctx, &part, NULL, 0.3, &test_err));
    CHECK_EQ(found.n, 1);
    CHECK(found.pairs[0].left == 40 && found.pairs[0].right == 41);
    CHECK(found.pairs[0].score == pair.score);
    dpl_pair_list_clear(&found, ctx);
    dpl_pairs_close(pairs);
    dpl_vectors_close(v);
    test_ctx_done(ctx);
}

static void refused(dpl_ctx *ctx, const dpl_part_rows *part)
{
    dpl_pair_list out = {0};
    CHECK_EQ(dpl_part_exact(&out, ctx, part, NULL, 0.3, &test_err), DPL_E_USAGE);
    CHECK(!out.pairs);
}

DPL_TEST(parts, rows_that_break_their_promise_are_refused)
{
    dpl_ctx *ctx = test_ctx(1);
    uint64_t offsets[] = {0, 2, 3}, falling[] = {2, 0, 3};
    uint32_t terms[] = {1, 2, 0}, high[] = {1, 9, 0}, same[] = {1, 1, 0};
    float weights[] = {0.6f, 0.8f, 1}, negative[] = {-0.6f, 0.8f, 1}, none[] = {NAN, 1, 1};
    dpl_part_rows good = {
        .n_rows = 2, .offsets = offsets, .terms = terms, .weights = weights, .n_terms = 3};
    dpl_part_rows bad = good;
    bad.offsets = falling;
    refused(ctx, &bad);
    bad = good, bad.terms = high;
    refused(ctx, &bad);
    bad = good, bad.terms = same;
    refused(ctx, &bad);
    bad = good, bad.weights = negative;
    refused(ctx, &bad);
    bad = good, bad.weights = none;
    refused(ctx, &bad);
    bad = good, bad.first = UINT32_MAX;
    refused(ctx, &bad);
    dpl_candidate foreign = {0, 7, 3};
    dpl_candidate_list in = {&foreign, 1, 1};
    dpl_pair_list out = {0};
    CHECK_EQ(dpl_part_verify(&out, ctx, &good, NULL, &in, 0.3, &test_err), DPL_E_USAGE);
    test_ctx_done(ctx);
}

static dpl_status search_all(void *user, dpl_ctx *ctx, dpl_error *err)
{
    const rows *r = user;
    dpl_part_rows part = part_of(r, 0, r->n);
    dpl_part_bits bits = bits_of(r, 0, r->n);
    dpl_candidate_list found = {0}, merged = {0};
    dpl_pair_list verified = {0}, exact = {0}, all = {0};
    dpl_part_tables tables = {.n = 2, .width = 3};
    dpl_status status = dpl_part_window(&found, ctx, &bits, NULL, &tables, &cuts, err);
    if (status == DPL_OK)
        status = dpl_candidates_merge(&merged, ctx, &found, 1, err);
    if (status == DPL_OK)
        status = dpl_part_verify(&verified, ctx, &part, NULL, &merged, 0, err);
    if (status == DPL_OK)
        status = dpl_part_exact(&exact, ctx, &part, NULL, 0, err);
    dpl_pair_list lists[] = {verified, exact};
    if (status == DPL_OK)
        status = dpl_pairs_merge(&all, ctx, lists, 2, 1, err);
    dpl_candidate_list_clear(&found, ctx);
    dpl_candidate_list_clear(&merged, ctx);
    dpl_pair_list_clear(&verified, ctx);
    dpl_pair_list_clear(&exact, ctx);
    dpl_pair_list_clear(&all, ctx);
    return status;
}

DPL_TEST(parts, every_allocation_may_fail)
{
    static rows r;
    dpl__rng rng = {9};
    make_rows(&r, 12, &rng);
    test_allocation_failures(search_all, &r);
}
