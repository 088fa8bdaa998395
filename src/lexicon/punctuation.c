/*
 * punctuation.c - words, cut at their apostrophes, and the marks between them.
 *
 * The positions of punctuation help to align words. And the text before or behind an apostrophe
 * is often a word with a translation of its own: the article in "l'homme", the possessive in
 * "John's". Tokenizers for alignment separate them in various ways ("l' homme", "John 's");
 * with the apostrophe as a mark, the words are the same for all of them.
 */
#include "lexicon/punctuation.h"

#include "unicode/unicode.h"

#include <unicode/uchar.h>

typedef struct marker {
    dpl_ctx *ctx;
    dpl__spans *out;
    const uint8_t *text;
} marker;

static dpl_status add(marker *m, size_t begin, size_t end, dpl_error *err)
{
    dpl__span span = {(uint32_t)begin, (uint32_t)end};
    return dpl__need(dpl__vec_push(m->ctx, m->out, span), err);
}

/* Neither white space nor an invisible character. */
static bool is_mark(uint32_t c)
{
    if (c < 0x80)
        return c > ' ' && c < 0x7F;
    return !dpl__is_space(c) &&
           !(U_MASK(u_charType((UChar32)c)) & (U_GC_CC_MASK | U_GC_CF_MASK));
}

static dpl_status add_gap(marker *m, size_t at, size_t end, dpl_error *err)
{
    while (at < end) {
        uint32_t c, same;
        size_t begin = at;
        at += dpl__utf8_decode(m->text + at, &c);
        if (!is_mark(c))
            continue;
        for (size_t n; at < end; at += n) {
            n = dpl__utf8_decode(m->text + at, &same);
            if (same != c)
                break;
        }
        DPL_TRY(add(m, begin, at, err));
    }
    return DPL_OK;
}

/* Bytes of the apostrophe at p, plain or typographic; 0 when there is none. */
static size_t apostrophe(const uint8_t *p)
{
    return *p == '\'' ? 1 : p[0] == 0xE2 && p[1] == 0x80 && p[2] == 0x99 ? 3 : 0;
}

static dpl_status add_word(marker *m, dpl__span word, dpl_error *err)
{
    size_t begin = word.begin;
    for (size_t i = begin; i < word.end; i++) {
        size_t n = apostrophe(m->text + i);
        if (n == 0)
            continue;
        if (i > begin)
            DPL_TRY(add(m, begin, i, err));
        DPL_TRY(add(m, i, i + n, err));
        begin = i + n;
        i = begin - 1;
    }
    return begin < word.end ? add(m, begin, word.end, err) : DPL_OK;
}

dpl_status dpl__add_punctuation(dpl__spans *out, dpl_ctx *ctx, dpl_str text,
                                const dpl__spans *words, dpl_error *err)
{
    marker m = {ctx, out, (const uint8_t *)text.data};
    size_t at = 0;
    out->n = 0;
    for (size_t i = 0; i < words->n; i++) {
        dpl__span word = words->data[i];
        DPL_TRY(add_gap(&m, at, word.begin, err));
        DPL_TRY(add_word(&m, word, err));
        at = word.end;
    }
    return add_gap(&m, at, text.n, err);
}
