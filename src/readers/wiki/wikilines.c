/*
 * wikilines.c - what happens to a line of plain text once all of it is there.
 *
 * Taking markup out leaves traces: "( , )" where two templates were, two blanks around a
 * reference, a heading over a list of templates. The converter marks each such place with a
 * hole, and only around holes does this file touch punctuation, so that "main()" stays. Cost:
 * one search of each line for doubled blanks, eight bytes at a time, and a few passes over the
 * lines that have holes.
 */
#include "readers/wiki/wikilines.h"

#include "base/hash.h"
#include "doppel/text.h"
#include "unicode/unicode.h"

enum { MAX_PARENS = 8 }; /* nested deeper than that they stay as they are */

/* ---- quotes ------------------------------------------------------------------------- */

void dpl__wiki_put_quotes(dpl__wiki_lines *w, size_t n)
{
    for (; n == 4 || n > 5; n--) /* one too many is an apostrophe */
        dpl__wiki_put(w, '\'');
    w->n_italic += n != 3;
    w->n_bold += n != 2;
    if (n != 3)
        return;
    size_t n_line = w->n - w->line;
    const uint8_t *end = w->out + w->n;
    size_t *place = n_line == 0 || end[-1] == ' '   ? &w->after_blank
                    : n_line == 1 || end[-2] == ' ' ? &w->after_letter
                                                    : &w->after_word;
    if (*place == 0)
        *place = 1 + w->n;
}

/* "l'''Iliade''": bold and italic marks that do not pair up mean that a bold one is an
 * apostrophe and an italic one. MediaWiki's rule: best behind a single letter. */
static void resolve_quotes(dpl__wiki_lines *w)
{
    if (w->n_bold % 2 == 0 || w->n_italic % 2 == 0)
        return;
    size_t at = w->after_letter ? w->after_letter
                : w->after_word ? w->after_word
                                : w->after_blank;
    if (at-- == 0)
        return;
    memmove(w->out + at + 1, w->out + at, w->n - at);
    w->out[at] = '\'';
    w->n++;
}

/* ---- holes -------------------------------------------------------------------------- */

/* Anything but punctuation and blanks? */
static bool has_word(const uint8_t *p, size_t n)
{
    for (size_t i = 0; i < n;) {
        uint32_t c;
        i += dpl__utf8_decode(p + i, &c);
        bool is_ascii_word = dpl__is_letter_or_digit((char)c);
        if (c < 0x80 ? is_ascii_word
                     : c >= 0xC0 && c != 0xD7 && !(c >= 0x2000 && c < 0x2070) &&
                           !(c >= 0x3000 && c < 0x3005) && !(c >= 0x3008 && c < 0x3012) &&
                           !(c >= 0xFF01 && c < 0xFF10) && !(c >= 0xFF1A && c < 0xFF21))
            return true;
    }
    return false;
}

/* Length of a mark that separates the parts of a parenthesis, 0 when there is none at p. */
static size_t separator(const uint8_t *p, size_t n)
{
    if (*p == ',' || *p == ';')
        return 1;
    return n >= 3 && (memcmp(p, "，", 3) == 0 || memcmp(p, "；", 3) == 0 ||
                      memcmp(p, "、", 3) == 0)
               ? 3
               : 0;
}

/* "Greek: " with a hole behind it is a label without content. */
static bool is_bare_label(const uint8_t *p, size_t n)
{
    bool has_hole = false;
    for (; n && (p[n - 1] == ' ' || p[n - 1] == DPL__HOLE); n--)
        has_hole |= p[n - 1] == DPL__HOLE;
    return has_hole && n && (p[n - 1] == ':' || (n >= 3 && memcmp(p + n - 3, "：", 3) == 0));
}

/* The parenthesis p[0, n) with marks of n_mark bytes: drops the parts that holes emptied, or
 * all of it, and returns its new length. */
static size_t tidy_parenthesis(uint8_t *p, size_t n, size_t n_mark)
{
    if (!memchr(p, DPL__HOLE, n))
        return n;
    uint8_t closing[3];
    memcpy(closing, p + n - n_mark, n_mark);
    size_t to = n_mark, end = n - n_mark, n_separator = 0;
    for (size_t at = n_mark, next; at <= end; at = next) {
        size_t stop = at, n_next = 0;
        while (stop < end && !(n_next = separator(p + stop, end - stop)))
            stop++;
        next = stop < end ? stop + n_next : end + 1;
        if (has_word(p + at, stop - at) && !is_bare_label(p + at, stop - at)) {
            size_t from = at - n_separator;
            if (to == n_mark)
                for (from = at; from < stop && (p[from] == ' ' || p[from] == DPL__HOLE);)
                    from++;
            memmove(p + to, p + from, stop - from);
            to += stop - from;
        }
        n_separator = n_next;
    }
    if (to == n_mark) {
        p[0] = DPL__HOLE;
        return 1;
    }
    memcpy(p + to, closing, n_mark);
    return to + n_mark;
}

static void tidy_parentheses(dpl__wiki_lines *w)
{
    uint8_t *o = w->out;
    size_t open[MAX_PARENS], n_open = 0, to = w->line;
    for (size_t i = w->line; i < w->n; i++) {
        uint8_t c = o[to++] = o[i];
        if (c != '(' && c != ')' && c != 0x88 && c != 0x89)
            continue;
        bool is_wide = c >= 0x80;
        if (is_wide && (to - w->line < 3 || o[to - 3] != 0xEF || o[to - 2] != 0xBC))
            continue; /* not the end of U+FF08 or U+FF09 */
        size_t n = is_wide ? 3 : 1;
        if (c == '(' || c == 0x88) {
            if (n_open++ < MAX_PARENS)
                open[n_open - 1] = to - n;
        } else if (n_open && --n_open < MAX_PARENS) {
            size_t begin = open[n_open];
            if (is_wide == (o[begin] != '('))
                to = begin + tidy_parenthesis(o + begin, to - begin, n);
        }
    }
    w->n = to;
}

/* Length of the blank, hole or dangling punctuation at p. */
static size_t dangling(const uint8_t *p, size_t n)
{
    if (*p == ' ' || *p == DPL__HOLE || *p == ',' || *p == ';' || *p == ':' || *p == '-')
        return 1;
    if (*p == '.')
        return n >= 2 && p[1] == ' '; /* not of ".NET" */
    return n >= 3 && (memcmp(p, "–", 3) == 0 || memcmp(p, "—", 3) == 0) ? 3 : 0;
}

/* Takes the holes out. Blanks around one become a single blank, or none next to punctuation. */
static void close_holes(dpl__wiki_lines *w)
{
    uint8_t *o = w->out;
    if (memchr(o + w->line, '(', w->n - w->line) || memchr(o + w->line, 0x88, w->n - w->line))
        tidy_parentheses(w);
    size_t to = w->line, i = w->line;
    if (i < w->n && o[i] == DPL__HOLE) /* "{{flag}}, – text" */
        for (size_t n; i < w->n && (n = dangling(o + i, w->n - i)); i += n)
            continue;
    while (i < w->n) {
        const uint8_t *hole = memchr(o + i, DPL__HOLE, w->n - i);
        size_t n = (hole ? (size_t)(hole - o) : w->n) - i;
        memmove(o + to, o + i, n);
        to += n;
        i += n;
        if (!hole)
            break;
        size_t blanks = to;
        while (to > w->line && o[to - 1] == ' ')
            to--;
        bool has_blank = blanks > to;
        for (; i < w->n && (o[i] == ' ' || o[i] == DPL__HOLE); i++)
            has_blank |= o[i] == ' ';
        if (i < w->n && o[i] == ',' && to > w->line && (o[to - 1] == ',' || o[to - 1] == ':')) {
            i++; /* "a, {{x}}, b" */
            continue;
        }
        if (i < w->n && (o[i] == '.' || o[i] == ')') && to > w->line && o[to - 1] == ',')
            to--; /* "a, {{x}}." */
        bool is_needless =
            (i < w->n && strchr(",.;:!?)", o[i])) || (to > w->line && o[to - 1] == '(');
        if (has_blank && !is_needless)
            o[to++] = ' ';
    }
    w->n = to;
}

/* ---- blanks ------------------------------------------------------------------------- */

/* Are there two blanks side by side? */
static bool has_double_blank(const uint8_t *p, size_t n)
{
    const uint64_t ones = 0x0101010101010101u, blanks = 0x2020202020202020u;
    size_t i = 0;
    for (; i + 9 <= n; i += 8) {
        uint64_t a = dpl__load64(p + i) ^ blanks, b = dpl__load64(p + i + 1) ^ blanks;
        uint64_t x = a | b; /* a zero byte: both are blanks there */
        if ((x - ones) & ~x & (ones << 7))
            return true;
    }
    for (; i + 1 < n; i++)
        if (p[i] == ' ' && p[i + 1] == ' ')
            return true;
    return false;
}

static void collapse_blanks(dpl__wiki_lines *w)
{
    uint8_t *o = w->out;
    if (has_double_blank(o + w->line, w->n - w->line)) {
        size_t to = w->line;
        for (size_t i = w->line; i < w->n; i++)
            if (o[i] != ' ' || to == w->line || o[to - 1] != ' ')
                o[to++] = o[i];
        w->n = to;
    }
    while (w->n > w->line && o[w->n - 1] == ' ')
        w->n--;
    if (w->n > w->line && o[w->line] == ' ') {
        w->n--;
        memmove(o + w->line, o + w->line + 1, w->n - w->line);
    }
}

/* ---- headings ----------------------------------------------------------------------- */

/* Forgets the headings of that level and below that nothing followed. */
static size_t drop_headings(dpl__wiki_lines *w, size_t level, size_t end)
{
    for (size_t k = DPL__HEADINGS; k-- > level;)
        if (w->headings[k]) {
            end = w->headings[k] - 1;
            w->headings[k] = 0;
        }
    return end;
}

/* "== Title ==" becomes the mark of a section and "Title"; false when the line is something
 * else. */
static bool end_heading(dpl__wiki_lines *w)
{
    uint8_t *o = w->out;
    size_t begin = w->line, end = w->n, level = 0;
    while (level < DPL__HEADINGS && begin < end && o[begin] == '=' && o[end - 1] == '=' &&
           end - begin >= 2) {
        begin++;
        end--;
        level++;
    }
    if (level == 0)
        return false;
    while (begin < end && o[begin] == ' ')
        begin++;
    while (begin < end && o[end - 1] == ' ')
        end--;
    size_t to = drop_headings(w, level - 1, w->line);
    w->n = to;
    if (has_word(o + begin, end - begin)) { /* at least one '=' made room for the mark */
        memmove(o + to + 1, o + begin, end - begin);
        o[to] = DPL_SECTION_MARK;
        w->n += 1 + end - begin;
        o[w->n++] = '\n';
        w->headings[level - 1] = 1 + to;
    }
    return true;
}

/* ---- lines -------------------------------------------------------------------------- */

static void begin_line(dpl__wiki_lines *w)
{
    w->line = w->n;
    w->is_heading = w->is_own = w->is_dropped = w->has_hole = false;
    w->n_bold = w->n_italic = 0;
    w->after_letter = w->after_word = w->after_blank = 0;
}

static bool end_text_line(dpl__wiki_lines *w)
{
    if (w->is_dropped || !has_word(w->out + w->line, w->n - w->line)) {
        w->n = w->line;
        return false;
    }
    if (w->can_join && !w->is_own && w->line > 0)
        w->out[w->line - 1] = ' ';
    w->out[w->n++] = '\n';
    memset(w->headings, 0, sizeof w->headings);
    return !w->is_own;
}

void dpl__wiki_end_line(dpl__wiki_lines *w)
{
    resolve_quotes(w);
    if (w->has_hole)
        close_holes(w);
    collapse_blanks(w);
    if (w->is_heading && !w->is_dropped && end_heading(w))
        w->can_join = false;
    else
        w->can_join = end_text_line(w);
    begin_line(w);
}

void dpl__wiki_end_text(dpl__wiki_lines *w)
{
    dpl__wiki_end_line(w);
    w->n = drop_headings(w, 0, w->n);
}
