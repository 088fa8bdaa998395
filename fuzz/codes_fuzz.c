/*
 * codes_fuzz.c - hostile files of similarity hash codes.
 *
 * Each input is opened as it is, and with all checksums made right. Properties: codes that open
 * can be walked, match themselves, and join with themselves; the function in the file makes
 * codes of any words, twice the same.
 */
#define _GNU_SOURCE /* memfd_create */
#include "files.h"

#include "doppel/codes.h"
#include "signatures/codes.h"

static void hash_words(dpl_ctx *ctx, const dpl_hash *hash)
{
    const uint64_t offsets[] = {0, 3};
    const dpl_str terms[] = {{"ship", 4}, {"harbour", 7}, {"\xC3\xA4hre", 5}};
    const dpl_hash_input query =
        DPL_INIT(dpl_hash_input, .n_rows = 1, .offsets = offsets, .terms = terms);
    dpl_codes *a = NULL, *b = NULL;
    REQUIRE(dpl_codes_make(&a, ctx, hash, &query, NULL) == DPL_OK);
    REQUIRE(dpl_codes_make(&b, ctx, hash, &query, NULL) == DPL_OK);
    for (unsigned c = 0; c < dpl_codes_get_info(a).n_codes; c++)
        REQUIRE(dpl_codes_column(a, c)[0] == dpl_codes_column(b, c)[0]);
    dpl_codes_close(b);
    dpl_codes_close(a);
}

static void open_file(dpl_ctx *ctx, const char *path)
{
    dpl_codes *codes = NULL;
    if (dpl_codes_open(&codes, ctx, path, NULL) != DPL_OK)
        return;
    REQUIRE(dpl__codes_check_match(codes, codes, NULL) == DPL_OK);
    for (uint32_t row = 0; row < dpl_codes_get_info(codes).n_rows; row++)
        fuzz_touch(dpl_codes_id(codes, row));
    dpl_buckets *buckets = NULL;
    const dpl_join_options few = DPL_INIT(dpl_join_options, .most = 2);
    REQUIRE(dpl_codes_join(&buckets, ctx, codes, NULL, &few, NULL) == DPL_OK);
    dpl_buckets_close(buckets);
    hash_words(ctx, dpl_codes_get_info(codes).hash);
    dpl_codes_close(codes);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
    fuzz_open_both(data, n, open_file);
    return 0;
}
