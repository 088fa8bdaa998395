#include "dedup/pack.h"

#include "base/hash.h"
#include "io/input.h"
#include "test.h"
#include "tokens/key_filter.h"

#include <stdio.h>
#include <stdlib.h>

/* ---- compressed pieces ----------------------------------------------------------------- */

/* All that a reader gets of the file. */
static dpl__bytes read_back(dpl_ctx *ctx, const char *path)
{
    dpl__bytes all = {0};
    dpl__input *in = NULL;
    char piece[1000];
    size_t n = 1;
    CHECK_OK(dpl__input_open(&in, ctx, path, &test_err));
    while (n) {
        CHECK_OK(dpl__input_read(in, piece, sizeof piece, &n, &test_err));
        CHECK(dpl__vec_append(ctx, &all, piece, n));
    }
    dpl__input_close(in);
    return all;
}

static void check_pieces(dpl_dedup_compress how)
{
    dpl_ctx *ctx = test_ctx(1);
    dpl_output *output = NULL;
    dpl__bytes whole = {0};
    dpl__rng rng = {how};
    char name[32];
    snprintf(name, sizeof name, "pieces%s", dpl__pack_ending(how));
    const char *path = test_path(name);
    CHECK_OK(dpl_output_new(&output, ctx, path, &test_err));
    for (int i = 0; i < 40; i++) {
        dpl__bytes piece = {0};
        for (size_t n = dpl__rng_below(&rng, 3000); n; n--) /* no bytes are a piece, too */
            CHECK(dpl__vec_push(ctx, &piece, "ab\n\xC3\xA9"[dpl__rng_below(&rng, 5)]));
        CHECK(dpl__vec_append(ctx, &whole, piece.data, piece.n));
        CHECK_OK(dpl__pack(&piece, ctx, how, &test_err));
        dpl_output_write(output, piece.data, piece.n);
        dpl__vec_clear(ctx, &piece);
    }
    CHECK_OK(dpl_output_finish(output, &test_err));
    dpl_output_free(output);
    dpl__bytes all = read_back(ctx, path);
    CHECK(all.n == whole.n && memcmp(all.data, whole.data, all.n) == 0);
    const dpl_input input = {.path = path};
    CHECK_EQ(dpl__pack_of(&input), how);
    dpl__vec_clear(ctx, &all, &whole);
    test_ctx_done(ctx);
}

DPL_TEST(pack, pieces_packed_by_themselves_are_one_stream)
{
    check_pieces(DPL_COMPRESS_NONE);
    check_pieces(DPL_COMPRESS_GZIP);
    check_pieces(DPL_COMPRESS_ZSTD);
}

static void check_nothing(dpl_dedup_compress how)
{
    dpl_ctx *ctx = test_ctx(1);
    dpl_output *output = NULL;
    const char *path = test_path(how == DPL_COMPRESS_GZIP ? "nothing.gz" : "nothing.zst");
    CHECK_OK(dpl_output_new(&output, ctx, path, &test_err));
    CHECK_OK(dpl__pack_nothing(output, ctx, how, &test_err));
    CHECK_OK(dpl_output_finish(output, &test_err));
    dpl_output_free(output);
    const dpl_input input = {.path = path};
    CHECK_EQ(dpl__pack_of(&input), how); /* an empty file would be NONE */
    dpl__bytes all = read_back(ctx, path);
    CHECK_EQ(all.n, 0);
    dpl__vec_clear(ctx, &all);
    test_ctx_done(ctx);
}

DPL_TEST(pack, no_bytes_are_a_compressed_file_too)
{
    check_nothing(DPL_COMPRESS_GZIP);
    check_nothing(DPL_COMPRESS_ZSTD);
}

/* ---- filter of keys -------------------------------------------------------------------- */

DPL_TEST(key_filter, keys_that_were_added_are_never_missed_and_few_others_pass)
{
    dpl_ctx *ctx = test_ctx(1);
    static const size_t sizes[] = {0, 1, 255, 256, 257, 5000, 100000};
    for (size_t s = 0; s < DPL_LEN(sizes); s++) {
        dpl__key_filter f;
        size_t n_passed = 0;
        CHECK(dpl__key_filter_init(&f, ctx, sizes[s]));
        for (uint64_t i = 0; i < sizes[s]; i++)
            dpl__key_filter_add(&f, dpl__mix(i));
        for (uint64_t i = 0; i < sizes[s]; i++)
            CHECK(dpl__key_filter_may_have(&f, dpl__mix(i)));
        for (uint64_t i = 0; i < 10000; i++)
            n_passed += dpl__key_filter_may_have(&f, dpl__mix(1000000 + i));
        CHECK(n_passed <= 10000 / 12); /* 16 bits or more for a key: a 16th, and a margin */
        dpl__key_filter_clear(&f, ctx);
    }
    test_ctx_done(ctx);
}
