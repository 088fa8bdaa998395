/*
 * short_rows.c - how far signatures miss the cosine of rows of few terms.
 *
 *     build/bench/short_rows V.dpl
 *
 * Pairs of n terms of one document of V.dpl, some of them shared, 1024 bits: mean absolute
 * difference of true and estimated cosine, against hyperplanes of Gaussian numbers and of
 * signs. Means over four seeds. Whole rows: doppel-lab lunch-table-1.
 */
#include "doppel/doppel.h"

#include "base/hash.h"
#include "vectors/vectors.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { SEEDS = 4 };

static const double PI = 3.14159265358979323846;

static void fail(const char *what)
{
    fprintf(stderr, "short_rows: %s\n", what);
    exit(1);
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
    printf("short rows, %u bits: mean absolute error over %u pairs\n\n", SHORT_BITS, PAIRS);
    printf("  %5s %9s %9s %9s\n", "terms", "rp", "Gaussian", "signs");
    for (size_t l = 0; l < DPL_LEN(lengths); l++) {
        double sums[3] = {0};
        make_shorts(&s, v, lengths[l], &rng);
        for (uint64_t seed = 1; seed <= SEEDS; seed++) {
            dpl_ctx *ctx = new_ctx(seed);
            dpl_signatures *sig = sign(
                ctx, &s.v, &(dpl_sign_options)DPL_INIT(dpl_sign_options, .length = SHORT_BITS));
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
    dpl_vectors *v = NULL;
    dpl_error err = {0};
    dpl_ctx *ctx = new_ctx(0);
    if (argc != 2)
        fail("usage: short_rows V.dpl");
    if (dpl_vectors_open(&v, ctx, argv[1], &err) != DPL_OK)
        fail(err.text);
    if (dpl_vectors_get_sizes(v)->dim)
        fail("only rows of terms");
    print_shorts(v);
    dpl_vectors_close(v);
    dpl_ctx_free(ctx);
    return 0;
}
