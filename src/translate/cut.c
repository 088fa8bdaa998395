/*
 * cut.c - words and marks of a sentence, by the rules of the lexicon's encoder.
 */
#include "translate/cut.h"

#include "lexicon/punctuation.h"
#include "readers/reader.h"

enum { PAD = 64 };

dpl_status dpl__cutter_init(dpl__cutter *c, dpl_ctx *ctx, const char *lang, dpl_error *err)
{
    assert(lang);
    static const dpl_tokens_options plain = DPL_INIT(dpl_tokens_options, .max_token = 1000);
    *c = (dpl__cutter){.ctx = ctx};
    dpl__arena_init(&c->arena, ctx);
    memcpy(c->lang, lang, dpl__min(strlen(lang), sizeof c->lang - 1));
    DPL_TRY(dpl__folder_new(&c->folder, ctx, &plain, err));
    DPL_TRY(dpl__folder_language(c->folder, c->lang, err));
    return dpl__segmenter_new(&c->segmenter, ctx, err);
}

void dpl__cutter_clear(dpl__cutter *c)
{
    if (!c->ctx)
        return;
    dpl__arena_clear(&c->arena);
    dpl__vec_clear(c->ctx, &c->text, &c->words, &c->all);
    dpl__segmenter_free(c->segmenter);
    dpl__folder_free(c->folder);
    *c = (dpl__cutter){0};
}

dpl_status dpl__cut(dpl__cutter *c, dpl_str sentence, dpl_error *err)
{
    uint64_t n_replaced;
    c->text.n = 0;
    dpl__arena_reset(&c->arena);
    if (sentence.n)
        DPL_TRY(dpl__utf8_replace(&sentence, &c->arena, &n_replaced, err));
    DPL_TRY(dpl__need(dpl__vec_reserve(c->ctx, &c->text, sentence.n + PAD), err));
    for (size_t i = 0; i < sentence.n; i++) {
        char x = sentence.data[i];
        c->text.data[i] = (unsigned char)x < ' ' ? ' ' : x;
    }
    memset(c->text.data + sentence.n, 0, PAD);
    c->text.n = sentence.n;
    dpl_str text = {c->text.data, c->text.n};
    DPL_TRY(dpl__segment(c->segmenter, text, c->lang, &c->words, err));
    return dpl__add_punctuation(&c->all, c->ctx, text, &c->words, err);
}

dpl_status dpl__cut_fold(dpl__cutter *c, dpl_str word, dpl_str *folded, dpl_error *err)
{
    DPL_TRY(dpl__fold(c->folder, word, folded, err));
    if (!folded->n)
        *folded = word;
    return DPL_OK;
}
