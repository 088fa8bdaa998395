/*
 * wikispans.c - matches the brackets of wikitext before anything is converted.
 *
 * One pass with a stack of open marks that lives in the result itself: an opening mark becomes
 * a span without an end and remembers the one around it; the closing mark fills in the end.
 * Nothing recurses and no depth is too deep. As in MediaWiki, comments, references and other
 * tags whose content is opaque are taken out first, and {{ }} weighs more than what it holds:
 *
 *     }}   ends the innermost {{, and gives up whatever was opened inside and not closed
 *     |}   at the start of a line likewise ends the innermost {|
 *     ]]   ends the innermost [[ only if no template or table was opened since
 *
 * Cost: linear. A search for an end tag that failed once is not repeated for that name.
 */
#include "readers/wiki/wikispans.h"

#include "base/ascii.h"
#include "base/ctx.h"
#include "kernels/kernels.h"

enum { N_OPAQUE = 32 }; /* names whose end tags were looked for in vain */

typedef struct matcher {
    dpl_ctx *ctx;
    const char *p;
    size_t n;
    dpl__wiki_spans *spans;
    uint32_t top; /* number of the innermost open span, from 1; 0: none */
    uint32_t n_open[DPL__N_SPANS];
    size_t variant_end; /* of the last -{...}-, whose '-' begins no other */
    char unclosed[N_OPAQUE][DPL__WIKI_TAG_MAX + 1];
    size_t n_unclosed;
    bool is_out_of_memory;
} matcher;

/* While a span is open, two fields have another meaning. */
#define OUTER(span) ((span)->content_end) /* number of the open span around it */
#define BRACES(span) ((span)->content)    /* TEMPLATE: opening braces not matched yet */

/* ---- tags --------------------------------------------------------------------------- */

bool dpl__wiki_markup_at(dpl__wiki_markup *out, dpl_str text, size_t at)
{
    assert(at < text.n && text.data[at] == '<');
    size_t i = at + 1;
    out->is_closing = i < text.n && text.data[i] == '/';
    i += out->is_closing;
    size_t n = 0;
    for (; i < text.n && dpl__is_letter_or_digit(text.data[i]); i++) {
        if (n == DPL__WIKI_TAG_MAX)
            return false;
        out->name[n++] = dpl__to_lower(text.data[i]);
    }
    out->name[n] = 0;
    if (n == 0 || i == text.n || !(dpl__is_blank(text.data[i]) || strchr("/>", text.data[i])))
        return false;
    out->tag = dpl__wiki_tag_of((dpl_str){out->name, n});
    if (out->tag == DPL__TAG_NONE)
        return false;
    while (i < text.n && text.data[i] != '>' && text.data[i] != '<')
        i++;
    if (i == text.n || text.data[i] != '>')
        return false;
    out->is_empty = text.data[i - 1] == '/';
    out->end = i + 1;
    return true;
}

bool dpl__wiki_is_address(dpl_str s)
{
    static const char *const schemes[] = {
        "mailto:", "news:", "tel:", "geo:", "urn:", "magnet:"};
    size_t i = 0;
    while (i < s.n && i < 12 &&
           (dpl__is_letter_or_digit(s.data[i]) || strchr("+.-", s.data[i])))
        i++;
    if (i + 2 < s.n && s.data[i] == ':' && s.data[i + 1] == '/' && s.data[i + 2] == '/')
        return i > 0;
    if (s.n >= 2 && s.data[0] == '/' && s.data[1] == '/')
        return true;
    for (size_t k = 0; k < DPL_LEN(schemes); k++) {
        size_t n = strlen(schemes[k]);
        if (s.n >= n && memcmp(s.data, schemes[k], n) == 0)
            return true;
    }
    return false;
}

/* The end tag of that name at or behind from: where it begins, and where it ends. */
static bool find_end_tag(const matcher *m, size_t from, const char *name, size_t *begin,
                         size_t *end)
{
    size_t n_name = strlen(name);
    const char *q;
    while (from < m->n && (q = memchr(m->p + from, '<', m->n - from)) != NULL) {
        size_t at = (size_t)(q - m->p), i = at + 1, k = 0;
        from = at + 1;
        if (i == m->n || m->p[i++] != '/')
            continue;
        while (k < n_name && i < m->n && dpl__to_lower(m->p[i]) == name[k])
            i++, k++;
        while (i < m->n && dpl__is_blank(m->p[i]))
            i++;
        if (k == n_name && i < m->n && m->p[i] == '>') {
            *begin = at;
            *end = i + 1;
            return true;
        }
    }
    return false;
}

/* ---- the stack ---------------------------------------------------------------------- */

static dpl__wiki_span *top_span(const matcher *m)
{
    return m->top ? &m->spans->data[m->top - 1] : NULL;
}

static bool top_is(const matcher *m, dpl__span_kind kind)
{
    return m->top && top_span(m)->kind == kind;
}

static void add_span(matcher *m, dpl__wiki_span span)
{
    if (!dpl__vec_push(m->ctx, m->spans, span))
        m->is_out_of_memory = true;
}

static void open_span(matcher *m, dpl__span_kind kind, size_t begin, uint32_t braces)
{
    dpl__wiki_span span = {.begin = (uint32_t)begin, .kind = (uint8_t)kind};
    OUTER(&span) = m->top;
    BRACES(&span) = braces;
    add_span(m, span);
    if (m->is_out_of_memory)
        return;
    m->top = (uint32_t)m->spans->n;
    m->n_open[kind]++;
}

/* Takes the innermost span from the stack, with an end or without. */
static void pop_span(matcher *m)
{
    dpl__wiki_span *span = top_span(m);
    m->top = OUTER(span);
    m->n_open[span->kind]--;
    if (span->kind == DPL__SPAN_TEMPLATE) /* "{{{x}}" leaves one brace outside */
        span->begin += BRACES(span);
}

/* Gives up what was opened inside the innermost span of that kind. */
static void pop_to(matcher *m, dpl__span_kind kind)
{
    assert(m->n_open[kind] > 0);
    while (!top_is(m, kind))
        pop_span(m);
}

static void close_span(matcher *m, dpl__span_kind kind, size_t end)
{
    pop_to(m, kind);
    top_span(m)->end = (uint32_t)end;
    pop_span(m);
}

/* ---- the marks: each function returns where to go on -------------------------------- */

static size_t run_length(const matcher *m, size_t i)
{
    assert(i < m->n);
    size_t n = 1;
    while (i + n < m->n && m->p[i + n] == m->p[i])
        n++;
    return n;
}

static size_t at_opening_braces(matcher *m, size_t i)
{
    size_t n = run_length(m, i);
    if (n >= 2)
        open_span(m, DPL__SPAN_TEMPLATE, i, (uint32_t)n);
    else if (i > m->variant_end && m->p[i - 1] == '-')
        open_span(m, DPL__SPAN_VARIANT, i - 1, 0);
    return i + n;
}

static size_t at_closing_braces(matcher *m, size_t i)
{
    size_t end = i + run_length(m, i);
    while (end - i >= 2 && m->n_open[DPL__SPAN_TEMPLATE]) {
        pop_to(m, DPL__SPAN_TEMPLATE);
        dpl__wiki_span *span = top_span(m);
        uint32_t n = (uint32_t)dpl__min(dpl__min(end - i, BRACES(span)), 3);
        i += n;
        BRACES(span) -= n;
        span->end = (uint32_t)i;
        if (BRACES(span) < 2)
            pop_span(m);
    }
    if (end - i == 1 && end < m->n && m->p[end] == '-' && top_is(m, DPL__SPAN_VARIANT)) {
        m->variant_end = end + 1;
        close_span(m, DPL__SPAN_VARIANT, end + 1);
        return end + 1;
    }
    return end;
}

static size_t at_opening_brackets(matcher *m, size_t i)
{
    size_t n = run_length(m, i);
    if (n == 1) {
        if (dpl__wiki_is_address((dpl_str){m->p + i + 1, m->n - i - 1}))
            open_span(m, DPL__SPAN_EXTERNAL, i, 0);
        return i + 1;
    }
    for (size_t k = n % 2; k < n && !m->is_out_of_memory; k += 2)
        open_span(m, DPL__SPAN_LINK, i + k, 0);
    return i + n;
}

/* "[[File:x|[http://y z]]]": an odd bracket belongs to the address inside. */
static size_t at_closing_brackets(matcher *m, size_t i)
{
    size_t end = i + run_length(m, i);
    while (i < end) {
        bool is_even = (end - i) % 2 == 0;
        if (top_is(m, DPL__SPAN_EXTERNAL) && !(is_even && m->n_open[DPL__SPAN_LINK])) {
            close_span(m, DPL__SPAN_EXTERNAL, ++i);
            continue;
        }
        while (top_is(m, DPL__SPAN_EXTERNAL) || top_is(m, DPL__SPAN_VARIANT))
            pop_span(m);
        if (end - i >= 2 && top_is(m, DPL__SPAN_LINK)) {
            close_span(m, DPL__SPAN_LINK, i + 2);
            i += 2;
        } else {
            i++;
        }
    }
    return end;
}

static bool is_known_unclosed(const matcher *m, const char *name)
{
    for (size_t i = 0; i < m->n_unclosed; i++)
        if (strcmp(m->unclosed[i], name) == 0)
            return true;
    return false;
}

static size_t at_comment(matcher *m, size_t i)
{
    size_t end = i + 4;
    while (end < m->n) {
        const char *q = memchr(m->p + end, '-', m->n - end);
        end = q ? (size_t)(q - m->p) : m->n;
        if (m->n - end >= 3 && memcmp(m->p + end, "-->", 3) == 0) {
            end += 3;
            break;
        }
        end += end < m->n;
    }
    /* Without an end it hides the rest of the page, there as here. */
    add_span(m, (dpl__wiki_span){
                    .begin = (uint32_t)i, .end = (uint32_t)end, .kind = DPL__SPAN_DROP});
    return end;
}

static size_t at_opaque_tag(matcher *m, size_t i, const dpl__wiki_markup *tag)
{
    if (tag->is_closing || (!tag->is_empty && is_known_unclosed(m, tag->name)))
        return tag->end;
    size_t begin = tag->end, end = tag->end;
    if (!tag->is_empty && !find_end_tag(m, tag->end, tag->name, &begin, &end)) {
        assert(m->n_unclosed < N_OPAQUE);
        memcpy(m->unclosed[m->n_unclosed++], tag->name, sizeof tag->name);
        return tag->end;
    }
    dpl__span_kind kind = tag->tag == DPL__TAG_NOWIKI ? DPL__SPAN_NOWIKI
                          : tag->tag == DPL__TAG_PRE  ? DPL__SPAN_PRE
                                                      : DPL__SPAN_DROP;
    add_span(m, (dpl__wiki_span){.begin = (uint32_t)i,
                                 .end = (uint32_t)end,
                                 .content = (uint32_t)tag->end,
                                 .content_end = (uint32_t)begin,
                                 .kind = (uint8_t)kind});
    return end;
}

static size_t at_tag(matcher *m, size_t i)
{
    if (m->n - i >= 4 && memcmp(m->p + i, "<!--", 4) == 0)
        return at_comment(m, i);
    dpl__wiki_markup tag;
    if (!dpl__wiki_markup_at(&tag, (dpl_str){m->p, m->n}, i))
        return i + 1;
    switch (tag.tag) {
    case DPL__TAG_DROP:
    case DPL__TAG_NOWIKI:
    case DPL__TAG_PRE: return at_opaque_tag(m, i, &tag);
    case DPL__TAG_TABLE:
        if (!tag.is_closing)
            open_span(m, DPL__SPAN_TABLE, i, 0);
        else if (m->n_open[DPL__SPAN_TABLE])
            close_span(m, DPL__SPAN_TABLE, tag.end);
        return tag.end;
    default: return tag.end;
    }
}

/* May it stand in front of a table? */
static bool is_indent(char c)
{
    return c == ' ' || c == '\t' || c == ':' || c == '*' || c == '#' || c == ';';
}

/* Tables begin and end at the start of a line. */
static size_t at_line(matcher *m, size_t i)
{
    /* Neither an address nor a link's target runs over the end of a line. */
    while (top_is(m, DPL__SPAN_EXTERNAL) ||
           (top_is(m, DPL__SPAN_LINK) && top_span(m)->content == 0))
        pop_span(m);
    size_t first = i;
    while (i < m->n && is_indent(m->p[i]))
        i++;
    if (i + 1 >= m->n)
        return first;
    if (m->p[i] == '{' && m->p[i + 1] == '|') {
        open_span(m, DPL__SPAN_TABLE, i, 0);
        return i + 2;
    }
    if (m->p[i] != '|' || m->p[i + 1] != '}' || !m->n_open[DPL__SPAN_TABLE])
        return first;
    /* "|}}" may end a template whose last argument is empty. */
    size_t n = run_length(m, i + 1);
    if (n == 2 && m->n_open[DPL__SPAN_TEMPLATE])
        return first;
    close_span(m, DPL__SPAN_TABLE, i + 2);
    return i + 2;
}

static size_t at_pipe(matcher *m, size_t i)
{
    if (top_is(m, DPL__SPAN_LINK) && top_span(m)->content == 0)
        top_span(m)->content = (uint32_t)i;
    return i + 1;
}

static size_t at_mark(matcher *m, size_t i)
{
    switch (m->p[i]) {
    case '{': return at_opening_braces(m, i);
    case '}': return at_closing_braces(m, i);
    case '[': return at_opening_brackets(m, i);
    case ']': return at_closing_brackets(m, i);
    case '<': return at_tag(m, i);
    case '|': return at_pipe(m, i);
    default: return at_line(m, i + 1);
    }
}

dpl_status dpl__wiki_spans_find(dpl__wiki_spans *out, dpl_ctx *ctx, dpl_str text,
                                dpl_error *err)
{
    assert(text.n < UINT32_MAX);
    matcher m = {.ctx = ctx, .p = text.data, .n = text.n, .spans = out};
    dpl__byteset marks = {0};
    for (const char *c = "{}[]<|\n"; *c; c++)
        dpl__byteset_add(&marks, (uint8_t)*c);
    out->n = 0;
    size_t i = at_line(&m, 0);
    while (i < m.n && !m.is_out_of_memory) {
        i += ctx->kernels->find_byte((const uint8_t *)m.p + i, m.n - i, &marks);
        if (i < m.n)
            i = at_mark(&m, i);
    }
    while (m.top)
        pop_span(&m);
    return m.is_out_of_memory ? dpl__fail_nomem(err) : DPL_OK;
}
