#include "doppel/codes.h"

#include "base/ctx.h"
#include "base/hash.h"
#include "test.h"

#include <stdlib.h>

typedef struct pair_list {
    dpl_row_pair *pairs;
    size_t n;
} pair_list;

static pair_list read_all(dpl_buckets *b)
{
    pair_list list = {malloc(sizeof *list.pairs), 0};
    dpl_row_pair part[7]; /* odd, so that calls end anywhere */
    size_t n;
    while (dpl_buckets_next(b, part, &n, DPL_LEN(part), &test_err) == DPL_OK) {
        list.pairs = realloc(list.pairs, (list.n + n) * sizeof *list.pairs);
        memcpy(list.pairs + list.n, part, n * sizeof *part);
        list.n += n;
    }
    CHECK_EQ(n, 0);
    return list;
}

/* Whether rows share a code of the first n. */
static bool share(const uint64_t *a, uint32_t n_a, uint32_t i, const uint64_t *b, uint32_t n_b,
                  uint32_t k, unsigned n_codes)
{
    for (unsigned c = 0; c < n_codes; c++)
        if (a[c * n_a + i] == b[c * n_b + k] && a[c * n_a + i] != DPL_NO_CODE)
            return true;
    return false;
}

static uint64_t *draw_codes(uint32_t n_rows, unsigned n_codes, uint64_t n_different,
                            uint64_t seed)
{
    dpl__rng rng = {dpl__mix(seed)};
    uint64_t *words = malloc((size_t)n_rows * n_codes * sizeof *words);
    for (size_t i = 0; i < (size_t)n_rows * n_codes; i++) {
        uint64_t x = dpl__rng_below(&rng, n_different);
        words[i] = x == 0 ? DPL_NO_CODE : x;
    }
    return words;
}

static void check_join(dpl_ctx *ctx, const uint64_t *a, uint32_t n_a, const uint64_t *b,
                       uint32_t n_b, unsigned n_codes)
{
    dpl_codes *left = NULL, *right = NULL;
    dpl_buckets *buckets = NULL;
    CHECK_OK(dpl_codes_from_buffer(&left, ctx, a, n_a, n_codes, &test_err));
    if (b)
        CHECK_OK(dpl_codes_from_buffer(&right, ctx, b, n_b, n_codes, &test_err));
    CHECK_OK(dpl_codes_join(&buckets, ctx, left, right, NULL, &test_err));
    pair_list list = read_all(buckets);
    size_t at = 0;
    for (uint32_t i = 0; i < n_a; i++)
        for (uint32_t k = b ? 0 : i + 1; k < (b ? n_b : n_a); k++)
            if (share(a, n_a, i, b ? b : a, b ? n_b : n_a, k, n_codes)) {
                CHECK(at < list.n);
                CHECK_EQ(list.pairs[at].left, i);
                CHECK_EQ(list.pairs[at].right, k);
                at++;
            }
    CHECK_EQ(at, list.n);
    free(list.pairs);
    dpl_buckets_close(buckets);
    dpl_codes_close(right);
    dpl_codes_close(left);
}

DPL_TEST(codes_join, finds_exactly_the_pairs_that_share_a_code)
{
    dpl_ctx *ctx = test_ctx(2);
    for (uint64_t seed = 1; seed < 6; seed++) {
        uint64_t *a = draw_codes(300, 4, 40 * seed, seed), *b = draw_codes(200, 4, 200, seed);
        check_join(ctx, a, 300, NULL, 0, 4);
        check_join(ctx, a, 300, b, 200, 4);
        free(b);
        free(a);
    }
    test_ctx_done(ctx);
}

DPL_TEST(codes_join, does_not_depend_on_memory)
{
    dpl_ctx *ctx = NULL;
    dpl_ctx_options o = DPL_INIT(dpl_ctx_options, .n_threads = 2, .memory = 64 << 10);
    CHECK_OK(dpl_ctx_new(&ctx, &o, &test_err));
    uint64_t *a = draw_codes(3000, 3, 3000, 7), *b = draw_codes(2500, 3, 3000, 8);
    check_join(ctx, a, 3000, NULL, 0, 3);
    check_join(ctx, a, 3000, b, 2500, 3);
    free(b);
    free(a);
    test_ctx_done(ctx);
}

DPL_TEST(codes_join, most_bounds_the_candidates_of_equal_rows)
{
    dpl_ctx *ctx = test_ctx(2);
    enum { N = 20000 };
    uint64_t *a = malloc(N * sizeof *a);
    for (size_t i = 0; i < N; i++)
        a[i] = 77;
    dpl_codes *codes = NULL;
    dpl_buckets *buckets = NULL;
    dpl_join_options o = DPL_INIT(dpl_join_options, .most = 3);
    CHECK_OK(dpl_codes_from_buffer(&codes, ctx, a, N, 1, &test_err));
    CHECK_OK(dpl_codes_join(&buckets, ctx, codes, NULL, &o, &test_err));
    pair_list list = read_all(buckets);
    CHECK_EQ(list.n, 3 * N - 6);
    const dpl_join_summary *s = dpl_buckets_get_summary(buckets);
    CHECK_EQ(s->n_shared, (uint64_t)N * (N - 1) / 2);
    CHECK_EQ(s->n_left_out, s->n_shared - list.n);
    CHECK_EQ(s->largest, N);
    free(list.pairs);
    dpl_buckets_close(buckets);
    dpl_codes_close(codes);
    free(a);
    test_ctx_done(ctx);
}

DPL_TEST(codes_join, sides_of_different_codes_are_refused)
{
    dpl_ctx *ctx = test_ctx(1);
    uint64_t words[4] = {1, 2, 3, 4};
    dpl_codes *a = NULL, *b = NULL;
    dpl_buckets *buckets = NULL;
    CHECK_OK(dpl_codes_from_buffer(&a, ctx, words, 2, 2, &test_err));
    CHECK_OK(dpl_codes_from_buffer(&b, ctx, words, 4, 1, &test_err));
    CHECK_EQ(dpl_codes_join(&buckets, ctx, a, b, NULL, &test_err), DPL_E_USAGE);
    dpl_join_options o = DPL_INIT(dpl_join_options, .n_codes = 3);
    CHECK_EQ(dpl_codes_join(&buckets, ctx, a, NULL, &o, &test_err), DPL_E_USAGE);
    CHECK(buckets == NULL);
    dpl_codes_close(b);
    dpl_codes_close(a);
    test_ctx_done(ctx);
}

/* ---- fingerprints ------------------------------------------------------------------- */

static unsigned distance(uint64_t a, uint64_t b)
{
    unsigned n = 0;
    for (uint64_t x = a ^ b; x; x &= x - 1)
        n++;
    return n;
}

static uint64_t *draw_fingerprints(uint32_t n, uint64_t seed)
{
    dpl__rng rng = {dpl__mix(seed)};
    uint64_t *words = malloc(n * sizeof *words);
    for (uint32_t i = 0; i < n; i++) {
        words[i] = dpl__rng_next(&rng);
        if (i && dpl__rng_below(&rng, 3)) {
            words[i] = words[dpl__rng_below(&rng, i)];
            for (uint64_t k = dpl__rng_below(&rng, 9); k > 0; k--)
                words[i] ^= (uint64_t)1 << dpl__rng_below(&rng, 64);
        }
    }
    return words;
}

static void check_fingerprints(dpl_ctx *ctx, const uint64_t *a, uint32_t n_a, const uint64_t *b,
                               uint32_t n_b, unsigned radius)
{
    dpl_buckets *buckets = NULL;
    CHECK_OK(dpl_fingerprints_join(&buckets, ctx, a, n_a, b, n_b, radius, NULL, &test_err));
    pair_list list = read_all(buckets);
    size_t at = 0;
    for (uint32_t i = 0; i < n_a; i++)
        for (uint32_t k = b ? 0 : i + 1; k < (b ? n_b : n_a); k++)
            if (distance(a[i], (b ? b : a)[k]) <= radius) {
                CHECK(at < list.n);
                CHECK_EQ(list.pairs[at].left, i);
                CHECK_EQ(list.pairs[at].right, k);
                at++;
            }
    CHECK_EQ(at, list.n);
    CHECK_EQ(dpl_buckets_get_summary(buckets)->n_shared, list.n);
    free(list.pairs);
    dpl_buckets_close(buckets);
}

DPL_TEST(fingerprints, every_radius_finds_what_comparing_all_finds)
{
    uint64_t *a = draw_fingerprints(700, 1), *b = draw_fingerprints(500, 1);
    for (unsigned cpu = DPL_CPU_SCALAR; cpu <= (unsigned)dpl_cpu_best(); cpu++) {
        dpl_ctx *ctx = NULL;
        dpl_ctx_options o = DPL_INIT(dpl_ctx_options, .n_threads = 2, .cpu = (dpl_cpu)cpu);
        CHECK_OK(dpl_ctx_new(&ctx, &o, &test_err));
        for (unsigned radius = 0; radius <= 7; radius++) {
            check_fingerprints(ctx, a, 700, NULL, 0, radius);
            check_fingerprints(ctx, a, 700, b, 500, radius);
        }
        test_ctx_done(ctx);
    }
    free(b);
    free(a);
}

DPL_TEST(fingerprints, do_not_depend_on_memory)
{
    dpl_ctx *ctx = NULL;
    dpl_ctx_options o = DPL_INIT(dpl_ctx_options, .n_threads = 3, .memory = 64 << 10);
    CHECK_OK(dpl_ctx_new(&ctx, &o, &test_err));
    uint64_t *a = draw_fingerprints(3000, 2);
    check_fingerprints(ctx, a, 3000, NULL, 0, 3);
    free(a);
    test_ctx_done(ctx);
}

DPL_TEST(fingerprints, a_radius_that_is_too_large_is_refused)
{
    dpl_ctx *ctx = test_ctx(1);
    uint64_t a[2] = {1, 2};
    dpl_buckets *buckets = NULL;
    CHECK_EQ(dpl_fingerprints_join(&buckets, ctx, a, 2, NULL, 0, 8, NULL, &test_err),
             DPL_E_USAGE);
    CHECK_OK(dpl_fingerprints_join(&buckets, ctx, a, 0, NULL, 0, 3, NULL, &test_err));
    dpl_buckets_close(buckets);
    test_ctx_done(ctx);
}

/* Of the same rows with functions that differ. */
DPL_TEST(codes_join, codes_of_other_functions_are_refused)
{
    static const float numbers[3 * 4] = {1, 2, 3, 4, 1, 2, 3, 4, 1, 2, 3, 4};
    const dpl_dense_array rows =
        DPL_INIT(dpl_dense_array, .values = numbers, .n_rows = 3, .dim = 4);
    static const struct {
        dpl_hash_function function;
        unsigned k;
    } of[] = {{DPL_HASH_RP, 8}, {DPL_HASH_RP, 8}, {DPL_HASH_RP, 9}, {DPL_HASH_PSTABLE, 8}};
    dpl_ctx *ctx = test_ctx(1);
    dpl_vectors *v = NULL;
    dpl_hash *hash[DPL_LEN(of)];
    dpl_codes *codes[DPL_LEN(of)];
    CHECK_OK(dpl_vectors_from_dense(&v, ctx, &rows, &test_err));
    const dpl_hash_input in = DPL_INIT(dpl_hash_input, .vectors = v);
    for (size_t i = 0; i < DPL_LEN(of); i++) {
        const dpl_hash_options o = DPL_INIT(dpl_hash_options, .function = of[i].function,
                                            .length = of[i].k, .codes = 4);
        CHECK_OK(dpl_hash_new(&hash[i], ctx, &o, &in, &test_err));
        CHECK_OK(dpl_codes_make(&codes[i], ctx, hash[i], &in, &test_err));
    }
    for (size_t i = 0; i < DPL_LEN(of); i++)
        for (size_t k = 0; k < DPL_LEN(of); k++) {
            dpl_buckets *b = NULL;
            const bool is_same = i == k || (i < 2 && k < 2);
            CHECK_EQ(dpl_codes_join(&b, ctx, codes[i], codes[k], NULL, &test_err),
                     is_same ? DPL_OK : DPL_E_USAGE);
            if (!is_same)
                CHECK_STR(dpl__cstr(test_err.code), "other-codes");
            dpl_buckets_close(b);
        }
    for (size_t i = 0; i < DPL_LEN(of); i++) {
        dpl_codes_close(codes[i]);
        dpl_hash_free(hash[i]);
    }
    dpl_vectors_close(v);
    test_ctx_done(ctx);
}

static dpl_status join_some(void *user, dpl_ctx *ctx, dpl_error *err)
{
    const uint64_t *words = user;
    dpl_codes *codes = NULL;
    dpl_buckets *buckets = NULL;
    dpl_status status = dpl_codes_from_buffer(&codes, ctx, words, 100, 2, err);
    if (status == DPL_OK)
        status = dpl_codes_join(&buckets, ctx, codes, NULL, NULL, err);
    dpl_buckets_close(buckets);
    buckets = NULL;
    if (status == DPL_OK)
        status = dpl_fingerprints_join(&buckets, ctx, words, 200, NULL, 0, 3, NULL, err);
    dpl_buckets_close(buckets);
    dpl_codes_close(codes);
    return status;
}

DPL_TEST(codes_join, failed_allocations_are_reported)
{
    uint64_t *words = draw_codes(100, 2, 20, 3);
    test_allocation_failures(join_some, words);
    free(words);
}
