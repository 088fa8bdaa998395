/*
 * stems.c - stems of the words of an index, for a page.
 *
 * Snowball exists as machine code only, so a page takes stems from a table of all words in the
 * texts of its index. A word of a query that none of them has is changed as most of the words
 * with the same ending are, the longest ending that decides. Cost: tokenizing all texts once
 * more, and about 10 bytes of the page for each different word.
 */
#include "page/page.h"

#include "base/ascii.h"
#include "base/ctx.h"
#include "base/order.h"
#include "page/stem_marks.h"
#include "tokens/stemming.h"
#include "tokens/terms.h"

#include <stdio.h>
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
        if (status == DPL_OK && dpl__terms_bytes(&l->words) > l->words.ctx->memory / 4) {
            (void)dpl__fail(err, DPL_E_LIMIT,
                            "the words of the page need more than the memory limit");
            status = dpl__code(err, DPL_E_LIMIT, "memory");
        }
        dpl_index_free_text(index, text);
    }
    return status;
}

static int compare_words(const void *a, const void *b)
{
    const dpl_str x = dpl__term_text(a), y = dpl__term_text(b);
    return dpl__str_cmp(x, y);
}

static bool append(dpl__bytes *out, dpl_ctx *ctx, const char *data, size_t n)
{
    if (!dpl__vec_reserve(ctx, out, n))
        return false;
    memcpy(out->data + out->n, data, n);
    out->n += n;
    return true;
}

static bool append_cstr(dpl__bytes *out, dpl_ctx *ctx, const char *text)
{
    return append(out, ctx, text, strlen(text));
}

/* ---- rules for words that the table does not have --------------------------------------- */

enum { MOST_SUFFIX = 6, MOST_WORD = 200 }; /* characters of a suffix; bytes of a word */

/* The begin of the last k characters of "^word"; NULL when it has less. */
static const char *suffix_of(const char *word, size_t n, size_t k)
{
    const char *p = word + n;
    for (; k && p > word; k--)
        p = word + dpl__char_begin(word, (size_t)(p - word) - 1);
    return k ? NULL : p;
}

/* Counts what becomes of words with each suffix: "suffix<TAB>bytes to remove<SPACE>to append".
 */
static dpl_status count_edits(dpl__terms *edits, const char *lang, dpl_str word, dpl_str stem,
                              dpl_error *err)
{
    char marked[MOST_WORD + 1], key[2 * MOST_WORD + 40];
    if (word.n >= MOST_WORD || stem.n >= MOST_WORD)
        return DPL_OK;
    marked[0] = '^';
    word = (dpl_str){marked + 1, dpl__without_stem_marks(marked + 1, word.data, word.n, lang)};
    size_t same = 0;
    while (same < word.n && same < stem.n && word.data[same] == stem.data[same])
        same++;
    if (same < word.n)
        same = dpl__char_begin(word.data, same);
    for (size_t k = 1; k <= MOST_SUFFIX; k++) {
        const char *suffix = suffix_of(marked, word.n + 1, k);
        if (!suffix)
            break;
        const size_t n_suffix = (size_t)(marked + word.n + 1 - suffix);
        if (word.n - same > n_suffix - (suffix == marked))
            continue; /* more than the suffix goes: a longer one says it */
        const int n = snprintf(key, sizeof key, "%.*s\t%zu %.*s", (int)n_suffix, suffix,
                               word.n - same, (int)(stem.n - same), stem.data + same);
        uint32_t number;
        DPL_TRY(dpl__terms_number(edits, (dpl_str){key, (size_t)n}, &number, err));
        edits->counts.data[number].count++;
    }
    return DPL_OK;
}

/* A suffix and the most frequent edit of words that have it: a part of a key of count_edits. */
typedef struct rule {
    dpl_str suffix, edit;
    uint64_t count;
} rule;

DPL__ORDER(compare_rules, rule, DPL__BY_BYTES(suffix) DPL__FALLING(count) DPL__BY_BYTES(edit))

static int compare_suffixes(const void *a, const void *b)
{
    const dpl_str *x = a;
    const rule *y = b;
    return dpl__str_cmp(*x, y->suffix);
}

/* Does a suffix that is a character shorter say the same? */
static bool is_implied(const rule *r, const rule *all, size_t n)
{
    dpl_str shorter = r->suffix;
    do {
        shorter.data++;
        shorter.n--;
    } while (shorter.n && dpl__is_inner(*shorter.data));
    const rule *found =
        shorter.n ? bsearch(&shorter, all, n, sizeof *all, compare_suffixes) : NULL;
    return found && dpl__str_eq(found->edit, r->edit);
}

/* Lines "suffix<TAB>edit" in the order of their bytes, below a line "~de". */
static dpl_status write_rules(dpl__bytes *out, dpl_ctx *ctx, const char *lang,
                              const dpl__terms *edits, dpl_error *err)
{
    const size_t n_edits = edits->all.n, n_bytes = n_edits * sizeof(rule);
    rule *rules = dpl__alloc(ctx, n_bytes);
    if (n_edits && !rules)
        return dpl__fail_nomem(err);
    for (size_t i = 0; i < n_edits; i++) {
        dpl_str edit = dpl__term_text(&edits->all.data[i]);
        const dpl_str suffix = dpl__next_column(&edit);
        rules[i] = (rule){suffix, edit, edits->counts.data[i].count};
    }
    if (n_edits)
        qsort(rules, n_edits, sizeof *rules, compare_rules);
    size_t n = 0; /* the first of each suffix has the highest count */
    for (size_t i = 0; i < n_edits; i++)
        if (!n || !dpl__str_eq(rules[n - 1].suffix, rules[i].suffix))
            rules[n++] = rules[i];
    bool is_good = append_cstr(out, ctx, "~") && append_cstr(out, ctx, lang) &&
                   append_cstr(out, ctx, "\n");
    for (size_t i = 0; i < n && is_good; i++)
        if (!is_implied(&rules[i], rules, n))
            is_good = append(out, ctx, rules[i].suffix.data, rules[i].suffix.n) &&
                      append_cstr(out, ctx, "\t") &&
                      append(out, ctx, rules[i].edit.data, rules[i].edit.n) &&
                      append_cstr(out, ctx, "\n");
    dpl__free(ctx, rules);
    return dpl__need(is_good, err);
}

/* ---- the table -------------------------------------------------------------------------- */

/* Lines "word<TAB>stem" below a line "=de"; a stem that is the word is left out. The order of
 * the terms is lost, with the numbers that slots have of them. */
static dpl_status write_words(dpl__bytes *out, dpl_ctx *ctx, lexis *l, dpl_error *err)
{
    dpl__stemmer *stemmer = NULL;
    dpl__terms edits;
    DPL_TRY(dpl__stemmer_new(&stemmer, ctx, l->lang, err));
    dpl__terms_init(&edits, ctx);
    dpl__vec_sort(&l->words.all, compare_words);
    bool is_good = append_cstr(out, ctx, "=") && append_cstr(out, ctx, l->lang) &&
                   append_cstr(out, ctx, "\n");
    dpl_status status = DPL_OK;
    for (size_t i = 0; i < l->words.all.n && is_good; i++) {
        const dpl_str word = dpl__term_text(&l->words.all.data[i]);
        const dpl_str stem = dpl__stem(stemmer, word);
        const bool is_same = dpl__str_eq(word, stem);
        is_good = append(out, ctx, word.data, word.n) && append_cstr(out, ctx, "\t") &&
                  append(out, ctx, stem.data, is_same ? 0 : stem.n) &&
                  append_cstr(out, ctx, "\n");
        DPL__STEP(count_edits(&edits, l->lang, word, stem, err));
    }
    DPL__STEP(is_good ? write_rules(out, ctx, l->lang, &edits, err) : dpl__fail_nomem(err));
done:
    dpl__terms_clear(&edits);
    dpl__stemmer_free(stemmer);
    return status;
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
