#include "lab/cells_test.h"
#include "lab/data.h"
#include "lab/embed_matrix.h"
#include "lab/experiments.h"
#include "lab/hash_equal.h"
#include "lab/hashing.h"
#include "lab/spectral.h"

#include "base/ctx.h"
#include "base/hash.h"
#include "test.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { DOCS = 150, WORDS = 40, VOCABULARY = 700 };

static const dpl_lab_experiment about = {.name = "hash-test"};

typedef struct bench {
    dpl__lab lab;
    dpl_lab_options set;
    dpl_input input;
    dpl__lab_data data;
    const dpl_vectors *vectors;
    uint32_t n;
} bench;

/* Documents in groups of three: each shares some sentences' worth of words with the first. */
static const char *write_docs(void)
{
    static char text[DOCS * (WORDS * 8 + 60)];
    static unsigned words[DOCS][WORDS];
    dpl__rng rng = {21};
    size_t at = 0;
    for (unsigned doc = 0; doc < DOCS; doc++) {
        const unsigned kept = doc % 3 == 0 ? 0 : (unsigned)dpl__rng_below(&rng, 100);
        at += (size_t)sprintf(text + at, "{\"id\":\"d%u\",\"lang\":\"en\",\"text\":\"", doc);
        for (unsigned i = 0; i < WORDS; i++) {
            const uint64_t rare = dpl__rng_below(&rng, VOCABULARY),
                           common = dpl__rng_below(&rng, VOCABULARY);
            words[doc][i] = dpl__rng_below(&rng, 100) < kept
                                ? words[doc - doc % 3][i]
                                : (unsigned)(rare < common ? rare : common);
            const unsigned w = words[doc][i];
            at += (size_t)sprintf(text + at, "%s%c%c%czo", i ? " " : "", 'a' + w % 26,
                                  'a' + w / 26 % 26, 'b' + w / 676 % 20);
        }
        at += (size_t)sprintf(text + at, "\"}\n");
    }
    return text;
}

static void bench_open(bench *b, dpl_ctx *ctx)
{
    *b = (bench){.set = DPL_INIT(dpl_lab_options, .threshold = 0.3, .bits = 256, .sample = 60,
                                 .repeats = 1, .small = true),
                 .input = {.buffer = dpl__cstr(write_docs())}};
    dpl__lab_data_init(&b->data, ctx);
    b->lab = (dpl__lab){.ctx = ctx,
                        .about = &about,
                        .set = &b->set,
                        .inputs = &b->input,
                        .n_inputs = 1,
                        .data = &b->data,
                        .folder = test_dir(),
                        .scratch = test_dir()};
    dpl__arena_init(&b->lab.arena, ctx);
    CHECK_OK(dpl__lab_hash_vectors(&b->vectors, &b->lab, &test_err));
    b->n = dpl_vectors_get_sizes(b->vectors)->n_rows;
    CHECK_EQ(b->n, DOCS);
}

static void bench_close(bench *b)
{
    dpl_ctx *ctx = b->lab.ctx;
    dpl__lab_tables_clear(&b->lab);
    dpl__vec_clear(ctx, &b->lab.findings);
    dpl__vec_clear(ctx, &b->lab.notes);
    dpl__vec_clear(ctx, &b->lab.plots);
    dpl__vec_clear(ctx, &b->lab.pictures);
    dpl__arena_clear(&b->lab.arena);
    dpl__lab_data_clear(&b->data);
}

/* From the rows themselves: products of weights of equal terms. */
static double cosine_of(const dpl_vectors *v, uint32_t a, uint32_t b)
{
    const float *x, *y;
    size_t n, m;
    const uint32_t *s = dpl_vectors_row(v, a, &x, &n), *t = dpl_vectors_row(v, b, &y, &m);
    double sum = 0;
    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < m; k++)
            sum += s[i] == t[k] ? (double)x[i] * (double)y[k] : 0;
    return sum;
}

/* ---- cosines and groups ------------------------------------------------------------- */

/* Groups by walking from row to row. */
static uint32_t walk_groups(const float *cosines, uint32_t n, double low)
{
    static bool is_linked[64][64];
    bool is_seen[64] = {false};
    uint32_t n_groups = 0;
    size_t at = 0;
    for (uint32_t i = 0; i < n; i++)
        for (uint32_t j = i + 1; j < n; j++)
            is_linked[i][j] = is_linked[j][i] = (double)cosines[at++] > low;
    for (uint32_t first = 0; first < n; first++) {
        uint32_t stack[64], depth = 0, size = 0;
        if (is_seen[first])
            continue;
        stack[depth++] = first;
        is_seen[first] = true;
        while (depth) {
            const uint32_t row = stack[--depth];
            size++;
            for (uint32_t other = 0; other < n; other++)
                if (other != row && is_linked[row][other] && !is_seen[other]) {
                    is_seen[other] = true;
                    stack[depth++] = other;
                }
        }
        n_groups += size > 1;
    }
    return n_groups;
}

DPL_TEST(hash_figures, groups_are_those_that_a_walk_finds)
{
    dpl__lab lab = {.ctx = test_ctx(1), .about = &about};
    dpl__arena_init(&lab.arena, lab.ctx);
    dpl__rng rng = {4};
    for (unsigned round = 0; round < 100; round++) {
        static float cosines[64 * 63 / 2];
        const uint32_t n = 1 + (uint32_t)dpl__rng_below(&rng, 64);
        for (size_t i = 0; i < dpl__lab_n_pairs(n); i++)
            cosines[i] = (float)dpl__rng_below(&rng, 1000) / 1000;
        const double low = 1 - (double)dpl__rng_below(&rng, 60) / 1000;
        CHECK_EQ(dpl__lab_n_groups(&lab, cosines, n, low), walk_groups(cosines, n, low));
    }
    dpl__arena_clear(&lab.arena);
    test_ctx_done(lab.ctx);
}

DPL_TEST(hash_figures, intervals_are_open_below_and_closed_above)
{
    static const float x[] = {0.5f, 0.75f, 0.75f, 1};
    CHECK_EQ(dpl__lab_n_within(x, 4, 0.5, 0.75), 2);
    CHECK_EQ(dpl__lab_n_within(x, 4, 0.75, 1), 1);
    CHECK_EQ(dpl__lab_n_within(x, 4, 0.4999, 2), 4);
    CHECK_EQ(dpl__lab_n_pairs(0), 0);
    CHECK_EQ(dpl__lab_n_pairs(1), 0);
    CHECK_EQ(dpl__lab_n_pairs(2000), 1999000); /* as the page says */
}

DPL_TEST(hash_figures, precision_at_equal_size_by_hand)
{
    /* five pairs; the similarities put the third first and the second last */
    static const float cosines[] = {0.95f, 0.85f, 0.84f, 0.5f, 0.1f},
                       similarities[] = {0.8f, 0.1f, 0.9f, 0.7f, 0.2f};
    uint32_t ranked[5];
    uint64_t n_within;
    dpl_ctx *ctx = test_ctx(1);
    CHECK_OK(dpl__lab_rank(ranked, ctx, similarities, 5, 5, &test_err));
    static const uint32_t order[] = {2, 0, 3, 4, 1};
    CHECK(memcmp(ranked, order, sizeof order) == 0);
    /* one above 0.9: the first of the ranking is 0.84 */
    CHECK_EQ(dpl__lab_equal_size(&n_within, cosines, ranked, 5, 0.9, 1), 0);
    CHECK_EQ(n_within, 1);
    /* two in (0.8; 0.9]: they would stand second and third, where 0.95 and 0.5 stand */
    CHECK_EQ(dpl__lab_equal_size(&n_within, cosines, ranked, 5, 0.8, 0.9), 0);
    CHECK_EQ(n_within, 2);
    /* three above 0.8: of the first three 0.84 and 0.95 are */
    CHECK_EQ(dpl__lab_equal_size(&n_within, cosines, ranked, 5, 0.8, 1), 2);
    CHECK_EQ(n_within, 3);
    test_ctx_done(ctx);
}

DPL_TEST(hash_figures, the_distribution_has_every_pair_in_its_bin)
{
    static bench b;
    dpl_ctx *ctx = test_ctx(2);
    bench_open(&b, ctx);
    CHECK_OK(dpl__lab_hash_figure_4(&b.lab, &test_err));
    const dpl__lab_table *t = test_table(&b.lab, NULL);
    uint64_t bins[20] = {0};
    for (uint32_t i = 0; i < b.n; i++) /* fewer than 200: all documents are drawn */
        for (uint32_t j = i + 1; j < b.n; j++) {
            const double c = (double)(float)cosine_of(b.vectors, i, j);
            const int bin = (int)ceil(c * 20) - 1;
            bins[bin < 0 ? 0 : bin > 19 ? 19 : bin]++;
        }
    double n_all = 0, off = 0;
    for (size_t k = 0; k < 20; k++) {
        const size_t row = test_row(t, "drawn", k);
        off += fabs(test_number(t, row, 4) - (double)bins[k]);
        n_all += test_number(t, row, 4);
    }
    CHECK(n_all == (double)dpl__lab_n_pairs(b.n));
    CHECK(off <= 4); /* of more than 11,000: a cosine at an edge may be rounded */
    CHECK(bins[0] > 1000 && bins[12] + bins[13] + bins[14] + bins[15] > 5);
    bench_close(&b);
    test_ctx_done(ctx);
}

/* ---- hash functions ----------------------------------------------------------------- */

DPL_TEST(hash_figures, recall_and_precision_are_shares_of_documents_and_results)
{
    static bench b;
    dpl_ctx *ctx = test_ctx(1);
    bench_open(&b, ctx);
    CHECK_OK(dpl__lab_hash_figure_5(&b.lab, &test_err));
    const dpl__lab_table *t = test_table(&b.lab, NULL);
    const uint32_t *queries;
    size_t n;
    CHECK_OK(dpl__lab_sample(&queries, &n, &b.lab, 0, &test_err));
    static double cosines[DOCS][DOCS]; /* of a query and all others */
    CHECK(n <= DOCS);
    for (size_t q = 0; q < n; q++)
        for (uint32_t i = 0; i < b.n; i++)
            cosines[q][i] = i == queries[q] ? -1 : cosine_of(b.vectors, queries[q], i);
    static const char *const names[] = {"fuzzy", "fuzzy, 2", "LSH, sum",
                                        "LSH",   "rp",       "minhash"};
    for (size_t f = 0; f < DPL_LEN(names); f++) {
        double n_results = 0;
        for (size_t k = 0; test_row(t, names[f], k) != SIZE_MAX; k++) {
            const size_t row = test_row(t, names[f], k);
            const double from = test_number(t, row, 1), n_above = test_number(t, row, 4),
                         n_found = test_number(t, row, 5);
            double expected = 0;
            for (size_t q = 0; q < n; q++)
                for (uint32_t i = 0; i < b.n; i++)
                    expected += cosines[q][i] >= from - 1e-9;
            if (k == 0)
                n_results = n_found;
            CHECK(fabs(n_above - expected) <= 2);
            CHECK(n_found <= n_above);
            if (test_cell(t, row, 2).n)
                CHECK(fabs(test_number(t, row, 2) - n_found / n_above) < 1e-4);
            if (test_cell(t, row, 3).n)
                CHECK(fabs(test_number(t, row, 3) - n_found / n_results) < 1e-4);
        }
        /* the size that the function was set to is that of the results */
        const size_t first = test_row(t, names[f], 0);
        CHECK(fabs(test_number(t, first, 10) - n_results / (double)n) < 6e-4);
    }
    bench_close(&b);
    test_ctx_done(ctx);
}

DPL_TEST(hash_figures, results_grow_with_the_power_of_the_printed_sizes)
{
    static bench b;
    dpl_ctx *ctx = test_ctx(1);
    bench_open(&b, ctx);
    CHECK_OK(dpl__lab_hash_growth(&b.lab, &test_err));
    const dpl__lab_table *t = test_table(&b.lab, NULL), *powers = test_table(&b.lab, "powers");
    static const char *const orders[] = {"at random", "in order"};
    for (size_t line = 0; line < powers->n_rows; line++)
        for (unsigned order = 0; order < 2; order++) {
            char name[80];
            double x[6], y[6];
            const dpl_str what = test_cell(powers, line, 0);
            snprintf(name, sizeof name, "%.*s, %s", (int)what.n, what.data, orders[order]);
            for (size_t k = 0; k < 6; k++) {
                const size_t row = test_row(t, name, k);
                x[k] = test_number(t, row, 1);
                y[k] = test_number(t, row, 2);
                CHECK(x[k] == (double)(b.n >> (5 - k)));
                CHECK(k == 0 || y[k] >= y[k - 1]); /* a larger collection has the smaller one */
            }
            CHECK(fabs(dpl__lab_power(x, y, 6) - test_number(powers, line, 1 + order)) < 2e-3);
        }
    bench_close(&b);
    test_ctx_done(ctx);
}

/* ---- the threshold-optimum embedding ------------------------------------------------ */

/* Of a symmetric matrix the first d dimensions miss all squares but those of the d largest
 * eigenvalues. */
static void check_errors(const bench *b, const dpl__lab_table *t, double upper, double lower,
                         unsigned nth)
{
    const size_t n = b->n;
    double *a = malloc(n * n * sizeof *a), *values = malloc(n * sizeof *values),
           *vectors = malloc(n * n * sizeof *vectors), squares = 0;
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++) {
            const double c = i == j ? 1 : cosine_of(b->vectors, (uint32_t)i, (uint32_t)j);
            a[i * n + j] = dpl__embed_step((double)(float)c, upper, lower);
            squares += a[i * n + j] * a[i * n + j];
        }
    CHECK_OK(dpl__largest_eigenpairs(b->lab.ctx, values, vectors, a, n, n, &test_err));
    static const unsigned dims[] = {10, 25, 50};
    for (size_t d = 0; d < DPL_LEN(dims); d++) {
        char name[60];
        double kept = 0;
        for (size_t k = 0; k < dims[d]; k++)
            kept += values[k] > 0 ? values[k] * values[k] : 0;
        snprintf(name, sizeof name, "compiled, %g, %u", upper, dims[d]);
        const size_t row = test_row(t, name, nth);
        CHECK(fabs(test_number(t, row, 1) - lower) < 1e-9);
        CHECK(fabs(test_number(t, row, 2) - (1 - kept / squares)) < 2e-3);
    }
    free(vectors);
    free(values);
    free(a);
}

DPL_TEST(hash_figures, the_error_of_the_optimum_is_what_its_eigenvalues_leave)
{
    static bench b;
    dpl_ctx *ctx = test_ctx(2);
    bench_open(&b, ctx);
    CHECK_OK(dpl__lab_hash_tradeoff(&b.lab, &test_err));
    const dpl__lab_table *t = test_table(&b.lab, NULL);
    check_errors(&b, t, 0.7, 0.1, 1);
    check_errors(&b, t, 0.8, 0.3, 2);
    for (size_t row = 0; row < t->n_rows; row++) {
        CHECK(test_number(t, row, 2) >= 0 && test_number(t, row, 2) <= 1.0001);
        CHECK(test_number(t, row, 3) >= 0 && test_number(t, row, 3) <= 1);
        CHECK(test_number(t, row, 4) >= 0 && test_number(t, row, 4) <= 1);
    }
    bench_close(&b);
    test_ctx_done(ctx);
}
