/*
 * pairs_window.c - how many comparisons a second does the window search make, beside brute
 * force over the same signatures?
 *
 *     build/bench/pairs-window [--rows N] [--tables Q] [--window B] [--bits D] [--threads N]
 *                              [--rounds N] [--first WORDS]
 *
 * Random signatures, one in a hundred with a near copy on the other side. A few tables are run
 * and taken for all: each costs the same. "ns" is CPU time of the process for one comparison of
 * two rows that are within the window (and on different sides); brute force is all pairs of
 * 512 rows with many others through the same kernel. The parts are measured alone.
 */
#define _POSIX_C_SOURCE 200809L
#include "pairs_window.h"
#include "base/ctx.h"
#include "base/hash.h"
#include "kernels/kernels.h"
#include "pairs/window.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static double cpu_seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

typedef struct bench {
    const window_bench *o;
    dpl_ctx *ctx;
    uint64_t *words;
    dpl__bits left, right;
    unsigned cut;
    double brute, order, search[2], wall[2]; /* ns; [is_self] */
    uint64_t n_compared[2], n_found[2];
} bench;

static void fail(const char *what)
{
    fprintf(stderr, "bench: %s\n", what);
    exit(1);
}

static void make_rows(bench *b)
{
    dpl__rng rng = {1};
    size_t n_words = b->o->n_bits / 64, n = b->o->n_rows;
    b->words = aligned_alloc(64, (n * n_words * 8 + 63) / 64 * 64);
    if (!b->words)
        fail("no memory");
    for (size_t i = 0; i < n * n_words; i++)
        b->words[i] = dpl__rng_next(&rng);
    uint32_t half = (uint32_t)(n / 2);
    b->left = (dpl__bits){half, (uint32_t)n_words, b->words};
    b->right = (dpl__bits){(uint32_t)n - half, (uint32_t)n_words, b->words + half * n_words};
    for (size_t i = 0; i < half / 100; i++) {
        uint64_t *to = b->words + (half + dpl__rng_below(&rng, n - half)) * n_words;
        memcpy(to, b->words + dpl__rng_below(&rng, half) * n_words, n_words * 8);
        for (size_t k = dpl__rng_below(&rng, b->o->n_bits / 3); k; k--) {
            uint64_t bit = dpl__rng_below(&rng, b->o->n_bits);
            to[bit / 64] ^= (uint64_t)1 << bit % 64;
        }
    }
}

/* ns per pair of hamming_mask over 512 documents and many queries. */
static double time_brute(const bench *b)
{
    enum { QUERIES = 1 << 14, BLOCKS = 8 };
    size_t n_words = b->left.n_words, words = b->o->first_words ? b->o->first_words : n_words;
    size_t n = dpl__min(QUERIES, b->left.n_rows);
    uint64_t *mask = malloc(n * 64);
    void *scratch = aligned_alloc(64, (dpl__hamming_scratch(n_words) + 63) / 64 * 64);
    if (!mask || !scratch)
        fail("no memory");
    double begin = cpu_seconds();
    for (size_t block = 0; block < BLOCKS; block++)
        b->ctx->kernels->hamming_mask(mask, scratch, b->left.words, n,
                                      b->right.words + block * 512 * n_words, 512, words,
                                      n_words, b->cut);
    double ns = (cpu_seconds() - begin) * 1e9 / (double)(n * 512 * BLOCKS);
    free(scratch);
    free(mask);
    return ns;
}

/* ns per row of keys and sort. */
static double time_order(const bench *b, dpl__spill *spill)
{
    dpl__table_rows rows = {&b->left, &b->right, b->left.n_rows + b->right.n_rows,
                            b->left.n_words};
    dpl__columns *columns = NULL;
    dpl__order *order = NULL;
    if (dpl__columns_new(&columns, b->ctx, &rows, NULL) != DPL_OK ||
        dpl__order_new(&order, spill, &rows, columns, SIZE_MAX / 2, false, NULL) != DPL_OK)
        fail("no memory");
    double begin = cpu_seconds();
    for (unsigned t = 0; t < b->o->n_tables; t++)
        dpl__order_sort(order, 1, t, NULL);
    double ns = (cpu_seconds() - begin) * 1e9 / b->o->n_tables / rows.n;
    dpl__order_free(order);
    dpl__columns_free(columns);
    return ns;
}

static dpl_status take(void *user, const dpl__candidate *c, size_t n, dpl_error *err)
{
    (void)c, (void)err;
    *(uint64_t *)user += n;
    return DPL_OK;
}

static void time_search(bench *b, bool is_self, dpl__spill *spill)
{
    dpl__bits all = b->left;
    if (is_self)
        all.n_rows += b->right.n_rows;
    dpl_window window = {.n_tables = b->o->n_tables, .size = b->o->window, .chunk = UINT64_MAX};
    dpl__cuts cuts = {.cut = b->cut};
    if (b->o->first_words)
        cuts = (dpl__cuts){b->cut, b->o->first_words, b->o->first_words * 64 * 2 / 5};
    b->n_found[is_self] = 0;
    dpl__candidate_sink sink = {&b->n_found[is_self], take};
    dpl_error err = {0};
    double begin = cpu_seconds(), wall = dpl__now();
    if (dpl__window_search(b->ctx, &all, is_self ? NULL : &b->right, is_self, &window, &cuts, 1,
                           spill, &sink, &b->n_compared[is_self], &err) != DPL_OK)
        fail(err.text);
    double n = (double)b->n_compared[is_self];
    double ns = (cpu_seconds() - begin) * 1e9 / n, wall_ns = (dpl__now() - wall) * 1e9 / n;
    if (b->search[is_self] == 0 || ns < b->search[is_self])
        b->search[is_self] = ns;
    if (b->wall[is_self] == 0 || wall_ns < b->wall[is_self])
        b->wall[is_self] = wall_ns;
}

static void print(const bench *b)
{
    printf("window: %zu rows of %u bits, B = %u, %u of 300 tables, %u threads, %s\n",
           b->o->n_rows, b->o->n_bits, b->o->window, b->o->n_tables, dpl_ctx_threads(b->ctx),
           dpl_cpu_name(dpl_ctx_cpu(b->ctx)));
    printf("  %-34s %8.3f core-ns\n", "brute force, a pair", b->brute);
    printf("  %-34s %8.2f core-ns\n", "keys and sort, a row", b->order);
    for (int s = 0; s < 2; s++) {
        double per_row = (double)b->n_compared[s] / b->o->n_tables / (double)b->o->n_rows;
        printf("  %-34s %8.3f core-ns %8.3f wall-ns  %+.1f %% (keys and sort %.1f %%), "
               "300 tables: %.0f s; %llu found\n",
               s ? "within one set, a comparison" : "two sides, a comparison", b->search[s],
               b->wall[s], 100 * (b->search[s] / b->brute - 1),
               100 * b->order / per_row / b->search[s],
               b->wall[s] * 1e-9 * (double)b->n_compared[s] / b->o->n_tables * 300,
               (unsigned long long)b->n_found[s]);
    }
}

void bench_window(const window_bench *o)
{
    bench b = {.o = o, .cut = o->n_bits * 2 / 5};
    dpl_ctx_options options = {.n_threads = o->n_threads, .cpu = o->cpu, .memory = o->memory};
    dpl__spill spill;
    dpl_error err = {0};
    if (dpl_ctx_new(&b.ctx, &options, &err) != DPL_OK ||
        dpl__spill_init(&spill, b.ctx, "/tmp", &err) != DPL_OK)
        fail(err.text);
    make_rows(&b);
    for (unsigned round = 0; round < o->n_rounds; round++) {
        double ns = time_brute(&b);
        b.brute = round && b.brute < ns ? b.brute : ns;
        ns = time_order(&b, &spill);
        b.order = round && b.order < ns ? b.order : ns;
        time_search(&b, false, &spill);
        time_search(&b, true, &spill);
    }
    print(&b);
    free(b.words);
    dpl__spill_clear(&spill);
    dpl_ctx_free(b.ctx);
}

int main(int argc, char **argv)
{
    window_bench o = {.n_rows = 1000000,
                      .n_bits = 1024,
                      .n_tables = 2,
                      .window = 2000,
                      .n_threads = 1,
                      .n_rounds = 2};
    for (int i = 1; i + 1 < argc; i += 2) {
        unsigned long long value = strtoull(argv[i + 1], NULL, 10);
        if (strcmp(argv[i], "--rows") == 0)
            o.n_rows = value;
        else if (strcmp(argv[i], "--bits") == 0)
            o.n_bits = (unsigned)value;
        else if (strcmp(argv[i], "--tables") == 0)
            o.n_tables = (unsigned)value;
        else if (strcmp(argv[i], "--window") == 0)
            o.window = (unsigned)value;
        else if (strcmp(argv[i], "--threads") == 0)
            o.n_threads = (unsigned)value;
        else if (strcmp(argv[i], "--rounds") == 0)
            o.n_rounds = (unsigned)value;
        else if (strcmp(argv[i], "--first") == 0)
            o.first_words = (unsigned)value;
        else if (strcmp(argv[i], "--memory") == 0)
            o.memory = value << 20;
        else if (strcmp(argv[i], "--cpu") != 0 || !dpl_cpu_parse(&o.cpu, argv[i + 1]))
            fail("unknown option");
    }
    bench_window(&o);
    return 0;
}
