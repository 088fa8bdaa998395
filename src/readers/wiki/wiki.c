/*
 * wiki.c - MediaWiki XML dumps: each article page becomes a document.
 *
 * A record is everything up to and including "</page>"; what stands before its "<page>" can
 * only be the dump's head or its tail. Since '<' never occurs unescaped inside a page's text,
 * finding the pages takes a search for that character, and each page is then parsed as a
 * document of its own: a malformed page harms no other, and a chunk needs neither the dump's
 * head nor its end. Nearly all pages are plain (xml_plain.h), the others go through expat.
 * Declarations (<!DOCTYPE, <!ENTITY) are refused, so no entity means more than a character.
 *
 * Only the last <revision> counts. Talk pages and other namespaces, redirects, pages without
 * text and stubs are dropped and counted, in this order. Categories and the interlanguage links
 * of old dumps go into the document's extra fields.
 *
 * expat's own memory, some kilobytes, is not the context's: its allocator functions have no
 * place for one.
 */
#include "readers/chunks.h"

#include "base/ascii.h"
#include "readers/html/html_names.h"
#include "readers/wiki/wikifields.h"
#include "readers/wiki/xml_plain.h"
#include "unicode/unicode.h"

#include <expat.h>
#include <stdio.h>

/* ---- the XML of one page ------------------------------------------------------------- */

typedef struct page {
    dpl_ctx *ctx;
    XML_Parser parser;
    unsigned depth;    /* of the element being read: <page> is 1 */
    dpl__bytes *field; /* where character data goes; NULL: nowhere */
    const dpl__wiki_site *site;
    dpl__bytes title, ns, id, model, text, target; /* of a redirect */
    bool is_revision;                              /* inside <revision> */
    bool is_redirect;
    bool is_out_of_memory;
} page;

static bool is_no_article(const page *p)
{
    dpl_str ns = dpl__trim((dpl_str){p->ns.data, p->ns.n});
    return ns.n ? !dpl__str_eq(ns, DPL_STR("0"))
                : !dpl__wiki_is_article_title((dpl_str){p->title.data, p->title.n}, p->site);
}

static bool has_attribute(const XML_Char **attributes, const char *name)
{
    for (; *attributes; attributes += 2)
        if (strcmp(*attributes, name) == 0)
            return true;
    return false;
}

/* <redirect title="Target"/>; dumps before 2011 have no title there. */
static void note_redirect(page *p, const XML_Char **attributes)
{
    p->is_redirect = true;
    for (; *attributes; attributes += 2)
        if (strcmp(attributes[0], "title") == 0 &&
            !dpl__vec_append(p->ctx, &p->target, attributes[1], strlen(attributes[1])))
            p->is_out_of_memory = true;
}

static void on_start(void *user, const XML_Char *name, const XML_Char **attributes)
{
    page *p = user;
    p->depth++;
    p->field = NULL;
    if (p->depth == 2) {
        p->is_revision = strcmp(name, "revision") == 0;
        p->field = strcmp(name, "title") == 0 ? &p->title
                   : strcmp(name, "ns") == 0  ? &p->ns
                   : strcmp(name, "id") == 0  ? &p->id
                                              : NULL;
        if (strcmp(name, "redirect") == 0)
            note_redirect(p, attributes);
        if (p->is_revision)
            p->text.n = p->model.n = 0;
    } else if (p->depth == 3 && p->is_revision) {
        if (strcmp(name, "model") == 0)
            p->field = &p->model;
        else if (strcmp(name, "text") == 0 && !(p->is_redirect && p->target.n) &&
                 !has_attribute(attributes, "deleted") && !is_no_article(p))
            p->field = &p->text;
    }
}

static void on_end(void *user, const XML_Char *name)
{
    (void)name;
    page *p = user;
    p->depth--;
    p->field = NULL;
}

static void on_text(void *user, const XML_Char *text, int n)
{
    page *p = user;
    if (!p->field || dpl__vec_append(p->ctx, p->field, text, (size_t)n))
        return;
    p->is_out_of_memory = true;
    XML_StopParser(p->parser, XML_FALSE);
}

static void page_reset(page *p)
{
    p->depth = 0;
    p->field = NULL;
    p->title.n = p->ns.n = p->id.n = p->model.n = p->text.n = p->target.n = 0;
    p->is_revision = p->is_redirect = p->is_out_of_memory = false;
}

/* False: malformed, or out of memory. */
static bool page_parse(page *p, dpl_str xml)
{
    const dpl__xml_plain plain = {.start = on_start, .end = on_end, .text = on_text, .user = p};
    page_reset(p);
    if (dpl__xml_plain_parse(&plain, p->ctx, xml))
        return !p->is_out_of_memory;
    page_reset(p);
    XML_ParserReset(p->parser, "UTF-8");
    XML_SetUserData(p->parser, p);
    XML_SetElementHandler(p->parser, on_start, on_end);
    XML_SetCharacterDataHandler(p->parser, on_text);
    return XML_Parse(p->parser, xml.data, (int)xml.n, XML_TRUE) == XML_STATUS_OK;
}

static void page_clear(page *p)
{
    dpl__vec_clear(p->ctx, &p->title, &p->ns, &p->id, &p->model, &p->text, &p->target);
    XML_ParserFree(p->parser);
}

/* ---- the extra fields --------------------------------------------------------------- */

static bool put_json_char(dpl__bytes *out, dpl_ctx *ctx, uint32_t c)
{
    char text[8];
    size_t n;
    if (c == '"' || c == '\\')
        n = (size_t)snprintf(text, sizeof text, "\\%c", (char)c);
    else if (c < 0x20)
        n = (size_t)snprintf(text, sizeof text, "\\u%04X", (unsigned)c);
    else
        n = dpl__utf8_encode(text, c);
    return dpl__vec_append(ctx, out, text, n);
}

/* A page title as a link has it, in quotes: underscores are blanks, entities characters. */
static bool put_json_title(dpl__bytes *out, dpl_ctx *ctx, dpl_str title)
{
    bool ok = dpl__vec_push(ctx, out, '"');
    for (size_t i = 0; ok && i < title.n;) {
        uint32_t c = '&';
        size_t n = title.data[i] == '&'
                       ? dpl__html_entity((dpl_str){title.data + i, title.n - i}, &c)
                       : dpl__utf8_decode((const uint8_t *)title.data + i, &c);
        i += n ? n : 1;
        ok = put_json_char(out, ctx, c == '_' ? ' ' : c);
    }
    return ok && dpl__vec_push(ctx, out, '"');
}

static bool put(dpl__bytes *out, dpl_ctx *ctx, const char *text)
{
    return dpl__vec_append(ctx, out, text, strlen(text));
}

/* ---- the pages of a chunk ----------------------------------------------------------- */

typedef struct pages {
    dpl__batch *batch;
    const dpl__chunk *chunk;
    page page;
    dpl__wikitext wikitext;
    dpl__wiki_fields fields;
    dpl__bytes extra;
    size_t at;     /* what is before this has been read */
    uint64_t line; /* of that place */
} pages;

/* {"page":"list","interlanguage":{"de":"Titel"},"categories":["A","B"]}, or nothing. kind: of a
 * page that is no article; else NULL. Members of the fields have a comma in front. */
static dpl_status write_extra(dpl_str *extra, pages *p, const char *kind, dpl_error *err)
{
    const dpl__wikitext *w = &p->wikitext;
    dpl__bytes *out = &p->extra;
    dpl_str members = {p->fields.members.data, p->fields.members.n};
    *extra = (dpl_str){NULL, 0};
    if (w->links.n == 0 && !kind && members.n == 0)
        return DPL_OK;
    dpl_ctx *ctx = w->ctx;
    out->n = 0;
    bool ok = put(out, ctx, "{");
    if (kind)
        ok = ok && put(out, ctx, "\"page\":\"") && put(out, ctx, kind) && put(out, ctx, "\"");
    for (int is_category = 0; is_category < 2; is_category++) {
        size_t n = 0;
        for (size_t i = 0; ok && i < w->links.n; i++) {
            const dpl__wiki_link *link = &w->links.data[i];
            if (is_category != (link->lang == NULL))
                continue;
            if (n++)
                ok = put(out, ctx, ",");
            else
                ok = (out->n == 1 || put(out, ctx, ",")) &&
                     put(out, ctx, is_category ? "\"categories\":[" : "\"interlanguage\":{");
            if (ok && link->lang)
                ok = put(out, ctx, "\"") && put(out, ctx, link->lang) && put(out, ctx, "\":");
            ok = ok && put_json_title(out, ctx, link->name);
        }
        if (ok && n)
            ok = put(out, ctx, is_category ? "]" : "}");
    }
    if (ok && members.n) {
        if (out->n == 1)
            members = (dpl_str){members.data + 1, members.n - 1};
        ok = dpl__vec_append(ctx, out, members.data, members.n);
    }
    ok = ok && put(out, ctx, "}");
    if (ok)
        *extra = dpl__arena_copy(&p->batch->arena, (dpl_str){out->data, out->n});
    return dpl__need(extra->data, err);
}

/* The line of a place that is not before that of the last call. */
static uint64_t line_of(pages *w, size_t at)
{
    assert(at >= w->at);
    const char *p = w->chunk->bytes.data + w->at, *end = w->chunk->bytes.data + at;
    while (p < end && (p = memchr(p, '\n', (size_t)(end - p)))) {
        w->line++;
        p++;
    }
    w->at = at;
    return w->line;
}

/* Column in bytes, from 1, within the chunk. */
static uint64_t column_of(const pages *w, size_t at)
{
    size_t i = at;
    while (i > 0 && w->chunk->bytes.data[i - 1] != '\n')
        i--;
    return at - i + 1;
}

/* A record that is dropped under the policy is no failure. */
static dpl_status go_on(dpl_status status)
{
    return status == DPL_END ? DPL_OK : status;
}

static dpl_status malformed(pages *w, dpl_str xml, uint64_t line, uint64_t column,
                            dpl_error *err)
{
    enum XML_Error code = XML_GetErrorCode(w->page.parser);
    if (w->page.is_out_of_memory || code == XML_ERROR_NO_MEMORY)
        return dpl__fail_nomem(err);
    XML_Index index = XML_GetCurrentByteIndex(w->page.parser);
    size_t n = index > 0 ? dpl__min((size_t)index, xml.n) : 0;
    for (size_t i = 0; i < n; i++) {
        column++;
        if (xml.data[i] == '\n') {
            line++;
            column = 1;
        }
    }
    return go_on(dpl__record_bad(w->batch, DPL__AT(w->chunk, line, column), DPL_DROP_MALFORMED,
                                 err, "malformed page: %s", XML_ErrorString(code)));
}

static dpl_status drop(pages *w, dpl_drop why)
{
    w->batch->counts.n_dropped[why]++;
    return DPL_OK;
}

/* The text of the page, and of its fields if they are wanted there. */
static dpl_status convert(dpl_str *text, pages *w, dpl_str source, dpl_error *err)
{
    dpl__arena *arena = &w->batch->arena;
    DPL_TRY(dpl__wikitext_plain(text, &w->wikitext, arena, source, err));
    DPL_TRY(dpl__wiki_fields_find(&w->fields, &w->wikitext, source, err));
    if (w->fields.text.n == 0 || !w->batch->options->fields_in_text)
        return DPL_OK;
    const size_t n = text->n + w->fields.text.n;
    char *both = dpl__arena_alloc(arena, n);
    DPL_TRY(dpl__need(both, err));
    if (text->n)
        memcpy(both, text->data, text->n);
    memcpy(both + text->n, w->fields.text.data, w->fields.text.n);
    *text = (dpl_str){both, n};
    return DPL_OK;
}

static dpl_status add_document(pages *w, uint64_t line, dpl_error *err)
{
    page *p = &w->page;
    dpl_str id = dpl__trim((dpl_str){p->id.data, p->id.n});
    dpl_str model = dpl__trim((dpl_str){p->model.data, p->model.n});
    dpl_str source = {p->text.data, p->text.n};
    if (is_no_article(p))
        return drop(w, DPL_DROP_NAMESPACE);
    if (p->is_redirect || dpl__wiki_is_redirect(source)) {
        dpl_str target = p->target.n ? (dpl_str){p->target.data, p->target.n}
                                     : dpl__wiki_redirect_target(source);
        DPL_TRY(
            dpl__batch_add_alias(w->batch, (dpl_str){p->title.data, p->title.n}, target, err));
        return drop(w, DPL_DROP_REDIRECT);
    }
    if (id.n == 0)
        return go_on(dpl__record_bad(w->batch, DPL__AT(w->chunk, line, 0), DPL_DROP_MISSING,
                                     err, "the page has no <id>"));
    if (model.n && !dpl__str_eq(model, DPL_STR("wikitext"))) /* data, style sheets ... */
        return drop(w, DPL_DROP_EMPTY);
    dpl__arena *arena = &w->batch->arena;
    dpl_doc doc = {.lang = dpl__cstr(w->chunk->header.lang.code)};
    DPL_TRY(convert(&doc.text, w, source, err));
    if (doc.text.n == 0)
        return drop(w, DPL_DROP_EMPTY);
    const char *kind = w->wikitext.is_disambiguation ? "disambiguation"
                       : dpl__wiki_is_list_title((dpl_str){p->title.data, p->title.n}) ? "list"
                                                                                       : NULL;
    if (kind && !w->batch->options->all_pages)
        return drop(w, w->wikitext.is_disambiguation ? DPL_DROP_DISAMBIGUATION : DPL_DROP_LIST);
    const size_t min_chars = w->batch->options->min_chars;
    if (doc.text.n < 4 * min_chars && dpl__utf8_length(doc.text) < min_chars)
        return drop(w, DPL_DROP_STUB);
    doc.id = dpl__arena_copy(arena, id);
    doc.title = dpl__arena_copy(arena, dpl__trim((dpl_str){p->title.data, p->title.n}));
    DPL_TRY(dpl__need(doc.id.data && doc.title.data, err));
    DPL_TRY(write_extra(&doc.extra, w, kind, err));
    return dpl__batch_add(w->batch, w->chunk, line, &doc, err);
}

/* "<page>...</page>" */
static dpl_status read_page(pages *w, size_t begin, size_t end, dpl_error *err)
{
    dpl_str xml = {w->chunk->bytes.data + begin, end - begin};
    uint64_t line = line_of(w, begin), column = column_of(w, begin);
    dpl_status status = xml.n <= w->batch->options->max_record
                            ? dpl__record_utf8(w->batch, w->chunk, line, column, &xml, err)
                            : dpl__record_long(w->batch, w->chunk, line, err);
    if (status != DPL_OK)
        return go_on(status);
    if (!page_parse(&w->page, xml))
        return malformed(w, xml, line, column, err);
    return add_document(w, line, err);
}

static const char *find(dpl_str s, const char *what)
{
    if (s.n == 0)
        return NULL;
    for (const char *p = s.data, *end = p + s.n; p < end; p++) {
        p = memchr(p, what[0], (size_t)(end - p));
        if (!p)
            break;
        if (dpl__begins_with((dpl_str){p, (size_t)(end - p)}, what))
            return p;
    }
    return NULL;
}

static dpl_status damaged(pages *w, size_t at, const char *what, dpl_error *err)
{
    return go_on(dpl__record_bad(w->batch, DPL__AT(w->chunk, line_of(w, at), 0),
                                 DPL_DROP_MALFORMED, err, "%s", what));
}

static dpl_str before(dpl_str s, const char *what);
static dpl_str behind(dpl_str s, const char *what);

/* The head names the address of the main page; other pages have their title in the place of
 * its title. */
static dpl_status take_head(pages *w, dpl_str head, dpl_error *err)
{
    const dpl_str base =
        dpl__trim(before(behind(before(head, "</siteinfo>"), "<base>"), "</base>"));
    const char *title = find(base, "?title=");
    size_t n = title ? (size_t)(title - base.data) + 7 : base.n;
    while (!title && n && base.data[n - 1] != '/')
        n--;
    return dpl__batch_add_site(w->batch, (dpl_str){base.data, n}, err);
}

/* What stands outside of pages: the head, the tail, blanks. */
static dpl_status check_outside(pages *w, size_t begin, size_t end, dpl_error *err)
{
    const char *p = w->chunk->bytes.data;
    while (begin < end && (uint8_t)p[begin] <= ' ')
        begin++;
    if (begin == end)
        return DPL_OK;
    dpl_str s = {p + begin, end - begin};
    const char *type = find(s, "<!DOCTYPE");
    if (type)
        return damaged(w, (size_t)(type - p), "a document type declaration, which no dump has",
                       err);
    if (find(s, "<mediawiki"))
        return take_head(w, s, err);
    if (dpl__begins_with(s, "</mediawiki>"))
        return DPL_OK;
    return damaged(w, begin, "not a page of a MediaWiki dump", err);
}

typedef enum mark { MARK_NONE, MARK_BEGIN, MARK_END } mark;

static const char end_mark[] = "</page>";

/* The next "<page>" or "</page>" at or behind from: *begin and *end are its bounds. */
static mark next_mark(const dpl__chunk *chunk, size_t from, size_t *begin, size_t *end)
{
    const char *p = chunk->bytes.data, *q;
    size_t n = chunk->bytes.n;
    for (; from < n && (q = memchr(p + from, '<', n - from)); from++) {
        from = (size_t)(q - p);
        dpl_str s = {q, n - from};
        *begin = from;
        if (dpl__begins_with(s, end_mark)) {
            *end = from + sizeof end_mark - 1;
            return MARK_END;
        }
        if (dpl__begins_with(s, "<page>") || dpl__begins_with(s, "<page ")) {
            *end = from + 6;
            return MARK_BEGIN;
        }
    }
    *begin = *end = n;
    return MARK_NONE;
}

/* Goes from mark to mark. A page that another one or the end of the file interrupts is a
 * damaged record; so is an end without a beginning. */
static dpl_status read_pages(pages *w, dpl_error *err)
{
    size_t outside = 0, page_begin = 0, begin, end = 0;
    bool is_inside = false;
    for (mark m = MARK_BEGIN; m != MARK_NONE;) {
        m = next_mark(w->chunk, end, &begin, &end);
        if (m == MARK_END && is_inside)
            DPL_TRY(read_page(w, page_begin, end, err));
        else if (m == MARK_END)
            DPL_TRY(damaged(w, begin, "the end of a page that has no beginning", err));
        else if (is_inside)
            DPL_TRY(damaged(w, page_begin, "the page that begins here has no end", err));
        else
            DPL_TRY(check_outside(w, outside, begin, err));
        outside = end;
        page_begin = begin;
        is_inside = m == MARK_BEGIN;
    }
    return DPL_OK;
}

static dpl_status parse(dpl__batch *batch, dpl__chunk *chunk, dpl_error *err)
{
    dpl__wiki_site site;
    pages w = {.batch = batch,
               .chunk = chunk,
               .page = {.ctx = batch->ctx, .parser = XML_ParserCreate("UTF-8"), .site = &site},
               .wikitext = {.ctx = batch->ctx, .site = &site},
               .fields = {.ctx = batch->ctx},
               .line = chunk->line};
    dpl__wiki_site_read(&site, chunk->header.record);
    dpl__wiki_fields_parse(&w.fields.wants, batch->options->wiki_fields);
    dpl_status status = w.page.parser ? read_pages(&w, err) : dpl__fail_nomem(err);
    dpl__vec_clear(batch->ctx, &w.extra);
    dpl__wiki_fields_clear(&w.fields);
    dpl__wikitext_clear(&w.wikitext);
    page_clear(&w.page);
    return status;
}

static dpl_status check(const dpl_reader_options *o, dpl_error *err)
{
    unsigned wants;
    if (dpl__wiki_fields_parse(&wants, o->wiki_fields))
        return DPL_OK;
    return dpl__fail_code(err, DPL_E_USAGE, "wiki-fields",
                          "unknown fields '%s': infobox and tables are known", o->wiki_fields);
}

/* ---- the sequential half ------------------------------------------------------------ */

static size_t cut(const dpl__header *header, const uint8_t *p, size_t n, size_t from)
{
    (void)header;
    const size_t n_mark = sizeof end_mark - 1;
    for (; n > from && n >= n_mark; n--)
        if (p[n - 1] == '>' && memcmp(p + n - n_mark, end_mark, n_mark) == 0)
            return n;
    return 0;
}

/* The text before the first of what, or all of it. */
static dpl_str before(dpl_str s, const char *what)
{
    const char *at = find(s, what);
    return (dpl_str){s.data, at ? (size_t)(at - s.data) : s.n};
}

/* The text behind the first of what, or none. */
static dpl_str behind(dpl_str s, const char *what)
{
    const char *at = find(s, what);
    if (!at)
        return (dpl_str){NULL, 0};
    at += strlen(what);
    return (dpl_str){at, (size_t)(s.data + s.n - at)};
}

void dpl__wiki_header(dpl_lang *lang, dpl_str start)
{
    /* Nothing behind the first page counts, so it does not matter where that chunk ends. */
    dpl_str s = before(before(start, end_mark), "<page");
    s = behind(before(behind(s, "<mediawiki"), ">"), "xml:lang=");
    if (s.n == 0 || (s.data[0] != '"' && s.data[0] != '\''))
        return;
    const char quote[] = {s.data[0], 0};
    dpl_str code = {s.data + 1, s.n - 1};
    if (!find(code, quote))
        return;
    code = before(code, quote);
    for (size_t i = 0; i < code.n; i++)
        if ((uint8_t)code.data[i] >= 0x80) /* the head was not checked for UTF-8 */
            return;
    dpl_lang found = dpl_lang_canonical(code);
    if (strcmp(found.code, "und") != 0)
        *lang = found;
}

static void begin(dpl__header *header, dpl_str start)
{
    dpl__wiki_header(&header->lang, start);
    dpl_str head = before(before(start, end_mark), "<page");
    header->record = before(behind(head, "<siteinfo>"), "</siteinfo>");
}

static bool sniff(dpl_str start)
{
    return find(start, "<mediawiki") != NULL;
}

const dpl__format dpl__format_wiki = {
    .format = DPL_FORMAT_WIKI,
    .name = "wiki",
    .endings = (const char *const[]){".xml", NULL},
    .sniff = sniff,
    .check = check,
    .begin = begin,
    .cut = cut,
    .parse = parse,
};
