/*
 * pairs_window.c - how many comparisons a second does the window search make, beside brute
 * force over the same signatures?
 *
 *     build/bench/pairs-window [--rows N] [--tables Q] [--window B] [--bits D] [--threads N]
 *                              [--first WORDS] [--cpu LEVEL] [--memory MIB]
 *
 * Random signatures, one in a hundred with a near copy on the other side. "core-ns" is CPU time
 * for one comparison of two rows that are within the window (and on different sides). Machines
 * are shared, so the parts are measured in short pieces, in turns, and the fastest piece
 * counts: keys and sort of a table; gathering and comparing a chunk; brute force, which is 512
 * rows and 4096 others through the same kernel. After that the whole search is run over a few
 * tables, by the clock.
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

typedef struct bench {
    const window_bench *o;
    dpl_ctx *ctx;
    dpl__spill spill;
    uint64_t *words;
    dpl__bits left, right;
    dpl__cuts cuts;
    double brute, order; /* ns for a pair, for a row */
} bench;

enum { MOST_PIECES = 4096 };

/* One of two sides and within one set. */
typedef struct figures {
    double chunk;      /* ns for a comparison */
    double ratio;      /* to brute force */
    double n_compared; /* in one table */
    double seconds, core_seconds;
    uint64_t n_found;
} figures;

static double core_seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void keep_least(double *least, double x)
{
    if (*least == 0 || x < *least)
        *least = x;
}

static void fail(const char *what)
{
    fprintf(stderr, "bench: %s\n", what);
    exit(1);
}

static void must(dpl_status status, const dpl_error *err)
{
    if (status != DPL_OK)
        fail(err->text);
}

static void *must_have(void *p)
{
    if (!p)
        fail("no memory");
    return p;
}

static void make_rows(bench *b)
{
    dpl__rng rng = {1};
    size_t n_words = b->o->n_bits / 64, n = b->o->n_rows, half = n / 2;
    b->words = must_have(aligned_alloc(64, (n * n_words * 8 + 63) / 64 * 64));
    for (size_t i = 0; i < n * n_words; i++)
        b->words[i] = dpl__rng_next(&rng);
    b->left = (dpl__bits){(uint32_t)half, (uint32_t)n_words, b->words};
    b->right = (dpl__bits){(uint32_t)(n - half), (uint32_t)n_words, b->words + half * n_words};
    for (size_t i = 0; i < half / 100; i++) {
        uint64_t *to = b->words + (half + dpl__rng_below(&rng, n - half)) * n_words;
        memcpy(to, b->words + dpl__rng_below(&rng, half) * n_words, n_words * 8);
        for (size_t k = dpl__rng_below(&rng, b->o->n_bits / 3); k; k--) {
            uint64_t bit = dpl__rng_below(&rng, b->o->n_bits);
            to[bit / 64] ^= (uint64_t)1 << bit % 64;
        }
    }
}

/* ---- parts -------------------------------------------------------------------------- */

static dpl_status take(void *user, const dpl__candidate *c, size_t n, dpl_error *err)
{
    (void)c, (void)err;
    *(uint64_t *)user += n;
    return DPL_OK;
}

/* ns for a pair, over some n_pairs. */
static double time_brute(bench *b, double n_pairs)
{
    dpl__bits left = b->left, right = b->right;
    left.n_rows = (uint32_t)dpl__min(8 * DPL__HAMMING_DOCS, left.n_rows);
    right.n_rows = (uint32_t)dpl__min((size_t)(n_pairs / left.n_rows) + 1, right.n_rows);
    uint64_t n_found = 0, n_done = 0;
    dpl__candidate_sink sink = {&n_found, take};
    dpl_error err = {0};
    double begin = core_seconds();
    must(dpl__brute(b->ctx, &left, &right, false, &b->cuts, &sink, &n_done, &err), &err);
    double ns = (core_seconds() - begin) * 1e9 / (double)n_done;
    keep_least(&b->brute, ns);
    return ns;
}

static int compare_doubles(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static void time_parts(bench *b, figures *f, const dpl__table_rows *rows)
{
    enum { CHUNK = 1 << 16 };
    dpl__columns *columns = NULL;
    dpl__order *order = NULL;
    dpl__candidates *found = NULL;
    dpl__detector *detector = NULL;
    dpl_error err = {0};
    must(dpl__columns_new(&columns, b->ctx, rows, &err), &err);
    must(dpl__order_new(&order, &b->spill, rows, columns, SIZE_MAX / 2, true, &err), &err);
    must(dpl__candidates_new(&found, &b->spill, 1 << 24, &err), &err);
    must(dpl__detector_new(&detector, b->ctx, rows, &b->cuts, b->o->window, CHUNK, NULL, found,
                           &err),
         &err);
    uint32_t *numbers = must_have(malloc(CHUNK * sizeof *numbers));
    double ratios[MOST_PIECES];
    size_t n_ratios = 0;
    for (unsigned t = 0; t < b->o->n_tables; t++) {
        double begin = core_seconds();
        must(dpl__order_sort(order, 1, t, &err), &err);
        keep_least(&b->order, (core_seconds() - begin) * 1e9 / rows->n);
        size_t n_old = 0;
        for (size_t at = 0; at + CHUNK - n_old <= rows->n; at += CHUNK - n_old) {
            must(dpl__order_next(order, numbers + n_old, CHUNK - n_old, &err), &err);
            dpl__chunk chunk = {t, numbers, CHUNK, n_old};
            uint64_t n = 0;
            begin = core_seconds();
            must(dpl__detect_chunk(detector, &chunk, &n, &err), &err);
            double ns = (core_seconds() - begin) * 1e9 / (double)n;
            keep_least(&f->chunk, ns);
            if (n_ratios < MOST_PIECES)
                ratios[n_ratios++] = ns / time_brute(b, (double)n);
            n_old = b->o->window;
            memmove(numbers, numbers + CHUNK - n_old, n_old * sizeof *numbers);
        }
    }
    qsort(ratios, n_ratios, sizeof *ratios, compare_doubles);
    f->ratio = n_ratios ? ratios[n_ratios / 2] : 0;
    free(numbers);
    dpl__detector_free(detector);
    dpl__candidates_free(found);
    dpl__order_free(order);
    dpl__columns_free(columns);
}

/* ---- the whole ---------------------------------------------------------------------- */

static void time_search(bench *b, figures *f, const dpl__table_rows *rows)
{
    dpl_window window = {.n_tables = b->o->n_tables, .size = b->o->window, .chunk = UINT64_MAX};
    dpl__candidate_sink sink = {&f->n_found, take};
    dpl_error err = {0};
    uint64_t n_compared = 0;
    double seconds = dpl__now(), core = core_seconds();
    must(dpl__window_search(b->ctx, rows->left, rows->right, !rows->right, &window, &b->cuts, 1,
                            &b->spill, &sink, &n_compared, &err),
         &err);
    f->seconds = dpl__now() - seconds;
    f->core_seconds = core_seconds() - core;
    f->n_compared = (double)n_compared / b->o->n_tables;
}

static void print(const bench *b, const figures *f, const char *name)
{
    double order = b->order * (double)b->o->n_rows / f->n_compared;
    double n = f->n_compared * b->o->n_tables;
    printf("  %s\n", name);
    printf("    %-38s %8.3f core-ns  %+6.1f %%\n", "a comparison in a chunk", f->chunk,
           100 * (f->ratio - 1));
    printf("    %-38s %8.3f core-ns  %+6.1f %%\n", "keys and sort, a comparison", order,
           100 * order / b->brute);
    printf("    %-38s %8.3f core-ns  %8.3f wall-ns\n", "the whole search, a comparison",
           f->core_seconds * 1e9 / n, f->seconds * 1e9 / n);
    printf("    %-38s %8.0f s; %llu pairs found in %u\n", "300 tables would take",
           f->seconds / b->o->n_tables * 300, (unsigned long long)f->n_found, b->o->n_tables);
}

void bench_window(const window_bench *o)
{
    bench b = {.o = o, .cuts = {.cut = o->n_bits * 2 / 5}};
    if (o->first_words)
        b.cuts = (dpl__cuts){o->n_bits * 2 / 5, o->first_words, o->first_words * 64 * 2 / 5};
    dpl_ctx_options options = {.n_threads = o->n_threads, .cpu = o->cpu, .memory = o->memory};
    dpl_error err = {0};
    must(dpl_ctx_new(&b.ctx, &options, &err), &err);
    must(dpl__spill_init(&b.spill, b.ctx, "/tmp", &err), &err);
    make_rows(&b);
    dpl__bits all = {(uint32_t)o->n_rows, b.left.n_words, b.words};
    const dpl__table_rows rows[2] = {{&b.left, &b.right, all.n_rows, all.n_words},
                                     {&all, NULL, all.n_rows, all.n_words}};
    figures f[2] = {{0}};
    for (int i = 0; i < 2; i++)
        time_parts(&b, &f[i], &rows[i]);
    for (int i = 0; i < 2; i++)
        time_search(&b, &f[i], &rows[i]);
    printf("window: %zu rows of %u bits, B = %u, %u tables, %u threads, %s\n", o->n_rows,
           o->n_bits, o->window, o->n_tables, dpl_ctx_threads(b.ctx),
           dpl_cpu_name(dpl_ctx_cpu(b.ctx)));
    printf("    %-38s %8.3f core-ns\n", "brute force, a pair", b.brute);
    printf("    %-38s %8.2f core-ns\n", "keys and sort, a row", b.order);
    print(&b, &f[0], "two sides");
    print(&b, &f[1], "within one set");
    free(b.words);
    dpl__spill_clear(&b.spill);
    dpl_ctx_free(b.ctx);
}

int main(int argc, char **argv)
{
    window_bench o = {
        .n_rows = 1000000, .n_bits = 1024, .n_tables = 3, .window = 2000, .n_threads = 2};
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
