#include "base/hash.h"
#include "kernels/kernels.h"
#include "test.h"

#include <stdlib.h>

/* A call of hamming_turned: documents of two blocks. */
typedef struct setting {
    uint64_t seed;
    size_t n_queries, n_docs[2], n_words, stride, step;
    unsigned cut;
    bool has_next;
    uint16_t turns[512];
} setting;

static void *aligned(size_t n)
{
    void *p = aligned_alloc(64, (n + 64) / 64 * 64);
    CHECK(p != NULL);
    return p;
}

static setting random_setting(uint64_t seed)
{
    dpl__rng rng = {dpl__mix(seed) + 7};
    setting s = {.seed = seed, .has_next = seed % 5 != 0};
    s.n_queries = dpl__rng_below(&rng, seed % 4 ? 400 : 20);
    for (int i = 0; i < 2; i++)
        s.n_docs[i] = dpl__rng_below(&rng, 3) ? 512 : 1 + dpl__rng_below(&rng, 512);
    s.n_words = 1 + dpl__rng_below(&rng, 20);
    s.stride = s.n_words + dpl__rng_below(&rng, 3);
    s.step = 1 + dpl__rng_below(&rng, seed % 3 ? 100 : 600);
    s.cut = (unsigned)dpl__rng_below(&rng, 32 * s.n_words + 1);
    size_t turn = dpl__rng_below(&rng, 100);
    for (size_t i = 0; i < DPL_LEN(s.turns); i++) {
        s.turns[i] = (uint16_t)turn;
        turn = dpl__min(turn + dpl__rng_below(&rng, 200), 512);
    }
    return s;
}

/* Rows near a few others, so that about half of the pairs pass. */
static void fill(uint64_t *rows, size_t n, const setting *s, dpl__rng *rng)
{
    for (size_t i = 0; i < n; i++)
        for (size_t w = 0; w < s->stride; w++) {
            dpl__rng center = {s->seed + 1000 * dpl__rng_below(rng, 3) + w};
            rows[i * s->stride + w] =
                dpl__rng_next(&center) ^ (dpl__rng_next(rng) & dpl__rng_next(rng));
        }
}

static void check_masks(const uint64_t *mask, const uint64_t *queries,
                        const dpl__hamming_block blocks[2], const setting *s, const char *level)
{
    for (size_t q = 0; q < s->n_queries; q++)
        for (size_t d = 0; d < DPL__HAMMING_DOCS; d++) {
            const dpl__hamming_block *b =
                &blocks[s->has_next && d < s->turns[q / s->step] ? 1 : 0];
            bool expected = d < b->n_docs &&
                            dpl__kernels_for(DPL_CPU_SCALAR)
                                    ->hamming(queries + q * s->stride, b->docs + d * s->stride,
                                              s->n_words) <= s->cut;
            if ((mask[8 * q + d / 64] >> d % 64 & 1) != expected)
                dpl__test_fail(__FILE__, __LINE__,
                               "%s, seed %llu: query %zu, document %zu: expected %d", level,
                               (unsigned long long)s->seed, q, d, expected);
        }
}

DPL_TEST(hamming_turned, agrees_with_the_naive_loop_at_every_level)
{
    for (uint64_t seed = 0; seed < 60; seed++) {
        const setting s = random_setting(seed);
        dpl__rng rng = {dpl__mix(seed)};
        uint64_t *queries = aligned(8 * s.n_queries * s.stride);
        uint64_t *mask = aligned(64 * s.n_queries);
        void *scratch = aligned(dpl__hamming_scratch(s.n_words));
        uint64_t *docs[2];
        void *turned[2];
        dpl__hamming_block blocks[2];
        fill(queries, s.n_queries, &s, &rng);
        for (int i = 0; i < 2; i++) {
            docs[i] = aligned(8 * s.n_docs[i] * s.stride);
            turned[i] = aligned(dpl__hamming_turned(s.n_words));
            fill(docs[i], s.n_docs[i], &s, &rng);
            blocks[i] = (dpl__hamming_block){docs[i], s.n_docs[i], turned[i]};
        }
        for (int cpu = DPL_CPU_SCALAR; cpu <= (int)dpl_cpu_best(); cpu++) {
            const dpl__kernels *k = dpl__kernels_for((dpl_cpu)cpu);
            for (int i = 0; i < 2; i++)
                k->hamming_turn(turned[i], docs[i], s.n_docs[i], s.n_words, s.stride);
            memset(mask, 0xA5, 64 * s.n_queries);
            const dpl__mask_rows rows = {.queries = queries,
                                         .n_queries = s.n_queries,
                                         .n_words = s.n_words,
                                         .stride = s.stride};
            const dpl__hamming_turns turns = {&blocks[0], s.has_next ? &blocks[1] : NULL,
                                              s.turns, s.step};
            k->hamming_turned(mask, scratch, &rows, &turns, s.cut);
            check_masks(mask, queries, blocks, &s, dpl_cpu_name((dpl_cpu)cpu));
        }
        for (int i = 0; i < 2; i++) {
            free(docs[i]);
            free(turned[i]);
        }
        free(scratch);
        free(mask);
        free(queries);
    }
}

DPL_TEST(hamming_few, agrees_with_the_naive_loop_at_every_level)
{
    for (uint64_t seed = 0; seed < 200; seed++) {
        setting s = random_setting(seed);
        dpl__rng rng = {dpl__mix(seed)};
        if (seed % 3 == 0)
            s.n_words = s.stride = 8 * (1 + seed % 3);
        size_t n_docs = dpl__rng_below(&rng, 65);
        uint64_t *query = aligned(8 * s.stride), *docs = aligned(8 * n_docs * s.stride);
        fill(query, 1, &s, &rng);
        fill(docs, n_docs, &s, &rng);
        uint64_t want = dpl__kernels_for(DPL_CPU_SCALAR)
                            ->hamming_few(query, docs, n_docs, s.n_words, s.stride, s.cut);
        for (size_t d = 0; d < 64; d++)
            CHECK_EQ(want >> d & 1, d < n_docs && dpl__kernels_for(DPL_CPU_SCALAR)
                                                          ->hamming(query, docs + d * s.stride,
                                                                    s.n_words) <= s.cut);
        for (int cpu = DPL_CPU_SSE42; cpu <= (int)dpl_cpu_best(); cpu++)
            CHECK(dpl__kernels_for((dpl_cpu)cpu)
                      ->hamming_few(query, docs, n_docs, s.n_words, s.stride, s.cut) == want);
        free(docs);
        free(query);
    }
}
