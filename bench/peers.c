/*
 * peers.c - zstd, JSON parsers, ICU, Snowball, and our own parts, each by itself.
 */
#include "peers.h"

#include "base/ctx.h"
#include "readers/chunks.h"
#include "readers/json_parser.h"
#include "tokens/stemming.h"
#include "tokens/tokenize.h"
#ifdef DPL_HAVE_SIMDJSON
#include "simdjson_lines.h"
#endif

#include <stdio.h>
#include <unicode/ubrk.h>
#include <unicode/utext.h>
#include <zstd.h>

enum {
    PIECE = 1 << 20,
    SAMPLED = 8, /* one document in so many gives its words to the stemmer */
};

/* ---- what they work on -------------------------------------------------------------- */

static dpl_status load(dpl_ctx *ctx, dpl__bytes *out, const char *path, dpl_error *err)
{
    FILE *f = fopen(path, "rb");
    if (!f)
        return dpl__fail_errno(err, errno, "cannot open '%s'", path);
    dpl_status status = DPL_OK;
    for (size_t got = 1; got && status == DPL_OK; out->n += got) {
        if (!dpl__vec_reserve(ctx, out, PIECE + DPL__PAD))
            status = dpl__fail_nomem(err);
        got = status == DPL_OK ? fread(out->data + out->n, 1, PIECE, f) : 0;
    }
    fclose(f);
    if (status == DPL_OK)
        memset(out->data + out->n, 0, DPL__PAD);
    return status;
}

static dpl_status add_words(peers *p, dpl_tokens *tokens, const dpl_doc *doc, dpl_error *err)
{
    dpl_ctx *ctx = p->corpus->ctx;
    DPL_TRY(dpl_tokens_start(tokens, doc->text, doc->lang.data, err));
    dpl_token token;
    dpl_status status;
    while ((status = dpl_tokens_next(tokens, &token, err)) == DPL_OK) {
        char n = (char)(unsigned char)dpl__min(token.term.n, 255);
        if (!dpl__vec_push(ctx, &p->words, n) ||
            !dpl__vec_append(ctx, &p->words, token.term.data, (unsigned char)n))
            return dpl__fail_nomem(err);
    }
    sampled_doc sampled = {doc->lang.data, p->words.n};
    if (!dpl__vec_push(ctx, &p->sample, sampled))
        return dpl__fail_nomem(err);
    p->n_sample_text += doc->text.n;
    return status == DPL_END ? DPL_OK : status;
}

static dpl_status sample_words(peers *p, dpl_error *err)
{
    dpl_tokens *tokens = NULL;
    DPL_TRY(dpl_tokens_new(&tokens, p->corpus->ctx, NULL, err));
    dpl_status status = DPL_OK;
    for (size_t i = 0; i < p->corpus->docs.n && status == DPL_OK; i += SAMPLED)
        if (dpl__stem_has(p->corpus->docs.data[i].lang.data))
            status = add_words(p, tokens, &p->corpus->docs.data[i], err);
    dpl_tokens_free(tokens);
    return status;
}

dpl_status peers_init(peers *p, const corpus *c, const char *zst, const char *jsonl,
                      dpl_error *err)
{
    *p = (peers){.corpus = c, .jsonl_path = jsonl, .copy = dpl__calloc(c->ctx, 1, PIECE)};
    if (!p->copy)
        return dpl__fail_nomem(err);
    DPL_TRY(load(c->ctx, &p->zst, zst, err));
    DPL_TRY(load(c->ctx, &p->jsonl, jsonl, err));
    return sample_words(p, err);
}

void peers_clear(peers *p)
{
    if (!p->corpus)
        return;
    dpl_ctx *ctx = p->corpus->ctx;
    dpl__free(ctx, p->copy);
    dpl__vec_clear(ctx, &p->zst, &p->jsonl, &p->words, &p->sample);
}

/* ---- bytes -------------------------------------------------------------------------- */

dpl_status peer_memcpy(const peers *p, uint64_t *n_text, dpl_error *err)
{
    (void)err;
    for (size_t at = 0; at < p->jsonl.n; at += PIECE)
        memcpy(p->copy, p->jsonl.data + at, dpl__min(PIECE, p->jsonl.n - at));
    *n_text = p->corpus->n_text;
    return DPL_OK;
}

dpl_status peer_zstd(const peers *p, uint64_t *n_text, dpl_error *err)
{
    ZSTD_DStream *z = ZSTD_createDStream();
    if (!z)
        return dpl__fail_nomem(err);
    ZSTD_inBuffer in = {p->zst.data, p->zst.n, 0};
    size_t left = 1;
    while (in.pos < in.size && !ZSTD_isError(left)) {
        ZSTD_outBuffer out = {p->copy, PIECE, 0};
        left = ZSTD_decompressStream(z, &out, &in);
    }
    ZSTD_freeDStream(z);
    *n_text = p->corpus->n_text;
    return left == 0 ? DPL_OK : dpl__fail(err, DPL_E_FORMAT, "zstd: damaged");
}

/* ---- JSON --------------------------------------------------------------------------- */

dpl_status peer_simdjson(const peers *p, uint64_t *n_text, dpl_error *err)
{
#ifdef DPL_HAVE_SIMDJSON
    size_t n;
    if (!bench_simdjson(p->jsonl.data, p->jsonl.n, &n) || n != p->corpus->n_text)
        return dpl__fail(err, DPL_E_FORMAT, "simdjson finds other text");
    *n_text = n;
    return DPL_OK;
#else
    (void)p, (void)n_text;
    return dpl__fail(err, DPL_E_UNSUPPORTED, "built without simdjson");
#endif
}

/* One line; adds the length of its text. */
static dpl_status read_line(dpl_ctx *ctx, dpl__arena *arena, dpl_str line, uint64_t *n_text)
{
    dpl__json j = dpl__json_begin(ctx, line);
    dpl_str key, value = {0};
    DPL_TRY(dpl__json_open(&j, '{'));
    dpl_status status;
    while ((status = dpl__json_member(&j, arena, &key)) == DPL_OK)
        DPL_TRY(dpl__json_string(&j, arena, &value));
    *n_text += value.n; /* it comes last */
    return status == DPL_END ? dpl__json_end(&j) : status;
}

dpl_status peer_json(const peers *p, uint64_t *n_text, dpl_error *err)
{
    dpl_ctx *ctx = p->corpus->ctx;
    dpl__arena arena;
    dpl__arena_init(&arena, ctx);
    dpl_status status = DPL_OK;
    const char *at = p->jsonl.data, *end = at + p->jsonl.n;
    *n_text = 0;
    while (at < end && status == DPL_OK) {
        const char *line_end = memchr(at, '\n', (size_t)(end - at));
        dpl__arena_reset(&arena);
        status = read_line(ctx, &arena, (dpl_str){at, (size_t)(line_end - at)}, n_text);
        at = line_end + 1;
    }
    dpl__arena_clear(&arena);
    return status == DPL_OK && *n_text == p->corpus->n_text
               ? DPL_OK
               : dpl__fail(err, DPL_E_FORMAT, "our JSON parser finds other text");
}

dpl_status peer_reader(const peers *p, uint64_t *n_text, dpl_error *err)
{
    dpl_ctx *ctx = p->corpus->ctx;
    dpl_reader *reader = NULL;
    DPL_TRY(dpl_reader_open(&reader, ctx, p->jsonl_path, NULL, err));
    dpl__chunk chunk = {0};
    dpl__batch batch;
    dpl__batch_init(&batch, ctx, dpl__reader_options(reader));
    dpl_status status;
    *n_text = 0;
    while ((status = dpl__reader_chunk(reader, &chunk, err)) == DPL_OK) {
        dpl__batch_reset(&batch);
        status = dpl__reader_parse(reader, &batch, &chunk, err);
        if (status != DPL_OK)
            break;
        for (size_t i = 0; i < batch.docs.n; i++)
            *n_text += batch.docs.data[i].text.n;
    }
    dpl__batch_clear(&batch);
    dpl__chunk_clear(&chunk, ctx);
    dpl_reader_close(reader);
    return status == DPL_END ? DPL_OK : status;
}

/* ---- words and sentences ------------------------------------------------------------ */

dpl_status peer_icu(const peers *p, uint64_t *n_text, dpl_error *err)
{
    UErrorCode code = U_ZERO_ERROR;
    UBreakIterator *words = ubrk_open(UBRK_WORD, "en", NULL, 0, &code);
    UText text = UTEXT_INITIALIZER;
    for (size_t i = 0; i < p->corpus->docs.n && U_SUCCESS(code); i++) {
        dpl_str s = p->corpus->docs.data[i].text;
        utext_openUTF8(&text, s.data, (int64_t)s.n, &code);
        ubrk_setUText(words, &text, &code);
        while (U_SUCCESS(code) && ubrk_next(words) != UBRK_DONE)
            ;
    }
    utext_close(&text);
    ubrk_close(words);
    *n_text = p->corpus->n_text;
    return U_SUCCESS(code) ? DPL_OK : dpl__fail(err, DPL_E_NOMEM, "ICU: %s", u_errorName(code));
}

static void stem_words(dpl__stemmer *stemmer, const char *at, const char *end)
{
    while (at < end) {
        size_t n = (unsigned char)*at++;
        dpl__stem(stemmer, (dpl_str){at, n});
        at += n;
    }
}

dpl_status peer_stemmer(const peers *p, uint64_t *n_text, dpl_error *err)
{
    dpl__stemmer *stemmer = NULL;
    const char *lang = "", *at = p->words.data;
    for (size_t i = 0; i < p->sample.n; i++) {
        const sampled_doc *doc = &p->sample.data[i];
        if (strcmp(lang, doc->lang) != 0) {
            lang = doc->lang;
            dpl__stemmer_free(stemmer);
            DPL_TRY(dpl__stemmer_new(&stemmer, p->corpus->ctx, lang, err));
        }
        stem_words(stemmer, at, p->words.data + doc->words_end);
        at = p->words.data + doc->words_end;
    }
    dpl__stemmer_free(stemmer);
    *n_text = p->n_sample_text;
    return DPL_OK;
}

dpl_status peer_segment(const peers *p, uint64_t *n_text, dpl_error *err)
{
    dpl_ctx *ctx = p->corpus->ctx;
    dpl__segmenter *seg = NULL;
    DPL_TRY(dpl__segmenter_new(&seg, ctx, err));
    dpl__spans spans = {0};
    dpl_status status = DPL_OK;
    for (size_t i = 0; i < p->corpus->docs.n && status == DPL_OK; i++) {
        const dpl_doc *doc = &p->corpus->docs.data[i];
        status = dpl__segment(seg, doc->text, doc->lang.data, &spans, err);
    }
    dpl__vec_clear(ctx, &spans);
    dpl__segmenter_free(seg);
    *n_text = p->corpus->n_text;
    return status;
}

dpl_status peer_sentences(const peers *p, uint64_t *n_text, dpl_error *err)
{
    dpl_ctx *ctx = p->corpus->ctx;
    dpl__sentence_starts starts = {0};
    dpl_status status = DPL_OK;
    for (size_t i = 0; i < p->corpus->docs.n && status == DPL_OK; i++) {
        const dpl_doc *doc = &p->corpus->docs.data[i];
        status = dpl__split_sentences(ctx, doc->text, doc->lang.data, &starts, err);
    }
    dpl__vec_clear(ctx, &starts);
    *n_text = p->corpus->n_text;
    return status;
}

static dpl_status tokenize_document(dpl__worker *w, dpl__tokenized *t, const dpl_doc *doc,
                                    dpl_error *err)
{
    dpl__tokenized_reset(t);
    if (!dpl__vec_append(w->ctx, &t->text, doc->text.data, doc->text.n + DPL__PAD))
        return dpl__fail_nomem(err);
    return dpl__tokenize(w, t, 0, doc->text.n, doc->lang.data, err);
}

dpl_status peer_tokenize(const peers *p, uint64_t *n_text, dpl_error *err)
{
    dpl_ctx *ctx = p->corpus->ctx;
    dpl_tokens_options options = DPL_INIT(dpl_tokens_options, .stem = true);
    dpl__worker worker;
    dpl__tokenized t = {0};
    dpl_status status = dpl__worker_init(&worker, ctx, &options, 64u << 20, err);
    for (size_t i = 0; i < p->corpus->docs.n && status == DPL_OK; i++)
        status = tokenize_document(&worker, &t, &p->corpus->docs.data[i], err);
    dpl__tokenized_clear(&t, ctx);
    dpl__worker_clear(&worker);
    *n_text = p->corpus->n_text;
    return status;
}
