/*
 * table1.c - Table 1 of "No Free Lunch": how far do signatures miss the cosine?
 *
 *     build/bench/table1 V.dpl
 *
 * Of 1064 rows of V.dpl, spread evenly: the mean absolute difference of true and estimated
 * cosine over all pairs, those above 0.1 and above 0.2; the estimate as it is and, for all
 * pairs, never below 0, as rows without negative weights allow. Lengths that are no multiple of
 * 64 are rounded up; the multiple below is printed as well. Means over four seeds. Time is CPU
 * time per signature on one thread, over all rows of the file. The paper's figures stand
 * beside.
 *
 * Then the same for short rows, 1024 bits: pairs of n terms of one document, some of them
 * shared, against hyperplanes of Gaussian numbers and of signs.
 */
#include "doppel/doppel.h"

#include "base/hash.h"
#include "vectors/vectors.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { SAMPLE = 1064, SEEDS = 4 };

static const double PI = 3.14159265358979323846;

static void fail(const char *what)
{
    fprintf(stderr, "table1: %s\n", what);
    exit(1);
}

static void *need(void *p)
{
    if (!p)
        fail("out of memory");
    return p;
}

static double cpu_seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static dpl_ctx *new_ctx(uint64_t seed)
{
    dpl_ctx *ctx = NULL;
    dpl_error err = {0};
    if (dpl_ctx_new(&ctx,
                    &(dpl_ctx_options)DPL_INIT(dpl_ctx_options, .n_threads = 1, .seed = seed),
                    &err) != DPL_OK)
        fail(err.text);
    return ctx;
}

static dpl_signatures *sign(dpl_ctx *ctx, const dpl_vectors *v, const dpl_sign_options *o)
{
    dpl_signatures *s = NULL;
    dpl_error err = {0};
    if (dpl_signatures_make(&s, ctx, v, o, &err) != DPL_OK)
        fail(err.text);
    return s;
}

/* ---- Table 1 ------------------------------------------------------------------------ */

typedef struct row {
    dpl_sign_method method;
    unsigned asked, n;
    double paper[3]; /* 0: the paper has none */
} row;

static const row rows[] = {
    {DPL_SIGN_MINHASH, 2, 2, {0.061, 0.168, 0.215}},
    {DPL_SIGN_SIMHASH, 64, 64, {0.236, 0.299, 0.273}},
    {DPL_SIGN_SIMHASH, 128, 128, {0}},
    {DPL_SIGN_RP, 64, 64, {0.154, 0.152, 0.123}},
    {DPL_SIGN_RP, 100, 128, {0.124, 0.122, 0.101}},
    {DPL_SIGN_RP, 192, 192, {0}},
    {DPL_SIGN_RP, 200, 256, {0.088, 0.086, 0.069}},
    {DPL_SIGN_RP, 448, 448, {0}},
    {DPL_SIGN_RP, 500, 512, {0.056, 0.055, 0.045}},
    {DPL_SIGN_RP, 960, 960, {0}},
    {DPL_SIGN_RP, 1000, 1024, {0.040, 0.039, 0.033}},
    {DPL_SIGN_RP8, 320, 320, {0}},
    {DPL_SIGN_RP8, 384, 384, {0}},
    {DPL_SIGN_RP8, 416, 448, {0}},
    {DPL_SIGN_MINHASH, 31, 31, {0.050, 0.056, 0.075}},
    {DPL_SIGN_MINHASH, 32, 32, {0}},
    {DPL_SIGN_MINHASH, 128, 128, {0}},
};

typedef struct sample {
    const dpl_vectors *v;
    uint32_t rows[SAMPLE];
    float *cosines; /* of all pairs */
    uint32_t n;
} sample;

static void take_sample(sample *s, const dpl_vectors *v)
{
    uint32_t n_rows = dpl_vectors_get_sizes(v)->n_rows;
    s->v = v;
    s->n = n_rows < SAMPLE ? n_rows : SAMPLE;
    s->cosines = need(malloc((size_t)s->n * s->n * sizeof *s->cosines));
    for (uint32_t i = 0; i < s->n; i++)
        s->rows[i] = (uint32_t)((uint64_t)i * n_rows / s->n);
    for (uint32_t i = 0; i < s->n; i++)
        for (uint32_t j = 0; j < i; j++)
            s->cosines[(size_t)i * s->n + j] =
                (float)dpl_vectors_cosine(v, s->rows[i], v, s->rows[j]);
}

/* Sums of errors, and of what they are taken over. */
typedef struct errors {
    double plain[3], count[3]; /* all pairs, above 0.1, above 0.2 */
    double clamped, equal;     /* all: never below 0; minhash as 2 J / (1 + J) */
    double equal_02;           /* the same above 0.2 */
    double seconds;            /* of the fastest run, per signature */
} errors;

static void add_pair(errors *e, const row *r, unsigned distance, double truth)
{
    double estimate = dpl_sign_estimate(r->method, r->n, distance, false);
    double equal = 2 * estimate / (1 + estimate);
    for (int i = 0; i < 3; i++)
        if (i == 0 || truth > 0.1 * i) {
            e->plain[i] += fabs(estimate - truth);
            e->count[i]++;
        }
    e->clamped += fabs(dpl_sign_estimate(r->method, r->n, distance, true) - truth);
    e->equal += fabs(equal - truth);
    e->equal_02 += truth > 0.2 ? fabs(equal - truth) : 0;
}

static errors measure(const sample *s, const row *r)
{
    errors e = {.seconds = 1e9};
    for (uint64_t seed = 1; seed <= SEEDS; seed++) {
        dpl_ctx *ctx = new_ctx(seed);
        double began = cpu_seconds();
        dpl_signatures *sig = sign(
            ctx, s->v,
            &(dpl_sign_options)DPL_INIT(dpl_sign_options, .method = r->method, .n = r->asked));
        double seconds = (cpu_seconds() - began) / dpl_vectors_get_sizes(s->v)->n_rows;
        e.seconds = seconds < e.seconds ? seconds : e.seconds;
        for (uint32_t i = 0; i < s->n; i++)
            for (uint32_t j = 0; j < i; j++)
                add_pair(&e, r, dpl_signatures_distance(sig, s->rows[i], sig, s->rows[j]),
                         (double)s->cosines[(size_t)i * s->n + j]);
        dpl_signatures_close(sig);
        dpl_ctx_free(ctx);
    }
    return e;
}

static void print_table1(const sample *s)
{
    printf("mean absolute error of the cosine, all pairs of %u rows of %.0f terms\n\n", s->n,
           (double)dpl_vectors_get_sizes(s->v)->n_entries /
               dpl_vectors_get_sizes(s->v)->n_rows);
    printf("  %-20s %6s %6s %6s %8s %9s   %s\n", "", "all", ">0.1", ">0.2", "all, >=0", "us",
           "the paper");
    for (size_t i = 0; i < DPL_LEN(rows); i++) {
        const row *r = &rows[i];
        errors e = measure(s, r);
        char name[40];
        int n = snprintf(name, sizeof name, "%s %u", dpl_sign_method_name(r->method), r->asked);
        if (r->asked != r->n)
            snprintf(name + n, sizeof name - (size_t)n, " -> %u", r->n);
        printf("  %-20s %6.3f %6.3f %6.3f %8.3f %9.2f", name, e.plain[0] / e.count[0],
               e.plain[1] / e.count[1], e.plain[2] / e.count[2], e.clamped / e.count[0],
               1e6 * e.seconds);
        if (r->paper[0] > 0)
            printf("   %.3f %.3f %.3f", r->paper[0], r->paper[1], r->paper[2]);
        if (r->method == DPL_SIGN_MINHASH)
            printf("   as 2J/(1+J): %.3f, >0.2 %.3f", e.equal / e.count[0],
                   e.equal_02 / e.count[2]);
        printf("\n");
        fflush(stdout);
    }
}

/* ---- short rows --------------------------------------------------------------------- */

enum { PAIRS = 300, MOST_SHORT = 100, SHORT_BITS = 1024 };

/* Pairs of rows, 2 i and 2 i + 1, as vectors of their own. */
typedef struct shorts {
    dpl_vectors v;
    uint64_t offsets[2 * PAIRS + 1];
    uint32_t terms[2 * PAIRS * MOST_SHORT];
    float weights[2 * PAIRS * MOST_SHORT];
} shorts;

typedef struct entry {
    uint32_t term;
    float weight;
} entry;

static int by_term(const void *a, const void *b)
{
    const entry *x = a, *y = b;
    return (x->term > y->term) - (x->term < y->term);
}

static double uniform(dpl__rng *rng)
{
    return (double)((dpl__rng_next(rng) >> 11) + 1) * 0x1p-53;
}

/* The first n of the entries in the order of their terms, each heavier or lighter. */
static void put_short(shorts *s, uint32_t number, entry *entries, unsigned n, dpl__rng *rng)
{
    uint64_t at = s->offsets[number];
    qsort(entries, n, sizeof *entries, by_term);
    for (unsigned i = 0; i < n; i++) {
        s->terms[at + i] = entries[i].term;
        s->weights[at + i] = entries[i].weight * (float)(0.7 + 0.6 * uniform(rng));
    }
    s->offsets[number + 1] = at + n;
}

/* A row's terms in random order; the two share the first few. */
static void make_shorts(shorts *s, const dpl_vectors *v, unsigned n, dpl__rng *rng)
{
    s->v = *v;
    s->v.sizes.n_rows = s->v.rows.n_rows = 2 * PAIRS;
    s->v.sizes.n_entries = 2 * PAIRS * n;
    s->v.rows.offsets = s->offsets;
    s->v.rows.terms = s->terms;
    s->v.rows.weights = s->weights;
    s->offsets[0] = 0;
    for (uint32_t pair = 0, tries = 0; pair < PAIRS; tries++) {
        const float *weights;
        size_t n_row;
        uint32_t n_rows = dpl_vectors_get_sizes(v)->n_rows;
        const uint32_t *terms =
            dpl_vectors_row(v, (uint32_t)dpl__rng_below(rng, n_rows), &weights, &n_row);
        entry all[2 * MOST_SHORT], a[MOST_SHORT], b[MOST_SHORT];
        unsigned n_shared = 1 + (unsigned)dpl__rng_below(rng, n), n_all = 2 * n - n_shared;
        if (n_row < n_all) {
            if (tries > 100 * n_rows)
                fail("not enough long rows");
            continue;
        }
        for (unsigned i = 0, from = 0; i < n_all; from++) /* a random part, in order */
            if (dpl__rng_below(rng, n_row - from) < n_all - i)
                all[i++] = (entry){terms[from], weights[from]};
        for (unsigned i = n_all; i > 1; i--) {
            unsigned k = (unsigned)dpl__rng_below(rng, i);
            entry held = all[i - 1];
            all[i - 1] = all[k];
            all[k] = held;
        }
        memcpy(a, all, n * sizeof *a);
        memcpy(b, all, n_shared * sizeof *b);
        memcpy(b + n_shared, all + n, (n - n_shared) * sizeof *b);
        put_short(s, 2 * pair, a, n, rng);
        put_short(s, 2 * pair + 1, b, n, rng);
        pair++;
    }
}

static double gaussian(dpl__rng *rng)
{
    return sqrt(-2 * log(uniform(rng))) * cos(2 * PI * uniform(rng));
}

/* Estimates of one pair by independent hyperplanes: Gaussian numbers, signs. */
static void plain_estimates(double out[2], const shorts *s, uint32_t pair, dpl__rng *rng)
{
    const uint64_t *o = s->offsets + 2 * pair;
    unsigned distance[2] = {0};
    for (unsigned bit = 0; bit < SHORT_BITS; bit++) {
        double left[2] = {0}, right[2] = {0};
        for (uint64_t i = o[0], j = o[1]; i < o[1] || j < o[2];) {
            double x[2] = {gaussian(rng), dpl__rng_next(rng) >> 63 ? 1 : -1};
            uint32_t a = i < o[1] ? s->terms[i] : UINT32_MAX;
            uint32_t b = j < o[2] ? s->terms[j] : UINT32_MAX;
            for (int k = 0; k < 2; k++) {
                left[k] += a <= b ? x[k] * (double)s->weights[i] : 0;
                right[k] += b <= a ? x[k] * (double)s->weights[j] : 0;
            }
            i += a <= b;
            j += b <= a;
        }
        for (int k = 0; k < 2; k++)
            distance[k] += (left[k] > 0) != (right[k] > 0);
    }
    for (int k = 0; k < 2; k++)
        out[k] = dpl_sign_estimate(DPL_SIGN_RP, SHORT_BITS, distance[k], false);
}

static double norm(const shorts *s, uint32_t number)
{
    double sum = 0;
    for (uint64_t i = s->offsets[number]; i < s->offsets[number + 1]; i++)
        sum += (double)s->weights[i] * (double)s->weights[i];
    return sqrt(sum);
}

static void print_shorts(const dpl_vectors *v)
{
    static const unsigned lengths[] = {5, 7, 10, 20, 50, 100};
    static shorts s;
    dpl__rng rng = {1};
    printf("\nshort rows, %u bits: mean absolute error over %u pairs\n\n", SHORT_BITS, PAIRS);
    printf("  %5s %9s %9s %9s\n", "terms", "rp", "Gaussian", "signs");
    for (size_t l = 0; l < DPL_LEN(lengths); l++) {
        double sums[3] = {0};
        make_shorts(&s, v, lengths[l], &rng);
        for (uint64_t seed = 1; seed <= SEEDS; seed++) {
            dpl_ctx *ctx = new_ctx(seed);
            dpl_signatures *sig =
                sign(ctx, &s.v, &(dpl_sign_options)DPL_INIT(dpl_sign_options, .n = SHORT_BITS));
            for (uint32_t pair = 0; pair < PAIRS; pair++) {
                double truth = dpl_vectors_cosine(&s.v, 2 * pair, &s.v, 2 * pair + 1) /
                               norm(&s, 2 * pair) / norm(&s, 2 * pair + 1);
                unsigned distance = dpl_signatures_distance(sig, 2 * pair, sig, 2 * pair + 1);
                sums[0] +=
                    fabs(dpl_sign_estimate(DPL_SIGN_RP, SHORT_BITS, distance, false) - truth) /
                    SEEDS;
                double plain[2];
                if (seed > 1)
                    continue;
                plain_estimates(plain, &s, pair, &rng);
                sums[1] += fabs(plain[0] - truth);
                sums[2] += fabs(plain[1] - truth);
            }
            dpl_signatures_close(sig);
            dpl_ctx_free(ctx);
        }
        printf("  %5u %9.4f %9.4f %9.4f\n", lengths[l], sums[0] / PAIRS, sums[1] / PAIRS,
               sums[2] / PAIRS);
        fflush(stdout);
    }
}

int main(int argc, char **argv)
{
    static sample s;
    dpl_vectors *v = NULL;
    dpl_error err = {0};
    dpl_ctx *ctx = new_ctx(0);
    if (argc != 2)
        fail("usage: table1 V.dpl");
    if (dpl_vectors_open(&v, ctx, argv[1], &err) != DPL_OK)
        fail(err.text);
    if (dpl_vectors_get_sizes(v)->dim)
        fail("only rows of terms");
    take_sample(&s, v);
    print_table1(&s);
    print_shorts(v);
    free(s.cosines);
    dpl_vectors_close(v);
    dpl_ctx_free(ctx);
    return 0;
}
