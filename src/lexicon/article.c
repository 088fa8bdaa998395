/*
 * article.c - the text of an article becomes headwords and translations.
 *
 * Articles of dictd have no markup. The 200 dictionaries of FreeDict have this layout in
 * common:
 *
 *     schön /ʃøːn/ <adj>            headwords, their pronunciation and grammar
 *     1. beautiful, pretty <adj>    a sense: translations, between commas or semicolons
 *     pleasing to the senses        its definition
 *           "Wie schön!"  - Lovely! examples
 *        Synonym: {hübsch}          and the like
 *     2. [cook.] nice (of food)     the next one
 *
 * The first line has the headwords, if the index has them, too. A number (also I., II.) begins
 * a sense if numbers rise and the first sense has one, because definitions may be numbered,
 * too. The first line of a sense that is more than notes has its translations; other lines are
 * skipped. dict-de-en indents and wraps that line. Text in brackets or slashes is not part of a
 * wording.
 *
 * Cost: linear in the text, but for brackets that do not close.
 */
#include "lexicon/article.h"

#include "base/ascii.h"
#include "unicode/unicode.h"

#include <unicode/uchar.h>

/* ---- a line ------------------------------------------------------------------------- */

static bool is_one_of(char c, const char *set)
{
    return c && strchr(set, c);
}

static bool ends_word(const char *p, const char *end)
{
    return p == end || dpl__is_blank(*p) || is_one_of(*p, ",;)");
}

/* The end of the pronunciation that begins at p: /.../ or //...//; NULL: there is none. */
static const char *skip_slashes(const char *p, const char *end)
{
    enum { LONGEST = 4096 };
    const char *at = p, *last = p + dpl__min((size_t)(end - p), LONGEST);
    while (at < end && *at == '/')
        at++;
    size_t n = (size_t)(at - p);
    if (at == end || dpl__is_blank(*at))
        return NULL;
    for (; at < last && (at = memchr(at, '/', (size_t)(last - at))); at++) {
        size_t n_here = 0;
        while (at + n_here < end && at[n_here] == '/')
            n_here++;
        at += n_here - 1;
        if (n_here >= n && ends_word(at + 1, end))
            return at + 1;
    }
    return NULL;
}

static char closing(char open)
{
    return open == '(' ? ')' : open == '[' ? ']' : open == '{' ? '}' : open == '<' ? '>' : 0;
}

/* Behind the brackets that open at p, with all they hold; one that does not close ends the
 * line. */
static const char *skip_brackets(const char *p, const char *end)
{
    enum { DEEPEST = 16 };
    char stack[DEEPEST];
    size_t n = 0;
    for (; p < end; p++) {
        if (closing(*p) && n < DEEPEST)
            stack[n++] = closing(*p);
        else if (n && *p == stack[n - 1])
            n--;
        if (n == 0)
            return p + 1;
    }
    return end;
}

/* The length of the separator at p, 0 when there is none. */
static size_t separator(const char *p, const char *end, const char *separators)
{
    static const char *const others[] = {"\u060C", "\u061B", "\u3001", "\uFF0C", "\uFF1B"};
    if (is_one_of(*p, separators) || (*p == '/' && end - p >= 2 && dpl__is_blank(p[1])))
        return 1;
    for (size_t i = 0; (unsigned char)*p >= 0x80 && i < DPL_LEN(others); i++) {
        size_t n = strlen(others[i]);
        if ((size_t)(end - p) >= n && memcmp(p, others[i], n) == 0)
            return n;
    }
    return 0;
}

/* Ends the wording that begins at `begin`, if there is anything. */
static bool end_wording(dpl__article *a, dpl_ctx *ctx, dpl__wordings *to, size_t *begin,
                        uint32_t sense, uint32_t *place)
{
    dpl_str s = dpl__trim((dpl_str){a->text.data + *begin, a->text.n - *begin});
    dpl__wording w = {.sense = sense, .place = *place + 1};
    if (s.n > 0) {
        w.begin = (uint32_t)(s.data - a->text.data);
        w.end = w.begin + (uint32_t)s.n;
        ++*place;
    }
    *begin = a->text.n;
    return s.n == 0 || dpl__vec_push(ctx, to, w);
}

/* " 2." behind the last wording counts its definitions. */
static dpl_str without_number(dpl_str line)
{
    size_t n = line.n;
    while (n && dpl__is_blank(line.data[n - 1]))
        n--;
    size_t at = n && line.data[n - 1] == '.' ? n - 1 : n;
    size_t digits_end = at;
    while (at && dpl__is_digit(line.data[at - 1]))
        at--;
    bool is_number =
        digits_end < n && at < digits_end && at && dpl__is_blank(line.data[at - 1]);
    return (dpl_str){line.data, is_number ? at : n};
}

bool dpl__article_line(dpl__article *a, dpl_ctx *ctx, dpl__wordings *to, dpl_str line,
                       const char *separators, uint32_t sense)
{
    if (line.n == 0)
        return true;
    line = without_number(line);
    const char *p = line.data, *end = p + line.n;
    size_t begin = a->text.n, n;
    uint32_t place = 0;
    if (!dpl__vec_reserve(ctx, &a->text, line.n + 1))
        return false;
    while (p < end) {
        bool is_start = p == line.data || dpl__is_blank(p[-1]) || is_one_of(p[-1], ",;(");
        const char *behind;
        if (*p == '/' && is_start && (behind = skip_slashes(p, end))) {
            p = behind;
        } else if (closing(*p)) {
            /* "colo(u)r" is one word, "{see}this" is not */
            if (*p != '(')
                a->text.data[a->text.n++] = ' ';
            p = skip_brackets(p, end);
            /* "language <n>lang.": an abbreviation, its comma is behind it */
            if (p[-1] == '>' && p < end && !ends_word(p, end) &&
                !end_wording(a, ctx, to, &begin, sense, &place))
                return false;
            if (p < end && p[-1] == '}' && *p == ':') { /* "Plural of {that}: translation" */
                a->text.n = begin;
                p++;
            }
        } else if ((n = separator(p, end, separators)) > 0) {
            if (!end_wording(a, ctx, to, &begin, sense, &place))
                return false;
            p += n;
        } else {
            a->text.data[a->text.n++] = *p == '~' ? ' ' : *p; /* some have it for a blank */
            p++;
        }
    }
    return end_wording(a, ctx, to, &begin, sense, &place);
}

/* ---- senses ------------------------------------------------------------------------- */

static size_t indent_of(dpl_str line)
{
    size_t n = 0;
    while (n < line.n && dpl__is_blank(line.data[n]))
        n++;
    return n;
}

/* What a line begins with: a number of a sense. */
typedef struct marker {
    bool is_roman;
    unsigned number;
    dpl_str rest; /* behind it */
} marker;

static bool read_marker(marker *m, dpl_str line)
{
    size_t begin = indent_of(line), at = begin;
    *m = (marker){0};
    for (; at < line.n && at - begin < 3 && dpl__is_digit(line.data[at]); at++)
        m->number = m->number * 10 + (unsigned)(line.data[at] - '0');
    if (at == begin) {
        while (at < line.n && at - begin < 5 && is_one_of(line.data[at], "IVX"))
            at++;
        m->is_roman = true;
    }
    if (at == begin || at == line.n || line.data[at] != '.')
        return false;
    at++;
    m->rest = (dpl_str){line.data + at, line.n - at};
    return at == line.n || dpl__is_blank(line.data[at]);
}

static bool is_example(dpl_str line)
{
    size_t n = indent_of(line);
    return n < line.n && line.data[n] == '"';
}

/* Examples, references and notes: lines with a quotation mark or a label. */
static bool is_note(dpl_str line)
{
    static const char *const labels[] = {
        "see:", "see also:", "synonym:", "synonyms:", "antonym:", "antonyms:", "note:",
    };
    size_t n = indent_of(line);
    dpl_str s = {line.data + n, line.n - n};
    for (size_t i = 0; i < DPL_LEN(labels); i++)
        if (dpl__begins_with_word(s, labels[i]))
            return true;
    return is_example(line);
}

/* The state of the parser of an article. */
typedef struct parser {
    dpl__article *a;
    dpl_ctx *ctx;
    dpl_str rest;      /* lines to come */
    uint32_t sense;    /* the current one, from 1; 0: none yet */
    unsigned number;   /* that it has */
    bool is_numbered;  /* the first sense has a number */
    bool has_its_line; /* the translations of this sense have been read */
} parser;

/* The line behind a marker; an empty one when it is no sense's. */
static dpl_str begin_sense(parser *w, dpl_str line, const marker *m)
{
    static const dpl_str nothing = {"", 0};
    marker inner;
    dpl_str rest = m->rest;
    bool is_bare = indent_of(rest) == rest.n;
    if (!m->is_roman && is_bare && dpl__is_blank(line.data[0])) {
        w->has_its_line = true; /* the number of a definition, on the next line */
        return nothing;
    }
    bool is_first = w->sense == 0 && !w->has_its_line;
    if (!is_first && (!w->is_numbered || (!m->is_roman && m->number <= w->number)))
        return nothing;
    w->is_numbered = true;
    w->has_its_line = false;
    w->number = m->number;
    w->sense++;
    if (m->is_roman) { /* "I. <Adj> 1. great" */
        size_t at = indent_of(rest);
        if (at < rest.n && rest.data[at] == '<')
            at = (size_t)(skip_brackets(rest.data + at, rest.data + rest.n) - rest.data);
        if (read_marker(&inner, (dpl_str){rest.data + at, rest.n - at}) && !inner.is_roman) {
            w->number = inner.number;
            rest = inner.rest;
        }
    }
    return rest;
}

/* The line and those below it that are not indented: one that was wrapped. */
static dpl_str unwrap(parser *w, dpl_str line)
{
    while (w->rest.n && !dpl__is_blank(w->rest.data[0])) {
        dpl_str more;
        dpl__next_line(&more, &w->rest);
        line.n = (size_t)(more.data + more.n - line.data);
    }
    return line;
}

/* The translations of a line that is not marked or has been freed of its marker. */
static bool read_translations(parser *w, dpl_str line)
{
    size_t n = w->a->translations.n;
    uint32_t sense = w->sense ? w->sense : 1;
    if (!dpl__article_line(w->a, w->ctx, &w->a->translations, line, ",;", sense))
        return false;
    if (w->a->translations.n > n) {
        w->sense = sense;
        w->has_its_line = true;
    }
    return true;
}

static bool read_senses(parser *w)
{
    dpl_str line;
    while (dpl__next_line(&line, &w->rest)) {
        marker m;
        size_t indent = indent_of(line);
        bool is_marked = indent <= 2 && read_marker(&m, line);
        if (is_marked)
            line = begin_sense(w, line, &m);
        w->a->n_examples += is_example(line);
        if (w->has_its_line || is_note(line))
            continue;
        if (!is_marked && indent >= 3)
            line = unwrap(w, line);
        if (!read_translations(w, line))
            return false;
    }
    return true;
}

/* ---- headwords ---------------------------------------------------------------------- */

/* The next letter or digit, in lower case; 0 at the end. The index has nothing else. */
static uint32_t next_letter(dpl_str s, size_t *at)
{
    while (*at < s.n) {
        uint32_t c;
        *at += dpl__utf8_decode((const uint8_t *)s.data + *at, &c);
        if (u_isalnum((UChar32)c))
            return (uint32_t)u_tolower((UChar32)c);
    }
    return 0;
}

static bool is_same_word(dpl_str a, dpl_str b)
{
    size_t i = 0, j = 0;
    for (;;) {
        uint32_t c = next_letter(a, &i);
        if (c != next_letter(b, &j))
            return false;
        if (c == 0)
            return true;
    }
}

/* The number of the wording that the index has under this word; n when there is none. */
static size_t find_wording(const dpl__article *a, const dpl__wordings *list, dpl_str word)
{
    size_t i = 0;
    while (i < list->n && !is_same_word(dpl__wording_text(a, &list->data[i]), word))
        i++;
    return i;
}

static bool add_head(dpl__article *a, dpl_ctx *ctx, dpl_str word)
{
    dpl__wording head = {.begin = (uint32_t)a->text.n, .sense = 1, .place = 1};
    if (!dpl__vec_append(ctx, &a->text, word.data, word.n))
        return false;
    head.end = (uint32_t)a->text.n;
    return dpl__vec_push(ctx, &a->heads, head);
}

/* Headwords from the wordings of the first line: those in the index, and the other forms:
 * inflections, and whole lines, because a headword may contain commas. False: no memory. */
static bool read_heads(parser *w, const dpl_str *indexed, size_t n_indexed)
{
    dpl__article *a = w->a;
    dpl__wordings *found = &a->translations; /* for a while */
    dpl_str body = w->rest, line = {0};
    dpl__next_line(&line, &body);
    if (!dpl__article_line(a, w->ctx, found, line, ",;", 1))
        return false;
    size_t n_line = a->text.n;
    bool is_headed = false; /* the article begins with what the index has */
    for (size_t i = 0; i < n_indexed; i++) {
        size_t at = find_wording(a, found, indexed[i]);
        bool is_line = is_same_word((dpl_str){a->text.data, n_line}, indexed[i]);
        is_headed = is_headed || is_line || at < found->n;
        if (find_wording(a, &a->heads, indexed[i]) < a->heads.n)
            continue;
        if (at < found->n ? !dpl__vec_push(w->ctx, &a->heads, found->data[at])
                          : !add_head(a, w->ctx, indexed[i]))
            return false;
    }
    found->n = 0;
    w->rest = is_headed ? body : w->rest;
    return true;
}

bool dpl__article_parse(dpl__article *a, dpl_ctx *ctx, dpl_str text, const dpl_str *indexed,
                        size_t n_indexed)
{
    assert(text.n < UINT32_MAX / 4);
    dpl__article_reset(a);
    parser w = {.a = a, .ctx = ctx, .rest = text};
    return read_heads(&w, indexed, n_indexed) && read_senses(&w);
}

void dpl__article_reset(dpl__article *a)
{
    a->text.n = a->heads.n = a->translations.n = 0;
    a->n_examples = 0;
}

void dpl__article_clear(dpl__article *a, dpl_ctx *ctx)
{
    dpl__vec_clear(ctx, &a->text, &a->heads, &a->translations);
}
