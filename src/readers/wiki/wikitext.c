/*
 * wikitext.c - wikitext to plain text.
 *
 * wikispans.c has matched all brackets before; this is one walk through the source that copies
 * plain text, jumps over the spans that go (most templates, tables, references, files) and
 * enters the ones that stay (links, language variants, quotations and other templates that hold
 * running text) at the part that a reader sees. Lines are made presentable by wikilines.c as
 * they end.
 *
 * A link with a label becomes the label; [http://x] without one goes, a bare http://x stays.
 * Marks that have no partner ("{{" without "}}") go, what is between them stays, except that a
 * line beginning with '|' is the rest of a broken table or template and goes. Entities are
 * decoded after the markup is read: &lt;b&gt; is text, not a tag.
 *
 * Cost: linear. Besides the output it keeps 20 bytes for each bracket.
 */
#include "readers/wiki/wikitext.h"

#include "base/ctx.h"
#include "kernels/kernels.h"
#include "readers/html/html_names.h"
#include "readers/wiki/wikilines.h"
#include "unicode/unicode.h"

enum { MAX_DEPTH = 64 }; /* links in links; deeper ones go */

typedef struct walk {
    dpl__wikitext *w;
    dpl__wiki_lines lines;
    const char *p;
    size_t at, end; /* end of the part being walked through */
    size_t n_span;  /* the next one */
    struct {
        size_t to, end; /* where to go on after the part, and the end of the part around it */
        const char *between; /* put there; NULL: nothing */
    } parts[MAX_DEPTH];
    size_t n_parts;
    dpl__byteset marks;
    bool is_in_table; /* behind a "{|" without an end */
    bool is_in_poem;
    bool is_out_of_memory;
    uint8_t has_language[DPL__WIKI_LANGUAGES];
} walk;

static dpl_str rest_of(const walk *w, size_t at)
{
    return (dpl_str){w->p + at, w->end - at};
}

/* The closed span that begins at that place, or NULL. */
static const dpl__wiki_span *span_at(walk *w, size_t at)
{
    const dpl__wiki_spans *spans = &w->w->spans;
    while (w->n_span < spans->n &&
           (spans->data[w->n_span].begin < at || spans->data[w->n_span].end == 0))
        w->n_span++;
    if (w->n_span == spans->n)
        return NULL;
    const dpl__wiki_span *span = &spans->data[w->n_span];
    return span->begin == at && span->end <= w->end ? span : NULL;
}

static void skip_to(walk *w, size_t at)
{
    w->at = at;
    dpl__wiki_put_hole(&w->lines);
}

static void put_text(walk *w, const char *text)
{
    for (; *text; text++)
        dpl__wiki_put(&w->lines, *text);
}

/* Walks through [begin, end), puts `between`, then goes on at to. */
static void enter_part(walk *w, size_t begin, size_t end, size_t to, const char *between)
{
    if (w->n_parts == MAX_DEPTH) {
        skip_to(w, to);
        return;
    }
    w->parts[w->n_parts].to = to;
    w->parts[w->n_parts].between = between;
    w->parts[w->n_parts++].end = w->end;
    w->at = begin;
    w->end = end;
}

static void enter(walk *w, size_t begin, size_t end, size_t to)
{
    enter_part(w, begin, end, to, NULL);
}

static void leave(walk *w)
{
    w->at = w->parts[--w->n_parts].to;
    w->end = w->parts[w->n_parts].end;
    if (w->parts[w->n_parts].between)
        put_text(w, w->parts[w->n_parts].between);
}

/* ---- characters --------------------------------------------------------------------- */

static void put_code_point(walk *w, uint32_t c)
{
    if (dpl__is_space(c))
        dpl__wiki_put(&w->lines, ' ');
    else if (c >= 0x20 && !(c >= 0x7F && c < 0xA0) && c != 0xAD) /* controls, soft hyphen */
        w->lines.n += dpl__utf8_encode((char *)w->lines.out + w->lines.n, c);
}

static void at_entity(walk *w)
{
    uint32_t c;
    size_t n = dpl__html_entity(rest_of(w, w->at), &c);
    put_code_point(w, n ? c : '&');
    w->at += n ? n : 1;
}

static void at_character(walk *w)
{
    uint32_t c;
    w->at += dpl__utf8_decode((const uint8_t *)w->p + w->at, &c);
    put_code_point(w, c);
}

static void put_literally(walk *w, size_t begin, size_t end, bool has_lines)
{
    for (w->at = begin; w->at < end;) {
        uint8_t c = (uint8_t)w->p[w->at];
        if (c == '\n' && has_lines) {
            w->lines.is_own = true;
            dpl__wiki_end_line(&w->lines);
            w->at++;
        } else if (c == '&') {
            at_entity(w);
        } else {
            at_character(w);
        }
    }
}

/* ---- the start of a line ------------------------------------------------------------ */

static bool is_item_mark(char c)
{
    return c == '*' || c == '#' || c == ':' || c == ';' || c == ' ' || c == '\t';
}

static bool is_rule(const walk *w)
{
    return w->end - w->at >= 4 && memcmp(w->p + w->at, "----", 4) == 0;
}

static void begin_line(walk *w)
{
    dpl__wiki_lines *lines = &w->lines;
    size_t first = w->at;
    while (w->at < w->end && (w->p[w->at] == ' ' || w->p[w->at] == '\t'))
        w->at++;
    lines->is_own = w->at > first || w->is_in_poem;
    if (w->at == w->end)
        return;
    switch (w->p[w->at]) {
    case '*':
    case '#':
    case ':':
    case ';':
        while (w->at < w->end && is_item_mark(w->p[w->at]))
            w->at++;
        lines->is_own = true;
        break;
    case '-':
        if (is_rule(w)) {
            while (w->at < w->end && w->p[w->at] == '-')
                w->at++;
            lines->is_own = true;
        }
        break;
    case '=':
        lines->is_heading = true;
        w->is_in_table = false;
        break;
    case '|': lines->is_dropped = true; break;
    case '!': lines->is_dropped = w->is_in_table; break;
    default: break;
    }
    if (w->end - w->at >= 2 && memcmp(w->p + w->at, "{|", 2) == 0 && !span_at(w, w->at))
        lines->is_dropped = w->is_in_table = true;
}

static void end_line(walk *w)
{
    dpl__wiki_end_line(&w->lines);
    w->at++;
    begin_line(w);
}

/* ---- links -------------------------------------------------------------------------- */

/* The link's target without blanks around it. False when no target looks like that, so that it
 * is not a link. Templates and comments may stand in one. */
static bool target_of(dpl_str *target, const walk *w, const dpl__wiki_span *span)
{
    size_t begin = span->begin + 2, end = span->content ? span->content : span->end - 2;
    for (size_t i = begin; i < end; i++)
        if (w->p[i] == '[' || w->p[i] == ']' || w->p[i] == '\n')
            return false;
    *target = dpl__trim((dpl_str){w->p + begin, end - begin});
    return true;
}

static dpl_str without_first(dpl_str s)
{
    return dpl__trim((dpl_str){s.data + 1, s.n - 1});
}

/* [[a (x)|]], [[ns:a, b|]]: what MediaWiki would put there when the page is saved. */
static dpl_str pipe_trick(dpl_str target)
{
    if (target.data[0] == ':')
        target = without_first(target);
    const char *colon = target.n ? memchr(target.data, ':', target.n) : NULL;
    if (colon) {
        size_t n = (size_t)(colon + 1 - target.data);
        target = (dpl_str){target.data + n, target.n - n};
    }
    for (size_t i = 0; i < target.n; i++)
        if (target.data[i] == '(' ||
            (target.data[i] == ',' && i + 1 < target.n && target.data[i + 1] == ' ')) {
            target.n = i;
            break;
        }
    return dpl__trim(target);
}

static void note_link(walk *w, const char *lang, dpl_str name)
{
    dpl__wiki_link link = {.lang = lang, .name = dpl__trim(name)};
    for (size_t i = 0; i < name.n; i++)
        if (name.data[i] == '{' || name.data[i] == '[' || name.data[i] == '<')
            return; /* the name depends on a template */
    if (link.name.n && !dpl__vec_push(w->w->ctx, &w->w->links, link))
        w->is_out_of_memory = true;
}

static bool ends_prefix(char c)
{
    return c == ':' || c == '|' || c == '[' || c == ']' || c == '{' || c == '}' || c == '<' ||
           c == '>' || c == '\n';
}

/* What the prefix of a target in p[begin, end) says. *name receives what is behind the colon.
 * Looks no further than the first character that no prefix has. */
static dpl__wiki_prefix prefix_of(const walk *w, size_t begin, size_t end, dpl_str *name,
                                  size_t *lang)
{
    size_t colon = begin;
    while (colon < end && !ends_prefix(w->p[colon]))
        colon++;
    if (colon == begin || colon == end || w->p[colon] != ':')
        return DPL__WIKI_PLAIN;
    *name = (dpl_str){w->p + colon + 1, end - colon - 1};
    return dpl__wiki_prefix_of((dpl_str){w->p + begin, colon - begin}, w->w->site, lang);
}

/* Handles a link that shows nothing in the text. */
static bool at_silent_link(walk *w, const dpl__wiki_span *span)
{
    size_t end = span->content ? span->content : span->end - 2, lang = 0;
    dpl_str name;
    switch (prefix_of(w, span->begin + 2, end, &name, &lang)) {
    case DPL__WIKI_PLAIN: return false;
    case DPL__WIKI_FILE: break;
    case DPL__WIKI_CATEGORY: note_link(w, NULL, name); break;
    case DPL__WIKI_LANGUAGE:
        if (!w->has_language[lang])
            note_link(w, dpl__wiki_language(lang), name);
        w->has_language[lang] = 1;
        break;
    }
    skip_to(w, span->end);
    return true;
}

/* Shows the part of the source that is s, which lies inside the span. */
static void show(walk *w, const dpl__wiki_span *span, dpl_str s)
{
    size_t begin = (size_t)(s.data - w->p);
    enter(w, begin, begin + s.n, span->end);
}

/* The label of "http://x label", perhaps empty. */
static dpl_str label_of_address(dpl_str s)
{
    size_t n = 0;
    while (n < s.n && s.data[n] != ' ' && s.data[n] != '\t')
        n++;
    return dpl__trim((dpl_str){s.data + n, s.n - n});
}

static void at_link(walk *w, const dpl__wiki_span *span)
{
    dpl_str inside = {w->p + span->begin + 2, span->end - span->begin - 4}, target;
    if (at_silent_link(w, span))
        return;
    if (!target_of(&target, w, span)) {
        show(w, span, inside);
        return;
    }
    if (span->content) {
        size_t n = span->content + 1 - (span->begin + 2);
        dpl_str label = dpl__trim((dpl_str){inside.data + n, inside.n - n});
        show(w, span, label.n || target.n == 0 ? label : pipe_trick(target));
        return;
    }
    if (dpl__wiki_is_address(target)) /* "[[http://x y]]" */
        target = label_of_address(target);
    else if (target.n && (target.data[0] == ':' || target.data[0] == '#'))
        target = without_first(target);
    show(w, span, target);
}

static void at_external_link(walk *w, const dpl__wiki_span *span)
{
    dpl_str inside = {w->p + span->begin + 1, span->end - span->begin - 2};
    dpl_str label = label_of_address(inside);
    if (label.n)
        show(w, span, label);
    else
        skip_to(w, span->end);
}

/* -{zh-hans:A;zh-hant:B}- shows A, -{A}- as well; -{H|...}- and -{T|...}- show nothing. */
static void at_variant(walk *w, const dpl__wiki_span *span)
{
    w->lines.n--; /* the '-' in front of the brace */
    size_t begin = span->begin + 2, end = span->end - 2, flag = begin;
    while (flag < end && !strchr("|:;{[<\n&", w->p[flag]))
        flag++;
    if (flag < end && w->p[flag] == '|') {
        dpl_str flags = {w->p + begin, flag - begin};
        if (memchr(flags.data, 'H', flags.n) || memchr(flags.data, 'T', flags.n)) {
            skip_to(w, span->end);
            return;
        }
        begin = flag + 1;
    }
    size_t stop = begin, colon = 0;
    while (stop < end && !strchr(";{[<\n&", w->p[stop])) {
        if (w->p[stop] == ':' && !colon)
            colon = stop;
        stop++;
    }
    if (colon && dpl__trim((dpl_str){w->p + begin, colon - begin}).n <= 12) {
        begin = colon + 1;
        if (stop < end && w->p[stop] == ';')
            end = stop;
    }
    enter(w, begin, end, span->end);
}

/* ---- templates ------------------------------------------------------------------------ */

enum { N_PARAMETERS = 8 }; /* that are looked at */

/* The name of a template and its parameters without names, which are separated by '|' outside
 * of other brackets; {{formatnum:5}} has one as well. */
typedef struct template_parts {
    dpl_str name;
    dpl_str plain[N_PARAMETERS];
    size_t n_plain;
    dpl_str text;  /* of the parameter text=, quote= or 1=; data NULL: there is none */
    bool is_lower; /* lc=y: does not begin a sentence */
} template_parts;

static void add_part(template_parts *t, size_t number, dpl_str part)
{
    if (number == 0) {
        t->name = dpl__trim(part);
        return;
    }
    const char *equals = part.n ? memchr(part.data, '=', part.n) : NULL;
    const char *bracket = equals;
    for (const char *p = part.data; bracket && p < equals; p++)
        if (*p == '<' || *p == '[' || *p == '{') /* not a name: <ref name=x> */
            bracket = NULL;
    if (!bracket) {
        if (t->n_plain < N_PARAMETERS)
            t->plain[t->n_plain++] = dpl__trim(part);
        return;
    }
    dpl_str name = dpl__trim((dpl_str){part.data, (size_t)(equals - part.data)}),
            value = dpl__trim((dpl_str){equals + 1, part.n - (size_t)(equals - part.data) - 1});
    if (dpl__str_eq(name, DPL_STR("text")) || dpl__str_eq(name, DPL_STR("quote")) ||
        dpl__str_eq(name, DPL_STR("1")))
        t->text = value;
    t->is_lower |= dpl__str_eq(name, DPL_STR("lc")) && value.n;
}

/* Spans are ordered by where they begin: those inside follow the template's own. */
static void divide_template(template_parts *t, const walk *w, const dpl__wiki_span *span)
{
    const dpl__wiki_spans *spans = &w->w->spans;
    const size_t end = span->end - 2;
    size_t inner = (size_t)(span - spans->data) + 1, begin = span->begin + 2, number = 0;
    *t = (template_parts){.n_plain = 0};
    for (size_t at = begin; at <= end;) {
        while (inner < spans->n &&
               (spans->data[inner].begin < at || spans->data[inner].end == 0))
            inner++;
        if (inner < spans->n && spans->data[inner].begin == at &&
            spans->data[inner].end <= end) {
            at = spans->data[inner].end;
            continue;
        }
        if (at == end || w->p[at] == '|') {
            add_part(t, number++, (dpl_str){w->p + begin, at - begin});
            begin = at + 1;
        }
        at++;
    }
    const char *colon = t->name.n ? memchr(t->name.data, ':', t->name.n) : NULL;
    if (colon && number == 1) { /* a function */
        size_t n = (size_t)(colon - t->name.data);
        t->plain[t->n_plain++] = dpl__trim((dpl_str){colon + 1, t->name.n - n - 1});
        t->name.n = n;
    }
}

/* Parameters [first, first + n) with something between, as far as there are so many. A text
 * between is at most a byte longer than the '|' there, and the braces make up for that. */
static void show_parameters(walk *w, const dpl__wiki_span *span, const template_parts *t,
                            size_t first, size_t n, const char *between)
{
    size_t end = dpl__min(first + n, t->n_plain), to = span->end;
    if (first >= end) {
        skip_to(w, span->end);
        return;
    }
    if (end - first > MAX_DEPTH - w->n_parts)
        end = first + 1;
    for (size_t i = end; i-- > first;) { /* the last one entered is the first one shown */
        size_t begin = (size_t)(t->plain[i].data - w->p), stop = begin + t->plain[i].n;
        if (begin < stop && is_item_mark(w->p[begin]) && w->p[begin - 1] == '\n')
            begin--; /* a list begins at the start of a line */
        enter_part(w, begin, stop, to, i + 1 < end ? between : NULL);
        to = begin;
    }
}

/* {{convert|5|to|6|km}} */
static bool is_range(dpl_str word)
{
    static const char words[] = " to and or - – x × by to(-) and(-) +/- ± ";
    char text[16] = " ";
    if (word.n == 0 || word.n > sizeof text - 3)
        return false;
    memcpy(text + 1, word.data, word.n);
    memcpy(text + 1 + word.n, " ", 2);
    return strstr(words, text) != NULL;
}

/* A number that comes from a template leaves a unit alone. */
static size_t n_without_template(const template_parts *t)
{
    size_t n = 0;
    while (n < t->n_plain && !(t->plain[n].n && memchr(t->plain[n].data, '{', t->plain[n].n)))
        n++;
    return n;
}

static void show_content(walk *w, const dpl__wiki_span *span, const template_parts *t,
                         dpl__wiki_content content)
{
    size_t n = t->n_plain;
    switch (content) {
    case DPL__CONTENT_FIRST: show_parameters(w, span, t, 0, 1, NULL); break;
    case DPL__CONTENT_SECOND: show_parameters(w, span, t, 1, 1, NULL); break;
    case DPL__CONTENT_LAST:
        show_parameters(w, span, t, n > 3 ? 2 : n - (n > 0), 1, NULL);
        break;
    case DPL__CONTENT_MEASURE:
        n = n > 3 && is_range(t->plain[1]) ? 4 : 2;
        show_parameters(w, span, t, 0, dpl__min(n, n_without_template(t)), " ");
        break;
    case DPL__CONTENT_JOINED: show_parameters(w, span, t, 0, n, NULL); break;
    case DPL__CONTENT_FRACTION:
        if (n == 1)
            put_text(w, "1/");
        show_parameters(w, span, t, 0, n, "/");
        break;
    case DPL__CONTENT_DATE: show_parameters(w, span, t, 0, 3, "-"); break;
    case DPL__CONTENT_LIST: show_parameters(w, span, t, 0, n, ", "); break;
    case DPL__CONTENT_NAMED:
        for (size_t i = 0; n && i < t->name.n; i++)
            dpl__wiki_put(&w->lines, t->name.data[i]);
        dpl__wiki_put(&w->lines, ' ');
        show_parameters(w, span, t, 0, 1, NULL);
        break;
    case DPL__CONTENT_FIXED: w->at = span->end; break;
    case DPL__CONTENT_NONE: skip_to(w, span->end); break;
    }
}

static void at_template(walk *w, const dpl__wiki_span *span)
{
    template_parts t;
    if (span->end - span->begin < 4 || w->p[span->begin + 2] == '{') {
        skip_to(w, span->end); /* {{{parameter}}} */
        return;
    }
    divide_template(&t, w, span);
    const dpl__wiki_template is = dpl__wiki_template_of(t.name);
    w->w->is_disambiguation |= is.is_disambiguation;
    if (is.fixed) {
        const size_t begin = w->lines.n;
        put_text(w, is.fixed);
        if (t.is_lower && w->lines.out[begin] == 'A')
            w->lines.out[begin] = 'a';
    }
    size_t wanted = is.content == DPL__CONTENT_SECOND ? 1 : 0;
    if (is.content != DPL__CONTENT_NONE && t.text.data && t.n_plain <= wanted)
        show(w, span, t.text);
    else
        show_content(w, span, &t, is.content);
}

/* ---- marks -------------------------------------------------------------------------- */

static size_t run_length(const walk *w)
{
    size_t n = 1;
    while (w->at + n < w->end && w->p[w->at + n] == w->p[w->at])
        n++;
    return n;
}

/* A mark without a partner: one is a character, two are a mistake. */
static void at_lone_mark(walk *w)
{
    size_t n = run_length(w);
    if (n == 1)
        dpl__wiki_put(&w->lines, w->p[w->at]);
    w->at += n;
}

static void at_span(walk *w, const dpl__wiki_span *span)
{
    switch ((dpl__span_kind)span->kind) {
    case DPL__SPAN_NOWIKI:
        put_literally(w, span->content, span->content_end, false);
        w->at = span->end;
        break;
    case DPL__SPAN_PRE:
        dpl__wiki_end_line(&w->lines);
        put_literally(w, span->content, span->content_end, true);
        w->lines.is_own = true;
        dpl__wiki_end_line(&w->lines);
        w->at = span->end;
        break;
    case DPL__SPAN_LINK: at_link(w, span); break;
    case DPL__SPAN_EXTERNAL: at_external_link(w, span); break;
    case DPL__SPAN_VARIANT: at_variant(w, span); break;
    case DPL__SPAN_TEMPLATE: at_template(w, span); break;
    default: skip_to(w, span->end); break;
    }
}

/* "[[File:x.jpg|thumb" without an end: nothing on that line is text. */
static bool at_broken_file_link(walk *w)
{
    dpl_str name;
    size_t lang, begin = w->at + 2;
    if (begin > w->end || memcmp(w->p + w->at, "[[", 2) != 0 ||
        prefix_of(w, begin, w->end, &name, &lang) != DPL__WIKI_FILE)
        return false;
    const char *end = memchr(w->p + begin, '\n', w->end - begin);
    skip_to(w, end ? (size_t)(end - w->p) : w->end);
    return true;
}

static void at_opening(walk *w)
{
    const dpl__wiki_span *span = NULL;
    if (w->p[w->at] == '{' && w->lines.n > w->lines.line && w->p[w->at - 1] == '-')
        span = span_at(w, w->at - 1);
    if (!span)
        span = span_at(w, w->at);
    if (span)
        at_span(w, span);
    else if (!at_broken_file_link(w))
        at_lone_mark(w);
}

static void at_tag(walk *w)
{
    const dpl__wiki_span *span = span_at(w, w->at);
    dpl__wiki_markup tag;
    if (span) {
        at_span(w, span);
        return;
    }
    if (!dpl__wiki_markup_at(&tag, (dpl_str){w->p, w->end}, w->at)) {
        dpl__wiki_put(&w->lines, w->p[w->at++]);
        return;
    }
    w->at = tag.end;
    if (tag.tag == DPL__TAG_INLINE || tag.tag == DPL__TAG_DROP || tag.tag == DPL__TAG_NOWIKI)
        return;
    if (w->lines.is_heading) {
        dpl__wiki_put(&w->lines, ' ');
        return;
    }
    if (tag.tag == DPL__TAG_POEM)
        w->is_in_poem = !tag.is_closing;
    bool is_dropped = w->lines.is_dropped;
    dpl__wiki_end_line(&w->lines);
    w->lines.can_join = false;
    w->lines.is_dropped = is_dropped;
}

/* __TOC__ and its like, in any language. */
static void at_underscore(walk *w)
{
    size_t i = w->at + 2, most = dpl__min(w->end, w->at + 64);
    bool has_letter = false;
    if (i < most && w->p[w->at + 1] == '_')
        for (; i + 1 < most; i++) {
            char c = w->p[i];
            if (c == '_' && w->p[i + 1] == '_' && has_letter) {
                dpl_str word = {w->p + w->at + 2, i - w->at - 2};
                w->w->is_disambiguation |= dpl__str_eq(word, DPL_STR("DISAMBIG"));
                w->at = i + 2;
                return;
            }
            if (c != '_' && !(c >= 'A' && c <= 'Z') && (uint8_t)c < 0x80)
                break;
            has_letter |= c != '_';
        }
    dpl__wiki_put(&w->lines, w->p[w->at++]);
}

static void at_quote(walk *w)
{
    size_t n = run_length(w);
    w->at += n;
    if (n == 1)
        dpl__wiki_put(&w->lines, '\'');
    else
        dpl__wiki_put_quotes(&w->lines, n);
}

static void at_mark(walk *w)
{
    switch ((uint8_t)w->p[w->at]) {
    case '\n': end_line(w); break;
    case '\'': at_quote(w); break;
    case '{':
    case '[': at_opening(w); break;
    case '}':
    case ']': at_lone_mark(w); break;
    case '<': at_tag(w); break;
    case '&': at_entity(w); break;
    case '_': at_underscore(w); break;
    default: at_character(w); break; /* perhaps a blank of some kind */
    }
}

/* ---- the walk ----------------------------------------------------------------------- */

static void walk_through(walk *w)
{
    const dpl__kernels *kernels = w->w->ctx->kernels;
    begin_line(w);
    for (;;) {
        size_t n = kernels->find_byte((const uint8_t *)w->p + w->at, w->end - w->at, &w->marks);
        memcpy(w->lines.out + w->lines.n, w->p + w->at, n);
        w->lines.n += n;
        w->at += n;
        if (w->at < w->end)
            at_mark(w);
        else if (w->n_parts)
            leave(w);
        else
            break;
    }
    dpl__wiki_end_text(&w->lines);
}

static void fill_marks(dpl__byteset *marks)
{
    for (const char *c = "\n'{}[]<&_\x7F\xC2\xE2"; *c; c++)
        dpl__byteset_add(marks, (uint8_t)*c);
    for (int c = 0; c < 0x20; c++) /* not in XML, and the holes are ours */
        dpl__byteset_add(marks, (uint8_t)c);
}

dpl_status dpl__wikitext_plain(dpl_str *out, dpl__wikitext *w, dpl__arena *arena,
                               dpl_str source, dpl_error *err)
{
    w->links.n = 0;
    w->is_disambiguation = false;
    *out = (dpl_str){NULL, 0};
    if (source.n == 0)
        return DPL_OK;
    DPL_TRY(dpl__wiki_spans_find(&w->spans, w->ctx, source, err));
    size_t room = source.n + 1;
    walk k = {.w = w, .p = source.data, .end = source.n};
    k.lines.out = dpl__arena_alloc(arena, room);
    DPL_TRY(dpl__need(k.lines.out, err));
    fill_marks(&k.marks);
    walk_through(&k);
    assert(k.lines.n <= room);
    dpl__arena_shrink(arena, k.lines.out, room, k.lines.n);
    *out = (dpl_str){(const char *)k.lines.out, k.lines.n};
    return k.is_out_of_memory ? dpl__fail_nomem(err) : DPL_OK;
}

void dpl__wikitext_clear(dpl__wikitext *w)
{
    dpl__vec_clear(w->ctx, &w->spans, &w->links);
}
