/*
 * bleu_fuzz.c - words of BLEU: splitting words that were split changes nothing, and a text
 * against itself is perfect, as far as it has words.
 */
#include "doppel/eval.h"
#include "eval/bleu_words.h"
#include "fuzz.h"

static void score(dpl_ctx *ctx, dpl_str text, bool is_lowercase)
{
    const dpl_str *const references[] = {&text, &text};
    dpl_bleu_input in = DPL_INIT(dpl_bleu_input, .translations = &text,
                                 .references = references, .n_references = 2, .n_rows = 1);
    dpl_eval_bleu_options o = DPL_INIT(dpl_eval_bleu_options, .lowercase = is_lowercase);
    dpl_eval_bleu b = DPL_INIT(dpl_eval_bleu);
    REQUIRE(dpl_eval_bleu_run(&b, ctx, &in, &o, NULL) == DPL_OK);
    for (size_t n = 0; n < 4; n++)
        REQUIRE(b.n_matching[n] == b.n_ngrams[n]);
    REQUIRE(b.n_words == b.n_reference_words && (b.n_words < 4 || b.bleu > 99.999));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
    static dpl_ctx *ctx;
    if (!ctx)
        REQUIRE(dpl_ctx_new(&ctx, &(dpl_ctx_options)DPL_INIT(dpl_ctx_options, .n_threads = 1),
                            NULL) == DPL_OK);
    dpl_str text = {(const char *)data, n}, split, again;
    score(ctx, text, false);
    score(ctx, text, true);
    dpl__bleu_words w = {.ctx = ctx}, plain = {.ctx = ctx, .is_pretokenized = true};
    REQUIRE(dpl__bleu_words_text(&split, &w, text, NULL) == DPL_OK);
    REQUIRE(dpl__bleu_words_text(&again, &plain, split, NULL) == DPL_OK);
    REQUIRE(dpl__str_eq(split, again));
    dpl__bleu_words_clear(&w);
    dpl__bleu_words_clear(&plain);
    return 0;
}
