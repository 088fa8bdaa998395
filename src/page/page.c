/*
 * page.c - a pocket index becomes a web page that holds it.
 *
 * The index is built without compression of its own into an unnamed file; the whole of it and
 * the query code go into the page as gzip in Base64, which browsers unpack themselves
 * (web/js/api_wasm.js). Base64 of gzip is about as large as the index with compressed texts.
 * Cost: that of the index, and 25 ns for each byte of it.
 */
#include "doppel/page.h"

#include "doppel/file.h"

#include "base/base64.h"
#include "base/ctx.h"
#include "base/json_writer.h"
#include "base/sized.h"
#include "io/codec.h"
#include "io/target.h"
#include "io/temporary.h"
#include "page/page.h"

#include <errno.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

enum {
    MOST_INDEX = 256 << 20, /* bytes: twice of them must fit a browser's tab */
    BLOCK = 3 << 18,        /* bytes of a block of data: a multiple of 3 ends without padding */
    ROOM = BLOCK / 3 * 4
};

/* Bytes on their way into the page: compressed, gathered in blocks, written as Base64. */
typedef struct packer {
    dpl_output *output;
    const char *class; /* of the elements */
    z_stream zip;
    unsigned char *block; /* BLOCK bytes */
    char *text;           /* ROOM bytes */
    uint64_t n_written;   /* bytes of the page */
} packer;

static void put(packer *p, const char *data, size_t n)
{
    dpl_output_write(p->output, data, n);
    p->n_written += n;
}

static void put_cstr(packer *p, const char *s)
{
    put(p, s, strlen(s));
}

static void put_block(packer *p, size_t n)
{
    if (n == 0)
        return;
    put_cstr(p, "<script type=\"text/plain\" class=\"");
    put_cstr(p, p->class);
    put_cstr(p, "\">");
    put(p, p->text, dpl__base64_encode(p->text, p->block, n));
    put_cstr(p, "</script>\n");
}

/* ---- data ----------------------------------------------------------------------------- */

static dpl_status put_data(packer *p, dpl_ctx *ctx, const char *class,
                           const unsigned char *data, size_t n, dpl_error *err)
{
    p->class = class;
    p->zip = (z_stream){.zalloc = dpl__zlib_alloc, .zfree = dpl__zlib_free, .opaque = ctx};
    if (deflateInit2(&p->zip, 6, Z_DEFLATED, 15 + 16, 9, Z_DEFAULT_STRATEGY) != Z_OK)
        return dpl__fail_nomem(err);
    p->zip.next_in = (Bytef *)(uintptr_t)data; /* zlib only reads it */
    p->zip.avail_in = (uInt)n;
    dpl_status status = DPL_OK;
    for (int code = Z_OK; code != Z_STREAM_END && status == DPL_OK;) {
        p->zip.next_out = p->block;
        p->zip.avail_out = BLOCK;
        code = deflate(&p->zip, Z_FINISH);
        assert(code == Z_OK || code == Z_STREAM_END || code == Z_BUF_ERROR);
        put_block(p, BLOCK - p->zip.avail_out);
        const dpl_progress progress = {
            .stage = "page", .unit = "bytes", .total = n, .done = n - p->zip.avail_in};
        status = dpl__progress(ctx, &progress, err);
    }
    deflateEnd(&p->zip);
    return status;
}

/* What the page must know before it unpacks: JSON, in which no "<" ends the element. */
static dpl_status put_facts(packer *p, dpl_ctx *ctx, const char *name, size_t n_bytes,
                            size_t n_stems, dpl_error *err)
{
    dpl__json_text text = {.ctx = ctx};
    dpl_json j = dpl__json_into(&text, DPL_JSON_COMPACT);
    dpl_json_begin(&j, NULL, '{');
    dpl_json_cstr(&j, "name", name);
    dpl_json_number(&j, "n_bytes", n_bytes);
    dpl_json_number(&j, "n_stems", n_stems);
    dpl_json_end(&j, '}');
    dpl_status status = text.has_failed ? dpl__fail_nomem(err) : DPL_OK;
    put_cstr(p, "<script type=\"application/json\" id=\"pocket-data\">");
    for (size_t i = 0; status == DPL_OK && i < text.bytes.n; i++)
        if (text.bytes.data[i] == '<')
            put_cstr(p, "\\u003c");
        else
            put(p, (const char *)&text.bytes.data[i], 1);
    put_cstr(p, "</script>\n");
    dpl__vec_clear(ctx, &text.bytes);
    return status;
}

/* ---- the page ------------------------------------------------------------------------- */

/* What goes into a page. */
typedef struct contents {
    const char *name;
    const unsigned char *index;
    size_t n;
    dpl__bytes stems; /* empty: of words as they are */
} contents;

static dpl_status put_page(packer *p, dpl_ctx *ctx, const char *path, const contents *c,
                           dpl_error *err)
{
    DPL_TRY(dpl__need(p->block && p->text, err));
    DPL_TRY(dpl_output_new(&p->output, ctx, path, err));
    put(p, (const char *)dpl__offline_head, dpl__offline_head_size);
    DPL_TRY(put_facts(p, ctx, c->name, c->n, c->stems.n, err));
    DPL_TRY(put_data(p, ctx, "pocket-code", dpl__offline_wasm, dpl__offline_wasm_size, err));
    if (c->stems.n)
        DPL_TRY(put_data(p, ctx, "pocket-stems", (const unsigned char *)c->stems.data,
                         c->stems.n, err));
    DPL_TRY(put_data(p, ctx, "pocket-block", c->index, c->n, err));
    put(p, (const char *)dpl__offline_tail, dpl__offline_tail_size);
    return dpl_output_finish(p->output, err);
}

static dpl_status write_page(dpl_page_summary *s, dpl_ctx *ctx, const char *path,
                             const contents *c, dpl_error *err)
{
    packer p = {.block = dpl__alloc(ctx, BLOCK), .text = dpl__alloc(ctx, ROOM)};
    dpl_status status = put_page(&p, ctx, path, c, err);
    s->n_index_bytes = c->n;
    s->n_bytes = p.n_written;
    dpl_output_free(p.output);
    dpl__free(ctx, p.text, p.block);
    return status;
}

bool dpl_page_is_supported(void)
{
    return dpl__offline_wasm_size > 0;
}

static dpl_status check(const dpl_index_options *o, dpl_error *err)
{
    if (!dpl_page_is_supported()) {
        (void)dpl__fail(err, DPL_E_UNSUPPORTED,
                        "this build has no query code for web pages: it was made without a "
                        "compiler for WebAssembly");
        return dpl__code(err, DPL_E_UNSUPPORTED, "no-wasm");
    }
    if (o->tokens && o->tokens->stop_file)
        return dpl__fail(err, DPL_E_UNSUPPORTED,
                         "a web page cannot read the stop words of a query from a file");
    return DPL_OK;
}

/* The name of a page without its folder and ".html". */
static void take_name(char *out, size_t n_out, const char *path)
{
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
    size_t n = strlen(name);
    if (n > 5 && strcmp(name + n - 5, ".html") == 0)
        n -= 5;
    n = dpl__min(n, n_out - 1);
    memcpy(out, name, n);
    out[n] = '\0';
}

/* The stems of an index of stems. */
static dpl_status take_stems(contents *c, dpl_ctx *ctx, dpl_error *err)
{
    dpl_index *index = NULL;
    dpl_index_info info = DPL_INIT(dpl_index_info);
    DPL_TRY(dpl_index_open_memory(&index, ctx, c->index, c->n, err));
    dpl_index_describe(index, &info);
    dpl_status status = info.is_stemmed ? dpl__page_stems(&c->stems, ctx, index, err) : DPL_OK;
    dpl_index_close(index);
    return status;
}

/* Maps the index that was written to fd and writes the page with it. */
static dpl_status embed(dpl_page_summary *s, dpl_ctx *ctx, const char *path, const char *name,
                        int fd, dpl_error *err)
{
    struct stat st;
    if (fstat(fd, &st))
        return dpl__fail_errno(err, errno, "cannot read the index of '%s'", path);
    const size_t n = (size_t)st.st_size;
    if (n > MOST_INDEX) {
        (void)dpl__fail(err, DPL_E_LIMIT,
                        "'%s': an index of %zu MB is too large for a web page, which holds %d",
                        path, n >> 20, MOST_INDEX >> 20);
        return dpl__code(err, DPL_E_LIMIT, "page-size");
    }
    void *bytes = mmap(NULL, n, PROT_READ, MAP_SHARED, fd, 0);
    if (bytes == MAP_FAILED)
        return dpl__fail_errno(err, errno, "cannot read the index of '%s'", path);
    contents c = {.name = name, .index = bytes, .n = n};
    dpl_status status;
    DPL__STEP(take_stems(&c, ctx, err));
    DPL__STEP(write_page(s, ctx, path, &c, err));
done:
    dpl__vec_clear(ctx, &c.stems);
    munmap(bytes, n);
    return status;
}

dpl_status dpl_page_build(dpl_page_summary *summary, dpl_ctx *ctx, const char *path,
                          const char *name, const dpl_input *inputs, size_t n_inputs,
                          const dpl_index_options *options, dpl_error *err)
{
    const double begin = dpl__now();
    dpl_index_options o;
    dpl_page_summary s;
    DPL_TRY(DPL__TAKE(&o, options, err));
    DPL_TRY(DPL__TAKE(&s, summary, err));
    DPL_TRY(check(&o, err));
    o.plain_texts = o.plain_texts || o.texts;
    char own_name[256], folder[DPL__PATH_MOST], unnamed[32];
    if (!name) {
        take_name(own_name, sizeof own_name, path);
        name = own_name;
    }
    if (o.temp)
        snprintf(folder, sizeof folder, "%s", o.temp);
    else if (!dpl__spill_dir(folder, sizeof folder, path))
        return dpl__fail(err, DPL_E_USAGE, "the path '%s' is too long", path);
    o.temp = folder;
    int fd = -1;
    DPL_TRY(dpl__unnamed_open(&fd, folder, err));
    snprintf(unnamed, sizeof unnamed, "/dev/fd/%d", fd);
    dpl_status status;
    DPL__STEP(dpl_index_build(s.index, ctx, unnamed, inputs, n_inputs, &o, err));
    DPL__STEP(embed(&s, ctx, path, name, fd, err));
    s.seconds = dpl__now() - begin;
    DPL__GIVE(summary, &s);
done:
    close(fd);
    return status;
}
