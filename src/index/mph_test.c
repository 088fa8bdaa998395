#include "index/mph.h"

#include "base/ctx.h"
#include "test.h"

#include <stdlib.h>

static uint64_t *make_keys(size_t n, uint64_t seed)
{
    uint64_t *keys = malloc((n + 1) * sizeof *keys);
    for (size_t i = 0; i < n; i++)
        keys[i] = dpl__mix(i + seed);
    return keys;
}

/* m points into the bytes. */
typedef struct function {
    dpl__mph m;
    uint8_t *bytes;
    size_t n_bytes;
} function;

static function make_function(dpl_ctx *ctx, const uint64_t *keys, size_t n)
{
    function f;
    CHECK_OK(dpl__mph_make(&f.bytes, &f.n_bytes, ctx, keys, n, &test_err));
    CHECK(!dpl__mph_open(&f.m, f.bytes, f.n_bytes));
    CHECK_EQ(f.m.n_keys, n);
    return f;
}

static void check_function(dpl_ctx *ctx, size_t n)
{
    uint64_t *keys = make_keys(n, 7), *many = malloc((n + 1) * sizeof *many);
    uint8_t *seen = calloc(n + 1, 1);
    function f = make_function(ctx, keys, n);
    if (n)
        dpl__mph_get_many(&f.m, keys, n, many);
    for (size_t i = 0; i < n; i++) {
        const uint64_t number = dpl__mph_get(&f.m, keys[i]);
        CHECK(number < n);
        CHECK(!seen[number]++);
        CHECK(many[i] == number);
    }
    for (uint64_t i = 0; n && i < 1000; i++)
        CHECK(dpl__mph_get(&f.m, i) < n);
    dpl__free(ctx, f.bytes);
    free(seen);
    free(many);
    free(keys);
}

DPL_TEST(mph, every_key_has_a_number_of_its_own)
{
    dpl_ctx *ctx = test_ctx(2);
    static const size_t sizes[] = {0,   1,   2,    3,    4,     5,     7,      16,    63,
                                   100, 999, 1000, 9999, 10000, 49999, 100000, 250001};
    for (size_t i = 0; i < DPL_LEN(sizes); i++)
        check_function(ctx, sizes[i]);
    test_ctx_done(ctx);
}

DPL_TEST(mph, small_sets_of_many_seeds_work)
{
    dpl_ctx *ctx = test_ctx(1);
    for (uint64_t seed = 0; seed < 300; seed++) {
        const size_t n = (size_t)(seed % 60);
        uint64_t *keys = make_keys(n, seed << 32), sum = 0;
        function f = make_function(ctx, keys, n);
        for (size_t i = 0; i < n; i++)
            sum += dpl__mph_get(&f.m, keys[i]);
        CHECK_EQ(sum, n ? n * (n - 1) / 2 : 0);
        dpl__free(ctx, f.bytes);
        free(keys);
    }
    test_ctx_done(ctx);
}

DPL_TEST(mph, takes_two_and_a_half_bits_of_a_key)
{
    dpl_ctx *ctx = test_ctx(2);
    const size_t n = 400000;
    uint64_t *keys = make_keys(n, 1);
    function f = make_function(ctx, keys, n);
    CHECK(8.0 * (double)f.n_bytes / (double)n < 2.6);
    dpl__free(ctx, f.bytes);
    free(keys);
    test_ctx_done(ctx);
}

DPL_TEST(mph, is_the_same_for_any_number_of_threads)
{
    const size_t n = 230000;
    uint64_t *keys = make_keys(n, 3);
    uint8_t *bytes[2];
    size_t n_bytes[2];
    dpl_ctx *ctx[2];
    for (unsigned i = 0; i < 2; i++) {
        ctx[i] = test_ctx(i ? 3 : 1);
        CHECK_OK(dpl__mph_make(&bytes[i], &n_bytes[i], ctx[i], keys, n, &test_err));
    }
    CHECK_EQ(n_bytes[0], n_bytes[1]);
    CHECK(memcmp(bytes[0], bytes[1], n_bytes[0]) == 0);
    for (unsigned i = 0; i < 2; i++) {
        dpl__free(ctx[i], bytes[i]);
        test_ctx_done(ctx[i]);
    }
    free(keys);
}

DPL_TEST(mph, keys_that_are_the_same_are_refused)
{
    dpl_ctx *ctx = test_ctx(1);
    uint64_t keys[] = {5, 9, 12, 5};
    uint8_t *bytes;
    size_t n_bytes;
    CHECK_EQ(dpl__mph_make(&bytes, &n_bytes, ctx, keys, DPL_LEN(keys), &test_err), DPL_E_USAGE);
    CHECK(!bytes && !n_bytes);
    test_ctx_done(ctx);
}

/* Whatever the bytes are, numbers stay below n, and nothing outside is read. */
DPL_TEST(mph, damaged_bytes_stay_inside)
{
    dpl_ctx *ctx = test_ctx(1);
    const size_t n = 3000;
    uint64_t *keys = make_keys(n, 11);
    uint8_t *bytes;
    size_t n_bytes;
    CHECK_OK(dpl__mph_make(&bytes, &n_bytes, ctx, keys, n, &test_err));
    dpl__rng rng = {42};
    for (size_t k = 0; k < n_bytes; k += 37) {
        dpl__mph m;
        CHECK(dpl__mph_open(&m, bytes, k) != NULL);
    }
    for (int round = 0; round < 3000; round++) {
        uint8_t *copy = malloc(n_bytes); /* of its own, so that sanitizers see the end */
        dpl__mph m;
        memcpy(copy, bytes, n_bytes);
        for (int f = 0; f < 3; f++)
            copy[dpl__rng_below(&rng, round % 2 ? n_bytes : 64)] ^=
                (uint8_t)(1u << dpl__rng_below(&rng, 8));
        if (!dpl__mph_open(&m, copy, n_bytes) && m.n_keys)
            for (uint64_t i = 0; i < 50; i++)
                CHECK(dpl__mph_get(&m, dpl__rng_next(&rng)) < m.n_keys);
        free(copy);
    }
    dpl__free(ctx, bytes);
    free(keys);
    test_ctx_done(ctx);
}

static dpl_status build_some(void *user, dpl_ctx *ctx, dpl_error *err)
{
    uint8_t *bytes;
    size_t n_bytes;
    const dpl_status status = dpl__mph_make(&bytes, &n_bytes, ctx, user, 500, err);
    dpl__free(ctx, bytes);
    return status;
}

DPL_TEST(mph, survives_every_failing_allocation)
{
    uint64_t *keys = make_keys(500, 2);
    test_allocation_failures(build_some, keys);
    free(keys);
}
