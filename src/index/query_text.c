/*
 * query_text.c - a text as the question: cut into words as the documents of the index were.
 */
#include "index/query.h"

#include "base/ctx.h"
#include "base/sized.h"

static void free_tokenizer(dpl_query *q)
{
    dpl__text_words *w = q->tokenizer;
    for (int i = 0; i < 2; i++) {
        dpl_tokens_free(w->tokenizers[i]);
        dpl__vec_clear(q->ctx, &w->tokens[i]);
    }
    dpl__free(q->ctx, w);
    q->tokenizer = NULL;
}

/* The words of a text: which 0 is the query's, 1 a document's. Borrowed until the next call
 * with the same. */
static dpl_status cut_words(dpl_query *q, dpl__text_words **out, int which, dpl_str text,
                            const char *lang, dpl_error *err)
{
    dpl__text_words *w = q->tokenizer;
    const dpl_tokens_options o =
        DPL_INIT(dpl_tokens_options, .stem = q->index->flags & DPL__F_STEM,
                 .stop_words = q->index->flags & DPL__F_STOP, .max_token = q->index->max_token);
    if (!w) {
        w = dpl__calloc(q->ctx, 1, sizeof *w);
        DPL_TRY(dpl__need(w, err));
        q->tokenizer = w;
        q->free_tokenizer = free_tokenizer;
    }
    *out = w;
    if (!w->tokenizers[which])
        DPL_TRY(dpl_tokens_new(&w->tokenizers[which], q->ctx, &o, err));
    w->tokens[which].n = 0;
    DPL_TRY(dpl_tokens_start(w->tokenizers[which], text, lang, err));
    dpl_token token;
    dpl_status status;
    while ((status = dpl_tokens_next(w->tokenizers[which], &token, err)) == DPL_OK)
        DPL_TRY(dpl__need(dpl__vec_push(q->ctx, &w->tokens[which], token), err));
    return status == DPL_END ? DPL_OK : status;
}

/* What the caller says; where it matters, what the text looks like; of one language, that. */
static const char *language_of(const dpl_query *q, dpl_str text, dpl_lang *lang, bool *is_told)
{
    const dpl_index *x = q->index;
    *is_told = false;
    if (q->o.lang) {
        *lang = dpl_lang_canonical(dpl__cstr(q->o.lang));
        return lang->code;
    }
    uint32_t only = 0;
    size_t n = 0;
    for (uint32_t i = 0; i < x->n_langs; i++)
        if (x->lang_counts[2 * i]) {
            only = i;
            n++;
        }
    if (n == 1 && x->n_translated == 0)
        return dpl__index_lang(x, only);
    if (x->n_translated == 0 && !(x->flags & (DPL__F_STEM | DPL__F_STOP)))
        return "";
    *lang = dpl_lang_identify(text);
    *is_told = true;
    return lang->code;
}

dpl_status dpl__query_ask(dpl_query *q, dpl_str text, const char *given, dpl_query_result *out,
                          dpl_error *err)
{
    const double began = dpl__now();
    dpl__text_words *words = NULL;
    dpl_lang lang = {0};
    bool is_told = false;
    const char *code = given ? given : language_of(q, text, &lang, &is_told);
    DPL_TRY(cut_words(q, &words, 0, text, *code ? code : "und", err));
    const dpl__cut_text cut = {text, words->tokens[0].data, words->tokens[0].n};
    DPL_TRY(dpl__query_tokens(q, &cut, code, out, err));
    q->result.is_lang_detected = is_told;
    q->result.micros = (dpl__now() - began) * 1e6;
    DPL__GIVE(out, &q->result);
    return DPL_OK;
}

dpl_status dpl_query_text(dpl_query *q, dpl_str text, dpl_query_result *out, dpl_error *err)
{
    return dpl__query_ask(q, text, NULL, out, err);
}

/* A document of the index as the question: its words with their places. */
static dpl_status cut_own(dpl_query *q, dpl_error *err)
{
    dpl__text_words *words = NULL;
    dpl_str text;
    if (q->tokens || q->own_row == DPL__NO_WORD)
        return DPL_OK;
    DPL_TRY(dpl_index_text(q->index, q->own_row, &text, err));
    const char *lang = dpl_index_document(q->index, q->own_row).lang;
    dpl_status status;
    DPL__STEP(cut_words(q, &words, 0, text, lang, err));
    q->tokens = words->tokens[0].data;
    q->n_tokens = words->tokens[0].n;
done:
    dpl_index_free_text(q->index, text);
    return status;
}

dpl_status dpl_query_passages(dpl_query *q, size_t hit, const dpl_query_passage **passages,
                              size_t *n, dpl_error *err)
{
    dpl__text_words *words = NULL;
    dpl_str text;
    assert(hit < q->hits.n);
    *passages = NULL;
    *n = 0;
    const uint32_t row = q->hits.data[hit].row;
    DPL_TRY(cut_own(q, err));
    DPL_TRY(dpl_index_text(q->index, row, &text, err));
    dpl_status status;
    DPL__STEP(cut_words(q, &words, 1, text, dpl_index_document(q->index, row).lang, err));
    const dpl__cut_text cut = {text, words->tokens[1].data, words->tokens[1].n};
    DPL__STEP(dpl__query_match(q, hit, &cut, passages, n, err));
done:
    dpl_index_free_text(q->index, text);
    return status;
}

/* ---- words as they are written ------------------------------------------------------- */

/* The first word of the text that became this stem; without one, the stem. */
static dpl_str word_of(dpl_str stem, dpl_str text, const dpl_token *tokens, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (dpl__str_eq(tokens[i].term, stem) && tokens[i].end <= text.n)
            return (dpl_str){text.data + tokens[i].begin, tokens[i].end - tokens[i].begin};
    return stem;
}

/* Words of one side, copied. Offsets stand for pointers until all are there. */
static dpl_status write_words(dpl_query *q, bool of_document, dpl_str text,
                              const dpl_token *tokens, size_t n, dpl_error *err)
{
    for (size_t i = 0; i < q->shown.n; i++) {
        dpl_str *at = of_document ? &q->shown.data[i].document : &q->shown.data[i].query;
        const dpl_str word = word_of(*at, text, tokens, n);
        const size_t begin = q->written.n;
        DPL_TRY(dpl__need(dpl__vec_append(q->ctx, &q->written, word.data, word.n), err));
        *at = (dpl_str){(const char *)(uintptr_t)begin, word.n};
    }
    return DPL_OK;
}

/* The words of a document of the index, where it has texts. */
static dpl_status write_words_of(dpl_query *q, bool of_document, uint32_t row, dpl_error *err)
{
    dpl__text_words *words = NULL;
    dpl_str text = {0};
    if (!(q->index->flags & DPL__F_TEXTS))
        return write_words(q, of_document, text, NULL, 0, err);
    DPL_TRY(dpl_index_text(q->index, row, &text, err));
    dpl_status status;
    DPL__STEP(
        cut_words(q, &words, of_document, text, dpl_index_document(q->index, row).lang, err));
    DPL__STEP(write_words(q, of_document, text, words->tokens[of_document].data,
                          words->tokens[of_document].n, err));
done:
    dpl_index_free_text(q->index, text);
    return status;
}

dpl_status dpl_query_words(dpl_query *q, size_t hit, const dpl_query_term **words, size_t *n,
                           dpl_error *err)
{
    assert(hit < q->hits.n);
    DPL_TRY(dpl_query_terms(q, hit, words, n, err));
    if (!(q->index->flags & DPL__F_STEM) || *n == 0)
        return DPL_OK;
    q->shown.n = q->written.n = 0;
    DPL_TRY(dpl__need(dpl__vec_append(q->ctx, &q->shown, *words, *n), err));
    *words = NULL;
    *n = 0;
    if (q->own_row == DPL__NO_WORD)
        DPL_TRY(write_words(q, false, q->text, q->tokens, q->n_tokens, err));
    else
        DPL_TRY(write_words_of(q, false, q->own_row, err));
    DPL_TRY(write_words_of(q, true, q->hits.data[hit].row, err));
    for (size_t i = 0; i < q->shown.n; i++) {
        dpl_query_term *t = &q->shown.data[i];
        t->query.data = q->written.data + (uintptr_t)t->query.data;
        t->document.data = q->written.data + (uintptr_t)t->document.data;
    }
    *words = q->shown.data;
    *n = q->shown.n;
    return DPL_OK;
}
