/*
 * dense_fuzz.c - hostile .npy and .fvecs files.
 *
 * The first byte says which. Properties: rows that are read have length one; all of them are
 * read or dropped; they are the same numbers when they do not fit into memory.
 */
#define _GNU_SOURCE /* memfd_create */
#include "files.h"

#include "vectors/dense.h"

#include <math.h>

static dpl_ctx *context(uint64_t memory)
{
    dpl_ctx *ctx = NULL;
    dpl_ctx_options o = DPL_INIT(dpl_ctx_options, .n_threads = 1, .memory = memory);
    REQUIRE(dpl_ctx_new(&ctx, &o, NULL) == DPL_OK);
    return ctx;
}

static void walk(const dpl_vectors *v)
{
    const dpl_vectors_sizes *size = dpl_vectors_get_sizes(v);
    long last = -1;
    REQUIRE(size->dim > 0 && size->n_terms == 0);
    REQUIRE(dpl__vectors_check_match(v, v, NULL) == DPL_OK);
    for (uint32_t row = 0; row < size->n_rows; row++) {
        const float *x = dpl_vectors_dense(v, row);
        double squares = 0;
        for (uint32_t i = 0; i < size->dim; i++)
            squares += (double)x[i] * (double)x[i];
        REQUIRE(fabs(squares - 1) < 1e-3);
        REQUIRE(fabs(dpl_vectors_cosine(v, row, v, row) - 1) < 1e-3);
        dpl_str id = dpl_vectors_id(v, row);
        char digits[16] = "";
        REQUIRE(id.n > 0 && id.n < sizeof digits);
        memcpy(digits, id.data, id.n);
        long number = strtol(digits, NULL, 10);
        REQUIRE(number > last && number < (long)size->n_rows + (long)size->n_dropped);
        last = number;
    }
}

static dpl_vectors *open_rows(dpl_ctx *ctx, bool is_npy, const uint8_t *data, size_t n)
{
    dpl_vectors *v = dpl__calloc(ctx, 1, sizeof *v);
    REQUIRE(v != NULL);
    v->ctx = ctx;
    dpl__arena_init(&v->arena, ctx);
    v->path = (char *)(uintptr_t)(is_npy ? "x.npy" : "x.fvecs"); /* decides */
    if (dpl__dense_open(v, fuzz_file(data, n), data, dpl__min(n, 16), NULL) == DPL_OK)
        return v;
    dpl_vectors_close(v);
    return NULL;
}

static void check_same(const dpl_vectors *v, const dpl_vectors *w)
{
    const dpl_vectors_sizes *a = dpl_vectors_get_sizes(v), *b = dpl_vectors_get_sizes(w);
    REQUIRE(a->n_rows == b->n_rows && a->dim == b->dim && a->n_dropped == b->n_dropped);
    for (uint32_t row = 0; row < a->n_rows; row++)
        REQUIRE(memcmp(dpl_vectors_dense(v, row), dpl_vectors_dense(w, row), 4 * a->dim) == 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
    static dpl_ctx *ctx, *small;
    if (!ctx) {
        ctx = context(0);
        small = context(1);
    }
    if (n == 0)
        return 0;
    bool is_npy = data[0] & 1;
    dpl_vectors *v = open_rows(ctx, is_npy, data + 1, n - 1), *w = NULL;
    if (v)
        walk(v);
    if (v && n % 8 == 0) {
        REQUIRE((w = open_rows(small, is_npy, data + 1, n - 1)) != NULL);
        check_same(v, w);
    }
    dpl_vectors_close(w);
    dpl_vectors_close(v);
    return 0;
}
