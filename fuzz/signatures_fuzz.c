/*
 * signatures_fuzz.c - hostile files of signatures, and signatures of hostile vectors.
 *
 * Each input is opened as it is, and with all checksums made right. Properties: signatures that
 * open can be walked and match themselves, at distance 0 from themselves; vectors that open can
 * be signed by every method, and every level makes the same words.
 */
#define _GNU_SOURCE /* memfd_create */
#include "files.h"
#include "signatures/signatures.h"

static void walk_signatures(const dpl_signatures *s)
{
    const dpl_signatures_sizes *size = dpl_signatures_get_sizes(s);
    REQUIRE(dpl__signatures_check_match(s, s, NULL) == DPL_OK);
    fuzz_touch(dpl_signatures_get_info(s).settings);
    for (uint32_t row = 0; row < size->n_rows; row++) {
        fuzz_touch(dpl_signatures_id(s, row));
        fuzz_touch((dpl_str){(const char *)dpl_signatures_row(s, row), 8 * size->n_words});
        const bool is_rp8 = size->method == DPL_SIGN_RP8; /* rows of any length */
        REQUIRE(is_rp8 || dpl_signatures_distance(s, row, s, row) == 0);
        REQUIRE(is_rp8 || dpl_signatures_distance(s, row, s, 0) <= size->length);
        REQUIRE(dpl_signatures_distance(s, row, s, 0) == dpl_signatures_distance(s, 0, s, row));
    }
}

static void sign_vectors(dpl_ctx *ctx, const dpl_vectors *v)
{
    static dpl_ctx *scalar;
    const dpl_ctx_options plain =
        DPL_INIT(dpl_ctx_options, .n_threads = 1, .cpu = DPL_CPU_SCALAR);
    if (!scalar)
        REQUIRE(dpl_ctx_new(&scalar, &plain, NULL) == DPL_OK);
    static const dpl_sign_options all[] = {
        DPL_INIT(dpl_sign_options, .method = DPL_SIGN_RP, .length = 192),
        DPL_INIT(dpl_sign_options, .method = DPL_SIGN_SIMHASH, .length = 128),
        DPL_INIT(dpl_sign_options, .method = DPL_SIGN_MINHASH, .length = 5),
        DPL_INIT(dpl_sign_options, .method = DPL_SIGN_RP8, .length = 64)};
    for (size_t i = 0; i < DPL_LEN(all); i++) {
        dpl_signatures *a = NULL, *b = NULL;
        REQUIRE(dpl_signatures_make(&a, ctx, v, &all[i], NULL) == DPL_OK);
        REQUIRE(dpl_signatures_make(&b, scalar, v, &all[i], NULL) == DPL_OK);
        for (uint32_t row = 0; row < dpl_signatures_get_sizes(a)->n_rows; row++)
            REQUIRE(memcmp(dpl_signatures_row(a, row), dpl_signatures_row(b, row),
                           8 * (size_t)dpl_signatures_get_sizes(a)->n_words) == 0);
        walk_signatures(a);
        dpl_signatures_close(a);
        dpl_signatures_close(b);
    }
}

static void open_file(dpl_ctx *ctx, const char *path)
{
    dpl_signatures *s = NULL;
    if (dpl_signatures_open(&s, ctx, path, NULL) == DPL_OK)
        walk_signatures(s);
    dpl_signatures_close(s);
    dpl_vectors *v = NULL;
    if (dpl_vectors_open(&v, ctx, path, NULL) == DPL_OK && dpl_vectors_get_sizes(v)->n_terms)
        sign_vectors(ctx, v);
    dpl_vectors_close(v);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
    fuzz_open_both(data, n, open_file);
    return 0;
}
