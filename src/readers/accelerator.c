/*
 * accelerator.c - the marks of keyboard accelerators in messages are taken out where it is
 * safe.
 *
 * Toolkits mark the letter that picks a menu entry: "_File" (GTK), "E&xit" (Qt, Windows), and
 * "(_F)" behind text that has no such letter. A word with a mark in it is lost to a lexicon,
 * but "file_name", "R&D" and "&amp;" are no such words. What tells them apart is the other
 * side: an identifier or a name survives translation as it stands, an accelerator does not. So
 * a mark goes when all of this holds:
 *
 * - it is the only one of its kind on its side;
 * - a letter or digit follows, and it is no entity ("&nbsp;");
 * - inside of a word, that letter is lower case ("Q&A" stays);
 * - the word around it does not stand on the other side as it is.
 *
 * What is wrongly kept costs a word of the lexicon; what is wrongly dropped, "dateiname" for
 * "datei_name". Cost: a search for two bytes in each side.
 */
#include "readers/bitext/gettext.h"

#include "unicode/unicode.h"

#include <unicode/uchar.h>

enum { LONGEST_WORD = 100 }; /* bytes, of a label */

/* The code point that begins at a place; 0 at the end of the text. */
static uint32_t char_at(dpl_str s, size_t at)
{
    uint32_t c = 0;
    if (at < s.n)
        dpl__utf8_decode((const uint8_t *)s.data + at, &c);
    return c;
}

/* Where the one before it begins; at > 0. */
static size_t before(dpl_str s, size_t at)
{
    return at > 0 ? dpl__char_begin(s.data, at - 1) : 0;
}

static bool is_word(uint32_t c)
{
    return u_isalnum((UChar32)c) || u_charType((UChar32)c) == U_NON_SPACING_MARK;
}

static size_t length_at(dpl_str s, size_t at)
{
    uint32_t c;
    return at < s.n ? dpl__utf8_decode((const uint8_t *)s.data + at, &c) : 0;
}

/* The bounds of the word that the mark at `at` stands in or before. */
static dpl_str word_around(dpl_str s, size_t at)
{
    size_t begin = at, end = at + 1;
    while (begin > 0 && is_word(char_at(s, before(s, begin))))
        begin = before(s, begin);
    while (end < s.n && is_word(char_at(s, end)))
        end += length_at(s, end);
    return (dpl_str){s.data + begin, end - begin};
}

/* Whether the word stands there, and not as a part of another one. */
static bool has_word(dpl_str s, dpl_str word)
{
    for (size_t i = 0; i + word.n <= s.n; i++)
        if (memcmp(s.data + i, word.data, word.n) == 0 && !is_word(char_at(s, i + word.n)) &&
            (i == 0 || !is_word(char_at(s, before(s, i)))))
            return true;
    return false;
}

static bool is_accelerator(dpl_str s, size_t at, dpl_str other)
{
    const uint32_t next = char_at(s, at + 1);
    if (!u_isalnum((UChar32)next))
        return false;
    if (at > 0 && is_word(char_at(s, before(s, at))) && !u_islower((UChar32)next))
        return false;
    dpl_str word = word_around(s, at);
    const size_t end = (size_t)(word.data - s.data) + word.n;
    if (word.n > LONGEST_WORD || (s.data[at] == '&' && end < s.n && s.data[end] == ';'))
        return false;
    return !has_word(other, word);
}

/* The bytes to take out: the mark, or "(_F)" with the blank before it. */
static dpl_str to_drop(dpl_str s, size_t at)
{
    size_t begin = at, end = at + 1 + length_at(s, at + 1);
    if (begin == 0 || s.data[begin - 1] != '(' || end == s.n || s.data[end] != ')')
        return (dpl_str){s.data + at, 1};
    begin--;
    end++;
    if (begin > 0 && s.data[begin - 1] == ' ')
        begin--;
    return (dpl_str){s.data + begin, end - begin};
}

/* The only place of the mark; false when there is none or several. */
static bool find_only(dpl_str s, char mark, size_t *at)
{
    const char *p = s.n ? memchr(s.data, mark, s.n) : NULL;
    if (!p)
        return false;
    *at = (size_t)(p - s.data);
    return !memchr(p + 1, mark, s.n - *at - 1);
}

static dpl_status drop(dpl_str *side, dpl_str other, dpl__arena *arena, dpl_error *err)
{
    static const char marks[] = "_&";
    for (size_t i = 0; i < sizeof marks - 1; i++) {
        size_t at;
        if (!find_only(*side, marks[i], &at) || !is_accelerator(*side, at, other))
            continue;
        dpl_str gone = to_drop(*side, at);
        const size_t n = side->n - gone.n, n_before = (size_t)(gone.data - side->data);
        char *out = dpl__arena_alloc(arena, n);
        DPL_TRY(dpl__need(out, err));
        memcpy(out, side->data, n_before);
        memcpy(out + n_before, gone.data + gone.n, n - n_before);
        *side = dpl__trim((dpl_str){out, n});
        DPL_TRY(dpl__nfc(side, arena, err)); /* parts of a syllable may have come together */
    }
    return DPL_OK;
}

dpl_status dpl__drop_accelerators(dpl_bitext_row *row, dpl__arena *arena, dpl_error *err)
{
    const dpl_bitext_row as_is = *row;
    DPL_TRY(drop(&row->left, as_is.right, arena, err));
    return drop(&row->right, as_is.left, arena, err);
}
