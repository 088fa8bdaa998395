/*
 * xml_plain.c - a small XML parser that gives up at anything unusual.
 *
 * Between two marks, text is searched for the bytes that are not plain text with a kernel.
 */
#include "readers/wiki/xml_plain.h"

#include "base/ascii.h"
#include "base/ctx.h"
#include "kernels/kernels.h"

enum {
    MOST_DEPTH = 16,
    MOST_NAME = 40,
    MOST_ATTRIBUTES = 8,
    MOST_STRINGS = 1000 /* bytes of a tag's names and values */
};

typedef struct parser {
    const dpl__xml_plain *xml;
    const dpl__kernels *kernels;
    const char *p, *end;
    dpl__byteset marks; /* what ends a piece of text */
    char names[MOST_DEPTH][MOST_NAME];
    unsigned depth;
} parser;

static bool is_name_start(char c)
{
    return dpl__is_letter(c) || c == '_' || c == ':';
}

static bool is_name(char c)
{
    return is_name_start(c) || dpl__is_digit(c) || c == '-' || c == '.';
}

static bool is_blank(char c)
{
    return c == ' ' || c == '\n' || c == '\t';
}

/* Bytes of a name; 0 when there is none, or one that is too long. */
static size_t name_length(const parser *x)
{
    size_t n = 0, most = dpl__min((size_t)(x->end - x->p), MOST_NAME);
    if (most == 0 || !is_name_start(x->p[0]))
        return 0;
    while (n < most && is_name(x->p[n]))
        n++;
    return n < MOST_NAME ? n : 0;
}

static bool take(parser *x, const char *what, size_t n)
{
    if ((size_t)(x->end - x->p) < n || memcmp(x->p, what, n) != 0)
        return false;
    x->p += n;
    return true;
}

/* ---- tags ---------------------------------------------------------------------------- */

typedef struct strings {
    char bytes[MOST_STRINGS];
    size_t n;
} strings;

static const char *keep(strings *s, const char *p, size_t n)
{
    if (sizeof s->bytes - s->n <= n)
        return NULL;
    char *copy = s->bytes + s->n;
    memcpy(copy, p, n);
    copy[n] = 0;
    s->n += n + 1;
    return copy;
}

/* Bytes before the closing quote, which are all plain; SIZE_MAX when they are not. */
static size_t value_length(const parser *x)
{
    for (const char *p = x->p; p < x->end && (uint8_t)*p >= ' ' && (uint8_t)*p < 0x7F; p++) {
        if (*p == '"')
            return (size_t)(p - x->p);
        if (*p == '<' || *p == '&')
            break;
    }
    return SIZE_MAX;
}

/* name="value" behind a blank. NULL ends the list. */
static bool take_attributes(parser *x, strings *s, const char *list[2 * MOST_ATTRIBUTES + 1])
{
    size_t n = 0;
    for (;; n += 2) {
        const char *before = x->p;
        while (x->p < x->end && is_blank(*x->p))
            x->p++;
        size_t n_name = name_length(x);
        list[n] = NULL;
        if (n_name == 0)
            return true;
        if (x->p == before || n == 2 * MOST_ATTRIBUTES)
            return false;
        list[n] = keep(s, x->p, n_name);
        x->p += n_name;
        if (!take(x, "=\"", 2))
            return false;
        size_t n_value = value_length(x);
        list[n + 1] = n_value == SIZE_MAX ? NULL : keep(s, x->p, n_value);
        if (!list[n] || !list[n + 1])
            return false;
        x->p += n_value + 1;
        for (size_t i = 0; i < n; i += 2)
            if (strcmp(list[i], list[n]) == 0)
                return false;
    }
}

/* Behind "<". */
static bool take_start(parser *x)
{
    strings s = {.n = 0};
    const char *attributes[2 * MOST_ATTRIBUTES + 1];
    size_t n = name_length(x);
    if (n == 0 || x->depth == MOST_DEPTH)
        return false;
    char *name = x->names[x->depth++];
    memcpy(name, x->p, n);
    name[n] = 0;
    x->p += n;
    if (!take_attributes(x, &s, attributes))
        return false;
    bool is_empty = take(x, "/", 1);
    if (!take(x, ">", 1))
        return false;
    x->xml->start(x->xml->user, name, attributes);
    if (is_empty) {
        x->xml->end(x->xml->user, name);
        x->depth--;
    }
    return true;
}

/* Behind "</". */
static bool take_end(parser *x)
{
    const char *name = x->names[x->depth - 1];
    size_t n = name_length(x);
    if (n == 0 || n != strlen(name) || memcmp(name, x->p, n) != 0)
        return false;
    x->p += n;
    if (!take(x, ">", 1))
        return false;
    x->xml->end(x->xml->user, name);
    x->depth--;
    return true;
}

/* ---- text ---------------------------------------------------------------------------- */

static bool take_entity(parser *x)
{
    static const struct {
        const char *name;
        uint8_t n;
        char c;
    } entities[] = {{"&lt;", 4, '<'},
                    {"&gt;", 4, '>'},
                    {"&quot;", 6, '"'},
                    {"&amp;", 5, '&'},
                    {"&apos;", 6, '\''}};
    for (size_t i = 0; i < DPL_LEN(entities); i++)
        if (take(x, entities[i].name, entities[i].n)) {
            x->xml->text(x->xml->user, &entities[i].c, 1);
            return true;
        }
    return false;
}

/* U+FFFE and U+FFFF are no characters of XML. */
static bool is_no_character(const parser *x)
{
    return x->end - x->p >= 3 && (uint8_t)x->p[1] == 0xBF && (uint8_t)x->p[2] >= 0xBE;
}

/* Up to the next mark, which is "<" or an entity: others are left to Expat. */
static bool take_text(parser *x)
{
    const char *from = x->p;
    for (;;) {
        x->p +=
            x->kernels->find_byte((const uint8_t *)x->p, (size_t)(x->end - x->p), &x->marks);
        if (x->p == x->end)
            return false;
        if ((uint8_t)*x->p != 0xEF)
            break;
        if (is_no_character(x))
            return false;
        x->p++;
    }
    if (x->p > from)
        x->xml->text(x->xml->user, from, (int)(x->p - from));
    return *x->p == '<' || (*x->p == '&' && take_entity(x));
}

/* Breaks of lines of other systems and "]]>" are not plain. */
static void add_marks(dpl__byteset *marks)
{
    for (uint8_t b = 0; b < ' '; b++)
        if (b != '\n' && b != '\t')
            dpl__byteset_add(marks, b);
    dpl__byteset_add(marks, '<');
    dpl__byteset_add(marks, '&');
    dpl__byteset_add(marks, '>');
    dpl__byteset_add(marks, 0xEF);
}

bool dpl__xml_plain_parse(const dpl__xml_plain *xml, const dpl_ctx *ctx, dpl_str text)
{
    parser x = {.xml = xml, .kernels = ctx->kernels, .p = text.data, .end = text.data + text.n};
    add_marks(&x.marks);
    if (text.n > INT32_MAX || !take(&x, "<", 1) || !take_start(&x))
        return false;
    while (x.depth > 0)
        if (!(take(&x, "</", 2)  ? take_end(&x)
              : take(&x, "<", 1) ? take_start(&x)
                                 : take_text(&x)))
            return false;
    return x.p == x.end;
}
