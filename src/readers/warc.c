/*
 * warc.c - WARC files of web crawlers, and WET files of text made from them: every page becomes
 * one document, whose id is its address.
 *
 * In: records one behind the other (ISO 28500), compressed or not. Taken: HTTP responses with
 * status 200, resources and conversions, if they are HTML or plain text; other records and
 * media types are counted. A page's encoding is that of its header, else its byte-order mark,
 * else the one it declares, else the one it looks like, else windows-1252; bytes without
 * meaning become U+FFFD, as in browsers. Its language is identified: what pages declare is
 * often a template's. Cost: the HTML reader's; records are cut by their length.
 */
#include "base/ascii.h"
#include "base/hash.h"
#include "readers/blocks.h"
#include "readers/dir.h"
#include "readers/guess.h"
#include "readers/html/html.h"
#include "readers/http.h"
#include "readers/reader.h"
#include "unicode/charset.h"
#include "unicode/unicode.h"

#include <stdio.h>

enum { MOST_HEAD = 64 << 10 };

/* ---- records -------------------------------------------------------------------------- */

typedef struct record {
    dpl_str head;   /* its lines, with the blank one */
    uint64_t n;     /* bytes of its content */
    uint64_t n_all; /* bytes of all of it, without the line breaks behind it: broken files have
                       fewer than the two of the standard, or others */
} record;

static bool is_start(const char *p, size_t n)
{
    return n >= 5 && memcmp(p, "WARC/", 5) == 0;
}

/* Reads the head; false when it does not end, or says no length. */
static bool read_head(record *r, const char *p, size_t n)
{
    if (!is_start(p, n))
        return false;
    r->head = (dpl_str){p, dpl__fields_length((dpl_str){p, dpl__min(n, MOST_HEAD)})};
    dpl_str length = dpl__field(r->head, "Content-Length");
    if (!r->head.n || !length.n)
        return false;
    r->n = dpl__take_digits(&length);
    r->n_all = r->head.n + r->n;
    return length.n == 0 && r->n <= UINT64_MAX / 100;
}

/* Where the next record begins, behind something that is none: after an empty line. */
static size_t find_start(const char *p, size_t n, size_t from)
{
    for (size_t i = from; i + 5 <= n; i++) {
        const char *w = memchr(p + i, 'W', n - i - 4);
        if (!w)
            return 0;
        i = (size_t)(w - p);
        if (is_start(w, n - i) && i > 0 && p[i - 1] == '\n')
            return i;
    }
    return 0;
}

static size_t behind_breaks(const char *p, size_t n, size_t at)
{
    assert(at <= n);
    while (at < n && (p[at] == '\r' || p[at] == '\n'))
        at++;
    return at;
}

/* Behind the record at p; 0 when it does not end in n bytes. */
static size_t end_of_record(const char *p, size_t n)
{
    record r;
    if (!is_start(p, n))
        return find_start(p, n, 0);
    if (read_head(&r, p, n))
        return r.n_all <= n ? behind_breaks(p, n, (size_t)r.n_all) : 0;
    return n > MOST_HEAD || dpl__fields_length((dpl_str){p, n}) ? find_start(p, n, 5) : 0;
}

static size_t cut(const dpl__header *header, const uint8_t *bytes, size_t n, size_t from)
{
    (void)header;
    const char *p = (const char *)bytes;
    size_t last = 0, end;
    while ((end = end_of_record(p + last, n - last)))
        last += end;
    return last > from ? last : 0;
}

static bool sniff(dpl_str start)
{
    return is_start(start.data, start.n);
}

/* ---- what is taken -------------------------------------------------------------------- */

static bool is_html(dpl_str type)
{
    return dpl__is_word(type, "text/html") || dpl__is_word(type, "application/xhtml+xml");
}

/* Media types that hold documents; pages without a type are looked at. */
static bool is_text(dpl_str type)
{
    return !type.n || is_html(type) || dpl__is_word(type, "text/plain");
}

typedef enum kind { NO_PAGE, RESPONSE, PLAIN } kind;

static kind kind_of(dpl_str head)
{
    const dpl_str type = dpl__field(head, "WARC-Type");
    dpl_str media_type, charset;
    dpl__media_type(dpl__field(head, "Content-Type"), &media_type, &charset);
    if (dpl__is_word(type, "response"))
        return dpl__is_word(media_type, "application/http") ? RESPONSE : NO_PAGE;
    return dpl__is_word(type, "resource") || dpl__is_word(type, "conversion") ? PLAIN : NO_PAGE;
}

/* A long record that holds no page need not be held: how many bytes it has. */
static uint64_t unwanted(const uint8_t *bytes, size_t n, dpl_drop *drop)
{
    record r;
    const size_t breaks = behind_breaks((const char *)bytes, n, 0); /* of the record before */
    const char *p = (const char *)bytes + breaks;
    n -= breaks;
    if (!read_head(&r, p, n))
        return 0;
    const kind k = kind_of(r.head);
    *drop = DPL_DROP_RECORD_TYPE;
    if (k == NO_PAGE)
        return breaks + r.n_all;
    dpl_str type, charset, fields = r.head;
    if (k == RESPONSE) {
        fields = (dpl_str){p + r.head.n, n - r.head.n};
        fields.n = dpl__fields_length(fields);
    }
    dpl__media_type(dpl__field(fields, "Content-Type"), &type, &charset);
    *drop = DPL_DROP_MEDIA_TYPE;
    return type.n && !is_text(type) ? breaks + r.n_all : 0;
}

/* ---- pages ---------------------------------------------------------------------------- */

typedef struct page {
    dpl_str url;
    dpl_str type, charset; /* of the header */
    dpl_str body;
    uint64_t key; /* of its record */
} page;

typedef struct parser {
    dpl__batch *batch;
    const dpl__chunk *chunk;
    uint64_t line; /* of the record at hand, for messages */
} parser;

static dpl__charset named(const char *name)
{
    dpl__charset charset = {0};
    strcpy(charset.name, name);
    return charset;
}

/* The encoding of bytes that are not valid UTF-8. */
static dpl_status find_charset(dpl__charset *out, const parser *p, const page *pg,
                               dpl_error *err)
{
    const unsigned char *b = (const unsigned char *)pg->body.data;
    bool is_given_utf8 = false;
    *out = (dpl__charset){0};
    if (p->batch->options->encoding)
        dpl__charset_option(out, &is_given_utf8, p->batch->options->encoding);
    if (!out->name[0])
        *out = dpl__charset_named(pg->charset);
    if (!out->name[0] && pg->body.n >= 2 && b[0] + b[1] == 0xFE + 0xFF && b[0] >= 0xFE)
        *out = named(b[0] == 0xFE ? "UTF-16BE" : "UTF-16LE");
    if (!out->name[0])
        *out = dpl__charset_declared(pg->body);
    if (out->name[0])
        return DPL_OK;
    dpl__guess guess;
    DPL_TRY(dpl__charset_guess(&guess, p->batch->ctx, pg->body, err));
    *out = guess.charset.name[0] ? guess.charset : named("windows-1252");
    return DPL_OK;
}

/* Pages that say UTF-8 and have a fault stay UTF-8. */
static bool says_utf8(const page *pg)
{
    return dpl__is_word(pg->charset, "utf-8") || dpl__is_word(pg->charset, "utf8");
}

static dpl_status make_utf8(const parser *p, page *pg, dpl_error *err)
{
    if (dpl__is_utf8(p->batch->ctx, pg->body))
        return DPL_OK;
    size_t n = 0;
    uint64_t n_replaced = 0;
    dpl_status status = DPL_END;
    dpl__charset charset = {0};
    if (!says_utf8(pg)) {
        DPL_TRY(find_charset(&charset, p, pg, err));
        status = dpl__charset_convert(&pg->body, &p->batch->arena, &charset, &n, err);
        n_replaced = n;
    }
    if (status == DPL_END)
        status = dpl__utf8_replace(&pg->body, &p->batch->arena, &n_replaced, err);
    else if (status == DPL_OK)
        p->batch->counts.n_converted[dpl__encoding_number(charset.name)]++;
    p->batch->counts.n_replaced += n_replaced;
    return status;
}

static bool looks_like_html(dpl_str s)
{
    size_t i = 0;
    while (i < s.n && strchr(" \t\r\n", s.data[i]) && s.data[i])
        i++;
    return i < s.n && s.data[i] == '<';
}

/* Plain text is changed in place; the chunk is not, as messages about later records count its
 * lines. */
static dpl_status copy_body(const parser *p, page *pg, dpl_error *err)
{
    const char *begin = p->chunk->bytes.data;
    if (pg->body.data < begin || pg->body.data >= begin + p->chunk->bytes.n)
        return DPL_OK;
    pg->body = dpl__arena_copy(&p->batch->arena, pg->body);
    return pg->body.data ? DPL_OK : dpl__fail_nomem(err);
}

static dpl_status drop(const parser *p, dpl_drop why, dpl_str text, dpl_error *err)
{
    char what[160];
    const size_t n = dpl__min(text.n, sizeof what - 1);
    memcpy(what, n ? text.data : "", n);
    what[n] = 0;
    return dpl__record_drop(p->batch, p->chunk, p->line, why, what, err);
}

static dpl_status add_page(const parser *p, page *pg, dpl_error *err)
{
    dpl__batch *batch = p->batch;
    pg->body = dpl__without_mark(pg->body);
    if (!pg->body.n)
        return drop(p, DPL_DROP_EMPTY, pg->url, err);
    const char *as_it_was = pg->body.data;
    DPL_TRY(make_utf8(p, pg, err));
    const uint64_t key = pg->body.data == as_it_was ? pg->key : 0; /* else it is counted */
    pg->body = dpl__without_mark(pg->body);
    dpl_doc doc = {.id = pg->url};
    uint64_t n_replaced;
    DPL_TRY(dpl__utf8_replace(&doc.id, &batch->arena, &n_replaced, err));
    if (is_html(pg->type) || (!pg->type.n && looks_like_html(pg->body))) {
        dpl__html_page html;
        const dpl__html_source source = {.header = &p->chunk->header,
                                         .html = pg->body,
                                         .id = doc.id,
                                         .key = key,
                                         .is_xml =
                                             dpl__is_word(pg->type, "application/xhtml+xml")};
        const dpl_status status = dpl__html_page_read(&html, &batch->arena, &source,
                                                      &batch->counts.n_boilerplate, err);
        if (status == DPL_END)
            return DPL_OK;
        if (status == DPL_E_FORMAT)
            return dpl__record_drop(batch, p->chunk, p->line, DPL_DROP_MALFORMED,
                                    "its elements are nested too deeply", err);
        DPL_TRY(status);
        doc.title = html.title;
        doc.text = html.text;
    } else {
        DPL_TRY(copy_body(p, pg, err));
        DPL_TRY(dpl__filetype_plain.read(&doc, &batch->arena, pg->body, batch->options, err));
    }
    return dpl__batch_add(batch, p->chunk, p->line, &doc, err);
}

/* A page that was kept when it was learnt from. */
static dpl_status add_kept(const parser *p, const page *pg, const dpl__html_page *kept,
                           dpl_error *err)
{
    dpl__batch *batch = p->batch;
    dpl__html_page html = *kept;
    dpl_doc doc = {.id = pg->url};
    uint64_t n;
    DPL_TRY(dpl__utf8_replace(&doc.id, &batch->arena, &n, err));
    html.text = dpl__arena_copy(&batch->arena, kept->text);
    doc.title = dpl__arena_copy(&batch->arena, kept->title);
    DPL_TRY(dpl__need(html.text.data && doc.title.data, err));
    doc.text = dpl__blocks_filter(p->chunk->header.blocks, dpl__site_of(doc.id), &html, &n);
    batch->counts.n_boilerplate += n;
    return dpl__batch_add(batch, p->chunk, p->line, &doc, err);
}

/* ---- parsing -------------------------------------------------------------------------- */

/* The HTTP response in a record; DPL_END when it is dropped. */
static dpl_status read_response(const parser *p, page *pg, dpl_str content, dpl_error *err)
{
    dpl__http http;
    dpl_str type, charset;
    const size_t n = dpl__fields_length(content);
    dpl__media_type(dpl__field((dpl_str){content.data, n}, "Content-Type"), &type, &charset);
    if (type.n && !is_text(type)) {
        DPL_TRY(drop(p, DPL_DROP_MEDIA_TYPE, type, err));
        return DPL_END;
    }
    const dpl_status status =
        dpl__http_read(&http, &p->batch->arena, content, p->batch->options->max_record, err);
    if (status == DPL_E_FORMAT || status == DPL_E_LIMIT) {
        DPL_TRY(drop(p, status == DPL_E_LIMIT ? DPL_DROP_LONG : DPL_DROP_MEDIA_TYPE,
                     DPL_STR("its content cannot be decompressed"), err));
        return DPL_END;
    }
    DPL_TRY(status);
    if (http.status != 200) {
        char what[120];
        snprintf(what, sizeof what, "%u %.*s", http.status, (int)dpl__min(pg->url.n, 100),
                 pg->url.data);
        DPL_TRY(drop(p, DPL_DROP_STATUS, dpl__cstr(what), err));
        return DPL_END;
    }
    pg->type = http.media_type;
    pg->charset = http.charset;
    pg->body = http.body;
    return DPL_OK;
}

static dpl_str address(dpl_str head)
{
    dpl_str url = dpl__field(head, "WARC-Target-URI");
    if (url.n > 2 && url.data[0] == '<' && url.data[url.n - 1] == '>')
        url = (dpl_str){url.data + 1, url.n - 2};
    return url;
}

static dpl_status parse_record(const parser *p, const record *r, dpl_str content,
                               dpl_error *err)
{
    const kind k = kind_of(r->head);
    page pg = {.url = address(r->head)};
    if (k == NO_PAGE || !pg.url.n)
        return drop(p, DPL_DROP_RECORD_TYPE, dpl__field(r->head, "WARC-Type"), err);
    const dpl__blocks *learning = p->chunk->header.learning;
    if (learning && !dpl__blocks_want(learning, dpl__site_of(pg.url)))
        return DPL_OK;
    if (learning || p->chunk->header.blocks)
        pg.key = dpl__hash(content.data, content.n, dpl__hash(r->head.data, r->head.n, 0)) | 1;
    const dpl__html_page *kept =
        learning ? NULL : dpl__blocks_kept(p->chunk->header.blocks, pg.key);
    if (kept)
        return add_kept(p, &pg, kept, err);
    if (k == RESPONSE) {
        const dpl_status status = read_response(p, &pg, content, err);
        if (status != DPL_OK)
            return status == DPL_END ? DPL_OK : status;
    } else {
        dpl__media_type(dpl__field(r->head, "Content-Type"), &pg.type, &pg.charset);
        pg.body = content;
    }
    if (!is_text(pg.type))
        return drop(p, DPL_DROP_MEDIA_TYPE, pg.type, err);
    return add_page(p, &pg, err);
}

/* A record that is none, or does not end. */
static dpl_status refuse(const parser *p, const char *what, dpl_error *err)
{
    const dpl_status status = dpl__record_bad(p->batch, DPL__AT(p->chunk, p->line, 0),
                                              DPL_DROP_MALFORMED, err, "%s", what);
    return status == DPL_END ? DPL_OK : status;
}

/* What stands at `at` of the chunk's bytes; *behind: where it ends. */
static dpl_status parse_at(const parser *p, size_t at, size_t *behind, dpl_error *err)
{
    record r;
    const char *data = p->chunk->bytes.data;
    const size_t n = p->chunk->bytes.n;
    if (!read_head(&r, data + at, n - at)) {
        const size_t next = find_start(data, n, at + 1);
        *behind = next ? next : n;
        return refuse(p, "not the head of a WARC record", err);
    }
    const uint64_t room = n - at - r.head.n;
    const dpl_str content = {data + at + r.head.n, (size_t)dpl__min(r.n, room)};
    *behind = at + r.head.n + content.n;
    if (r.n > p->batch->options->max_record)
        return refuse(p, "a record that is too long", err);
    if (r.n > room)
        return refuse(p, "the file ends in a WARC record", err);
    return parse_record(p, &r, content, err);
}

static dpl_status parse(dpl__batch *batch, dpl__chunk *chunk, dpl_error *err)
{
    parser p = {batch, chunk, chunk->line};
    const char *data = chunk->bytes.data;
    for (size_t at = 0, next; at < chunk->bytes.n; at = next) {
        next = at + 1;
        if (data[at] != '\r' && data[at] != '\n')
            DPL_TRY(parse_at(&p, at, &next, err));
        p.line += dpl__count_lines(data + at, next - at);
    }
    return DPL_OK;
}

const dpl__format dpl__format_warc = {.format = DPL_FORMAT_WARC,
                                      .name = "warc",
                                      .endings = (const char *const[]){".warc", ".wet", NULL},
                                      .is_binary = true,
                                      .keeps_first = true,
                                      .has_pages = true,
                                      .drops_boilerplate = true,
                                      .sniff = sniff,
                                      .unwanted = unwanted,
                                      .cut = cut,
                                      .parse = parse};
