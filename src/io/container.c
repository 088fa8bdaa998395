/*
 * container.c - writes the container: sections first, then their table, then the header.
 *
 * The header is written last and the file gets its name after everything is on the disk, so a
 * file of that name is complete or not there. Cost: one pwrite per piece, and a CRC that runs
 * at memory speed.
 */
#include "io/container.h"

#include "base/ctx.h"
#include "base/vec.h"
#include "io/files.h"
#include "io/sections.h"
#include "io/target.h"
#include "io/temporary.h"
#include "kernels/kernels.h"
#include "par/pool.h"

#include <fcntl.h>
#include <stdio.h>

enum { BUFFER = 1 << 18 };

typedef struct section {
    char name[DPL__CONTAINER_NAME];
    uint64_t offset, n_bytes;
    uint64_t n_joined; /* bytes whose CRC is known */
    uint32_t element, crc;
    bool is_optional;
} section;

struct dpl__writer {
    dpl_ctx *ctx;
    dpl__target target;
    char kind[DPL__CONTAINER_KIND];
    bool is_unnamed; /* there is no path */
    bool is_growing; /* the last section */
    uint64_t end;    /* of what has been given out, on its way to the file or there */
    size_t n_buffered;
    char *buffer;
    DPL_VEC(section) sections;
};

static dpl_status write_failed(const dpl__writer *w, int e, dpl_error *err)
{
    return dpl__fail_errno(err, e, "cannot write '%s'", w->target.path);
}

static dpl_status open_target(dpl__writer *w, const char *path, dpl_error *err)
{
    if (path)
        return dpl__target_open(&w->target, w->ctx, path, true, err);
    w->is_unnamed = true;
    w->target.ctx = w->ctx;
    w->target.stream = -1;
    snprintf(w->target.path, sizeof w->target.path, "(memory)");
    return dpl__unnamed_open(&w->target.fd, dpl__unnamed_dir, err);
}

dpl_status dpl__writer_new(dpl__writer **out, dpl_ctx *ctx, const char *path, const char *kind,
                           dpl_error *err)
{
    assert(strlen(kind) < DPL__CONTAINER_KIND);
    *out = NULL;
    dpl__writer *w = dpl__calloc(ctx, 1, sizeof *w);
    DPL_TRY(dpl__need(w, err));
    w->ctx = ctx;
    w->target.fd = w->target.stream = -1;
    w->end = DPL__CONTAINER_HEADER;
    snprintf(w->kind, sizeof w->kind, "%s", kind);
    w->buffer = dpl__alloc(ctx, BUFFER);
    dpl_status status = w->buffer ? open_target(w, path, err) : dpl__fail_nomem(err);
    if (status != DPL_OK) {
        dpl__writer_free(w);
        return status;
    }
    *out = w;
    return DPL_OK;
}

void dpl__writer_free(dpl__writer *w)
{
    if (!w)
        return;
    (void)dpl__target_close(&w->target, NULL);
    dpl__free(w->ctx, w->buffer);
    dpl__vec_clear(w->ctx, &w->sections);
    dpl__free(w->ctx, w);
}

/* Whole pieces of the file that nobody here reads again: the system may begin to bring them to
 * the disk, so that less is left to wait for at the end. */
static dpl_status write_at(const dpl__writer *w, const void *data, size_t n, uint64_t offset,
                           dpl_error *err)
{
    int e = dpl__pwrite_all(w->target.fd, data, n, offset);
    if (!e && n >= BUFFER / 2)
        (void)posix_fadvise(w->target.fd, (off_t)offset, (off_t)n, POSIX_FADV_DONTNEED);
    return e ? write_failed(w, e, err) : DPL_OK;
}

static dpl_status flush(dpl__writer *w, dpl_error *err)
{
    size_t n = w->n_buffered;
    w->n_buffered = 0;
    return write_at(w, w->buffer, n, w->end - n, err);
}

static dpl_status new_section(dpl__writer *w, const char *name, unsigned element,
                              dpl_error *err)
{
    assert(strlen(name) < DPL__CONTAINER_NAME);
    assert(element == 1 || element == 2 || element == 4 || element == 8);
    assert(w->sections.n < DPL__CONTAINER_MOST_SECTIONS);
    DPL_TRY(flush(w, err));
    w->end = (w->end + DPL__CONTAINER_ALIGN - 1) / DPL__CONTAINER_ALIGN * DPL__CONTAINER_ALIGN;
    section s = {.offset = w->end, .element = element};
    snprintf(s.name, sizeof s.name, "%s", name);
    return dpl__need(dpl__vec_push(w->ctx, &w->sections, s), err);
}

dpl_status dpl__writer_begin(dpl__writer *w, const char *name, unsigned element, dpl_error *err)
{
    DPL_TRY(new_section(w, name, element, err));
    w->is_growing = true;
    return DPL_OK;
}

dpl_status dpl__writer_append(dpl__writer *w, const void *data, size_t n, dpl_error *err)
{
    assert(w->is_growing);
    if (!n)
        return DPL_OK;
    section *s = &w->sections.data[w->sections.n - 1];
    s->crc = w->ctx->kernels->crc32c(s->crc, data, n);
    s->n_bytes += n;
    s->n_joined += n;
    if (w->n_buffered + n > BUFFER)
        DPL_TRY(flush(w, err));
    if (n > BUFFER) {
        DPL_TRY(write_at(w, data, n, w->end, err));
    } else {
        memcpy(w->buffer + w->n_buffered, data, n);
        w->n_buffered += n;
    }
    w->end += n;
    return DPL_OK;
}

dpl_status dpl__writer_add(dpl__writer *w, const char *name, unsigned element, const void *data,
                           size_t n, dpl_error *err)
{
    DPL_TRY(dpl__writer_begin(w, name, element, err));
    return dpl__writer_append(w, data, n, err);
}

void dpl__writer_optional(dpl__writer *w)
{
    w->sections.data[w->sections.n - 1].is_optional = true;
}

dpl_status dpl__writer_add_json(dpl__writer *w, const char *name, dpl__json_text *text,
                                dpl_error *err)
{
    dpl_status status = text->has_failed
                            ? dpl__fail_nomem(err)
                            : dpl__writer_add(w, name, 1, text->bytes.data, text->bytes.n, err);
    dpl__vec_clear(text->ctx, &text->bytes);
    return status;
}

dpl_status dpl__spool_write(const dpl__spool *spool, dpl__writer *w, const char *name,
                            unsigned element, dpl_error *err)
{
    DPL_TRY(dpl__writer_begin(w, name, element, err));
    char piece[1 << 14];
    uint64_t at = 0, in_file = spool->n_file;
    for (size_t n; at < in_file; at += n) {
        n = (size_t)(in_file - at < sizeof piece ? in_file - at : sizeof piece);
        DPL_TRY(dpl__spool_read(spool, at, piece, n, err));
        DPL_TRY(dpl__writer_append(w, piece, n, err));
    }
    return dpl__writer_append(w, spool->memory.data, spool->memory.n, err);
}

void dpl__writer_grow(dpl__writer *w, uint64_t *offset, size_t n)
{
    assert(w->is_growing && !w->n_buffered);
    section *s = &w->sections.data[w->sections.n - 1];
    *offset = s->n_bytes;
    s->n_bytes += n;
    w->end += n;
}

dpl_status dpl__writer_reserve(dpl__writer *w, unsigned *index, const char *name,
                               unsigned element, uint64_t n_bytes, dpl_error *err)
{
    DPL_TRY(new_section(w, name, element, err));
    w->is_growing = false;
    *index = (unsigned)w->sections.n - 1;
    w->sections.data[*index].n_bytes = n_bytes;
    w->end += n_bytes;
    return DPL_OK;
}

dpl_status dpl__writer_put(dpl__writer *w, dpl__piece piece, uint32_t *crc, dpl_error *err)
{
    /* The section's size is checked by join: here another thread may be making it grow. */
    assert(piece.section < w->sections.n);
    *crc = w->ctx->kernels->crc32c(0, piece.data, piece.n);
    return write_at(w, piece.data, piece.n,
                    w->sections.data[piece.section].offset + piece.offset, err);
}

void dpl__writer_join(dpl__writer *w, unsigned index, uint32_t crc, size_t n)
{
    section *s = &w->sections.data[index];
    s->crc = dpl__crc32c_join(s->crc, crc, n);
    s->n_joined += n;
    assert(s->n_joined <= s->n_bytes);
}

/* ---- a section in pieces ------------------------------------------------------------ */

enum { PIECE = 1 << 20 };

typedef struct pieces {
    dpl__writer *w;
    unsigned section;
    const char *data;
    size_t n;
    uint32_t *crcs;
} pieces;

static dpl_status put_piece(void *user, size_t i, unsigned worker, dpl_error *err)
{
    (void)worker;
    const pieces *p = user;
    const size_t at = i * PIECE;
    return dpl__writer_put(
        p->w, (dpl__piece){p->section, at, p->data + at, dpl__min(PIECE, p->n - at)},
        &p->crcs[i], err);
}

dpl_status dpl__writer_add_large(dpl__writer *w, const char *name, unsigned element,
                                 const void *data, size_t n, dpl_error *err)
{
    pieces p = {.w = w, .data = data, .n = n};
    const size_t n_pieces = (n + PIECE - 1) / PIECE;
    DPL_TRY(dpl__writer_reserve(w, &p.section, name, element, n, err));
    p.crcs = dpl__calloc(w->ctx, n_pieces + 1, sizeof *p.crcs);
    dpl_status status =
        p.crcs ? dpl__parallel_for(w->ctx, n_pieces, &p, put_piece, err) : dpl__fail_nomem(err);
    for (size_t i = 0; status == DPL_OK && i < n_pieces; i++)
        dpl__writer_join(w, p.section, p.crcs[i], dpl__min(PIECE, n - i * PIECE));
    dpl__free(w->ctx, p.crcs);
    return status;
}

/* ---- the end ------------------------------------------------------------------------ */

static void put32(uint8_t *p, uint32_t x)
{
    for (int i = 0; i < 4; i++)
        p[i] = (uint8_t)(x >> 8 * i);
}

static void put64(uint8_t *p, uint64_t x)
{
    put32(p, (uint32_t)x);
    put32(p + 4, (uint32_t)(x >> 32));
}

static dpl_status write_table(dpl__writer *w, uint64_t *offset, uint32_t *crc, dpl_error *err)
{
    DPL_TRY(flush(w, err));
    *offset = w->end =
        (w->end + DPL__CONTAINER_ALIGN - 1) / DPL__CONTAINER_ALIGN * DPL__CONTAINER_ALIGN;
    *crc = 0;
    for (size_t i = 0; i < w->sections.n; i++) {
        const section *s = &w->sections.data[i];
        assert(s->n_joined == s->n_bytes);
        uint8_t e[DPL__CONTAINER_ENTRY] = {0};
        memcpy(e, s->name, sizeof s->name);
        put64(e + 32, s->offset);
        put64(e + 40, s->n_bytes);
        put32(e + 48, s->element);
        put32(e + 52, !s->is_optional); /* required */
        put32(e + 56, s->crc);
        *crc = w->ctx->kernels->crc32c(*crc, e, sizeof e);
        int failed = dpl__pwrite_all(w->target.fd, e, sizeof e, w->end);
        if (failed)
            return write_failed(w, failed, err);
        w->end += sizeof e;
    }
    return DPL_OK;
}

static dpl_status write_header(dpl__writer *w, uint64_t table, uint32_t table_crc,
                               dpl_error *err)
{
    uint8_t h[DPL__CONTAINER_HEADER] = {0};
    memcpy(h, DPL__CONTAINER_MAGIC, DPL__CONTAINER_N_MAGIC);
    h[8] = DPL__CONTAINER_MAJOR;
    h[10] = DPL__CONTAINER_MINOR;
    put32(h + 12, (uint32_t)w->sections.n);
    memcpy(h + 16, w->kind, sizeof w->kind);
    put64(h + 32, w->end);
    put64(h + 40, table);
    put32(h + 56, table_crc);
    put32(h + 60, w->ctx->kernels->crc32c(0, h, 60));
    int e = dpl__pwrite_all(w->target.fd, h, sizeof h, 0);
    return e ? write_failed(w, e, err) : DPL_OK;
}

static dpl_status write_end(dpl__writer *w, dpl_error *err)
{
    uint64_t table = 0;
    uint32_t table_crc = 0;
    DPL_TRY(write_table(w, &table, &table_crc, err));
    return write_header(w, table, table_crc, err);
}

dpl_status dpl__writer_finish(dpl__writer *w, uint64_t *n_bytes, dpl_error *err)
{
    assert(!w->is_unnamed);
    DPL_TRY(write_end(w, err));
    DPL_TRY(dpl__target_finish(&w->target, err));
    if (n_bytes)
        *n_bytes = w->end;
    return dpl__target_close(&w->target, err);
}

dpl_status dpl__writer_open(dpl__writer *w, dpl_file **out, dpl_error *err)
{
    *out = NULL;
    DPL_TRY(write_end(w, err));
    if (!w->is_unnamed)
        DPL_TRY(dpl__target_finish(&w->target, err));
    DPL_TRY(dpl__file_open_fd(out, w->ctx, w->target.fd, w->target.path, err));
    dpl_status status = dpl__target_close(&w->target, err);
    if (status != DPL_OK) {
        dpl_file_close(*out);
        *out = NULL;
    }
    return status;
}
