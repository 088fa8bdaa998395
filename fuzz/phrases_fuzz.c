/*
 * phrases_fuzz.c - hostile phrase models.
 *
 * Each input is opened as it is, and with all checksums made right. A model that opens
 * translates sentences of its own words and of others, in order and with reordering, to valid
 * UTF-8 as far as its words are.
 */
#define _GNU_SOURCE /* memfd_create */
#include "files.h"

#include "base/vec.h"
#include "translate/decode.h"

static void translate(dpl_ctx *ctx, const char *path, unsigned reordering, dpl_str sentence)
{
    dpl_translator *t = NULL;
    dpl_translations out = {0};
    dpl_translator_options o =
        DPL_INIT(dpl_translator_options, .reordering = reordering, .beam = 4);
    if (dpl_translator_open(&t, ctx, path, &o, NULL) != DPL_OK)
        return;
    REQUIRE(dpl_translator_run(&out, t, &sentence, 1, NULL) == DPL_OK);
    REQUIRE(out.n == 1);
    fuzz_touch(out.texts[0]);
    dpl_translations_clear(&out, t);
    dpl_translator_close(t);
}

/* Its first words, with an unknown one between. */
static void list_words(dpl_ctx *ctx, const char *path, dpl__bytes *out)
{
    dpl__phrase_model m;
    if (dpl__model_open(&m, ctx, path, NULL) != DPL_OK)
        return;
    for (size_t i = 0; i < m.sources.n && i < 30; i++) {
        dpl_str s = dpl__string(&m.sources, i);
        REQUIRE(dpl__vec_append(ctx, out, s.data, s.n));
        REQUIRE(dpl__vec_append(ctx, out, i == 7 ? " zzz, " : " ", i == 7 ? 6 : 1));
    }
    dpl__model_close(&m);
}

static void check(dpl_ctx *ctx, const uint8_t *data, size_t n)
{
    char path[40];
    dpl__bytes words = {0};
    snprintf(path, sizeof path, "/proc/self/fd/%d", fuzz_file(data, n));
    list_words(ctx, path, &words);
    translate(ctx, path, 0, (dpl_str){words.data ? words.data : "", words.n});
    translate(ctx, path, 3, (dpl_str){words.data ? words.data : "", words.n});
    dpl__vec_clear(ctx, &words);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
    static dpl_ctx *ctx;
    if (!ctx)
        REQUIRE(dpl_ctx_new(&ctx, NULL, NULL) == DPL_OK);
    check(ctx, data, n);
    uint8_t *copy = malloc(n + 1);
    REQUIRE(copy);
    memcpy(copy, data, n);
    fuzz_repair(ctx, copy, n);
    check(ctx, copy, n);
    free(copy);
    return 0;
}
