/*
 * csr_fuzz.c - any bytes as sparse and dense arrays of a caller.
 *
 * The first bytes are the sizes, what follows are offsets, terms, weights and ids. Properties:
 * arrays are refused, or become rows of length one that match themselves; rows taken from such
 * vectors and made vectors again give the same cosines.
 */
#include "fuzz.h"

#include "doppel/doppel.h"

#include <math.h>

enum { MOST = 64 };

/* What is left of the input; zeros behind its end. */
typedef struct bytes {
    const uint8_t *p, *end;
} bytes;

static uint8_t next(bytes *b)
{
    return b->p < b->end ? *b->p++ : 0;
}

static float next_float(bytes *b)
{
    uint8_t raw[4] = {next(b), next(b), next(b), next(b)};
    float x;
    memcpy(&x, raw, sizeof x);
    return raw[0] & 1 ? x : (float)raw[1]; /* many of them plain */
}

static void walk(dpl_ctx *ctx, const dpl_vectors *v)
{
    const dpl_vectors_sizes *n = dpl_vectors_get_sizes(v);
    const uint32_t *terms;
    const float *weights;
    const uint64_t *offsets = dpl_vectors_get_csr(v, &terms, &weights);
    dpl_str ids[MOST], names[256];
    for (uint32_t i = 0; i < n->n_rows; i++)
        ids[i] = dpl_vectors_id(v, i);
    for (uint32_t i = 0; i < n->n_terms; i++)
        names[i] = dpl_vectors_term(v, i);
    dpl_csr_array a =
        DPL_INIT(dpl_csr_array, .n_rows = n->n_rows, .n_terms = n->n_terms, .offsets = offsets,
                 .terms = terms, .weights = weights, .ids = ids, .term_names = names);
    dpl_vectors *again = NULL;
    REQUIRE(dpl_vectors_from_csr(&again, ctx, &a, NULL) == DPL_OK);
    REQUIRE(dpl_vectors_get_sizes(again)->n_rows == n->n_rows);
    for (uint32_t i = 0; i < n->n_rows; i++) {
        double own = dpl_vectors_cosine(v, i, v, i);
        REQUIRE(fabs(own - 1) < 1e-3);
        REQUIRE(fabs(dpl_vectors_cosine(again, i, v, i) - own) < 1e-6);
    }
    dpl_vectors_close(again);
}

static void check_sparse(dpl_ctx *ctx, bytes *b)
{
    uint64_t offsets[MOST + 1] = {0};
    uint32_t terms[MOST * 8];
    float weights[MOST * 8];
    static const dpl_str letters[] = {{"a", 1}, {"b", 1}, {"c", 1}, {"\t", 1}, {"\xFF", 1}};
    dpl_str names[256], ids[MOST];
    uint32_t n_rows = next(b) % MOST, n_terms = next(b);
    uint8_t flags = next(b);
    for (uint32_t i = 0; i < n_rows; i++)
        offsets[i + 1] = offsets[i] + next(b) % 8;
    if (flags & 4 && n_rows)
        offsets[next(b) % n_rows] = next(b) % (offsets[n_rows] + 1);
    for (uint64_t i = 0; i < MOST * 8; i++) {
        terms[i] = next(b);
        weights[i] = next_float(b);
    }
    for (size_t i = 0; i < 256; i++)
        names[i] =
            (dpl_str){(const char *)b->p, dpl__min(next(b) % 4, (size_t)(b->end - b->p))};
    for (uint32_t i = 0; i < n_rows; i++)
        ids[i] = letters[next(b) % DPL_LEN(letters)];
    dpl_csr_array a =
        DPL_INIT(dpl_csr_array, .n_rows = n_rows, .n_terms = n_terms, .offsets = offsets,
                 .terms = terms, .weights = weights, .ids = flags & 1 ? ids : NULL,
                 .term_names = flags & 2 ? names : NULL);
    dpl_vectors *v = NULL;
    if (dpl_vectors_from_csr(&v, ctx, &a, NULL) == DPL_OK)
        walk(ctx, v);
    dpl_vectors_close(v);
}

static void check_dense(dpl_ctx *ctx, bytes *b)
{
    float values[MOST * 16];
    dpl_dense_array a = DPL_INIT(dpl_dense_array, .n_rows = next(b) % MOST, .dim = next(b) % 9,
                                 .stride = next(b) % 17, .values = values);
    for (size_t i = 0; i < DPL_LEN(values); i++)
        values[i] = next_float(b);
    dpl_vectors *v = NULL;
    if (dpl_vectors_from_dense(&v, ctx, &a, NULL) == DPL_OK)
        for (uint32_t i = 0; i < dpl_vectors_get_sizes(v)->n_rows; i++)
            REQUIRE(fabs(dpl_vectors_cosine(v, i, v, i) - 1) < 1e-3);
    dpl_vectors_close(v);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
    static dpl_ctx *ctx;
    dpl_ctx_options o = DPL_INIT(dpl_ctx_options, .n_threads = 1);
    if (!ctx)
        REQUIRE(dpl_ctx_new(&ctx, &o, NULL) == DPL_OK);
    bytes b = {data, data + n};
    if (next(&b) & 1)
        check_dense(ctx, &b);
    else
        check_sparse(ctx, &b);
    return 0;
}
