/*
 * wrapped.c - lines of hard-wrapped text become paragraphs again.
 *
 * A program that wraps text breaks a line when the next word does not fit into the width. So a
 * break inside a paragraph can be told: the line and the first word of the next one together
 * are longer than the width, which is that of the longest lines. A text is wrapped when most of
 * its breaks between lines that are not blank are of that kind. Narrow lines are more often a
 * list or a poem: there more breaks must be of that kind (full_narrow_lines), and many within a
 * sentence, as its lower-case letter tells. Cost: three passes.
 */
#include "readers/wrapped.h"

#include "base/ascii.h"
#include "readers/readers_params.h"
#include "unicode/unicode.h"

#include <unicode/uchar.h>

#define P(name) DPL__P(readers, name)

enum {
    MOST_COLUMNS = 500, /* more than P(longest_line) */
    MOST_DIGITS = 3     /* of the number of an item */
};

typedef struct line {
    dpl_str text;          /* without white space at its ends */
    size_t indent;         /* columns before it */
    size_t width;          /* columns to its end */
    size_t n_first;        /* columns of its first word */
    bool is_item, in_item; /* begins like an item of a list; belongs to one */
    bool is_rule;          /* of punctuation only, as under a title */
    uint32_t first, last;  /* characters */
} line;

static bool is_wide(uint32_t c)
{
    return (c >= 0x1100 && c <= 0x115F) || (c >= 0x2E80 && c <= 0xA4CF) ||
           (c >= 0xAC00 && c <= 0xD7A3) || (c >= 0xF900 && c <= 0xFAFF) ||
           (c >= 0xFE30 && c <= 0xFE6F) || (c >= 0xFF00 && c <= 0xFF60) ||
           (c >= 0xFFE0 && c <= 0xFFE6) || (c >= 0x20000 && c <= 0x3FFFD);
}

/* Scripts that do not put blanks between words. */
static bool is_unspaced(uint32_t c)
{
    return is_wide(c) && !(c >= 0x1100 && c <= 0x115F) && !(c >= 0xAC00 && c <= 0xD7A3);
}

static bool is_blank(uint32_t c)
{
    return c == ' ' || c == '\t' || c == '\r' || c == '\f' || c == '\v';
}

/* "- x", "* x", "12. x", "3) x", "a) x" */
static bool is_item(dpl_str s)
{
    static const char *const bullets[] = {
        "-", "*", "+", "o", "\xE2\x80\xA2", "\xE2\x80\xA3", "\xC2\xB7", "\xE2\x80\x93"};
    for (size_t i = 0; i < DPL_LEN(bullets); i++) {
        size_t n = strlen(bullets[i]);
        if (s.n > n && memcmp(s.data, bullets[i], n) == 0 && is_blank((uint8_t)s.data[n]))
            return true;
    }
    size_t n = 0;
    while (n < s.n && n < MOST_DIGITS && dpl__is_digit(s.data[n]))
        n++;
    bool is_letter = n == 0 && s.n && dpl__is_letter(s.data[0]);
    n += is_letter;
    return n && n + 1 < s.n && (s.data[n] == ')' || (s.data[n] == '.' && !is_letter)) &&
           is_blank((uint8_t)s.data[n + 1]);
}

static void measure(line *l)
{
    const uint8_t *begin = (const uint8_t *)l->text.data, *end = begin + l->text.n;
    bool is_first = true;
    l->is_rule = l->text.n > 2;
    uint32_t c;
    for (const uint8_t *p = begin; p < end; l->last = c) {
        bool is_start = p == begin;
        p += dpl__utf8_decode(p, &c);
        l->first = is_start ? c : l->first;
        is_first = is_first && !is_blank(c);
        l->width += 1 + (size_t)is_wide(c);
        l->n_first += is_first ? 1 + (size_t)is_wide(c) : 0;
        l->is_rule = l->is_rule && c < 0x80 && strchr("-=~*_#+. ", (int)c);
    }
    l->is_item = is_item(l->text);
}

/* The next line of *rest, behind `before`; false at the end. */
static bool next_line(line *l, const line *before, dpl_str *rest)
{
    dpl_str s;
    if (!dpl__next_line(&s, rest))
        return false;
    *l = (line){0};
    size_t i = 0;
    for (; i < s.n && is_blank((uint8_t)s.data[i]); i++)
        l->indent = s.data[i] == '\t' ? l->indent / 8 * 8 + 8 : l->indent + 1;
    while (s.n > i && is_blank((uint8_t)s.data[s.n - 1]))
        s.n--;
    assert(i <= s.n);
    l->text = (dpl_str){s.data + i, s.n - i};
    l->width = l->indent;
    measure(l);
    l->in_item = l->is_item || (before->text.n && before->in_item && l->indent);
    return true;
}

static bool ends_sentence(uint32_t c)
{
    return c < 0x80 ? c && strchr(".:;!?", (int)c) : c == 0x3002 || c == 0xFF01 || c == 0xFF1F;
}

/* Could a program that wraps text have broken the line between these two? */
static bool is_inside(const line *before, const line *l)
{
    return before->text.n && l->text.n && !before->is_rule && !l->is_rule &&
           !(l->is_item && (before->in_item || ends_sentence(before->last)));
}

static bool is_full(const line *before, const line *l, size_t width)
{
    size_t n_next = is_unspaced(l->first) ? 2 : 1 + l->n_first;
    return before->width + n_next > width;
}

/* The width that 19 of 20 lines inside of paragraphs keep to; 0: many are longer than
 * P(longest_line). */
static size_t find_width(dpl_str text)
{
    const size_t longest = dpl__min((size_t)P(longest_line), MOST_COLUMNS);
    size_t counts[MOST_COLUMNS + 2] = {0}, n = 0;
    line before = {0}, l;
    for (; next_line(&l, &before, &text); before = l)
        if (is_inside(&before, &l)) {
            counts[dpl__min(before.width, longest + 1)]++;
            n++;
        }
    size_t width = 0;
    for (size_t n_below = counts[0]; width <= longest && 20 * n_below < 19 * n;)
        n_below += counts[++width];
    return width <= longest ? width : 0;
}

/* What the breaks of a text are like. */
typedef struct breaks {
    size_t n;        /* inside of paragraphs */
    size_t n_full;   /* where the next word did not fit */
    size_t n_within; /* within a sentence, as a lower-case letter tells */
    size_t n_ends;   /* of paragraphs of several lines */
    size_t n_ended;  /* with the end of a sentence */
} breaks;

static breaks count_breaks(dpl_str text, size_t width)
{
    breaks b = {0};
    line before = {0}, l = {0};
    bool is_several = false; /* lines of the paragraph so far */
    for (bool is_more = true; is_more; before = l) {
        is_more = next_line(&l, &before, &text);
        l = is_more ? l : (line){0};
        const bool is_break = is_inside(&before, &l);
        b.n += is_break;
        b.n_full += is_break && is_full(&before, &l, width);
        b.n_within += is_break && !ends_sentence(before.last) && u_islower((UChar32)l.first);
        b.n_ends += is_several && !is_break;
        b.n_ended += is_several && !is_break && ends_sentence(before.last);
        is_several = is_break;
    }
    return b;
}

bool dpl__is_wrapped(dpl_str text)
{
    const size_t width = find_width(text);
    if (width < (size_t)P(narrowest_line))
        return false;
    const breaks b = count_breaks(text, width);
    const bool is_narrow = width < (size_t)P(narrow_line);
    if (b.n < (size_t)P(fewest_breaks) ||
        (double)b.n_full < (is_narrow ? P(full_narrow_lines) : P(full_lines)) * (double)b.n)
        return false;
    return !is_narrow ||
           ((double)b.n_within >= P(within_sentence) * (double)b.n && 2 * b.n_ended > b.n_ends);
}

/* Copies the text of a line to `out`, which may be before it; runs of blanks become one. */
static char *put(char *out, dpl_str s)
{
    for (size_t i = 0; i < s.n; i++)
        if (!is_blank((uint8_t)s.data[i]))
            *out++ = s.data[i];
        else if (i == 0 || !is_blank((uint8_t)s.data[i - 1]))
            *out++ = ' ';
    return out;
}

static bool is_lower(uint32_t c)
{
    return (c >= 'a' && c <= 'z') || c >= 0xC0;
}

/* Ends the line before: with a blank, with nothing where a word goes on or the script has no
 * blanks. A hyphen stays: most of them belong to the word. */
static char *join(char *out, const line *before, const line *l)
{
    if (before->last == 0xAD) /* soft hyphen, two bytes */
        return out - 2;
    if (before->last == '-' && before->text.n > 1 && is_lower(l->first))
        return out;
    if (is_unspaced(before->last) && is_unspaced(l->first))
        return out;
    *out++ = ' ';
    return out;
}

size_t dpl__unwrap(char *text, size_t n)
{
    dpl_str rest = {text, n};
    const size_t width = find_width(rest);
    char *out = text;
    size_t n_lines = 0; /* of the paragraph at hand */
    line before = {0}, l;
    for (; next_line(&l, &before, &rest); before = l) {
        bool is_joined = is_inside(&before, &l) && is_full(&before, &l, width) &&
                         (n_lines < 2 || l.indent == before.indent);
        if (is_joined)
            out = join(out, &before, &l);
        else if (out > text)
            *out++ = '\n';
        n_lines = is_joined ? n_lines + 1 : 1;
        out = put(out, l.text);
    }
    return (size_t)(out - text);
}
