/*
 * html_tokens.c - the tokenizer of the HTML standard (section 13.2.5), on slices.
 *
 * The standard's eighty states are the places in this code; what they have in common is that a
 * tag ends at the first '>' outside of quoted values, a comment at "-->" or "--!>", and the
 * text of <script>, <style>, <title> ... at its own end tag. Cost: one pass; text is passed
 * over by memchr.
 */
#include "readers/html/html_tokens.h"

#include "base/ascii.h"

#include <strings.h>

/* What ends the name of an element. */
static bool ends_name(char c)
{
    return dpl__html_is_white(c) || c == '/' || c == '>';
}

/* ---- attributes ----------------------------------------------------------------------- */

typedef struct attribute {
    dpl_str name, value;
} attribute;

/* The attribute at p or behind it; returns what follows. NULL: the page ends in it. The name is
 * empty when the tag ends instead, at the '>' that is returned. */
static const char *next_attribute(attribute *a, const char *p, const char *end)
{
    *a = (attribute){{0}, {0}};
    while (p < end && (dpl__html_is_white(*p) || *p == '/'))
        p++;
    if (p == end)
        return NULL;
    if (*p == '>')
        return p;
    const char *from = p++; /* an '=' that comes first is part of the name */
    while (p < end && !ends_name(*p) && *p != '=')
        p++;
    a->name = (dpl_str){from, (size_t)(p - from)};
    const char *behind = p;
    while (p < end && dpl__html_is_white(*p))
        p++;
    if (p == end || *p != '=')
        return p == end ? NULL : behind;
    p++;
    while (p < end && dpl__html_is_white(*p))
        p++;
    if (p == end)
        return NULL;
    if (*p == '"' || *p == '\'') {
        const char *close = memchr(p + 1, *p, (size_t)(end - p - 1));
        if (close)
            a->value = (dpl_str){p + 1, (size_t)(close - p - 1)};
        return close ? close + 1 : NULL;
    }
    from = p;
    while (p < end && !dpl__html_is_white(*p) && *p != '>')
        p++;
    a->value = (dpl_str){from, (size_t)(p - from)};
    return p;
}

static bool hides(const attribute *a)
{
    const char first = (char)(a->name.data[0] | 0x20);
    return (first == 'h' && dpl__is_word(a->name, "hidden")) ||
           (first == 'a' && dpl__is_word(a->name, "aria-hidden") &&
            dpl__is_word(a->value, "true"));
}

dpl_str dpl__html_attribute(const dpl__html_token *token, const char *name)
{
    attribute a;
    const char *p = token->attributes.data, *end = p + token->attributes.n + 1; /* the '>' */
    while ((p = next_attribute(&a, p, end)) && a.name.n)
        if (dpl__is_word(a.name, name))
            return (dpl_str){a.value.data ? a.value.data : "", a.value.n};
    return (dpl_str){0};
}

/* ---- tags and comments ---------------------------------------------------------------- */

/* The tag whose name begins at p. NULL: the page ends in it. */
static const char *read_tag(dpl__html_token *token, const char *p, const char *end)
{
    const char *name = p;
    while (p < end && !ends_name(*p))
        p++;
    token->tag = dpl__html_tag_of((dpl_str){name, (size_t)(p - name)}, &token->hash);
    token->is_hidden = false;
    token->attributes.data = p;
    attribute a;
    const char *value_end = NULL; /* of the last one */
    while ((p = next_attribute(&a, p, end)) && a.name.n) {
        token->is_hidden = token->is_hidden || hides(&a);
        value_end = a.value.data ? a.value.data + a.value.n : NULL;
    }
    if (!p)
        return NULL;
    token->attributes.n = (size_t)(p - token->attributes.data);
    /* "/>", unless the slash ends the value of an attribute without quotes */
    token->is_self_closing = p[-1] == '/' && p != value_end;
    return p + 1;
}

static const char *find(const char *p, const char *end, char c)
{
    const char *found = p < end ? memchr(p, c, (size_t)(end - p)) : NULL;
    return found ? found : end;
}

/* Behind the comment that begins with the "--" at p. */
static const char *skip_comment(const char *p, const char *end)
{
    for (const char *dash = p; (dash = find(dash, end, '-')) < end; dash++) {
        if (end - dash >= 3 && dash[1] == '-' && dash[2] == '>')
            return dash + 3;
        if (end - dash >= 4 && dash >= p + 2 && memcmp(dash, "--!>", 4) == 0)
            return dash + 4;
    }
    return end;
}

/* Behind "<!" or "<?". A CDATA section becomes the token; NULL otherwise. */
static const char *skip_declaration(dpl__html_tokens *t, dpl__html_token *token)
{
    const char *p = t->p + 1, *end = t->end;
    if (*p == '!' && end - p >= 3 && memcmp(p + 1, "--", 2) == 0) {
        t->p = skip_comment(p + 1, end);
        return NULL;
    }
    if (t->has_cdata && end - p >= 8 && memcmp(p, "![CDATA[", 8) == 0) {
        const char *from = p + 8, *to = from;
        while ((to = find(to, end, ']')) < end && (end - to < 3 || memcmp(to, "]]>", 3) != 0))
            to++;
        t->p = to < end ? to + 3 : end;
        token->kind = DPL__HTML_CDATA;
        token->text = (dpl_str){from, (size_t)(to - from)};
        return t->p;
    }
    const char *close = find(p, end, '>');
    t->p = close < end ? close + 1 : end;
    return NULL;
}

/* Does a tag or comment begin with the '<' at p? */
static bool is_markup(const char *p, const char *end)
{
    if (end - p < 2)
        return false;
    return dpl__is_letter(p[1]) || p[1] == '!' || p[1] == '?' || (p[1] == '/' && end - p > 2);
}

/* At markup: false when it left no token. */
static bool read_markup(dpl__html_tokens *t, dpl__html_token *token)
{
    const char *p = t->p + 1, *end = t->end;
    if (*p == '!' || *p == '?')
        return skip_declaration(t, token) != NULL;
    const bool is_end = *p == '/';
    p += is_end;
    if (!dpl__is_letter(*p)) { /* "</>", or a comment of sorts */
        const char *close = find(p, end, '>');
        t->p = close < end ? close + 1 : end;
        return false;
    }
    token->kind = is_end ? DPL__HTML_END : DPL__HTML_START;
    p = read_tag(token, p, end);
    t->p = p ? p : end;
    return p != NULL;
}

bool dpl__html_next(dpl__html_tokens *t, dpl__html_token *token)
{
    while (t->p < t->end) {
        const char *stop = t->p;
        while ((stop = find(stop, t->end, '<')) < t->end && !is_markup(stop, t->end))
            stop++;
        if (stop > t->p) {
            token->kind = DPL__HTML_TEXT;
            token->text = (dpl_str){t->p, (size_t)(stop - t->p)};
            t->p = stop;
            return true;
        }
        if (read_markup(t, token))
            return true;
    }
    return false;
}

/* ---- elements whose content is text ---------------------------------------------------- */

/* Is the name at p, and behind it what ends one? */
static bool is_name_at(const char *p, const char *end, const char *name)
{
    const size_t n = strlen(name);
    return (size_t)(end - p) > n && strncasecmp(p, name, n) == 0 && ends_name(p[n]);
}

/* Where the element's end tag begins, at or behind p. */
static const char *find_end_tag(const char *p, const char *end, const char *name)
{
    for (; (p = find(p, end, '<')) < end; p++)
        if (end - p > 2 && p[1] == '/' && is_name_at(p + 2, end, name))
            return p;
    return end;
}

/* The same for <script>: between "<!--" and "-->", a <script> has an end tag of its own. */
static const char *find_script_end(const char *p, const char *end)
{
    bool is_escaped = false, is_nested = false;
    for (; p < end; p++) {
        if (is_escaped && *p == '-' && end - p >= 3 && memcmp(p, "-->", 3) == 0)
            is_escaped = is_nested = false;
        if (*p != '<') {
            if (!is_escaped)
                p = find(p, end, '<') - 1;
            continue;
        }
        if (!is_escaped && end - p >= 4 && memcmp(p, "<!--", 4) == 0) {
            is_escaped = true;
            p += 1; /* "<!-->" ends at once */
        } else if (is_escaped && !is_nested && is_name_at(p + 1, end, "script")) {
            is_nested = true;
        } else if (end - p > 2 && p[1] == '/' && is_name_at(p + 2, end, "script")) {
            if (!is_nested)
                return p;
            is_nested = false;
        }
    }
    return end;
}

dpl_str dpl__html_raw_text(dpl__html_tokens *t, dpl__html_tag tag)
{
    static const char *const names[DPL__HTML_N_TAGS] = {
        [DPL__HTML_TITLE] = "title",       [DPL__HTML_TEXTAREA] = "textarea",
        [DPL__HTML_STYLE] = "style",       [DPL__HTML_XMP] = "xmp",
        [DPL__HTML_IFRAME] = "iframe",     [DPL__HTML_NOEMBED] = "noembed",
        [DPL__HTML_NOFRAMES] = "noframes", [DPL__HTML_NOSCRIPT] = "noscript"};
    const char *from = t->p;
    assert(tag == DPL__HTML_SCRIPT || names[tag]);
    t->p = tag == DPL__HTML_SCRIPT ? find_script_end(from, t->end)
                                   : find_end_tag(from, t->end, names[tag]);
    return (dpl_str){from, (size_t)(t->p - from)};
}

dpl_str dpl__html_rest(dpl__html_tokens *t)
{
    dpl_str rest = {t->p, (size_t)(t->end - t->p)};
    t->p = t->end;
    return rest;
}
