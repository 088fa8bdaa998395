/*
 * epub.c - EPUB 2 and 3: the chapters of a book in reading order, through the HTML reader.
 *
 *     META-INF/container.xml   names the package file
 *     content.opf              title, language; manifest (id -> file) and spine (order of ids)
 *     chapter1.xhtml ...       XHTML
 *
 * A book is one document, or each item of its spine is one. Names in the package file are
 * relative to it and only ever looked up among the members. Navigation documents are left out.
 */
#include "readers/package.h"

#include "base/ascii.h"
#include "readers/dir.h"
#include "readers/html/html.h"
#include "unicode/charset.h"

typedef struct item {
    dpl_str id, href; /* in the arena */
    bool is_text;     /* XHTML, and not the table of contents */
} item;

typedef struct book {
    dpl__package *package;
    char root[400]; /* of the package file */
    DPL_VEC(item) items;
    DPL_VEC(dpl_str) spine; /* ids */
    dpl__bytes text;
} book;

/* ---- container and package file --------------------------------------------------------- */

static dpl_status read_container(void *user, const char *name, const char **attributes,
                                 dpl_error *err)
{
    (void)err;
    book *b = user;
    const char *path = dpl__xml_attribute(attributes, "full-path");
    if (strcmp(name, "rootfile") == 0 && path && !b->root[0] && strlen(path) < sizeof b->root)
        strcpy(b->root, path);
    return DPL_OK;
}

static dpl_status keep(book *b, const char *value, dpl_str *out, dpl_error *err)
{
    *out = dpl__arena_copy(&b->package->batch->arena, dpl__cstr(value));
    return dpl__need(out->data, err);
}

static bool has_word(const char *list, const char *word)
{
    const size_t n = strlen(word);
    for (const char *p = list; p && (p = strstr(p, word)); p += n)
        if ((p == list || p[-1] == ' ') && (!p[n] || p[n] == ' '))
            return true;
    return false;
}

static dpl_status add_item(book *b, const char **attributes, dpl_error *err)
{
    const char *id = dpl__xml_attribute(attributes, "id");
    const char *href = dpl__xml_attribute(attributes, "href");
    const char *type = dpl__xml_attribute(attributes, "media-type");
    if (!id || !href)
        return DPL_OK;
    item it = {.is_text = type &&
                          (strcmp(type, "application/xhtml+xml") == 0 ||
                           strcmp(type, "text/html") == 0) &&
                          !has_word(dpl__xml_attribute(attributes, "properties"), "nav")};
    DPL_TRY(keep(b, id, &it.id, err));
    DPL_TRY(keep(b, href, &it.href, err));
    return dpl__need(dpl__vec_push(b->package->batch->ctx, &b->items, it), err);
}

static dpl_status read_package(void *user, const char *name, const char **attributes,
                               dpl_error *err)
{
    book *b = user;
    if (strcmp(name, "item") == 0)
        return add_item(b, attributes, err);
    const char *ref = dpl__xml_attribute(attributes, "idref");
    if (strcmp(name, "itemref") != 0 || !ref)
        return DPL_OK;
    dpl_str id;
    DPL_TRY(keep(b, ref, &id, err));
    return dpl__need(dpl__vec_push(b->package->batch->ctx, &b->spine, id), err);
}

/* ---- names of members ----------------------------------------------------------------- */

/* Without "%20" and what follows '#', in place; its length. */
static size_t decode(char *p, size_t n)
{
    size_t out = 0;
    for (size_t i = 0; i < n && p[i] != '#'; i++) {
        const bool is_escape = p[i] == '%' && i + 2 < n && dpl__hex_digit(p[i + 1]) >= 0 &&
                               dpl__hex_digit(p[i + 2]) >= 0;
        p[out++] =
            is_escape ? (char)(dpl__hex_digit(p[i + 1]) * 16 + dpl__hex_digit(p[i + 2])) : p[i];
        i += is_escape ? 2 : 0;
    }
    assert(out <= n);
    return out;
}

/* Without "." and "..", in place; ".." at the top stays there. */
static size_t simplify(char *p, size_t n)
{
    size_t out = 0;
    for (size_t i = 0; i < n;) {
        const char *slash = memchr(p + i, '/', n - i);
        const size_t n_part = slash ? (size_t)(slash - (p + i)) : n - i;
        if (n_part == 2 && p[i] == '.' && p[i + 1] == '.') {
            while (out && p[--out] != '/')
                ;
        } else if (n_part && !(n_part == 1 && p[i] == '.')) {
            out += out != 0;
            if (out)
                p[out - 1] = '/';
            memmove(p + out, p + i, n_part);
            out += n_part;
        }
        i += n_part + 1;
    }
    assert(out <= n);
    return out;
}

/* The member that href means in the package file. */
static dpl_status member_of(book *b, dpl_str href, dpl_str *out, dpl_error *err)
{
    const char *slash = strrchr(b->root, '/');
    const size_t n_folder = slash ? (size_t)(slash - b->root) + 1 : 0;
    char *p = dpl__arena_alloc(&b->package->batch->arena, n_folder + href.n + 1);
    DPL_TRY(dpl__need(p, err));
    memcpy(p, b->root, n_folder);
    memcpy(p + n_folder, href.data, href.n);
    size_t n = n_folder + decode(p + n_folder, href.n);
    n = simplify(p, n);
    *out = (dpl_str){p, n};
    return DPL_OK;
}

/* ---- chapters --------------------------------------------------------------------------- */

static bool is_marked(dpl_str s, const char *mark, size_t n)
{
    return s.n >= n && memcmp(s.data, mark, n) == 0;
}

static dpl_status to_utf8(dpl__package *p, dpl_str *html, dpl_error *err)
{
    dpl__batch *batch = p->batch;
    if (is_marked(*html, "\xFF\xFE", 2) || is_marked(*html, "\xFE\xFF", 2)) {
        size_t n_replaced;
        const dpl__charset utf16 = {"UTF-16"};
        return dpl__charset_convert(html, &batch->arena, &utf16, &n_replaced, err);
    }
    if (is_marked(*html, "\xEF\xBB\xBF", 3))
        *html = (dpl_str){html->data + 3, html->n - 3};
    return dpl__file_to_utf8(batch, p->chunk, true, html, err);
}

static dpl_status read_chapter(book *b, dpl_str member, dpl_doc *doc, dpl_error *err)
{
    dpl__package *p = b->package;
    dpl_str html;
    DPL_TRY(dpl__package_read(p, member, &html, err));
    DPL_TRY(to_utf8(p, &html, err));
    const dpl__html_options o = {.is_xml = true};
    dpl__html_page page = {0};
    dpl_status status = dpl__html_text(&page, &p->batch->arena, html, &o, err);
    if (status == DPL_E_FORMAT)
        return dpl__package_bad(p, DPL_DROP_MALFORMED, err,
                                "the elements of the member '%.*s' are nested too deeply",
                                (int)dpl__min(member.n, 200), member.data);
    *doc = (dpl_doc){.title = page.title, .lang = page.lang, .text = page.text};
    return status;
}

/* The document of a chapter by itself: "book.epub#ch1.xhtml". */
static dpl_status give_chapter(book *b, const dpl_doc *whole, dpl_str member, dpl_doc *chapter,
                               dpl_error *err)
{
    dpl__package *p = b->package;
    char *id = dpl__arena_alloc(&p->batch->arena, p->id.n + 1 + member.n);
    DPL_TRY(dpl__need(id, err));
    memcpy(id, p->id.data, p->id.n);
    id[p->id.n] = '#';
    memcpy(id + p->id.n + 1, member.data, member.n);
    chapter->id = (dpl_str){id, p->id.n + 1 + member.n};
    if (!chapter->lang.n)
        chapter->lang = whole->lang;
    if (!chapter->title.n)
        chapter->title = whole->title;
    dpl_status status = dpl__record_utf8(p->batch, p->chunk, 0, 0, &chapter->id, err);
    return status == DPL_OK ? dpl__batch_add(p->batch, p->chunk, 0, chapter, err) : status;
}

static const item *find_item(const book *b, dpl_str id)
{
    for (size_t i = 0; i < b->items.n; i++)
        if (dpl__str_eq(b->items.data[i].id, id))
            return &b->items.data[i];
    return NULL;
}

static dpl_status add_chapter(book *b, const dpl_doc *whole, dpl_str member, dpl_error *err)
{
    dpl_doc chapter = {0};
    const bool is_apart = b->package->batch->options->chapters;
    dpl_status status = read_chapter(b, member, &chapter, err);
    if (is_apart) {
        if (status == DPL_OK)
            status = give_chapter(b, whole, member, &chapter, err);
        return status == DPL_END ? DPL_OK : status;
    }
    if (status != DPL_OK || !chapter.text.n)
        return status;
    dpl_ctx *ctx = b->package->batch->ctx;
    return dpl__need(dpl__vec_append(ctx, &b->text, chapter.text.data, chapter.text.n) &&
                         dpl__vec_push(ctx, &b->text, '\n'),
                     err);
}

/* Books that may only be read by their owner list what is encrypted. */
static dpl_status check_protection(book *b, dpl_str member, dpl_str list, dpl_error *err)
{
    for (size_t i = 0; member.n && i + member.n <= list.n; i++)
        if (list.data[i] == member.data[0] && memcmp(list.data + i, member.data, member.n) == 0)
            return dpl__package_bad(b->package, DPL_DROP_MALFORMED, err,
                                    "the book is encrypted (copy protection)");
    return DPL_OK;
}

enum { MOST_CHAPTERS = 20000 };

static dpl_status read_spine(book *b, const dpl_doc *whole, dpl_error *err)
{
    dpl__package *p = b->package;
    static const dpl_str encryption = {"META-INF/encryption.xml", 23};
    dpl_str encrypted = {0};
    if (dpl__package_has(p, encryption))
        DPL_TRY(dpl__package_read(p, encryption, &encrypted, err));
    if (b->spine.n > MOST_CHAPTERS || b->items.n > MOST_CHAPTERS)
        return dpl__package_bad(p, DPL_DROP_LONG, err, "it has more than %d chapters",
                                MOST_CHAPTERS);
    for (size_t i = 0; i < b->spine.n; i++) {
        const item *it = find_item(b, b->spine.data[i]);
        if (!it || !it->is_text)
            continue;
        dpl_str member = {0};
        DPL_TRY(member_of(b, it->href, &member, err));
        DPL_TRY(check_protection(b, member, encrypted, err));
        encrypted.n = 0; /* all of the text is, or none */
        DPL_TRY(add_chapter(b, whole, member, err));
    }
    return DPL_OK;
}

static dpl_status read_book(book *b, dpl_doc *doc, dpl_error *err)
{
    dpl__package *p = b->package;
    const dpl__xml container = {.start = read_container, .user = b};
    DPL_TRY(dpl__package_parse(p, DPL_STR("META-INF/container.xml"), &container, err));
    const dpl_str root = dpl__cstr(b->root);
    if (!root.n)
        return dpl__package_bad(p, DPL_DROP_MALFORMED, err,
                                "META-INF/container.xml names no package file");
    if (!dpl__package_has(p, root))
        return dpl__package_bad(p, DPL_DROP_MALFORMED, err, "the member '%s' is missing",
                                b->root);
    const dpl__xml package = {.start = read_package, .user = b};
    DPL_TRY(dpl__package_parse(p, root, &package, err));
    DPL_TRY(dpl__package_metadata(p, root, doc, err));
    return read_spine(b, doc, err);
}

dpl_status dpl__epub_parse(dpl__package *p, dpl_error *err)
{
    book b = {.package = p};
    dpl_doc doc = {.id = p->id};
    dpl_status status;
    DPL__STEP(read_book(&b, &doc, err));
    if (!p->batch->options->chapters) {
        doc.text = dpl__arena_copy(&p->batch->arena, (dpl_str){b.text.data, b.text.n});
        status = doc.text.data ? dpl__batch_add(p->batch, p->chunk, 0, &doc, err)
                               : dpl__fail_nomem(err);
    }
done:
    dpl__vec_clear(p->batch->ctx, &b.items, &b.spine, &b.text);
    return status;
}
