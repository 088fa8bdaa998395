/*
 * ascii.h - characters of ASCII, and slices that are looked at by their bytes, whatever the
 * locale. Characters beyond ASCII are none of the classes.
 */
#ifndef DPL_BASE_ASCII_H
#define DPL_BASE_ASCII_H

#include "base/base.h"

#include <strings.h>

static inline bool dpl__is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static inline bool dpl__is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

static inline bool dpl__is_letter_or_digit(char c)
{
    return dpl__is_letter(c) || dpl__is_digit(c);
}

/* Space, tab, carriage return or newline. */
static inline bool dpl__is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

/* White space of ASCII, as in C. */
static inline bool dpl__is_white(char c)
{
    return c == ' ' || (c >= '\t' && c <= '\r');
}

/* True if all bytes are ASCII, or there are none. */
static inline bool dpl__is_ascii(dpl_str s)
{
    unsigned char all =
        0; /* as narrow as the bytes: vectors of the machine hold more of them */
    for (size_t i = 0; i < s.n; i++)
        all |= (unsigned char)s.data[i];
    return all < 0x80;
}

static inline char dpl__to_lower(char c)
{
    return c >= 'A' && c <= 'Z' ? (char)(c | 0x20) : c;
}

/* -1: it is none. */
static inline int dpl__hex_digit(char c)
{
    const char low = dpl__to_lower(c);
    return dpl__is_digit(c) ? c - '0' : low >= 'a' && low <= 'f' ? low - 'a' + 10 : -1;
}

/* Takes the digits off the front of *s: their number, 0 where there are none, UINT64_MAX where
 * it is larger. */
static inline uint64_t dpl__take_digits(dpl_str *s)
{
    uint64_t number = 0;
    for (; s->n && dpl__is_digit(*s->data); s->data++, s->n--) {
        const unsigned digit = (unsigned)(*s->data - '0');
        number = number > (UINT64_MAX - digit) / 10 ? UINT64_MAX : number * 10 + digit;
    }
    return number;
}

static inline bool dpl__begins_with(dpl_str s, const char *start)
{
    const size_t n = strlen(start);
    return s.n >= n && memcmp(s.data, start, n) == 0;
}

/* The same word, but for the case of its letters. */
static inline bool dpl__is_word(dpl_str s, const char *word)
{
    return s.n == strlen(word) && strncasecmp(s.data, word, s.n) == 0;
}

static inline bool dpl__begins_with_word(dpl_str s, const char *start)
{
    const size_t n = strlen(start);
    return s.n >= n && strncasecmp(s.data, start, n) == 0;
}

/* Without white space of ASCII at both ends. */
static inline dpl_str dpl__strip(dpl_str s)
{
    for (; s.n && dpl__is_white(s.data[s.n - 1]); s.n--)
        ;
    for (; s.n && dpl__is_white(s.data[0]); s.n--)
        s.data++;
    return s;
}

/* Is it one of a list that NULL ends? */
static inline bool dpl__is_in_list(const char *name, const char *const *list)
{
    for (; *list; list++)
        if (strcmp(name, *list) == 0)
            return true;
    return false;
}

static inline dpl_str dpl__without_mark(dpl_str s)
{
    return dpl__begins_with(s, "\xEF\xBB\xBF") ? (dpl_str){s.data + 3, s.n - 3} : s;
}

/* How many line breaks the bytes have: in blocks, which the compiler counts at once. */
static inline size_t dpl__count_lines(const char *p, size_t n)
{
    enum { BLOCK = 64 };
    size_t lines = 0, i = 0;
    for (; i + BLOCK <= n; i += BLOCK) {
        uint8_t here = 0;
        for (size_t k = 0; k < BLOCK; k++)
            here = (uint8_t)(here + (p[i + k] == '\n'));
        lines += here;
    }
    for (; i < n; i++)
        lines += p[i] == '\n';
    return lines;
}

/* Takes the next line off *rest, without its "\n"; false when nothing is left. */
static inline bool dpl__next_line(dpl_str *line, dpl_str *rest)
{
    if (!rest->n)
        return false;
    const char *newline = memchr(rest->data, '\n', rest->n);
    line->data = rest->data;
    line->n = newline ? (size_t)(newline - rest->data) : rest->n;
    const size_t taken = line->n + (newline != NULL);
    *rest = (dpl_str){rest->data + taken, rest->n - taken};
    return true;
}

/* Takes the next column off *rest, with the tab behind it. Behind the last one *rest has no
 * data, nor has what is returned then. */
static inline dpl_str dpl__next_column(dpl_str *rest)
{
    const char *tab = rest->n ? memchr(rest->data, '\t', rest->n) : NULL;
    const dpl_str column = {rest->data, tab ? (size_t)(tab - rest->data) : rest->n};
    *rest = tab ? (dpl_str){tab + 1, rest->n - column.n - 1} : (dpl_str){NULL, 0};
    return column;
}

/* ---- UTF-8 -------------------------------------------------------------------------- */

/* A byte that goes on with a character: 10xxxxxx. */
static inline bool dpl__is_inner(char c)
{
    return ((unsigned char)c & 0xC0) == 0x80;
}

/* Where the character begins that byte `at` belongs to. */
static inline size_t dpl__char_begin(const void *text, size_t at)
{
    const char *p = text;
    while (at > 0 && dpl__is_inner(p[at]))
        at--;
    return at;
}

/* The first n characters, or all. */
static inline dpl_str dpl__first_chars(dpl_str s, size_t n)
{
    if (s.n <= n)
        return s;
    size_t i = 0;
    while (i < s.n && (dpl__is_inner(s.data[i]) || n-- > 0))
        i++;
    return (dpl_str){s.data, i};
}

/* Bytes of the well-formed character that s begins with; 0: there is none. For a few bytes of
 * unknown origin; long texts go through the kernel utf8_prefix. */
static inline size_t dpl__utf8_first(dpl_str s)
{
    const uint8_t *p = (const uint8_t *)s.data;
    if (s.n == 0 || (p[0] >= 0x80 && p[0] < 0xC2) || p[0] > 0xF4)
        return 0;
    const size_t n = p[0] < 0x80 ? 1 : p[0] < 0xE0 ? 2 : p[0] < 0xF0 ? 3 : 4;
    if (n > s.n)
        return 0;
    for (size_t i = 1; i < n; i++)
        if (!dpl__is_inner(s.data[i]))
            return 0;
    const bool is_long = (p[0] == 0xE0 && p[1] < 0xA0) || (p[0] == 0xF0 && p[1] < 0x90);
    const bool is_surrogate = p[0] == 0xED && p[1] > 0x9F;
    const bool is_high = p[0] == 0xF4 && p[1] > 0x8F;
    return is_long || is_surrogate || is_high ? 0 : n;
}

#endif
