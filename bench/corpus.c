/*
 * corpus.c - gathers documents and writes them in every format.
 *
 * Where text has to be repeated, each copy has its ASCII letters moved along the alphabet by
 * another number: the words are as long and as frequent as before, but new, so that the
 * vocabulary grows with the text as it does in life.
 */
#include "corpus.h"

#include "readers/json_parser.h"

#include <glob.h>
#include <stdio.h>
#include <sys/stat.h>
#include <zstd.h>

enum { PAD = 64, PATH_MOST = 4096 };

void corpus_init(corpus *c, dpl_ctx *ctx)
{
    *c = (corpus){.ctx = ctx};
    dpl__arena_init(&c->arena, ctx);
}

void corpus_clear(corpus *c)
{
    if (!c->ctx)
        return;
    dpl__vec_clear(c->ctx, &c->docs);
    dpl__arena_clear(&c->arena);
}

/* ---- gathering ---------------------------------------------------------------------- */

static dpl_status add(corpus *c, const char *id, dpl_str lang, dpl_str title, dpl_str text,
                      dpl_error *err)
{
    char *copy = dpl__arena_alloc(&c->arena, text.n + PAD);
    dpl_doc doc = {.id = dpl__arena_copy(&c->arena, dpl__cstr(id)),
                   .lang = dpl__arena_copy(&c->arena, lang),
                   .title = dpl__arena_copy(&c->arena, title),
                   .text = {copy, text.n}};
    if (!copy || !doc.id.data || !doc.lang.data || !doc.title.data ||
        !dpl__vec_push(c->ctx, &c->docs, doc))
        return dpl__fail_nomem(err);
    memcpy(copy, text.data, text.n);
    memset(copy + text.n, 0, PAD);
    c->n_text += text.n;
    return DPL_OK;
}

static dpl_status add_file(corpus *c, const char *path, dpl_error *err)
{
    dpl_reader *reader = NULL;
    DPL_TRY(dpl_reader_open(&reader, c->ctx, path, NULL, err));
    c->n_files++;
    dpl_doc doc;
    dpl_status status;
    while ((status = dpl_reader_next(reader, &doc, err)) == DPL_OK) {
        char id[200];
        snprintf(id, sizeof id, "%u-%.*s", c->n_files, (int)dpl__min(doc.id.n, 150),
                 doc.id.data);
        status = add(c, id, doc.lang, doc.title, doc.text, err);
        if (status != DPL_OK)
            break;
    }
    dpl_reader_close(reader);
    return status == DPL_END ? DPL_OK : status;
}

static dpl_status add_files(corpus *c, const char *dir, const char *pattern, dpl_error *err)
{
    char path[PATH_MOST];
    snprintf(path, sizeof path, "%s/%s", dir, pattern);
    glob_t found;
    if (glob(path, 0, NULL, &found) != 0)
        return DPL_OK;
    dpl_status status = DPL_OK;
    for (size_t i = 0; i < found.gl_pathc && status == DPL_OK; i++)
        status = add_file(c, found.gl_pathv[i], err);
    globfree(&found);
    return status;
}

dpl_status corpus_gather(corpus *c, const char *data, dpl_error *err)
{
    static const char *const patterns[] = {
        "bible/docs.*.jsonl.zst", "lohelp/docs.*.jsonl.zst", "newsdocs/docs.*.jsonl.zst",
        "mono/brown.jsonl.zst",   "mono/reuters*.jsonl.zst", "mono/speeches.jsonl.zst"};
    for (size_t i = 0; i < DPL_LEN(patterns); i++)
        DPL_TRY(add_files(c, data, patterns[i], err));
    return DPL_OK;
}

/* ---- copies ------------------------------------------------------------------------- */

static char shifted(char c, unsigned by)
{
    unsigned letter = ((unsigned char)c | 32u) - 'a';
    return letter < 26 ? (char)(((unsigned)c & ~31u) + (letter + by) % 26 + 1) : c;
}

static dpl_status shift(dpl_ctx *ctx, dpl__bytes *out, dpl_str s, unsigned by, dpl_error *err)
{
    out->n = 0;
    if (!dpl__vec_append(ctx, out, s.data, s.n))
        return dpl__fail_nomem(err);
    for (size_t i = 0; by % 26 && i < s.n; i++)
        out->data[i] = shifted(s.data[i], by);
    return DPL_OK;
}

dpl_status corpus_sample(corpus *c, const char *sample, uint64_t n_text, dpl_error *err)
{
    DPL_TRY(add_files(c, sample, "*.jsonl", err));
    size_t n = c->docs.n;
    if (n == 0)
        return dpl__fail(err, DPL_E_IO, "no documents in '%s'", sample);
    dpl__bytes text = {0};
    dpl_status status = DPL_OK;
    for (size_t i = n; c->n_text < n_text && status == DPL_OK; i++) {
        dpl_doc doc = c->docs.data[i % n];
        char id[250];
        snprintf(id, sizeof id, "%zu-%s", i / n, doc.id.data);
        status = shift(c->ctx, &text, doc.text, (unsigned)(i / n), err);
        if (status == DPL_OK)
            status = add(c, id, doc.lang, doc.title, (dpl_str){text.data, text.n}, err);
    }
    dpl__vec_clear(c->ctx, &text);
    return status;
}

/* ---- a file, perhaps compressed ----------------------------------------------------- */

typedef struct sink {
    const char *path;
    FILE *file;
    ZSTD_CStream *zstd; /* NULL: plain */
} sink;

static dpl_status sink_write(sink *s, const void *data, size_t n, dpl_error *err)
{
    if (!s->zstd)
        return fwrite(data, 1, n, s->file) == n
                   ? DPL_OK
                   : dpl__fail_errno(err, errno, "cannot write '%s'", s->path);
    ZSTD_inBuffer in = {data, n, 0};
    size_t left;
    do {
        char piece[1 << 16];
        ZSTD_outBuffer out = {piece, sizeof piece, 0};
        left = ZSTD_compressStream2(s->zstd, &out, &in, n ? ZSTD_e_continue : ZSTD_e_end);
        if (ZSTD_isError(left) || fwrite(piece, 1, out.pos, s->file) != out.pos)
            return dpl__fail(err, DPL_E_IO, "cannot write '%s'", s->path);
    } while (n ? in.pos < in.size : left > 0);
    return DPL_OK;
}

static dpl_status sink_open(sink *s, const char *path, bool is_compressed, dpl_error *err)
{
    *s = (sink){.path = path, .file = fopen(path, "wb")};
    if (!s->file)
        return dpl__fail_errno(err, errno, "cannot create '%s'", path);
    if (!is_compressed)
        return DPL_OK;
    s->zstd = ZSTD_createCStream();
    return s->zstd ? DPL_OK : dpl__fail_nomem(err);
}

static dpl_status sink_close(sink *s, dpl_status status, dpl_error *err)
{
    if (s->zstd && status == DPL_OK)
        status = sink_write(s, NULL, 0, err);
    ZSTD_freeCStream(s->zstd);
    if (s->file && fclose(s->file) != 0 && status == DPL_OK)
        status = dpl__fail_errno(err, errno, "cannot write '%s'", s->path);
    return status;
}

/* ---- formats ------------------------------------------------------------------------ */

/* What is built may lack memory at any append; one test at the end is enough. */
typedef struct builder {
    dpl_ctx *ctx;
    dpl__bytes bytes, text;
    bool has_failed;
} builder;

static void put(builder *b, dpl_str s)
{
    b->has_failed = b->has_failed || !dpl__vec_append(b->ctx, &b->bytes, s.data, s.n);
}

static void put_json(builder *b, dpl_str s)
{
    b->has_failed = b->has_failed || !dpl__json_escape(b->ctx, &b->bytes, s);
}

/* Characters of XML and HTML as references; a line end becomes `line_end`. */
static void put_xml(builder *b, dpl_str s, const char *line_end)
{
    for (size_t i = 0; i < s.n; i++) {
        char c = s.data[i];
        const char *as = c == '&'    ? "&amp;"
                         : c == '<'  ? "&lt;"
                         : c == '>'  ? "&gt;"
                         : c == '\n' ? line_end
                                     : NULL;
        put(b, as ? dpl__cstr(as) : (dpl_str){&s.data[i], 1});
    }
}

static void put_base64(builder *b, dpl_str s)
{
    static const char digits[] =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    for (size_t i = 0; i < s.n; i += 3) {
        uint32_t x = 0;
        for (size_t k = 0; k < 3; k++)
            x = x << 8 | (i + k < s.n ? (unsigned char)s.data[i + k] : 0u);
        char four[4] = {digits[x >> 18], digits[x >> 12 & 63], digits[x >> 6 & 63],
                        digits[x & 63]};
        if (i + 2 >= s.n)
            four[3] = '=';
        if (i + 1 >= s.n)
            four[2] = '=';
        put(b, (dpl_str){four, 4});
    }
}

static void put_columns(builder *b, form f, dpl_str id, dpl_str lang, dpl_str text)
{
    put(b, id);
    put(b, DPL_STR("\t"));
    put(b, lang);
    put(b, DPL_STR("\t"));
    if (f == FORM_DOCENC) {
        put_base64(b, text);
    } else {
        size_t from = b->bytes.n;
        put(b, text);
        for (size_t i = from; i < b->bytes.n; i++)
            if (b->bytes.data[i] == '\n' || b->bytes.data[i] == '\t')
                b->bytes.data[i] = ' ';
    }
    put(b, DPL_STR("\n"));
}

static void put_page(builder *b, dpl_str id, dpl_str title, dpl_str text)
{
    put(b, DPL_STR("<page><title>"));
    put_xml(b, title, " ");
    put(b, DPL_STR("</title><ns>0</ns><id>"));
    put_xml(b, id, " ");
    put(b, DPL_STR("</id><revision><text xml:space=\"preserve\">"));
    put_xml(b, text, "\n\n");
    put(b, DPL_STR("</text></revision></page>\n"));
}

static void put_object(builder *b, dpl_str id, dpl_str lang, dpl_str title, dpl_str text)
{
    put(b, DPL_STR("{\"id\":"));
    put_json(b, id);
    put(b, DPL_STR(",\"lang\":"));
    put_json(b, lang);
    put(b, DPL_STR(",\"title\":"));
    put_json(b, title);
    put(b, DPL_STR(",\"text\":"));
    put_json(b, text);
    put(b, DPL_STR("}\n"));
}

/* One document as a record of the form, into b->bytes. */
static dpl_status put_record(builder *b, form f, const dpl_doc *doc, unsigned copy,
                             unsigned shift_by, dpl_error *err)
{
    char id_text[300];
    int n = copy ? snprintf(id_text, sizeof id_text, "%u-%s", copy, doc->id.data)
                 : snprintf(id_text, sizeof id_text, "%s", doc->id.data);
    dpl_str id = {id_text, (size_t)n};
    DPL_TRY(shift(b->ctx, &b->text, doc->text, shift_by, err));
    dpl_str text = {b->text.data, b->text.n};
    b->bytes.n = 0;
    switch (f) {
    case FORM_JSONL: put_object(b, id, doc->lang, doc->title, text); break;
    case FORM_WIKI: put_page(b, id, doc->title, text); break;
    case FORM_TSV:
    case FORM_DOCENC: put_columns(b, f, id, doc->lang, text); break;
    }
    return b->has_failed ? dpl__fail_nomem(err) : DPL_OK;
}

static bool is_wanted(const dpl_doc *doc, const char *lang)
{
    return !lang || dpl__str_eq(doc->lang, dpl__cstr(lang));
}

static dpl_status write_records(const corpus *c, sink *s, form f, corpus_part part,
                                dpl_error *err)
{
    builder b = {.ctx = c->ctx};
    dpl_status status = DPL_OK;
    for (unsigned copy = 0; copy == 0 || copy < part.n_copies; copy++)
        for (size_t i = 0; i < c->docs.n && status == DPL_OK; i++) {
            if (!is_wanted(&c->docs.data[i], part.lang))
                continue;
            status =
                put_record(&b, f, &c->docs.data[i], copy, part.has_same_words ? 0 : copy, err);
            if (status == DPL_OK)
                status = sink_write(s, b.bytes.data, b.bytes.n, err);
        }
    dpl__vec_clear(c->ctx, &b.bytes, &b.text);
    return status;
}

dpl_status corpus_write(const corpus *c, const char *path, form f, corpus_part part,
                        dpl_error *err)
{
    sink s;
    dpl_status status = sink_open(&s, path, part.is_compressed, err);
    if (status == DPL_OK && f == FORM_WIKI) {
        char head[100];
        int n = snprintf(head, sizeof head, "<mediawiki xml:lang=\"%s\">\n",
                         part.lang ? part.lang : "en");
        status = sink_write(&s, head, (size_t)n, err);
    }
    if (status == DPL_OK)
        status = write_records(c, &s, f, part, err);
    if (status == DPL_OK && f == FORM_WIKI)
        status = sink_write(&s, "</mediawiki>\n", 13, err);
    return sink_close(&s, status, err);
}

static dpl_status write_page(builder *b, const char *dir, const dpl_doc *doc, dpl_error *err)
{
    b->bytes.n = 0;
    put(b, DPL_STR("<!DOCTYPE html>\n<html><head><meta charset=\"utf-8\"><title>"));
    put_xml(b, doc->title, " ");
    put(b, DPL_STR("</title></head>\n<body>\n<p>"));
    put_xml(b, doc->text, "</p>\n<p>");
    put(b, DPL_STR("</p>\n</body></html>\n"));
    if (b->has_failed)
        return dpl__fail_nomem(err);
    char path[PATH_MOST];
    snprintf(path, sizeof path, "%s/%s.html", dir, doc->id.data);
    sink s;
    dpl_status status = sink_open(&s, path, false, err);
    if (status == DPL_OK)
        status = sink_write(&s, b->bytes.data, b->bytes.n, err);
    return sink_close(&s, status, err);
}

dpl_status corpus_write_html(const corpus *c, const char *dir, const char *lang, dpl_error *err)
{
    if (mkdir(dir, 0777) != 0 && errno != EEXIST)
        return dpl__fail_errno(err, errno, "cannot make '%s'", dir);
    builder b = {.ctx = c->ctx};
    dpl_status status = DPL_OK;
    for (size_t i = 0; i < c->docs.n && status == DPL_OK; i++)
        if (is_wanted(&c->docs.data[i], lang))
            status = write_page(&b, dir, &c->docs.data[i], err);
    dpl__vec_clear(c->ctx, &b.bytes);
    return status;
}
