#include "doppel/codes.h"

#include "base/ctx.h"
#include "base/hash.h"
#include "signatures/code_rows.h"
#include "signatures/codes.h"
#include "test.h"
#include "vectors/vectors.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* ---- documents made by hand --------------------------------------------------------- */

/* A collection of texts, one a line of JSON. */
static dpl_collection *import_texts(dpl_ctx *ctx, const char *const *texts, size_t n)
{
    char *json = malloc(n * 4096), *at = json;
    for (size_t i = 0; i < n; i++)
        at += sprintf(at, "{\"id\":\"d%zu\",\"lang\":\"en\",\"text\":\"%s\"}\n", i, texts[i]);
    const char *path = test_write("docs.jsonl", json, (size_t)(at - json));
    free(json);
    dpl_collection *c = NULL;
    CHECK_OK(dpl_import(NULL, ctx, test_path("docs.dpl"), &path, 1, NULL, &test_err));
    CHECK_OK(dpl_collection_open(&c, ctx, test_path("docs.dpl"), &test_err));
    return c;
}

static const char *const texts[] = {
    "the ship left the harbour early in the morning with a cargo of coffee and sugar",
    "the ship left the harbour early in the morning with a cargo of coffee and sugar",
    "central banks raised interest rates again as inflation stayed above the target",
    "word",
};

static dpl_codes *make_codes(dpl_ctx *ctx, dpl_hash **hash, const dpl_hash_options *o,
                             const dpl_hash_input *input)
{
    dpl_codes *codes = NULL;
    const bool learns = dpl_hash_get_function_info(o->function)->has_reference;
    CHECK_OK(dpl_hash_new(hash, ctx, o, learns ? input : NULL, &test_err));
    CHECK_OK(dpl_codes_make(&codes, ctx, *hash, input, &test_err));
    return codes;
}

static bool share(const dpl_codes *codes, uint32_t a, uint32_t b)
{
    for (unsigned c = 0; c < dpl_codes_get_info(codes).n_codes; c++)
        if (dpl_codes_column(codes, c)[a] == dpl_codes_column(codes, c)[b])
            return true;
    return false;
}

static unsigned n_functions(void)
{
    unsigned n = 0;
    while (dpl_hash_get_function_info((dpl_hash_function)n))
        n++;
    return n;
}

DPL_TEST(hash, every_function_gives_equal_documents_equal_codes)
{
    dpl_ctx *ctx = test_ctx(2);
    dpl_collection *c = import_texts(ctx, texts, DPL_LEN(texts));
    dpl_hash_input input = DPL_INIT(dpl_hash_input, .collection = c);
    for (unsigned f = 0; f < n_functions(); f++) {
        dpl_hash_options o = DPL_INIT(dpl_hash_options, .function = (dpl_hash_function)f);
        dpl_hash *hash = NULL;
        dpl_codes *codes = make_codes(ctx, &hash, &o, &input);
        CHECK_EQ(dpl_codes_get_info(codes).n_rows, DPL_LEN(texts));
        CHECK_EQ(dpl_codes_get_info(codes).n_codes, dpl_hash_get_info(hash).options->codes);
        for (unsigned k = 0; k < dpl_codes_get_info(codes).n_codes; k++)
            CHECK(dpl_codes_column(codes, k)[0] == dpl_codes_column(codes, k)[1]);
        CHECK_STR(dpl_codes_id(codes, 2), "d2");
        if (f != DPL_HASH_FUZZY && f != DPL_HASH_SIMHASH) /* chance on four documents */
            CHECK(!share(codes, 0, 3));
        dpl_codes_close(codes);
        dpl_hash_free(hash);
    }
    dpl_collection_close(c);
    test_ctx_done(ctx);
}

DPL_TEST(hash, codes_of_vectors_arrays_and_texts_are_the_same)
{
    dpl_ctx *ctx = test_ctx(2);
    dpl_collection *c = import_texts(ctx, texts, DPL_LEN(texts));
    dpl_vectors *v = NULL;
    dpl_vectors_options vo = DPL_INIT(dpl_vectors_options, .min_count = 1, .min_terms = 1);
    CHECK_OK(dpl_vectors_from_collection(&v, NULL, ctx, c, NULL, &vo, &test_err));
    const float *weights;
    const uint32_t *terms;
    const uint64_t *offsets = dpl_vectors_get_csr(v, &terms, &weights);
    const size_t n = (size_t)dpl_vectors_get_sizes(v)->n_entries;
    dpl_str *text = malloc(n * sizeof *text);
    uint64_t *keys = malloc(n * sizeof *keys);
    for (size_t i = 0; i < n; i++) {
        text[i] = dpl_vectors_term(v, terms[i]);
        keys[i] = dpl__term_key(text[i]);
    }
    dpl_hash_input inputs[3] = {
        DPL_INIT(dpl_hash_input, .vectors = v),
        DPL_INIT(dpl_hash_input, .n_rows = DPL_LEN(texts), .offsets = offsets, .terms = text,
                 .weights = weights),
        DPL_INIT(dpl_hash_input, .n_rows = DPL_LEN(texts), .offsets = offsets, .elements = keys,
                 .weights = weights),
    };
    for (unsigned f = 0; f < n_functions(); f++) {
        const dpl_hash_function_info *info = dpl_hash_get_function_info((dpl_hash_function)f);
        dpl_hash_options o = DPL_INIT(dpl_hash_options, .function = info->function);
        dpl_hash *hash = NULL;
        dpl_codes *first = make_codes(ctx, &hash, &o, &inputs[0]);
        for (size_t i = 1; i < (info->takes_keys ? 3u : 2u); i++) {
            dpl_codes *other = NULL;
            CHECK_OK(dpl_codes_make(&other, ctx, hash, &inputs[i], &test_err));
            for (unsigned k = 0; k < dpl_codes_get_info(first).n_codes; k++)
                CHECK(memcmp(dpl_codes_column(first, k), dpl_codes_column(other, k),
                             DPL_LEN(texts) * sizeof(uint64_t)) == 0);
            dpl_codes_close(other);
        }
        dpl_codes_close(first);
        dpl_hash_free(hash);
    }
    free(keys);
    free(text);
    dpl_vectors_close(v);
    dpl_collection_close(c);
    test_ctx_done(ctx);
}

DPL_TEST(hash, shingles_of_short_documents_and_of_long_ones)
{
    dpl_ctx *ctx = test_ctx(1);
    static const char *const some[] = {"a b c d e", "b c d e f", "b c", "b c", "c b"};
    dpl_collection *c = import_texts(ctx, some, DPL_LEN(some));
    dpl_hash *hash = NULL;
    const dpl_hash_options o =
        DPL_INIT(dpl_hash_options, .function = DPL_HASH_MINHASH, .shingle = 3);
    const dpl_hash_input input = DPL_INIT(dpl_hash_input, .collection = c);
    dpl_codes_close(make_codes(ctx, &hash, &o, &input));
    dpl__hash_rows rows;
    CHECK_OK(dpl__hash_rows_init(&rows, ctx, hash, &input, &test_err));
    uint64_t keys[5][8];
    size_t n[5];
    for (uint32_t i = 0; i < 5; i++) {
        const dpl__hash_row row = dpl__hash_rows_get(&rows, i, 0);
        n[i] = row.n;
        memcpy(keys[i], row.marks, row.n * sizeof *row.marks);
    }
    CHECK_EQ(n[0], 3);
    CHECK_EQ(n[1], 3);
    CHECK(keys[0][1] == keys[1][0] && keys[0][2] == keys[1][1] && keys[0][0] != keys[1][2]);
    CHECK_EQ(n[2], 1);
    CHECK(keys[2][0] == keys[3][0] && keys[2][0] != keys[4][0]);
    dpl__hash_rows_clear(&rows);
    dpl_hash_free(hash);
    dpl_collection_close(c);
    test_ctx_done(ctx);
}

/* The share of pairs of a known Jaccard similarity that agree on a code is J^k. */
DPL_TEST(hash, minhash_codes_agree_as_often_as_they_should)
{
    dpl_ctx *ctx = test_ctx(2);
    enum { PAIRS = 300, SHARED = 60, OWN = 10, N = SHARED + OWN, L = 50, K = 2 };
    uint64_t *elements = malloc(2 * PAIRS * N * sizeof *elements);
    uint64_t offsets[2 * PAIRS + 1];
    dpl__rng rng = {5};
    for (size_t i = 0; i < 2 * PAIRS; i++) {
        offsets[i] = i * N;
        for (size_t k = 0; k < N; k++)
            elements[i * N + k] =
                i % 2 && k < SHARED ? elements[(i - 1) * N + k] : dpl__rng_next(&rng);
    }
    offsets[2 * PAIRS] = 2 * PAIRS * N;
    dpl_hash_input input =
        DPL_INIT(dpl_hash_input, .n_rows = 2 * PAIRS, .offsets = offsets, .elements = elements);
    dpl_hash_options o =
        DPL_INIT(dpl_hash_options, .function = DPL_HASH_MINHASH, .length = K, .codes = L);
    dpl_hash *hash = NULL;
    dpl_codes *codes = make_codes(ctx, &hash, &o, &input);
    size_t n_equal = 0;
    for (unsigned c = 0; c < L; c++)
        for (size_t i = 0; i < PAIRS; i++)
            n_equal +=
                dpl_codes_column(codes, c)[2 * i] == dpl_codes_column(codes, c)[2 * i + 1];
    const double j = (double)SHARED / (SHARED + 2 * OWN);
    CHECK(fabs((double)n_equal / (PAIRS * L) - pow(j, K)) < 0.02);
    dpl_codes_close(codes);
    dpl_hash_free(hash);
    free(elements);
    test_ctx_done(ctx);
}

DPL_TEST(hash, rows_without_elements_share_no_code)
{
    dpl_ctx *ctx = test_ctx(1);
    const uint64_t offsets[] = {0, 0, 0, 1}, elements[] = {7};
    dpl_hash_input input =
        DPL_INIT(dpl_hash_input, .n_rows = 3, .offsets = offsets, .elements = elements);
    dpl_hash_options o = DPL_INIT(dpl_hash_options, .function = DPL_HASH_MINHASH);
    dpl_hash *hash = NULL;
    dpl_codes *codes = make_codes(ctx, &hash, &o, &input);
    dpl_buckets *buckets = NULL;
    CHECK(dpl_codes_column(codes, 0)[0] == DPL_NO_CODE);
    CHECK(dpl_codes_column(codes, 0)[2] != DPL_NO_CODE);
    CHECK_OK(dpl_codes_join(&buckets, ctx, codes, NULL, NULL, &test_err));
    dpl_row_pair pair;
    size_t n;
    CHECK_EQ(dpl_buckets_next(buckets, &pair, &n, 1, &test_err), DPL_END);
    dpl_buckets_close(buckets);
    dpl_codes_close(codes);
    dpl_hash_free(hash);
    test_ctx_done(ctx);
}

DPL_TEST(hash, codes_do_not_depend_on_threads_or_instruction_set)
{
    static char words[300][1200];
    const char *some[300];
    dpl__rng rng = {9};
    for (size_t i = 0; i < 300; i++) {
        char *at = words[i];
        for (uint64_t k = 1 + dpl__rng_below(&rng, 60); k > 0; k--)
            at += sprintf(at, "w%d ", (int)dpl__rng_below(&rng, 400));
        some[i] = words[i];
    }
    dpl_ctx *ctx = test_ctx(1);
    dpl_collection *c = import_texts(ctx, some, 300);
    dpl_hash_input input = DPL_INIT(dpl_hash_input, .collection = c);
    for (unsigned f = 0; f < n_functions(); f++) {
        dpl_hash_options o = DPL_INIT(dpl_hash_options, .function = (dpl_hash_function)f);
        dpl_hash *hash = NULL, *other_hash = NULL;
        dpl_codes *codes = make_codes(ctx, &hash, &o, &input);
        for (unsigned cpu = DPL_CPU_SCALAR; cpu <= (unsigned)dpl_cpu_best(); cpu++) {
            dpl_ctx *other = NULL;
            dpl_ctx_options co = DPL_INIT(dpl_ctx_options, .n_threads = 1 + cpu,
                                          .cpu = (dpl_cpu)cpu, .memory = 1 << 20);
            CHECK_OK(dpl_ctx_new(&other, &co, &test_err));
            dpl_codes *again = make_codes(other, &other_hash, &o, &input);
            for (unsigned k = 0; k < dpl_codes_get_info(codes).n_codes; k++)
                CHECK(memcmp(dpl_codes_column(codes, k), dpl_codes_column(again, k),
                             300 * sizeof(uint64_t)) == 0);
            dpl_codes_close(again);
            dpl_hash_free(other_hash);
            test_ctx_done(other);
        }
        dpl_codes_close(codes);
        dpl_hash_free(hash);
    }
    dpl_collection_close(c);
    test_ctx_done(ctx);
}

DPL_TEST(hash, what_does_not_fit_is_refused)
{
    dpl_ctx *ctx = test_ctx(1);
    dpl_hash *hash = NULL;
    dpl_codes *codes = NULL;
    dpl_hash_options bad[] = {
        DPL_INIT(dpl_hash_options, .function = (dpl_hash_function)99),
        DPL_INIT(dpl_hash_options, .function = DPL_HASH_RP, .length = 65),
        DPL_INIT(dpl_hash_options, .function = DPL_HASH_SIMHASH, .length = 33, .codes = 4),
        DPL_INIT(dpl_hash_options, .function = DPL_HASH_MINHASH, .length = 64, .codes = 1000),
        DPL_INIT(dpl_hash_options, .function = DPL_HASH_MINHASH, .shingle = 65),
    };
    for (size_t i = 0; i < DPL_LEN(bad); i++) {
        CHECK_EQ(dpl_hash_new(&hash, ctx, &bad[i], NULL, &test_err), DPL_E_USAGE);
        CHECK(hash == NULL);
    }
    dpl_hash_options o = DPL_INIT(dpl_hash_options, .function = DPL_HASH_MINHASH);
    CHECK_OK(dpl_hash_new(&hash, ctx, &o, NULL, &test_err));
    const uint64_t falling[] = {3, 1}, elements[] = {1, 2, 3};
    const float zero[] = {0, 1, 1};
    dpl_hash_input inputs[] = {
        DPL_INIT(dpl_hash_input),
        DPL_INIT(dpl_hash_input, .n_rows = 1, .offsets = falling, .elements = elements),
        DPL_INIT(dpl_hash_input, .n_rows = 1, .offsets = (const uint64_t[]){0, 3}),
        DPL_INIT(dpl_hash_input, .n_rows = 1, .offsets = (const uint64_t[]){0, 3},
                 .elements = elements, .weights = zero),
    };
    for (size_t i = 0; i < DPL_LEN(inputs); i++)
        CHECK_EQ(dpl_codes_make(&codes, ctx, hash, &inputs[i], &test_err), DPL_E_USAGE);
    dpl_hash_free(hash);
    test_ctx_done(ctx);
}

static dpl_status make_some(void *user, dpl_ctx *ctx, dpl_error *err)
{
    const dpl_hash_options *o = user;
    const uint64_t offsets[] = {0, 2, 4};
    const dpl_str terms[] = {DPL_STR("a"), DPL_STR("b"), DPL_STR("b"), DPL_STR("c")};
    dpl_hash_input input =
        DPL_INIT(dpl_hash_input, .n_rows = 2, .offsets = offsets, .terms = terms);
    dpl_hash *hash = NULL;
    dpl_codes *codes = NULL;
    dpl_status status = dpl_hash_new(&hash, ctx, o, &input, err);
    if (status == DPL_OK)
        status = dpl_codes_make(&codes, ctx, hash, &input, err);
    dpl_codes_close(codes);
    dpl_hash_free(hash);
    return status;
}

DPL_TEST(hash, failed_allocations_are_reported)
{
    for (unsigned f = 0; f < n_functions(); f++) {
        dpl_hash_options o = DPL_INIT(dpl_hash_options, .function = (dpl_hash_function)f);
        test_allocation_failures(make_some, &o);
    }
}

/* ---- files -------------------------------------------------------------------------- */

DPL_TEST(hash, codes_of_a_file_and_of_unseen_documents)
{
    dpl_ctx *ctx = test_ctx(2);
    dpl_collection *c = import_texts(ctx, texts, DPL_LEN(texts));
    dpl_hash_input input = DPL_INIT(dpl_hash_input, .collection = c);
    const uint64_t offsets[] = {0, 3};
    const dpl_str terms[] = {DPL_STR("ship"), DPL_STR("harbour"), DPL_STR("unseen")};
    dpl_hash_input query =
        DPL_INIT(dpl_hash_input, .n_rows = 1, .offsets = offsets, .terms = terms);
    for (unsigned f = 0; f < n_functions(); f++) {
        dpl_hash_options o = DPL_INIT(dpl_hash_options, .function = (dpl_hash_function)f);
        dpl_hash *hash = NULL;
        dpl_codes *codes = make_codes(ctx, &hash, &o, &input), *opened = NULL, *a = NULL,
                  *b = NULL;
        CHECK_OK(dpl_codes_save(codes, test_path("codes.dpl"), &test_err));
        CHECK_OK(dpl_codes_open(&opened, ctx, test_path("codes.dpl"), &test_err));
        CHECK_OK(dpl__codes_check_match(codes, opened, &test_err));
        CHECK_EQ(dpl_codes_get_info(opened).n_rows, DPL_LEN(texts));
        CHECK_STR(dpl_codes_id(opened, 3), "d3");
        CHECK_OK(dpl_codes_make(&a, ctx, hash, &query, &test_err));
        CHECK_OK(dpl_codes_make(&b, ctx, dpl_codes_get_info(opened).hash, &query, &test_err));
        for (unsigned k = 0; k < dpl_codes_get_info(codes).n_codes; k++) {
            CHECK(memcmp(dpl_codes_column(codes, k), dpl_codes_column(opened, k),
                         DPL_LEN(texts) * sizeof(uint64_t)) == 0);
            CHECK(dpl_codes_column(a, k)[0] == dpl_codes_column(b, k)[0]);
        }
        dpl_codes_close(b);
        dpl_codes_close(a);
        dpl_codes_close(opened);
        dpl_codes_close(codes);
        dpl_hash_free(hash);
    }
    dpl_collection_close(c);
    test_ctx_done(ctx);
}

DPL_TEST(hash, every_damaged_byte_of_a_file_is_refused)
{
    dpl_ctx *ctx = test_ctx(1);
    dpl_collection *c = import_texts(ctx, texts, DPL_LEN(texts));
    dpl_hash_input input = DPL_INIT(dpl_hash_input, .collection = c);
    dpl_hash_options o =
        DPL_INIT(dpl_hash_options, .function = DPL_HASH_FUZZY, .length = 10, .codes = 2);
    dpl_hash *hash = NULL;
    dpl_codes *codes = make_codes(ctx, &hash, &o, &input), *opened = NULL;
    CHECK_OK(dpl_codes_save(codes, test_path("codes.dpl"), &test_err));
    size_t n;
    char *bytes = test_read(test_path("codes.dpl"), &n);
    for (size_t i = 0; i < n; i += 7) {
        bytes[i] ^= 0x10;
        CHECK(dpl_codes_open(&opened, ctx, test_write("bad.dpl", bytes, n), NULL) != DPL_OK);
        bytes[i] ^= 0x10;
    }
    free(bytes);
    dpl_codes_close(codes);
    dpl_hash_free(hash);
    dpl_collection_close(c);
    test_ctx_done(ctx);
}

DPL_TEST(hash, codes_of_other_functions_and_references_do_not_match)
{
    dpl_ctx *ctx = test_ctx(1);
    dpl_collection *c = import_texts(ctx, texts, DPL_LEN(texts));
    dpl_hash_input input = DPL_INIT(dpl_hash_input, .collection = c);
    dpl_hash_options o[] = {
        DPL_INIT(dpl_hash_options, .function = DPL_HASH_FUZZY),
        DPL_INIT(dpl_hash_options, .function = DPL_HASH_FUZZY, .radix = 4),
        DPL_INIT(dpl_hash_options, .function = DPL_HASH_RP),
        DPL_INIT(dpl_hash_options, .function = DPL_HASH_RP, .length = 8),
    };
    dpl_hash *hash[DPL_LEN(o)];
    dpl_codes *codes[DPL_LEN(o)];
    for (size_t i = 0; i < DPL_LEN(o); i++)
        codes[i] = make_codes(ctx, &hash[i], &o[i], &input);
    for (size_t i = 0; i < DPL_LEN(o); i++)
        for (size_t k = 0; k < DPL_LEN(o); k++)
            CHECK_EQ(dpl__codes_check_match(codes[i], codes[k], &test_err),
                     i == k ? DPL_OK : DPL_E_USAGE);
    for (size_t i = 0; i < DPL_LEN(o); i++) {
        dpl_codes_close(codes[i]);
        dpl_hash_free(hash[i]);
    }
    dpl_collection_close(c);
    test_ctx_done(ctx);
}

/* ---- fuzzy -------------------------------------------------------------------------- */

DPL_TEST(hash, fuzzy_takes_documents_of_one_word_and_equal_documents)
{
    dpl_ctx *ctx = test_ctx(1);
    static const char *const same[] = {"word", "word", "word"};
    dpl_collection *c = import_texts(ctx, same, DPL_LEN(same));
    dpl_hash_input input = DPL_INIT(dpl_hash_input, .collection = c);
    dpl_hash_options o = DPL_INIT(dpl_hash_options, .function = DPL_HASH_FUZZY);
    dpl_hash *hash = NULL;
    dpl_codes *codes = make_codes(ctx, &hash, &o, &input);
    CHECK(share(codes, 0, 1) && share(codes, 1, 2));
    dpl_codes_close(codes);
    dpl_hash_free(hash);
    dpl_collection_close(c);
    const uint64_t none[] = {0, 0};
    dpl_hash_input empty =
        DPL_INIT(dpl_hash_input, .n_rows = 1, .offsets = none, .terms = (dpl_str[1]){{0}});
    CHECK_EQ(dpl_hash_new(&hash, ctx, &o, &empty, &test_err), DPL_E_NOTHING);
    CHECK_EQ(dpl_hash_new(&hash, ctx, &o, NULL, &test_err), DPL_E_USAGE);
    o.radix = 17;
    CHECK_EQ(dpl_hash_new(&hash, ctx, &o, &empty, &test_err), DPL_E_USAGE);
    test_ctx_done(ctx);
}

DPL_TEST(hash, long_codes_of_fuzzy_differ_when_one_digit_does)
{
    dpl_ctx *ctx = test_ctx(1);
    dpl_collection *c = import_texts(ctx, texts, DPL_LEN(texts));
    dpl_hash_input input = DPL_INIT(dpl_hash_input, .collection = c);
    dpl_hash_options o =
        DPL_INIT(dpl_hash_options, .function = DPL_HASH_FUZZY, .length = 100, .radix = 4);
    dpl_hash *hash = NULL;
    dpl_codes *codes = make_codes(ctx, &hash, &o, &input);
    CHECK(share(codes, 0, 1) && !share(codes, 0, 2) && !share(codes, 2, 3));
    dpl_codes_close(codes);
    dpl_hash_free(hash);
    dpl_collection_close(c);
    test_ctx_done(ctx);
}

/* Datar et al.: the probability that two rows at distance d fall into the same interval. */
static double same_interval(double d, double width)
{
    double sum = 0;
    enum { STEPS = 20000 };
    for (int i = 0; i < STEPS; i++) {
        const double t = (i + 0.5) * width / STEPS, x = t / d;
        sum += 2 / d * exp(-x * x / 2) / sqrt(2 * 3.14159265358979) * (1 - t / width);
    }
    return sum * width / STEPS;
}

DPL_TEST(hash, pstable_collides_as_often_as_datar_says)
{
    dpl_ctx *ctx = test_ctx(2);
    enum { DIM = 64, PAIRS = 400, L = 64 };
    float *values = malloc(2 * PAIRS * DIM * sizeof *values);
    dpl__rng rng = {3};
    const double cosine = 0.8;
    for (size_t i = 0; i < PAIRS; i++) {
        double a[DIM], b[DIM], aa = 0, ab = 0, bb = 0;
        for (size_t k = 0; k < DIM; k++) {
            a[k] = (double)dpl__rng_below(&rng, 2001) - 1000;
            b[k] = (double)dpl__rng_below(&rng, 2001) - 1000;
            aa += a[k] * a[k];
            ab += a[k] * b[k];
        }
        for (size_t k = 0; k < DIM; k++) {
            b[k] -= ab / aa * a[k];
            bb += b[k] * b[k];
        }
        for (size_t k = 0; k < DIM; k++) {
            values[2 * i * DIM + k] = (float)(a[k] / sqrt(aa));
            values[(2 * i + 1) * DIM + k] =
                (float)(cosine * a[k] / sqrt(aa) + sqrt(1 - cosine * cosine) * b[k] / sqrt(bb));
        }
    }
    dpl_dense_array array =
        DPL_INIT(dpl_dense_array, .n_rows = 2 * PAIRS, .dim = DIM, .values = values);
    dpl_vectors *v = NULL;
    CHECK_OK(dpl_vectors_from_dense(&v, ctx, &array, &test_err));
    dpl_hash_input input = DPL_INIT(dpl_hash_input, .vectors = v);
    dpl_hash_options o = DPL_INIT(dpl_hash_options, .function = DPL_HASH_PSTABLE, .length = 1,
                                  .codes = L, .width = 0.7);
    dpl_hash *hash = NULL;
    dpl_codes *codes = make_codes(ctx, &hash, &o, &input);
    size_t n_equal = 0;
    for (unsigned c = 0; c < L; c++)
        for (size_t i = 0; i < PAIRS; i++)
            n_equal +=
                dpl_codes_column(codes, c)[2 * i] == dpl_codes_column(codes, c)[2 * i + 1];
    const double expected = same_interval(sqrt(2 - 2 * cosine), 0.7);
    CHECK(fabs((double)n_equal / (PAIRS * L) - expected) < 0.02);
    dpl_codes_close(codes);
    dpl_hash_free(hash);
    o.width = -1;
    CHECK_EQ(dpl_hash_new(&hash, ctx, &o, NULL, &test_err), DPL_E_USAGE);
    dpl_vectors_close(v);
    free(values);
    test_ctx_done(ctx);
}
