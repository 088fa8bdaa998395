#include "base/ctx.h"
#include "base/hash.h"
#include "base/vec.h"
#include "pairs/searches.h"
#include "test.h"

#include <stdlib.h>

/* ---- rows --------------------------------------------------------------------------- */

typedef struct rows {
    dpl__bits bits;
    uint64_t *words;
} rows;

static rows make_rows(uint32_t n_rows, uint32_t n_words, uint64_t seed)
{
    rows r = {{.n_rows = n_rows, .n_words = n_words}, NULL};
    const size_t n = (size_t)n_rows * n_words;
    r.words = aligned_alloc(64, (8 * n + 64) / 64 * 64);
    CHECK(r.words != NULL);
    dpl__rng rng = {dpl__mix(seed)};
    for (size_t i = 0; i < n; i++)
        r.words[i] = dpl__rng_next(&rng);
    r.bits.words = r.words;
    return r;
}

/* Makes rows of `r` like rows of `of` in all but some bits. */
static void plant(rows *r, const rows *of, uint32_t n, uint64_t seed)
{
    dpl__rng rng = {dpl__mix(seed) + 1};
    const uint32_t n_words = r->bits.n_words;
    for (; n && r->bits.n_rows && of->bits.n_rows; n--) {
        uint64_t *row = r->words + dpl__rng_below(&rng, r->bits.n_rows) * n_words;
        memmove(row, of->words + dpl__rng_below(&rng, of->bits.n_rows) * n_words, 8 * n_words);
        for (uint64_t k = dpl__rng_below(&rng, 24 * n_words); k; k--)
            row[dpl__rng_below(&rng, n_words)] ^= (uint64_t)1 << dpl__rng_below(&rng, 64);
    }
}

/* ---- what a search gives, and what it should ---------------------------------------- */

typedef struct gathered {
    dpl_ctx *ctx;
    DPL_VEC(dpl__candidate) all;
    size_t n_calls;
    uint32_t last_left; /* of the call before, plus 1 */
    bool is_in_order;
} gathered;

static dpl_status gather(void *user, const dpl__candidate *c, size_t n, dpl_error *err)
{
    gathered *g = user;
    g->n_calls++;
    for (size_t i = 0; i < n; i++)
        g->is_in_order &= i == 0 ? c[i].left >= g->last_left
                                 : c[i].left > c[i - 1].left || (c[i].left == c[i - 1].left &&
                                                                 c[i].right > c[i - 1].right);
    g->last_left = n ? c[n - 1].left + 1 : g->last_left;
    return dpl__vec_append(g->ctx, &g->all, c, n) ? DPL_OK : dpl__fail_nomem(err);
}

static unsigned distance(const dpl__bits *a, uint32_t i, const dpl__bits *b, uint32_t k,
                         uint32_t n_words)
{
    unsigned n = 0;
    for (uint32_t w = 0; w < n_words; w++)
        for (uint64_t x = dpl__bits_row(a, i)[w] ^ dpl__bits_row(b, k)[w]; x; x &= x - 1)
            n++;
    return n;
}

static void check_against_naive(const gathered *g, const dpl__bits *left,
                                const dpl__bits *right, bool is_self, const dpl__cuts *cuts)
{
    size_t n = 0;
    for (uint32_t i = 0; i < left->n_rows; i++)
        for (uint32_t k = is_self ? i + 1 : 0; k < right->n_rows; k++) {
            if (distance(left, i, right, k, cuts->first_words) > cuts->first_cut)
                continue;
            unsigned d = distance(left, i, right, k, left->n_words);
            if (d > cuts->cut)
                continue;
            CHECK(n < g->all.n);
            CHECK_EQ(g->all.data[n].left, i);
            CHECK_EQ(g->all.data[n].right, k);
            CHECK_EQ(g->all.data[n].distance, d);
            n++;
        }
    CHECK_EQ(g->all.n, n);
}

static void check_search(uint32_t n_left, uint32_t n_right, uint32_t n_words, bool is_self,
                         dpl__cuts cuts, uint64_t seed)
{
    rows left = make_rows(n_left, n_words, seed), right = make_rows(n_right, n_words, seed + 1);
    plant(&right, &left, n_right / 4, seed);
    const dpl__bits *other = &right.bits;
    if (is_self) {
        plant(&left, &left, n_left / 4, seed);
        other = &left.bits;
    }
    for (unsigned n_threads = 1; n_threads <= 3; n_threads++) {
        dpl_ctx *ctx = test_ctx(n_threads);
        gathered g = {.ctx = ctx, .is_in_order = true};
        dpl__candidate_sink sink = {&g, gather};
        uint64_t n_compared;
        CHECK_OK(dpl__brute(
            ctx,
            &(dpl__bit_search){&left.bits, other, is_self, &cuts, &sink, &n_compared, NULL},
            &test_err));
        CHECK(g.is_in_order);
        CHECK_EQ(n_compared, is_self ? (uint64_t)n_left * (n_left ? n_left - 1 : 0) / 2
                                     : (uint64_t)n_left * n_right);
        check_against_naive(&g, &left.bits, other, is_self, &cuts);
        dpl__vec_clear(ctx, &g.all);
        test_ctx_done(ctx);
    }
    free(left.words);
    free(right.words);
}

DPL_TEST(brute, finds_what_a_naive_loop_finds)
{
    static const uint32_t sizes[] = {0, 1, 2, 63, 512, 513, 1100};
    uint64_t seed = 0;
    for (size_t i = 0; i < DPL_LEN(sizes); i++)
        for (size_t k = 0; k < DPL_LEN(sizes); k++, seed++)
            check_search(sizes[i], sizes[k], 1 + (uint32_t)(seed % 4), false,
                         (dpl__cuts){.cut = 20 + 10 * (unsigned)(seed % 4)}, seed);
    check_search(3, 5000, 2, false, (dpl__cuts){.cut = 40}, seed);
    check_search(4200, 30, 2, false, (dpl__cuts){.cut = 40}, seed);
}

DPL_TEST(brute, finds_each_pair_within_a_set_once)
{
    static const uint32_t sizes[] = {0, 1, 2, 64, 511, 512, 513, 1025, 2100};
    for (size_t i = 0; i < DPL_LEN(sizes); i++)
        check_search(sizes[i], 0, 2, true, (dpl__cuts){.cut = 45}, i);
}

DPL_TEST(brute, tests_the_first_words_first)
{
    check_search(700, 900, 4, false, (dpl__cuts){.cut = 105, .first_words = 1, .first_cut = 26},
                 1);
    check_search(700, 0, 4, true, (dpl__cuts){.cut = 105, .first_words = 2, .first_cut = 50},
                 2);
    check_search(60, 50, 3, false, (dpl__cuts){.cut = 80, .first_words = 3, .first_cut = 70},
                 3);
}

/* ---- limits ------------------------------------------------------------------------- */

typedef struct limited {
    uint64_t memory;
    uint32_t n_left, n_right;
    size_t n_calls; /* receives */
} limited;

/* Everything matches. */
static dpl_status find_all(limited *l)
{
    rows left = make_rows(l->n_left, 1, 1), right = make_rows(l->n_right, 1, 2);
    dpl_ctx *ctx = NULL;
    dpl_ctx_options o = DPL_INIT(dpl_ctx_options, .n_threads = 2, .memory = l->memory);
    CHECK_OK(dpl_ctx_new(&ctx, &o, &test_err));
    gathered g = {.ctx = ctx, .is_in_order = true};
    dpl__candidate_sink sink = {&g, gather};
    dpl_status status =
        dpl__brute(ctx,
                   &(dpl__bit_search){&left.bits, &right.bits, false, &(dpl__cuts){.cut = 64},
                                      &sink, NULL, NULL},
                   &test_err);
    if (status == DPL_OK) {
        CHECK(g.is_in_order);
        CHECK_EQ(g.all.n, (uint64_t)l->n_left * l->n_right);
    }
    l->n_calls = g.n_calls;
    dpl__vec_clear(ctx, &g.all);
    test_ctx_done(ctx);
    free(left.words);
    free(right.words);
    return status;
}

DPL_TEST(brute, makes_blocks_smaller_when_too_much_matches)
{
    limited l = {.memory = 64 << 20, .n_left = 2000, .n_right = 1000};
    CHECK_OK(find_all(&l));
    CHECK(l.n_calls > 4);
}

DPL_TEST(brute, fails_when_the_pairs_of_one_row_do_not_fit)
{
    limited l = {.memory = 4 << 20, .n_left = 10, .n_right = 200000};
    CHECK_EQ(find_all(&l), DPL_E_LIMIT);
    CHECK_STR(dpl__cstr(test_err.code), "memory-search");
}

static dpl_status search_small(void *user, dpl_ctx *ctx, dpl_error *err)
{
    rows *r = user;
    gathered g = {.ctx = ctx, .is_in_order = true};
    dpl__candidate_sink sink = {&g, gather};
    dpl_status status =
        dpl__brute(ctx,
                   &(dpl__bit_search){&r->bits, &r->bits, true, &(dpl__cuts){.cut = 20}, &sink,
                                      NULL, NULL},
                   err);
    dpl__vec_clear(ctx, &g.all);
    return status;
}

DPL_TEST(brute, survives_allocation_failures)
{
    rows r = make_rows(600, 1, 7);
    test_allocation_failures(search_small, &r);
    free(r.words);
}

static int stop(void *user, const dpl_progress *p)
{
    (void)user;
    CHECK_STR(dpl__cstr(p->stage), "compare");
    CHECK_STR(dpl__cstr(p->unit), "comparisons");
    return 1;
}

DPL_TEST(brute, stops_when_asked)
{
    rows r = make_rows(600, 1, 7);
    dpl_ctx *ctx = NULL;
    dpl_ctx_options o = DPL_INIT(dpl_ctx_options, .n_threads = 2, .progress = stop);
    CHECK_OK(dpl_ctx_new(&ctx, &o, &test_err));
    CHECK_EQ(search_small(&r, ctx, &test_err), DPL_E_STOPPED);
    test_ctx_done(ctx);
    free(r.words);
}

/* Fails with the status that user points to. */
static dpl_status refuse(void *user, const dpl__candidate *c, size_t n, dpl_error *err)
{
    (void)c, (void)n;
    return dpl__fail(err, *(dpl_status *)user, "full");
}

DPL_TEST(brute, passes_on_the_failure_of_the_sink)
{
    rows r = make_rows(600, 1, 7);
    dpl_ctx *ctx = test_ctx(2);
    dpl_status expected[] = {DPL_E_IO, DPL_E_LIMIT};
    for (size_t i = 0; i < DPL_LEN(expected); i++) {
        dpl__candidate_sink sink = {&expected[i], refuse};
        CHECK_EQ(dpl__brute(ctx,
                            &(dpl__bit_search){&r.bits, &r.bits, true, &(dpl__cuts){.cut = 30},
                                               &sink, NULL, NULL},
                            &test_err),
                 expected[i]);
        CHECK_STR(dpl__cstr(test_err.text), "full");
    }
    test_ctx_done(ctx);
    free(r.words);
}
