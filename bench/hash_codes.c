/*
 * hash_codes.c - speed of similarity hashing: joins of fingerprints, codes of documents.
 *
 *     build/bench/hash_codes [ROWS]
 *
 * Fingerprints are random, a tenth of them near another; documents have 80 words of a
 * vocabulary of 30,000.
 */
#include <doppel/codes.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { RUNS = 5, WORDS = 80, VOCABULARY = 30000 };

static uint64_t state = 88172645463325252u;

static uint64_t draw(void)
{
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return state * 0x9E3779B97F4A7C15u;
}

static double seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void fail(const dpl_error *err)
{
    fprintf(stderr, "hash_codes: %s\n", err->text);
    exit(1);
}

static void join(dpl_ctx *ctx, uint32_t n)
{
    uint64_t *words = malloc(n * sizeof *words);
    for (uint32_t i = 0; i < n; i++)
        words[i] = draw();
    for (uint32_t i = 0; i < n / 10; i++) {
        uint64_t v = words[draw() % n];
        for (uint64_t k = draw() % 6; k > 0; k--)
            v ^= (uint64_t)1 << (draw() & 63);
        words[draw() % n] = v;
    }
    double best = 1e9;
    uint64_t n_pairs = 0;
    for (int run = 0; run < RUNS; run++) {
        dpl_error err = {0};
        dpl_buckets *buckets = NULL;
        const double began = seconds();
        if (dpl_fingerprints_join(&buckets, ctx, words, n, NULL, 0, 3, NULL, &err) != DPL_OK)
            fail(&err);
        const double took = seconds() - began;
        best = took < best ? took : best;
        n_pairs = dpl_buckets_get_summary(buckets)->n_shared;
        dpl_buckets_close(buckets);
    }
    printf("  fingerprints, radius 3, self-join   %8u rows  %8.3f s  %llu pairs\n", n, best,
           (unsigned long long)n_pairs);
    free(words);
}

static void make_codes(dpl_ctx *ctx, uint32_t n, const dpl_hash_options *o)
{
    static char text[VOCABULARY][12];
    static dpl_str names[VOCABULARY];
    uint64_t *offsets = malloc(((size_t)n + 1) * sizeof *offsets);
    uint32_t *terms = malloc((size_t)n * WORDS * sizeof *terms);
    float *weights = malloc((size_t)n * WORDS * sizeof *weights);
    for (uint32_t i = 0; i < VOCABULARY; i++) {
        const uint64_t x = i * (uint64_t)0x9E3779B1u;
        names[i].data = text[i];
        names[i].n = (size_t)snprintf(text[i], sizeof text[i], "%c%c%c%u", (int)('a' + x % 26),
                                      (int)('a' + x / 26 % 26), (int)('a' + x / 676 % 26), i);
    }
    for (uint32_t r = 0; r <= n; r++)
        offsets[r] = (uint64_t)r * WORDS;
    for (size_t i = 0; i < (size_t)n * WORDS; i++) { /* each word of a document once */
        terms[i] = (uint32_t)(draw() % (VOCABULARY / WORDS) * WORDS + i % WORDS);
        weights[i] = (float)(1 + draw() % 8);
    }
    dpl_error err = {0};
    dpl_csr_array array =
        DPL_INIT(dpl_csr_array, .n_rows = n, .n_terms = VOCABULARY, .offsets = offsets,
                 .terms = terms, .weights = weights, .term_names = names);
    dpl_vectors *v = NULL;
    dpl_hash *hash = NULL;
    if (dpl_vectors_from_csr(&v, ctx, &array, &err) != DPL_OK)
        fail(&err);
    dpl_hash_input input = DPL_INIT(dpl_hash_input, .vectors = v);
    if (dpl_hash_new(&hash, ctx, o, &input, &err) != DPL_OK)
        fail(&err);
    double best = 1e9;
    for (int run = 0; run < RUNS; run++) {
        dpl_codes *codes = NULL;
        const double began = seconds();
        if (dpl_codes_make(&codes, ctx, hash, &input, &err) != DPL_OK)
            fail(&err);
        const double took = seconds() - began;
        best = took < best ? took : best;
        dpl_codes_close(codes);
    }
    const dpl_hash_options *used = dpl_hash_get_info(hash).options;
    printf("  %-8s %3u codes of %3u             %8u rows  %8.0f k documents/s\n",
           dpl_hash_get_function_info(used->function)->name, used->codes, used->length, n,
           n / best / 1e3);
    dpl_hash_free(hash);
    dpl_vectors_close(v);
    free(weights);
    free(terms);
    free(offsets);
}

int main(int argc, char **argv)
{
    const uint32_t n = argc > 1 ? (uint32_t)strtoul(argv[1], NULL, 10) : 1000000;
    dpl_error err = {0};
    dpl_ctx *ctx = NULL;
    dpl_ctx_options o = DPL_INIT(dpl_ctx_options, .n_threads = 1);
    if (dpl_ctx_new(&ctx, &o, &err) != DPL_OK)
        fail(&err);
    printf("one core, core seconds, fastest of %d\n", RUNS);
    join(ctx, n);
    for (int f = DPL_HASH_RP; dpl_hash_get_function_info((dpl_hash_function)f); f++) {
        dpl_hash_options h = DPL_INIT(dpl_hash_options, .function = (dpl_hash_function)f);
        make_codes(ctx, n / 20, &h);
    }
    dpl_ctx_free(ctx);
    return 0;
}
