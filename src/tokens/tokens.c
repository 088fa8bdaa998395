/*
 * tokens.c - the tokenizer for one text at a time: what import does, with places.
 */
#include "doppel/tokens.h"

#include "base/ctx.h"
#include "base/sized.h"
#include "kernels/kernels.h"
#include "readers/reader.h"
#include "tokens/stop_file.h"
#include "tokens/tokenize.h"

/* About as many words as terms: those that are forgotten are folded again. */
enum { TERMS_MEMORY = 16 << 20, SURFACE_MEMORY = 16 << 20 };

struct dpl_tokens {
    dpl_ctx *ctx;
    dpl_tokens_options options;
    dpl__terms stop_words;
    dpl__worker worker;
    dpl__tokenized out;
    DPL_VEC(dpl_sentence) sentences;
    size_t n_given, sentence;
};

dpl_status dpl_tokens_new(dpl_tokens **out, dpl_ctx *ctx, const dpl_tokens_options *options,
                          dpl_error *err)
{
    dpl_tokens_options o;
    *out = NULL;
    DPL_TRY(DPL__TAKE(&o, options, err));
    dpl_tokens *t = dpl__calloc(ctx, 1, sizeof *t);
    DPL_TRY(dpl__need(t, err));
    t->ctx = ctx;
    t->out.has_places = true;
    t->options = o;
    dpl_status status;
    DPL__STEP(dpl__stop_file_read(&t->stop_words, ctx, &t->options, ctx->memory / 16, err));
    DPL__STEP(dpl__worker_init(&t->worker, ctx, &t->options, SURFACE_MEMORY, err));
    dpl__folder_stop(t->worker.folder, &t->stop_words);
done:
    if (status != DPL_OK) {
        dpl_tokens_free(t);
        return status;
    }
    *out = t;
    return DPL_OK;
}

void dpl_tokens_free(dpl_tokens *t)
{
    if (!t)
        return;
    dpl__vec_clear(t->ctx, &t->sentences);
    dpl__tokenized_clear(&t->out, t->ctx);
    dpl__worker_clear(&t->worker);
    dpl__terms_clear(&t->stop_words);
    dpl__free(t->ctx, t);
}

static dpl_status collect_sentences(dpl_tokens *t, dpl_error *err)
{
    for (size_t i = 0; i < t->out.sentence_begin.n; i++) {
        dpl_sentence s = {
            .begin = t->out.sentence_begin.data[i],
            .token = t->out.sentence_token.data[i],
            .is_paragraph_start = t->out.sentence_flags.data[i] & DPL__PARAGRAPH_START,
            .is_section_start = t->out.sentence_flags.data[i] & DPL__SECTION_START};
        DPL_TRY(dpl__need(dpl__vec_push(t->ctx, &t->sentences, s), err));
    }
    return DPL_OK;
}

dpl_status dpl_tokens_start(dpl_tokens *t, dpl_str text, const char *lang, dpl_error *err)
{
    dpl__tokenized_reset(&t->out);
    t->sentences.n = t->n_given = t->sentence = 0;
    if (text.n >= INT32_MAX)
        return dpl__fail(err, DPL_E_UNSUPPORTED, "a text of %zu bytes is over 2 GiB", text.n);
    uint8_t most;
    const uint8_t *p = (const uint8_t *)text.data;
    size_t good = t->ctx->kernels->utf8_prefix(p, text.n, &most);
    if (good < text.n) {
        dpl__fail(err, DPL_E_FORMAT, "invalid UTF-8 (byte 0x%02X at offset %zu)", p[good],
                  good);
        dpl__error_place(err, 0, 0, good);
        return DPL_E_FORMAT;
    }
    if (dpl__terms_bytes(&t->worker.terms) > TERMS_MEMORY)
        dpl__worker_new_terms(&t->worker);
    DPL_TRY(dpl__need(dpl__vec_reserve(t->ctx, &t->out.text, text.n + DPL__PAD), err));
    if (text.n)
        memcpy(t->out.text.data, text.data, text.n);
    memset(t->out.text.data + text.n, 0, DPL__PAD);
    DPL_TRY(dpl__tokenize(&t->worker, &t->out, 0, text.n, lang ? lang : "und", err));
    return collect_sentences(t, err);
}

dpl_status dpl_tokens_next(dpl_tokens *t, dpl_token *token, dpl_error *err)
{
    (void)err;
    if (t->n_given == t->out.tokens.n)
        return DPL_END;
    size_t i = t->n_given++;
    const dpl__term *term = &t->worker.terms.all.data[t->out.tokens.data[i]];
    while (t->sentence + 1 < t->sentences.n && t->sentences.data[t->sentence + 1].token <= i)
        t->sentence++;
    *token = (dpl_token){.term = dpl__term_text(term),
                         .begin = t->out.places.data[i].begin,
                         .end = t->out.places.data[i].end,
                         .sentence = (uint32_t)t->sentence};
    return DPL_OK;
}

const dpl_sentence *dpl_tokens_sentences(const dpl_tokens *t, size_t *n)
{
    *n = t->sentences.n;
    return t->sentences.data;
}
