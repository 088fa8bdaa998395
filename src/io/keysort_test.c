#include "io/keysort.h"

#include "base/hash.h"
#include "test.h"

#include <stdlib.h>

enum { MOST = 40000, MOST_BYTES = 20 };

static int compare(const void *a, const void *b)
{
    const dpl__key *x = a, *y = b;
    const int order = dpl__str_cmp((dpl_str){x->data, x->n}, (dpl_str){y->data, y->n});
    return order ? order : x->index < y->index ? -1 : x->index > y->index;
}

/* Strings of few different bytes, zeros among them, so that many are equal or begin alike. */
static void check_sort(dpl_ctx *ctx, uint64_t seed)
{
    static char bytes[MOST * MOST_BYTES];
    static dpl__key keys[MOST], scratch[MOST], expected[MOST];
    dpl__rng rng = {seed};
    const size_t n = dpl__rng_below(&rng, 2) ? dpl__rng_below(&rng, MOST) : seed % 40,
                 n_letters = 1 + dpl__rng_below(&rng, 40),
                 n_longest = 1 + dpl__rng_below(&rng, MOST_BYTES);
    for (size_t i = 0; i < n; i++) {
        char *s = bytes + i * MOST_BYTES;
        const size_t length = dpl__rng_below(&rng, n_longest + 1);
        for (size_t k = 0; k < length; k++)
            s[k] = (char)(7 * dpl__rng_below(&rng, n_letters));
        keys[i] = dpl__key_of((dpl_str){s, length}, (uint32_t)i);
    }
    if (n)
        memcpy(expected, keys, n * sizeof *keys);
    qsort(expected, n, sizeof *expected, compare);
    CHECK_OK(dpl__sort_keys(ctx, keys, scratch, n, &test_err));
    for (size_t i = 0; i < n; i++) {
        CHECK_EQ(keys[i].index, expected[i].index);
        CHECK(i == 0 || dpl__key_equal(&keys[i - 1], &keys[i]) ==
                            dpl__str_eq((dpl_str){keys[i - 1].data, keys[i - 1].n},
                                        (dpl_str){keys[i].data, keys[i].n}));
    }
}

DPL_TEST(keysort, agrees_with_a_plain_sort_on_any_number_of_threads)
{
    for (unsigned n_threads = 1; n_threads <= 3; n_threads++) {
        dpl_ctx *ctx = test_ctx(n_threads);
        for (uint64_t seed = 1; seed <= 40; seed++)
            check_sort(ctx, seed);
        test_ctx_done(ctx);
    }
}
