/*
 * markdown.c - Markdown to text through MD4C, whose callbacks feed the flow.
 */
#include "readers/markdown.h"

#include "base/ascii.h"
#include "readers/dir.h"
#include "readers/flow.h"
#include "readers/html/html_names.h"
#include "unicode/unicode.h"

#include <md4c.h>

/* ---- front matter -------------------------------------------------------------------- */

static bool next_line(dpl_str *line, dpl_str *rest)
{
    if (!dpl__next_line(line, rest))
        return false;
    while (line->n && strchr(" \t\r", line->data[line->n - 1]))
        line->n--;
    return true;
}

/* Length of "key:" at the start of the line, 0 if there is none. */
static size_t key_length(dpl_str line)
{
    size_t n = 0;
    while (n < line.n && (strchr("_-", line.data[n]) || dpl__is_letter_or_digit(line.data[n])))
        n++;
    return n && n < line.n && line.data[n] == ':' ? n + 1 : 0;
}

/* A plain or simply quoted scalar; empty when it is anything else. */
static dpl_str scalar(dpl_str s)
{
    s = dpl__trim(s);
    if (s.n >= 2 && (s.data[0] == '"' || s.data[0] == '\'') && s.data[s.n - 1] == s.data[0]) {
        dpl_str inner = {s.data + 1, s.n - 2};
        bool is_simple =
            !memchr(inner.data, s.data[0], inner.n) && !memchr(inner.data, '\\', inner.n);
        return is_simple ? inner : (dpl_str){0};
    }
    return s.n && !strchr("\"'|>[{&*!%@`#", s.data[0]) ? s : (dpl_str){0};
}

static bool is_key(dpl_str line, size_t n, const char *key)
{
    return n == strlen(key) + 1 && strncasecmp(line.data, key, n - 1) == 0;
}

static void use_line(dpl_doc *doc, dpl_str line)
{
    size_t n = key_length(line);
    dpl_str value = scalar((dpl_str){line.data + n, line.n - n});
    if (is_key(line, n, "title"))
        doc->title = value;
    else if (is_key(line, n, "lang") || is_key(line, n, "language"))
        doc->lang = value;
}

/* What follows the front matter, which begins with a key: two rules are none. */
static dpl_str skip_front_matter(dpl_doc *doc, dpl_str source)
{
    dpl_str rest = source, line;
    dpl_doc found = {0};
    if (!next_line(&line, &rest) || !dpl__str_eq(line, DPL_STR("---")))
        return source;
    for (bool is_first = true; next_line(&line, &rest); is_first = false) {
        if (is_first && !key_length(line))
            return source;
        if (dpl__str_eq(line, DPL_STR("---")) || dpl__str_eq(line, DPL_STR("..."))) {
            doc->title = found.title;
            doc->lang = found.lang;
            return rest;
        }
        use_line(&found, line);
    }
    return source;
}

/* ---- the text ------------------------------------------------------------------------ */

typedef struct reading {
    dpl__flow text, title;
    bool has_title; /* or it is being read */
    bool is_in_title;
    bool is_in_code;   /* a block of it */
    unsigned n_hidden; /* images and raw HTML around this */
} reading;

static void add_break(reading *r)
{
    dpl__flow_break(&r->text);
    if (r->is_in_title)
        dpl__flow_text(&r->title, DPL_STR(" "));
}

static void add_text(reading *r, dpl_str s)
{
    (r->is_in_code ? dpl__flow_lines : dpl__flow_text)(&r->text, s);
    if (r->is_in_title)
        dpl__flow_text(&r->title, s);
}

/* A character reference that we do not know stands for itself. */
static void add_entity(reading *r, dpl_str entity)
{
    uint32_t c;
    char bytes[4];
    if (dpl__html_entity(entity, &c) == entity.n)
        entity = (dpl_str){bytes, dpl__utf8_encode(bytes, c)};
    add_text(r, entity);
}

static int enter_block(MD_BLOCKTYPE type, void *detail, void *user)
{
    reading *r = user;
    add_break(r);
    r->n_hidden += type == MD_BLOCK_HTML;
    r->is_in_code = type == MD_BLOCK_CODE;
    if (type == MD_BLOCK_H && ((const MD_BLOCK_H_DETAIL *)detail)->level == 1 && !r->has_title)
        r->has_title = r->is_in_title = true;
    return 0;
}

static int leave_block(MD_BLOCKTYPE type, void *detail, void *user)
{
    (void)detail;
    reading *r = user;
    r->n_hidden -= type == MD_BLOCK_HTML;
    r->is_in_code = r->is_in_title = false;
    add_break(r);
    return 0;
}

static int enter_span(MD_SPANTYPE type, void *detail, void *user)
{
    (void)detail;
    ((reading *)user)->n_hidden += type == MD_SPAN_IMG;
    return 0;
}

static int leave_span(MD_SPANTYPE type, void *detail, void *user)
{
    (void)detail;
    ((reading *)user)->n_hidden -= type == MD_SPAN_IMG;
    return 0;
}

static int text(MD_TEXTTYPE type, const MD_CHAR *data, MD_SIZE n, void *user)
{
    reading *r = user;
    if (r->n_hidden)
        return 0;
    switch (type) {
    case MD_TEXT_NULLCHAR: break; /* and where NUL comes as text, the flow drops it too */
    case MD_TEXT_BR: add_break(r); break;
    case MD_TEXT_SOFTBR: add_text(r, DPL_STR(" ")); break;
    case MD_TEXT_ENTITY: add_entity(r, (dpl_str){data, n}); break;
    case MD_TEXT_HTML:
        if (n >= 3 && strncasecmp(data, "<br", 3) == 0)
            add_break(r);
        break;
    default: add_text(r, (dpl_str){data, n}); break;
    }
    return 0;
}

/* A copy with some zero bytes behind it: MD4C 0.4.8 looks one byte past the end. */
static dpl_str pad(dpl_ctx *ctx, dpl_str s)
{
    const size_t n = s.n + 16;
    char *copy = dpl__alloc(ctx, n);
    if (!copy)
        return (dpl_str){0};
    if (s.n)
        memcpy(copy, s.data, s.n);
    memset(copy + s.n, 0, n - s.n);
    return (dpl_str){copy, n};
}

dpl_status dpl__markdown_read(dpl_doc *doc, dpl__arena *arena, dpl_str source, dpl_error *err)
{
    static const MD_PARSER parser = {
        .flags = MD_FLAG_TABLES | MD_FLAG_STRIKETHROUGH | MD_FLAG_TASKLISTS,
        .enter_block = enter_block,
        .leave_block = leave_block,
        .enter_span = enter_span,
        .leave_span = leave_span,
        .text = text,
    };
    doc->title = doc->lang = doc->text = (dpl_str){0};
    assert(source.n <= UINT32_MAX / 2);
    source = skip_front_matter(doc, source);
    dpl_str padded = pad(arena->ctx, source);
    DPL_TRY(dpl__need(padded.data, err));
    reading r = {.text = {.ctx = arena->ctx},
                 .title = {.ctx = arena->ctx},
                 .has_title = doc->title.n > 0};
    dpl_status parsed = DPL_OK;
    if (md_parse(padded.data, (MD_SIZE)source.n, &parser, &r) != 0)
        parsed = dpl__fail_nomem(err); /* the only way it fails */
    dpl__free(arena->ctx, (void *)(uintptr_t)padded.data);
    dpl_str title;
    dpl_status with_title = dpl__flow_finish(&r.title, arena, &title, err);
    dpl_status with_text = dpl__flow_finish(&r.text, arena, &doc->text, err);
    doc->title = doc->title.n ? doc->title : title;
    return parsed != DPL_OK ? parsed : with_title != DPL_OK ? with_title : with_text;
}

static dpl_status read_markdown(dpl_doc *doc, dpl__arena *arena, dpl_str text,
                                const dpl_reader_options *options, dpl_error *err)
{
    (void)options;
    return dpl__markdown_read(doc, arena, text, err);
}

const dpl__filetype dpl__filetype_markdown = {
    .endings = (const char *const[]){".md", ".markdown", NULL}, .read = read_markdown};
