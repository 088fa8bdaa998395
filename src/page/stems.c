/*
 * stems.c - stems of the words of an index, for a page.
 *
 * Snowball exists as machine code only, so a page takes stems from a table of all words in the
 * texts of its index. A word of a query that none of them has keeps its form.
 * Cost: tokenizing all texts once more, and about 6 bytes for each different word.
 */
#include "page/stems.h"

#include "base/ctx.h"
#include "tokens/stemming.h"
#include "tokens/terms.h"

#include <stdlib.h>

/* The words of one language. */
typedef struct lexis {
    const char *lang;
    dpl__terms words;
} lexis;

static dpl_status add_word(lexis *l, dpl_str word, dpl_error *err)
{
    uint32_t number;
    DPL_TRY(dpl__terms_number(&l->words, word, &number, err));
    /* what the tokenizer stems in French, Italian and Catalan: "l'eau" without its article */
    const char *quote = memchr(word.data, '\'', word.n);
    if (!quote || quote + 1 == word.data + word.n)
        return DPL_OK;
    const dpl_str rest = {quote + 1, (size_t)(word.data + word.n - quote - 1)};
    return dpl__terms_number(&l->words, rest, &number, err);
}

/* The words of the documents in one language. */
static dpl_status gather(lexis *l, const dpl_index *index, uint32_t n_docs, dpl_tokens *tokens,
                         dpl_error *err)
{
    dpl_status status = DPL_OK;
    for (uint32_t row = 0; row < n_docs && status == DPL_OK; row++) {
        dpl_str text;
        dpl_token token;
        if (strcmp(dpl_index_document(index, row).lang, l->lang) != 0)
            continue;
        DPL_TRY(dpl_index_text(index, row, &text, err));
        status = dpl_tokens_start(tokens, text, l->lang, err);
        while (status == DPL_OK && (status = dpl_tokens_next(tokens, &token, err)) == DPL_OK)
            status = add_word(l, token.term, err);
        status = status == DPL_END ? DPL_OK : status;
        dpl_index_free_text(index, text);
    }
    return status;
}

static int compare_words(const void *a, const void *b)
{
    const dpl_str x = dpl__term_text(a), y = dpl__term_text(b);
    const int order = memcmp(x.data, y.data, dpl__min(x.n, y.n));
    return order ? order : (x.n > y.n) - (x.n < y.n);
}

static bool append(dpl__bytes *out, dpl_ctx *ctx, const char *data, size_t n)
{
    if (!dpl__vec_reserve(ctx, out, n))
        return false;
    memcpy(out->data + out->n, data, n);
    out->n += n;
    return true;
}

/* The order of the terms is lost, with the numbers that slots have of them. */
static dpl_status write_words(dpl__bytes *out, dpl_ctx *ctx, lexis *l, dpl_error *err)
{
    dpl__stemmer *stemmer = NULL;
    DPL_TRY(dpl__stemmer_new(&stemmer, ctx, l->lang, err));
    if (l->words.all.n)
        qsort(l->words.all.data, l->words.all.n, sizeof *l->words.all.data, compare_words);
    bool is_good = append(out, ctx, "=", 1) && append(out, ctx, l->lang, strlen(l->lang)) &&
                   append(out, ctx, "\n", 1);
    for (size_t i = 0; i < l->words.all.n && is_good; i++) {
        const dpl_str word = dpl__term_text(&l->words.all.data[i]);
        const dpl_str stem = dpl__stem(stemmer, word);
        if (!dpl__str_eq(word, stem))
            is_good = append(out, ctx, word.data, word.n) && append(out, ctx, "\t", 1) &&
                      append(out, ctx, stem.data, stem.n) && append(out, ctx, "\n", 1);
    }
    dpl__stemmer_free(stemmer);
    return is_good ? DPL_OK : dpl__fail_nomem(err);
}

dpl_status dpl__page_stems(dpl__bytes *out, dpl_ctx *ctx, const dpl_index *index,
                           dpl_error *err)
{
    dpl_index_info info = DPL_INIT(dpl_index_info);
    dpl_index_describe(index, &info);
    if (!info.has_texts) {
        (void)dpl__fail(err, DPL_E_UNSUPPORTED,
                        "a web page stems by a table of the words in its texts, and this index "
                        "has no texts");
        return dpl__code(err, DPL_E_UNSUPPORTED, "page-stems");
    }
    dpl_tokens *tokens = NULL;
    DPL_TRY(dpl_tokens_new(&tokens, ctx, NULL, err));
    dpl_status status = DPL_OK;
    for (size_t i = 0; i < info.n_langs && status == DPL_OK; i++) {
        lexis l = {.lang = info.langs[i].lang};
        if (!dpl__stem_has(l.lang))
            continue;
        dpl__terms_init(&l.words, ctx);
        status = gather(&l, index, info.n_docs, tokens, err);
        if (status == DPL_OK)
            status = write_words(out, ctx, &l, err);
        dpl__terms_clear(&l.words);
    }
    dpl_tokens_free(tokens);
    return status;
}
