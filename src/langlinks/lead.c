/*
 * lead.c - the first paragraphs of a text; tokens of it that have given stems.
 */
#include "langlinks/lead.h"

#include "base/hash.h"
#include "tokens/classes.h"
#include "unicode/unicode.h"

/* ---- the lead --------------------------------------------------------------------------- */

static bool is_blank(char c)
{
    return c == ' ' || (c >= '\t' && c <= '\r') || c == DPL_SECTION_MARK;
}

static dpl_str skip_blanks(dpl_str s)
{
    size_t i = 0;
    while (i < s.n && is_blank(s.data[i]))
        i++;
    return (dpl_str){s.data + i, s.n - i};
}

static dpl_str ended_at(dpl_str s, size_t n)
{
    while (n && is_blank(s.data[n - 1]))
        n--;
    return (dpl_str){s.data, n};
}

dpl_str dpl__lead(dpl_str text, bool *is_cut)
{
    const dpl__classes *classes = dpl__classes_init();
    const dpl_str s = text.n ? skip_blanks(text) : (dpl_str){"", 0};
    size_t n_chars = 0, blank = 0, whole = 0, at = 0;
    *is_cut = false;
    while (at < s.n) {
        uint32_t c;
        const size_t n = dpl__utf8_first((dpl_str){s.data + at, s.n - at});
        if (!n || (s.data[at] == DPL_SECTION_MARK && n_chars >= DPL__LEAD_SHORT) ||
            (s.data[at] == '\n' && n_chars >= DPL__LEAD_LEAST))
            return ended_at(s, at);
        dpl__utf8_decode((const uint8_t *)s.data + at, &c);
        if (dpl__word_class(classes, c) != DPL__W_EXTEND) {
            whole = at; /* a character with its marks may end here */
            if (n_chars == DPL__LEAD_MOST)
                break;
        }
        if (is_blank(s.data[at]))
            blank = at;
        if (n_chars < DPL__LEAD_MOST)
            n_chars++;
        if (at > 8 * (size_t)DPL__LEAD_MOST) /* nothing but marks */
            break;
        at += n;
    }
    if (at >= s.n)
        return ended_at(s, s.n);
    *is_cut = true;
    if (is_blank(s.data[whole]))
        return ended_at(s, whole);
    return ended_at(s, blank > whole / 2 ? blank : whole);
}

/* ---- marked words ----------------------------------------------------------------------- */

static dpl_status hash_word(uint64_t *out, const dpl__marker *m, dpl_str word, dpl_error *err)
{
    dpl_token token;
    *out = 0;
    DPL_TRY(dpl_tokens_start(m->tokens, word, m->lang, err));
    const dpl_status status = dpl_tokens_next(m->tokens, &token, err);
    if (status == DPL_OK)
        *out = dpl__hash(token.term.data, token.term.n, 0);
    return status == DPL_END ? DPL_OK : status;
}

dpl_status dpl__mark_words(dpl__marks *out, const dpl__marker *m, dpl_str text, dpl_error *err)
{
    uint64_t hashes[DPL__MOST_MARKED];
    dpl_token token;
    dpl_status status;
    const size_t n_words = dpl__min(m->n_words, (size_t)DPL__MOST_MARKED);
    if (!n_words || !text.n)
        return DPL_OK;
    for (size_t i = 0; i < n_words; i++)
        DPL_TRY(hash_word(&hashes[i], m, m->words[i], err));
    DPL_TRY(dpl_tokens_start(m->tokens, text, m->lang, err));
    while ((status = dpl_tokens_next(m->tokens, &token, err)) == DPL_OK) {
        const uint64_t hash = dpl__hash(token.term.data, token.term.n, 0);
        for (uint32_t i = 0; i < n_words; i++) {
            const dpl__mark mark = {token.begin, token.end, i};
            if (hashes[i] != hash)
                continue;
            DPL_TRY(dpl__need(dpl__vec_push(m->ctx, out, mark), err));
            break;
        }
    }
    return status == DPL_END ? DPL_OK : status;
}
