/*
 * beads_epub.c - a document pair as a bilingual book: EPUB 3.
 *
 *     mimetype, META-INF/container.xml
 *     book.opf     titles, languages, the parts in order
 *     nav.xhtml    the parts by their first words
 *     style.css, part1.xhtml ...   a sentence and its translation below it
 *
 * E-book readers are slow with long files: a part ends before a paragraph after PART_BEADS
 * beads. There is no date, so that the same texts give the same bytes; the identifier is a hash
 * of the titles and texts.
 */
#include "sentences/bilingual_book.h"

#include "base/hash.h"
#include "io/zip_writer.h"

#include <stdio.h>

enum { PART_BEADS = 250, LABEL = 60 /* bytes of the first words of a part, about */ };

typedef struct epub {
    dpl_beads_writer *w;
    dpl__book book;
    dpl__zip_writer zip;
    dpl__bytes member;      /* under construction */
    DPL_VEC(size_t) starts; /* bead of each part */
    bool has_failed;
} epub;

/* ---- members -------------------------------------------------------------------------- */

static void collect(void *user, int side, const char *data, size_t n)
{
    epub *e = user;
    (void)side;
    if (!dpl__vec_append(e->w->ctx, &e->member, data, n))
        e->has_failed = true;
}

/* What the writer's functions write goes into the member, not to the output. */
static void add_member(epub *e, const char *name, void (*write)(epub *e, size_t part),
                       size_t part)
{
    const dpl_beads_options kept = e->w->options;
    e->w->options.put = collect;
    e->w->options.user = e;
    e->member.n = 0;
    write(e, part);
    e->w->options = kept;
    if (!e->has_failed)
        dpl__zip_add(&e->zip, name, (dpl_str){e->member.data, e->member.n});
}

static void put_bytes(void *user, const char *data, size_t n)
{
    dpl__bead_put(user, 0, data, n);
}

/* ---- what is in them ------------------------------------------------------------------ */

static const char container[] =
    "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
    "<container version=\"1.0\" xmlns=\"urn:oasis:names:tc:opendocument:xmlns:container\">"
    "<rootfiles><rootfile full-path=\"book.opf\" "
    "media-type=\"application/oebps-package+xml\"/></rootfiles></container>\n";
static const char css[] = "h1{font-weight:normal;margin:0 0 1em}\n"
                          ".b p{margin:0;text-indent:0}.b{margin:.5em 0}.n{margin-top:1.2em}\n"
                          ".b p+p{font-style:italic;margin-left:1em}\n";

/* First words of a part, cut at a blank. */
static void put_label(epub *e, size_t part)
{
    const size_t bead = e->starts.data[part];
    dpl_str text = dpl__book_text(e->w, &e->book, bead, 0);
    text = text.n ? text : dpl__book_text(e->w, &e->book, bead, 1);
    size_t n = dpl__min(text.n, LABEL);
    while (n < text.n && n && text.data[n] != ' ')
        n--;
    n = n ? n : text.n;
    dpl__bead_put_text(e->w, 0, (dpl_str){text.data, n}, DPL__ESCAPE_XML);
    dpl__bead_put_cstr(e->w, n < text.n ? " \xE2\x80\xA6" : "");
}

static void put_xhtml_head(epub *e)
{
    dpl_beads_writer *w = e->w;
    dpl__bead_put_cstr(w, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<!DOCTYPE html>\n"
                          "<html xmlns=\"http://www.w3.org/1999/xhtml\" "
                          "xmlns:epub=\"http://www.idpf.org/2007/ops\" lang=\"");
    dpl__bead_put_id(w, e->book.lang[0], DPL__ESCAPE_XML);
    dpl__bead_put_cstr(w, "\">\n<head><title>");
    dpl__bead_put_text(w, 0, e->book.title[0], DPL__ESCAPE_XML);
    dpl__bead_put_cstr(w, "</title><link rel=\"stylesheet\" type=\"text/css\" "
                          "href=\"style.css\"/></head>\n<body>\n");
}

static void write_part(epub *e, size_t part)
{
    const size_t end =
        part + 1 < e->starts.n ? e->starts.data[part + 1] : e->book.docs->n_beads;
    put_xhtml_head(e);
    for (int side = 0; side < 2 && part == 0; side++) {
        dpl__bead_put_cstr(e->w, "<h1 lang=\"");
        dpl__bead_put_id(e->w, e->book.lang[side], DPL__ESCAPE_XML);
        dpl__bead_put_cstr(e->w, "\">");
        dpl__bead_put_text(e->w, 0, e->book.title[side], DPL__ESCAPE_XML);
        dpl__bead_put_cstr(e->w, "</h1>\n");
    }
    for (size_t i = e->starts.data[part]; i < end; i++)
        dpl__book_put_bead(e->w, &e->book, i);
    dpl__bead_put_cstr(e->w, "</body>\n</html>\n");
}

static void write_nav(epub *e, size_t part)
{
    char name[60];
    (void)part;
    put_xhtml_head(e);
    dpl__bead_put_cstr(e->w, "<nav epub:type=\"toc\"><ol>\n");
    for (size_t i = 0; i < e->starts.n; i++) {
        snprintf(name, sizeof name, "<li><a href=\"part%zu.xhtml\">", i + 1);
        dpl__bead_put_cstr(e->w, name);
        put_label(e, i);
        dpl__bead_put_cstr(e->w, "</a></li>\n");
    }
    dpl__bead_put_cstr(e->w, "</ol></nav>\n</body>\n</html>\n");
}

static void put_element(epub *e, const char *name, const char *attributes, dpl_str text)
{
    char tag[80];
    snprintf(tag, sizeof tag, "<%s%s>", name, attributes);
    dpl__bead_put_cstr(e->w, tag);
    dpl__bead_put_text(e->w, 0, text, DPL__ESCAPE_XML);
    snprintf(tag, sizeof tag, "</%s>\n", name);
    dpl__bead_put_cstr(e->w, tag);
}

static void put_metadata(epub *e)
{
    char id[60];
    uint64_t hash = 1;
    for (int side = 0; side < 2; side++) {
        hash = dpl__hash(e->book.title[side].data, e->book.title[side].n, hash);
        hash = dpl__hash(e->book.text[side].data, e->book.text[side].n, hash);
    }
    snprintf(id, sizeof id, "urn:doppel:%016llx", (unsigned long long)hash);
    dpl__bead_put_cstr(e->w, "<metadata xmlns:dc=\"http://purl.org/dc/elements/1.1/\">\n");
    put_element(e, "dc:identifier", " id=\"id\"", dpl__cstr(id));
    put_element(e, "dc:title", "", e->book.title[0]);
    put_element(e, "dc:language", "", e->book.lang[0]);
    if (!dpl__str_eq(e->book.lang[0], e->book.lang[1]))
        put_element(e, "dc:language", "", e->book.lang[1]);
    put_element(e, "meta", " property=\"dcterms:modified\"", DPL_STR("2000-01-01T00:00:00Z"));
    dpl__bead_put_cstr(e->w, "</metadata>\n");
}

static void write_package(epub *e, size_t part)
{
    char line[160];
    (void)part;
    dpl__bead_put_cstr(e->w, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
                             "<package xmlns=\"http://www.idpf.org/2007/opf\" "
                             "version=\"3.0\" unique-identifier=\"id\">\n");
    put_metadata(e);
    dpl__bead_put_cstr(e->w,
                       "<manifest>\n<item id=\"nav\" href=\"nav.xhtml\" properties=\"nav\" "
                       "media-type=\"application/xhtml+xml\"/>\n<item id=\"css\" "
                       "href=\"style.css\" media-type=\"text/css\"/>\n");
    for (size_t i = 1; i <= e->starts.n; i++) {
        snprintf(line, sizeof line,
                 "<item id=\"p%zu\" href=\"part%zu.xhtml\" "
                 "media-type=\"application/xhtml+xml\"/>\n",
                 i, i);
        dpl__bead_put_cstr(e->w, line);
    }
    dpl__bead_put_cstr(e->w, "</manifest>\n<spine>\n");
    for (size_t i = 1; i <= e->starts.n; i++) {
        snprintf(line, sizeof line, "<itemref idref=\"p%zu\"/>\n", i);
        dpl__bead_put_cstr(e->w, line);
    }
    dpl__bead_put_cstr(e->w, "</spine>\n</package>\n");
}

/* ---- the book ------------------------------------------------------------------------- */

static bool divide(epub *e)
{
    size_t first = 0;
    for (size_t i = 0; i == 0 || i < e->book.docs->n_beads; i++) {
        const bool is_full =
            i - first >= PART_BEADS && dpl__book_begins_paragraph(e->w, &e->book, i);
        if (i > 0 && !is_full)
            continue;
        if (!dpl__vec_push(e->w->ctx, &e->starts, i))
            return false;
        first = i;
    }
    return true;
}

static void write_book(epub *e)
{
    char name[40];
    dpl__zip_add(&e->zip, "mimetype", DPL_STR("application/epub+zip"));
    dpl__zip_add(&e->zip, "META-INF/container.xml", DPL_STR(container));
    add_member(e, "book.opf", write_package, 0);
    add_member(e, "nav.xhtml", write_nav, 0);
    dpl__zip_add(&e->zip, "style.css", DPL_STR(css));
    for (size_t i = 0; i < e->starts.n; i++) {
        snprintf(name, sizeof name, "part%zu.xhtml", i + 1);
        add_member(e, name, write_part, i);
    }
    dpl__zip_finish(&e->zip);
}

static dpl_status put_epub(dpl_beads_writer *w, const dpl_aligned_docs *docs, dpl_error *err)
{
    epub e = {.w = w, .book = dpl__book_of(w, docs)};
    e.zip = (dpl__zip_writer){.ctx = w->ctx, .put = put_bytes, .user = w};
    if (docs->n_beads && divide(&e))
        write_book(&e);
    else
        e.has_failed = docs->n_beads > 0;
    const bool is_good = !e.has_failed && !e.zip.has_failed;
    dpl__zip_writer_clear(&e.zip);
    dpl__vec_clear(w->ctx, &e.member, &e.starts);
    w->n_rows += docs->n_beads;
    return dpl__need(is_good, err);
}

const dpl__beads_format dpl__beads_epub = {
    .info = {.name = "epub",
             .about = "a bilingual book for e-book readers, EPUB 3",
             .is_per_pair = true},
    .docs = put_epub};
