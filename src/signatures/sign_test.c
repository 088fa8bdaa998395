#include "signatures/signatures.h"

#include "base/ctx.h"
#include "base/hash.h"
#include "signatures/sign_methods.h"
#include "test.h"
#include "vectors/vectors.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* ---- vectors made by hand ----------------------------------------------------------- */

/* A set of rows with all that belongs to it. */
typedef struct set {
    dpl_vectors v;
    uint64_t *offsets, *term_offsets, *id_offsets;
    uint32_t *terms;
    float *values;
    char *term_bytes, *id_bytes;
} set;

static uint64_t *name_offsets(char *bytes, char letter, size_t n)
{
    uint64_t *offsets = malloc((n + 1) * sizeof *offsets);
    offsets[0] = 0;
    for (size_t i = 0; i < n; i++)
        offsets[i + 1] =
            offsets[i] + (uint64_t)sprintf(bytes + offsets[i], "%c%zu", letter, 100000 + i);
    return offsets;
}

static void name_things(set *s, uint32_t n_rows, uint32_t n_terms)
{
    s->term_bytes = malloc(8 * n_terms + 1);
    s->id_bytes = malloc(8 * n_rows + 1);
    s->term_offsets = name_offsets(s->term_bytes, 't', n_terms);
    s->id_offsets = name_offsets(s->id_bytes, 'd', n_rows);
    s->v.terms = (dpl__strings){s->term_offsets, s->term_bytes, n_terms};
    s->v.ids = (dpl__strings){s->id_offsets, s->id_bytes, n_rows};
    s->v.path = (char *)(uintptr_t)test_path("vectors.dpl");
    s->v.settings = DPL_STR("{\"weighting\":\"bm25\"}");
    s->v.space = DPL_STR("words, bm25");
    s->v.lang = s->v.doc_lang = DPL_STR("en");
}

enum { VOCABULARY = 5000 };

/* A row of n terms, each like in the row before (of n_before) with some probability. */
static size_t make_row(uint32_t *terms, float *values, size_t n, const uint32_t *before,
                       size_t n_before, unsigned percent, dpl__rng *rng)
{
    static bool is_in[VOCABULARY];
    memset(is_in, 0, sizeof is_in);
    for (size_t i = 0; i < n; i++)
        if (i < n_before && dpl__rng_below(rng, 100) < percent)
            is_in[before[i]] = true;
        else
            is_in[dpl__rng_below(rng, VOCABULARY)] = true;
    size_t n_in = 0;
    for (uint32_t t = 0; t < VOCABULARY; t++)
        if (is_in[t]) {
            values[n_in] = (float)(200 + dpl__mix(t) % 400 + dpl__rng_below(rng, 400)) / 1000;
            terms[n_in++] = t;
        }
    return n_in;
}

/* Rows of up to n_max terms, more or less like the one before. */
static set sparse_set(uint32_t n_rows, size_t n_min, size_t n_max, uint64_t seed)
{
    set s = {0};
    dpl__rng rng = {dpl__mix(seed)};
    s.offsets = calloc(n_rows + 1, sizeof *s.offsets);
    s.terms = malloc(n_rows * n_max * sizeof *s.terms);
    s.values = malloc(n_rows * n_max * sizeof *s.values);
    for (uint32_t r = 0; r < n_rows; r++) {
        uint64_t at = s.offsets[r], before = r ? s.offsets[r - 1] : 0;
        size_t n = n_min + dpl__rng_below(&rng, n_max - n_min + 1);
        s.offsets[r + 1] = at + make_row(s.terms + at, s.values + at, n, s.terms + before,
                                         at - before, r % 20 * 5, &rng);
    }
    uint64_t n_entries = s.offsets[n_rows];
    name_things(&s, n_rows, VOCABULARY);
    s.v.sizes =
        (dpl_vectors_sizes){.n_rows = n_rows, .n_terms = VOCABULARY, .n_entries = n_entries};
    s.v.rows = (dpl__rows){n_rows, VOCABULARY, s.offsets, s.terms, s.values};
    return s;
}

static double gaussian(dpl__rng *rng)
{
    double u = (double)((dpl__rng_next(rng) >> 11) + 1) * 0x1p-53;
    double v = (double)(dpl__rng_next(rng) >> 11) * 0x1p-53;
    return sqrt(-2 * log(u)) * cos(2 * acos(-1) * v);
}

static set dense_set(uint32_t n_rows, uint32_t dim, uint64_t seed)
{
    set s = {0};
    dpl__rng rng = {seed};
    s.values = malloc((size_t)n_rows * dim * sizeof *s.values);
    for (uint32_t r = 0; r < n_rows; r++) {
        float *row = s.values + (size_t)r * dim;
        double squares = 0,
               part = (double)(r % 20) / 20; /* like the row before, more or less */
        for (uint32_t i = 0; i < dim; i++) {
            row[i] = (float)(gaussian(&rng) + (r ? 2 * part * row[(int64_t)i - dim] : 0));
            squares += row[i] * row[i];
        }
        for (uint32_t i = 0; i < dim; i++)
            row[i] /= (float)sqrt(squares);
    }
    name_things(&s, n_rows, 0);
    s.v.space = DPL_STR("dense");
    s.v.sizes = (dpl_vectors_sizes){.n_rows = n_rows, .dim = dim};
    s.v.dense = (dpl__dense){n_rows, dim, s.values};
    return s;
}

static void set_clear(set *s)
{
    free(s->offsets);
    free(s->term_offsets);
    free(s->id_offsets);
    free(s->terms);
    free(s->values);
    free(s->term_bytes);
    free(s->id_bytes);
}

static double true_cosine(const set *s, uint32_t a, uint32_t b)
{
    double dot = 0, aa = 0, bb = 0;
    if (s->v.sizes.dim) {
        for (uint32_t i = 0; i < s->v.sizes.dim; i++)
            dot += (double)s->values[(size_t)a * s->v.sizes.dim + i] *
                   (double)s->values[(size_t)b * s->v.sizes.dim + i];
        return dot;
    }
    for (uint64_t i = s->offsets[a]; i < s->offsets[a + 1]; i++)
        aa += (double)s->values[i] * (double)s->values[i];
    for (uint64_t j = s->offsets[b]; j < s->offsets[b + 1]; j++)
        bb += (double)s->values[j] * (double)s->values[j];
    for (uint64_t i = s->offsets[a], j = s->offsets[b];
         i < s->offsets[a + 1] && j < s->offsets[b + 1];) {
        if (s->terms[i] == s->terms[j])
            dot += (double)s->values[i++] * (double)s->values[j++];
        else if (s->terms[i] < s->terms[j])
            i++;
        else
            j++;
    }
    return dot / sqrt(aa * bb);
}

static double true_jaccard(const set *s, uint32_t a, uint32_t b)
{
    double both = 0,
           n = (double)(s->offsets[a + 1] - s->offsets[a] + s->offsets[b + 1] - s->offsets[b]);
    for (uint64_t i = s->offsets[a]; i < s->offsets[a + 1]; i++)
        for (uint64_t j = s->offsets[b]; j < s->offsets[b + 1]; j++)
            both += s->terms[i] == s->terms[j];
    return both / (n - both);
}

/* ---- are they right? ---------------------------------------------------------------- */

/* Distances of neighbouring rows against the binomial distribution they should have, over some
 * seeds; the estimate of the cosine and its error follow from it (estimate_test.c). */
static void check_estimates(const set *s, dpl_sign_method method, unsigned n)
{
    enum { SEEDS = 8 };
    double squares = 0, sum = 0, worst = 0, count = 0;
    for (uint64_t seed = 1; seed <= SEEDS; seed++) {
        dpl_ctx *ctx = NULL;
        dpl_signatures *sig = NULL;
        dpl_sign_options o = DPL_INIT(dpl_sign_options, .method = method, .length = n);
        CHECK_OK(dpl_ctx_new(
            &ctx, &(dpl_ctx_options)DPL_INIT(dpl_ctx_options, .n_threads = 1, .seed = seed),
            &test_err));
        CHECK_OK(dpl_signatures_make(&sig, ctx, &s->v, &o, &test_err));
        for (uint32_t r = 1; r < s->v.sizes.n_rows; r++) {
            double p = method == DPL_SIGN_MINHASH ? 1 - true_jaccard(s, r - 1, r)
                                                  : acos(true_cosine(s, r - 1, r)) / acos(-1);
            double variance = n * p * (1 - p);
            if (variance < 5) /* too far from normal for what is looked at here */
                continue;
            double e = (dpl_signatures_distance(sig, r - 1, sig, r) - n * p) / sqrt(variance);
            worst = fmax(worst, fabs(e));
            squares += e * e;
            sum += e;
            count++;
        }
        dpl_signatures_close(sig);
        test_ctx_done(ctx);
    }
    double mean = sum / count, mean_square = squares / count;
    if (!(worst < 5 && fabs(mean_square - 1) < 0.15 && fabs(mean) < 0.1 && count > 200))
        dpl__test_fail(__FILE__, __LINE__, "%s %u: mean %.2f, square %.2f, worst %.2f of %.0f",
                       dpl__sign_method_name(method), n, mean, mean_square, worst, count);
}

DPL_TEST(sign, estimates_are_within_a_few_standard_errors)
{
    set s = sparse_set(150, 40, 200, 1);
    check_estimates(&s, DPL_SIGN_RP, 64);
    check_estimates(&s, DPL_SIGN_RP, 1024);
    check_estimates(&s, DPL_SIGN_RP, 4096 + 192);
    check_estimates(&s, DPL_SIGN_SIMHASH, 64);
    check_estimates(&s, DPL_SIGN_SIMHASH, 128);
    check_estimates(&s, DPL_SIGN_MINHASH, 32);
    check_estimates(&s, DPL_SIGN_MINHASH, 128);
    check_estimates(&s, DPL_SIGN_MINHASH, 301);
    set_clear(&s);
}

DPL_TEST(sign, short_rows_are_estimated_as_well)
{
    set s = sparse_set(400, 5, 12, 2);
    check_estimates(&s, DPL_SIGN_RP, 1024);
    check_estimates(&s, DPL_SIGN_MINHASH, 128);
    set_clear(&s);
}

DPL_TEST(sign, dense_rows_are_estimated_as_well)
{
    static const uint32_t dims[] = {2, 3, 10, 64, 300};
    for (size_t i = 0; i < DPL_LEN(dims); i++) {
        set s = dense_set(100, dims[i], dims[i]);
        check_estimates(&s, DPL_SIGN_RP, 1024);
        check_estimates(&s, DPL_SIGN_SIMHASH, 64);
        set_clear(&s);
    }
}

/* Estimates of the cosines of neighbouring rows against the error they should have. Where few
 * terms make most of a row, it is smaller: products of signs vary less than Gaussian ones. */
static void check_products(const set *s, unsigned n, double least)
{
    enum { SEEDS = 8 };
    double squares = 0, sum = 0, worst = 0, count = 0;
    for (uint64_t seed = 1; seed <= SEEDS; seed++) {
        dpl_ctx *ctx = NULL;
        dpl_signatures *sig = NULL;
        dpl_sign_options o = DPL_INIT(dpl_sign_options, .method = DPL_SIGN_RP8, .length = n);
        CHECK_OK(dpl_ctx_new(
            &ctx, &(dpl_ctx_options)DPL_INIT(dpl_ctx_options, .n_threads = 1, .seed = seed),
            &test_err));
        CHECK_OK(dpl_signatures_make(&sig, ctx, &s->v, &o, &test_err));
        for (uint32_t r = 1; r < s->v.sizes.n_rows; r++) {
            double cosine = true_cosine(s, r - 1, r);
            unsigned distance = dpl_signatures_distance(sig, r - 1, sig, r);
            double e = (dpl_sign_estimate(DPL_SIGN_RP8, n, distance, false) - cosine) /
                       ((1 - cosine * cosine) / sqrt(n) + 0.002); /* weights' error */
            worst = fmax(worst, fabs(e));
            squares += e * e;
            sum += e;
            count++;
            CHECK(dpl_signatures_distance(sig, r, sig, r) < 32 * n); /* itself: rounding */
        }
        dpl_signatures_close(sig);
        test_ctx_done(ctx);
    }
    double mean = sum / count, mean_square = squares / count;
    if (!(worst < 5 && mean_square > least && mean_square < 1.15 && fabs(mean) < 0.1))
        dpl__test_fail(__FILE__, __LINE__, "rp8 %u: mean %.2f, square %.2f, worst %.2f of %.0f",
                       n, mean, mean_square, worst, count);
}

DPL_TEST(sign, products_estimate_within_a_few_standard_errors)
{
    set s = sparse_set(150, 40, 200, 1);
    check_products(&s, 64, 0.75);
    check_products(&s, 448, 0.75);
    check_products(&s, 4096 + 192, 0.6);
    set_clear(&s);
    s = sparse_set(400, 5, 12, 2);
    check_products(&s, 448, 0.3);
    set_clear(&s);
    static const uint32_t dims[] = {3, 10, 64, 300, 5000};
    for (size_t i = 0; i < DPL_LEN(dims); i++) {
        s = dense_set(dims[i] < 1000 ? 100 : 30, dims[i], dims[i]);
        check_products(&s, 448, 0.75);
        set_clear(&s);
    }
}

DPL_TEST(sign, the_distance_of_products_is_that_from_the_largest_dot_product)
{
    dpl_ctx *ctx = test_ctx(1);
    const int8_t rows[2][64] = {{1, 2, 3}, {4, 127, -127}};
    uint64_t words[16];
    memcpy(words, rows, sizeof rows);
    const dpl_signatures sig = {
        .ctx = ctx,
        .sizes = {.n_rows = 2, .n_words = 8, .length = 64, .method = DPL_SIGN_RP8},
        .bits = {2, 8, words}};
    CHECK_EQ(dpl_signatures_distance(&sig, 0, &sig, 1), 1024 * 64 - (4 + 254 - 381));
    CHECK_EQ(dpl_signatures_distance(&sig, 0, &sig, 0), 1024 * 64 - (1 + 4 + 9));
    test_ctx_done(ctx);
}

DPL_TEST(sign, the_opposite_row_has_the_opposite_signature)
{
    dpl_ctx *ctx = test_ctx(1);
    set s = dense_set(2, 7, 5);
    for (int i = 0; i < 7; i++)
        s.values[7 + i] = -s.values[i];
    dpl_signatures *sig = NULL;
    CHECK_OK(dpl_signatures_make(&sig, ctx, &s.v, NULL, &test_err));
    CHECK_EQ(dpl_signatures_distance(sig, 0, sig, 1), 1024);
    dpl_signatures_close(sig);
    set_clear(&s);
    test_ctx_done(ctx);
}

/* ---- are they the same everywhere? -------------------------------------------------- */

static char *signed_bytes(const set *s, const dpl_ctx_options *options, dpl_sign_options o,
                          size_t *n)
{
    dpl_ctx *ctx = NULL;
    const char *path = test_path("s.dpl");
    CHECK_OK(dpl_ctx_new(&ctx, options, &test_err));
    CHECK_OK(dpl_sign(NULL, ctx, path, &s->v, &o, &test_err));
    test_ctx_done(ctx);
    return test_read(path, n);
}

static void check_same_bytes(const set *s, dpl_sign_options o)
{
    size_t n, n_other;
    char *bytes =
        signed_bytes(s, &(dpl_ctx_options)DPL_INIT(dpl_ctx_options, .n_threads = 1), o, &n);
    for (int cpu = DPL_CPU_SCALAR; cpu <= (int)dpl_cpu_best(); cpu++)
        for (unsigned n_threads = 1; n_threads <= 3; n_threads++) {
            /* so little memory that neither keys nor hyperplanes are kept */
            uint64_t memory = n_threads == 3 ? 64 << 10 : 0;
            dpl_ctx_options c = DPL_INIT(dpl_ctx_options, .n_threads = n_threads,
                                         .cpu = (dpl_cpu)cpu, .memory = memory);
            char *other = signed_bytes(s, &c, o, &n_other);
            CHECK_EQ(n_other, n);
            CHECK(memcmp(bytes, other, n) == 0);
            free(other);
        }
    free(bytes);
}

DPL_TEST(sign, same_bytes_for_any_threads_memory_and_processor)
{
    set s = sparse_set(4500, 0, 60, 3);
    check_same_bytes(&s, (dpl_sign_options)DPL_INIT(dpl_sign_options, .method = DPL_SIGN_RP));
    check_same_bytes(&s, (dpl_sign_options)DPL_INIT(dpl_sign_options,
                                                    .method = DPL_SIGN_SIMHASH, .length = 128));
    check_same_bytes(&s, (dpl_sign_options)DPL_INIT(dpl_sign_options,
                                                    .method = DPL_SIGN_MINHASH, .length = 31));
    check_same_bytes(&s, (dpl_sign_options)DPL_INIT(dpl_sign_options, .method = DPL_SIGN_RP8,
                                                    .length = 448));
    set_clear(&s);
    s = dense_set(700, 100, 4);
    check_same_bytes(
        &s, (dpl_sign_options)DPL_INIT(dpl_sign_options, .method = DPL_SIGN_RP, .length = 256));
    check_same_bytes(&s, (dpl_sign_options)DPL_INIT(dpl_sign_options, .method = DPL_SIGN_RP8,
                                                    .length = 192));
    set_clear(&s);
}

DPL_TEST(sign, what_is_kept_is_what_is_written)
{
    set s = sparse_set(3000, 5, 40, 9);
    dpl_ctx *ctx = test_ctx(2);
    static const dpl_sign_options all[] = {
        DPL_INIT(dpl_sign_options, .method = DPL_SIGN_RP, .length = 1000),
        DPL_INIT(dpl_sign_options, .method = DPL_SIGN_SIMHASH),
        DPL_INIT(dpl_sign_options, .method = DPL_SIGN_MINHASH, .length = 7),
        DPL_INIT(dpl_sign_options, .method = DPL_SIGN_RP8, .length = 100)};
    for (size_t i = 0; i < DPL_LEN(all); i++) {
        dpl_signatures *file = NULL, *kept = NULL, *spilled = NULL;
        dpl_sign_summary summary = DPL_INIT(dpl_sign_summary);
        CHECK_OK(dpl_sign(&summary, ctx, test_path("s.dpl"), &s.v, &all[i], &test_err));
        CHECK_OK(dpl_signatures_open(&file, ctx, test_path("s.dpl"), &test_err));
        CHECK_OK(dpl_signatures_make(&kept, ctx, &s.v, &all[i], &test_err));
        uint64_t memory = ctx->memory;
        ctx->memory = 1 << 14;
        dpl_sign_options o = all[i];
        o.temp = test_dir();
        CHECK_OK(dpl_signatures_make(&spilled, ctx, &s.v, &o, &test_err));
        CHECK(spilled->words.is_mapped && !kept->words.is_mapped);
        ctx->memory = memory;
        const dpl_signatures_sizes *size = dpl_signatures_get_sizes(file);
        CHECK_EQ(size->n_rows, 3000);
        CHECK_EQ(summary.n_rows, 3000);
        CHECK_EQ(size->length, summary.length);
        CHECK_EQ(size->seed, ctx->seed);
        CHECK(memcmp(size, dpl_signatures_get_sizes(kept), sizeof *size) == 0);
        CHECK(dpl__str_eq(dpl_signatures_get_info(file).settings,
                          dpl_signatures_get_info(kept).settings));
        CHECK_OK(dpl__signatures_check_match(file, kept, &test_err));
        CHECK_OK(dpl__signatures_check_match(spilled, file, &test_err));
        CHECK_EQ((uintptr_t)dpl__signatures_bits(kept)->words % 64, 0);
        CHECK_EQ((uintptr_t)dpl__signatures_bits(spilled)->words % 64, 0);
        for (uint32_t r = 0; r < size->n_rows; r++) {
            size_t n = size->n_words * sizeof(uint64_t);
            CHECK(memcmp(dpl_signatures_row(file, r), dpl_signatures_row(kept, r), n) == 0);
            CHECK(memcmp(dpl_signatures_row(file, r), dpl_signatures_row(spilled, r), n) == 0);
            CHECK(dpl__str_eq(dpl_signatures_id(file, r), dpl_signatures_id(kept, r)));
        }
        dpl_signatures_close(file);
        dpl_signatures_close(kept);
        dpl_signatures_close(spilled);
    }
    set_clear(&s);
    test_ctx_done(ctx);
}

DPL_TEST(sign, distances_count_what_differs)
{
    set s = sparse_set(50, 5, 40, 6);
    dpl_ctx *ctx = test_ctx(1);
    static const unsigned values[] = {1, 7, 128};
    for (size_t i = 0; i < DPL_LEN(values); i++) {
        dpl_signatures *sig = NULL;
        dpl_sign_options o =
            DPL_INIT(dpl_sign_options, .method = DPL_SIGN_MINHASH, .length = values[i]);
        CHECK_OK(dpl_signatures_make(&sig, ctx, &s.v, &o, &test_err));
        for (uint32_t r = 1; r < 50; r++) {
            const uint32_t *a = (const void *)dpl_signatures_row(sig, r - 1);
            const uint32_t *b = (const void *)dpl_signatures_row(sig, r);
            unsigned n = 0;
            for (unsigned k = 0; k < values[i]; k++)
                n += a[k] != b[k];
            CHECK_EQ(dpl_signatures_distance(sig, r - 1, sig, r), n);
            CHECK_EQ(dpl_signatures_distance(sig, r, sig, r), 0);
        }
        dpl_signatures_close(sig);
    }
    set_clear(&s);
    test_ctx_done(ctx);
}

/* ---- what cannot be compared or read ------------------------------------------------ */

static void check_mismatch(dpl_ctx *ctx, const dpl_signatures *a, const set *s,
                           dpl_sign_options o, const char *expected)
{
    dpl_signatures *b = NULL;
    dpl_error err = {0};
    CHECK_OK(dpl_signatures_make(&b, ctx, &s->v, &o, &test_err));
    CHECK_EQ(dpl__signatures_check_match(a, b, &err), expected ? DPL_E_USAGE : DPL_OK);
    if (expected && !strstr(err.text, expected))
        dpl__test_fail(__FILE__, __LINE__, "'%s' does not say '%s'", err.text, expected);
    dpl_signatures_close(b);
}

DPL_TEST(sign, signatures_that_do_not_match_are_told_apart)
{
    set s = sparse_set(3, 5, 9, 1);
    dpl_ctx *ctx = test_ctx(1);
    dpl_sign_options o = DPL_INIT(dpl_sign_options, .method = DPL_SIGN_RP);
    dpl_signatures *a = NULL;
    CHECK_OK(dpl_signatures_make(&a, ctx, &s.v, &o, &test_err));
    check_mismatch(ctx, a, &s, o, NULL);
    check_mismatch(ctx, a, &s,
                   (dpl_sign_options)DPL_INIT(dpl_sign_options, .method = DPL_SIGN_SIMHASH),
                   "' has rp signatures, '");
    check_mismatch(ctx, a, &s, (dpl_sign_options)DPL_INIT(dpl_sign_options, .length = 512),
                   "' has signatures of 1024 bits, '");
    ctx->seed++;
    check_mismatch(ctx, a, &s, o, "' has signatures of seed ");
    ctx->seed--;
    dpl_str space = s.v.space;
    s.v.space = DPL_STR("words, stem, bm25");
    check_mismatch(ctx, a, &s, o, "'words, bm25' against 'words, stem, bm25'");
    s.v.space = space;
    s.v.lang = DPL_STR("de");
    check_mismatch(ctx, a, &s, o, NULL); /* what they share they share */
    s.v.is_projected = true;
    check_mismatch(ctx, a, &s, o, "'en' against 'de'");
    s.v.lang = DPL_STR("");
    check_mismatch(ctx, a, &s, o, NULL); /* not known: the user's affair */
    s.v.lang = DPL_STR("en");
    check_mismatch(ctx, a, &s, o, NULL);
    dpl_signatures_close(a);
    set_clear(&s);
    test_ctx_done(ctx);
}

DPL_TEST(sign, minhash_of_dense_rows_is_refused)
{
    set s = dense_set(3, 5, 1);
    dpl_ctx *ctx = test_ctx(1);
    dpl_error err = {0};
    dpl_sign_options o = DPL_INIT(dpl_sign_options, .method = DPL_SIGN_MINHASH);
    dpl_signatures *sig = NULL;
    CHECK_EQ(dpl_sign(NULL, ctx, test_path("no.dpl"), &s.v, &o, &err), DPL_E_USAGE);
    CHECK(strstr(err.text, "dense rows") != NULL);
    CHECK_EQ(dpl_signatures_make(&sig, ctx, &s.v, &o, &err), DPL_E_USAGE);
    CHECK(sig == NULL);
    o = (dpl_sign_options)DPL_INIT(dpl_sign_options, .length = 1u << 20);
    CHECK_EQ(dpl_sign(NULL, ctx, test_path("no.dpl"), &s.v, &o, &err), DPL_E_USAGE);
    FILE *f = fopen(test_path("no.dpl"), "rb");
    CHECK(f == NULL);
    set_clear(&s);
    test_ctx_done(ctx);
}

DPL_TEST(sign, every_flipped_byte_and_truncation_is_refused)
{
    set s = sparse_set(4, 5, 9, 1);
    dpl_ctx *ctx = test_ctx(1);
    dpl_sign_options o = DPL_INIT(dpl_sign_options, .length = 64);
    CHECK_OK(dpl_sign(NULL, ctx, test_path("s.dpl"), &s.v, &o, &test_err));
    size_t n;
    char *bytes = test_read(test_path("s.dpl"), &n);
    for (size_t i = 0; i < n; i++) {
        dpl_signatures *sig = NULL;
        bytes[i] = (char)(bytes[i] ^ 1 << i % 8);
        dpl_status status =
            dpl_signatures_open(&sig, ctx, test_write("flip.dpl", bytes, n), NULL);
        bytes[i] = (char)(bytes[i] ^ 1 << i % 8);
        CHECK(status == DPL_E_FORMAT || status == DPL_E_UNSUPPORTED);
        CHECK(sig == NULL);
        status = dpl_signatures_open(&sig, ctx, test_write("cut.dpl", bytes, i), NULL);
        CHECK(status == DPL_E_FORMAT && sig == NULL);
    }
    free(bytes);
    set_clear(&s);
    test_ctx_done(ctx);
}

DPL_TEST(sign, a_file_of_another_kind_is_refused)
{
    dpl_ctx *ctx = test_ctx(1);
    dpl_signatures *sig = NULL;
    dpl_error err = {0};
    const char *path = DPL_TEST_SOURCE "/test/format/collection-1.0.dpl";
    CHECK_EQ(dpl_signatures_open(&sig, ctx, path, &err), DPL_E_USAGE);
    CHECK(strstr(err.text, "is a collection file, not a signatures file") != NULL);
    test_ctx_done(ctx);
}

/* ---- failure ------------------------------------------------------------------------ */

static dpl_status sign_and_open(void *user, dpl_ctx *ctx, dpl_error *err)
{
    const set *s = user;
    dpl_signatures *file = NULL, *kept = NULL;
    dpl_sign_options o = DPL_INIT(dpl_sign_options, .length = 64);
    dpl_status status = dpl_sign(NULL, ctx, test_path("s.dpl"), &s->v, &o, err);
    if (status == DPL_OK)
        status = dpl_signatures_open(&file, ctx, test_path("s.dpl"), err);
    if (status == DPL_OK)
        status = dpl_signatures_make(&kept, ctx, &s->v, &o, err);
    dpl_signatures_close(file);
    dpl_signatures_close(kept);
    return status;
}

DPL_TEST(sign, every_failed_allocation_is_survived)
{
    set s = sparse_set(20, 5, 9, 1);
    test_allocation_failures(sign_and_open, &s);
    set_clear(&s);
    s = dense_set(20, 5, 1);
    test_allocation_failures(sign_and_open, &s);
    set_clear(&s);
}

static int stop(void *user, const dpl_progress *progress)
{
    (void)user, (void)progress;
    return 1;
}

DPL_TEST(sign, stopping_leaves_no_file)
{
    set s = sparse_set(3000, 5, 9, 1);
    dpl_ctx *ctx = NULL;
    dpl_ctx_options c = DPL_INIT(dpl_ctx_options, .n_threads = 2, .progress = stop);
    CHECK_OK(dpl_ctx_new(&ctx, &c, &test_err));
    CHECK_EQ(dpl_sign(NULL, ctx, test_path("stopped.dpl"), &s.v, NULL, NULL), DPL_E_STOPPED);
    CHECK(fopen(test_path("stopped.dpl"), "rb") == NULL);
    dpl_signatures *sig = NULL;
    CHECK_EQ(dpl_signatures_make(&sig, ctx, &s.v, NULL, NULL), DPL_E_STOPPED);
    CHECK(sig == NULL);
    set_clear(&s);
    test_ctx_done(ctx);
}

/* ---- from memory ---------------------------------------------------------------------- */

DPL_TEST(sign, no_rows_have_no_signatures)
{
    set s = sparse_set(1, 5, 40, 9);
    dpl_ctx *ctx = test_ctx(2);
    s.v.sizes.n_rows = s.v.rows.n_rows = 0;
    dpl_signatures *made = NULL, *file = NULL;
    CHECK_OK(dpl_signatures_make(&made, ctx, &s.v, NULL, &test_err));
    CHECK_EQ(dpl_signatures_get_sizes(made)->n_rows, 0);
    CHECK_OK(dpl_sign(NULL, ctx, test_path("none.dpl"), &s.v, NULL, &test_err));
    CHECK_OK(dpl_signatures_open(&file, ctx, test_path("none.dpl"), &test_err));
    CHECK_EQ(dpl_signatures_get_sizes(file)->n_rows, 0);
    dpl_signatures_close(made);
    dpl_signatures_close(file);
    test_ctx_done(ctx);
    set_clear(&s);
}

DPL_TEST(sign, an_input_is_not_overwritten)
{
    dpl_ctx *ctx = test_ctx(1);
    dpl_vectors *v = NULL;
    const char *path = test_write("v.fvecs", "\1\0\0\0\0\0\x80\x3f", 8); /* one row: 1.0 */
    CHECK_OK(dpl_vectors_open(&v, ctx, path, &test_err));
    CHECK_EQ(dpl_sign(NULL, ctx, path, v, NULL, &test_err), DPL_E_USAGE);
    CHECK_STR(dpl__cstr(test_err.code), "output-is-input");
    dpl_vectors_close(v);
    test_ctx_done(ctx);
}
