#include "base/hash.h"
#include "kernels/kernels.h"
#include "test.h"

#include <stdlib.h>

/* One call of hamming_mask: rows of `stride` words of which n_words are looked at. */
typedef struct setting {
    uint64_t seed;
    size_t n_queries, n_docs, n_words, stride;
    unsigned cut;
} setting;

static void *aligned(size_t n)
{
    void *p = aligned_alloc(64, (n + 64) / 64 * 64);
    CHECK(p != NULL);
    return p;
}

/* Documents like the queries in all but some bits, and others that are unlike. */
static void fill(uint64_t *queries, uint64_t *docs, const setting *s)
{
    dpl__rng rng = {dpl__mix(s->seed)};
    for (size_t i = 0; i < s->n_queries * s->stride; i++)
        queries[i] = dpl__rng_next(&rng);
    for (size_t d = 0; d < s->n_docs; d++) {
        uint64_t *doc = docs + d * s->stride;
        for (size_t i = 0; i < s->stride; i++)
            doc[i] = dpl__rng_next(&rng);
        if (s->n_queries == 0 || dpl__rng_below(&rng, 3) == 0)
            continue;
        memcpy(doc, queries + dpl__rng_below(&rng, s->n_queries) * s->stride, 8 * s->n_words);
        for (uint64_t n =
                 dpl__rng_below(&rng, dpl__min(2 * (uint64_t)s->cut + 2, 64 * s->n_words));
             n; n--)
            doc[dpl__rng_below(&rng, s->n_words)] ^= (uint64_t)1 << dpl__rng_below(&rng, 64);
    }
}

static unsigned naive_distance(const uint64_t *a, const uint64_t *b, size_t n_words)
{
    unsigned n = 0;
    for (size_t i = 0; i < n_words; i++)
        n += (unsigned)__builtin_popcountll(a[i] ^ b[i]);
    return n;
}

static void check_masks(const uint64_t *mask, const uint64_t *queries, const uint64_t *docs,
                        const setting *s, const char *level)
{
    for (size_t q = 0; q < s->n_queries; q++)
        for (size_t d = 0; d < DPL__HAMMING_DOCS; d++) {
            bool expected =
                d < s->n_docs && naive_distance(queries + q * s->stride, docs + d * s->stride,
                                                s->n_words) <= s->cut;
            if ((mask[8 * q + d / 64] >> d % 64 & 1) != expected)
                dpl__test_fail(
                    __FILE__, __LINE__,
                    "%s, seed %llu: query %zu, document %zu: expected %d; %zu x %zu, "
                    "%zu of %zu words, cut %u",
                    level, (unsigned long long)s->seed, q, d, expected, s->n_queries, s->n_docs,
                    s->n_words, s->stride, s->cut);
        }
}

static void check_setting(const setting *s)
{
    uint64_t *queries = aligned(8 * s->n_queries * s->stride);
    uint64_t *docs = aligned(8 * s->n_docs * s->stride);
    uint64_t *mask = aligned(64 * s->n_queries);
    void *scratch = aligned(dpl__hamming_scratch(s->n_words));
    fill(queries, docs, s);
    for (int cpu = DPL_CPU_SCALAR; cpu <= (int)dpl_cpu_best(); cpu++) {
        memset(mask, 0xA5, 64 * s->n_queries);
        const dpl__mask_rows rows = {queries,   docs,       s->n_queries,
                                     s->n_docs, s->n_words, s->stride};
        dpl__kernels_for((dpl_cpu)cpu)->hamming_mask(mask, scratch, &rows, s->cut);
        check_masks(mask, queries, docs, s, dpl_cpu_name((dpl_cpu)cpu));
    }
    free(queries);
    free(docs);
    free(mask);
    free(scratch);
}

DPL_TEST(hamming, masks_agree_with_the_naive_loop_at_every_level)
{
    for (uint64_t seed = 0; seed < 60; seed++) {
        dpl__rng rng = {dpl__mix(seed) + 1};
        setting s = {.seed = seed};
        s.n_queries = dpl__rng_below(&rng, seed % 4 ? 150 : 6);
        s.n_docs = dpl__rng_below(&rng, 4) ? dpl__rng_below(&rng, 513) : 512;
        s.n_words = 1 + dpl__rng_below(&rng, seed % 5 ? 20 : 50);
        s.stride = s.n_words + (seed % 3 ? 0 : dpl__rng_below(&rng, 5));
        s.cut = (unsigned)dpl__rng_below(&rng, 64 * s.n_words * (seed % 2 ? 1 : 2) / 2 + 1);
        check_setting(&s);
    }
}

/* More queries than have their counters in memory; rows of many words; next to no documents. */
DPL_TEST(hamming, masks_are_right_for_large_and_small_shapes)
{
    static const setting settings[] = {
        {1, 1100, 130, 2, 2, 50},     {2, 2049, 70, 1, 3, 24},  {3, 40, 90, 300, 300, 8000},
        {4, 17, 512, 129, 130, 4100}, {5, 200, 1, 16, 16, 409}, {6, 30, 33, 16, 16, 470},
    };
    for (size_t i = 0; i < DPL_LEN(settings); i++)
        check_setting(&settings[i]);
}

DPL_TEST(hamming, masks_are_right_at_the_ends_of_the_range_of_cuts)
{
    for (size_t n_words = 1; n_words <= 17; n_words += 8) {
        setting s = {.n_queries = 70, .n_docs = 300, .n_words = n_words, .stride = n_words};
        const unsigned bits = 64 * (unsigned)n_words,
                       cuts[] = {0, 1, bits / 2, bits - 1, bits, bits + 1, 4 * bits, ~0u};
        for (size_t i = 0; i < DPL_LEN(cuts); i++) {
            s.cut = cuts[i];
            s.seed = i;
            check_setting(&s);
        }
    }
}

DPL_TEST(hamming, distances_agree_at_every_length_and_level)
{
    dpl__rng rng = {5};
    uint64_t a[200], b[200];
    for (size_t n = 0; n < DPL_LEN(a); n++) {
        for (size_t i = 0; i < n; i++) {
            a[i] = dpl__rng_next(&rng);
            b[i] = dpl__rng_below(&rng, 4) ? dpl__rng_next(&rng) : ~a[i];
        }
        for (int cpu = DPL_CPU_SCALAR; cpu <= (int)dpl_cpu_best(); cpu++)
            CHECK_EQ(dpl__kernels_for((dpl_cpu)cpu)->hamming(a, b, n), naive_distance(a, b, n));
    }
}
