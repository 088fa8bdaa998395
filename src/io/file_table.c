/*
 * file_table.c - a container in memory: header, section table, sections by name.
 *
 * Every number is checked before it is trusted; what opens can be read without leaving the
 * bytes. Needs neither files nor threads.
 */
#include "doppel/file.h"

#include "base/ctx.h"
#include "io/file_parts.h"
#include "kernels/kernels.h"

static uint32_t get32(const uint8_t *p)
{
    return p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
}

static uint64_t get64(const uint8_t *p)
{
    return get32(p) | (uint64_t)get32(p + 4) << 32;
}

/* Terminated, printable, and nothing behind the terminator. */
static bool is_name(const uint8_t *p, size_t n)
{
    size_t i = 0;
    while (i < n && p[i] > 0x20 && p[i] < 0x7F)
        i++;
    bool is_good = i > 0 && i < n;
    for (; i < n; i++)
        is_good = is_good && p[i] == 0;
    return is_good;
}

static dpl_status damaged(const dpl_file *f, const char *what, uint64_t offset, dpl_error *err)
{
    dpl__fail(err, DPL_E_FORMAT, "'%s': %s", f->path, what);
    dpl__error_place(err, 0, 0, offset);
    return DPL_E_FORMAT;
}

static dpl_status read_header(dpl_file *f, dpl_error *err)
{
    const uint8_t *h = f->map;
    if (f->n_bytes < DPL__CONTAINER_N_MAGIC ||
        memcmp(h, DPL__CONTAINER_MAGIC, DPL__CONTAINER_N_MAGIC) != 0) {
        damaged(f, "not a doppel file (its first bytes are not the magic of the header)", 0,
                err);
        return dpl__code(err, DPL_E_FORMAT, "not-a-collection");
    }
    if (f->n_bytes < DPL__CONTAINER_HEADER)
        return damaged(f, "header: the file ends inside it", f->n_bytes, err);
    if (f->ctx->kernels->crc32c(0, h, 60) != get32(h + 60))
        return damaged(f, "header: checksum does not match", 0, err);
    f->major = h[8] | (unsigned)h[9] << 8;
    f->minor = h[10] | (unsigned)h[11] << 8;
    if (f->major != DPL__CONTAINER_MAJOR)
        return dpl__fail(err, DPL_E_UNSUPPORTED,
                         "'%s': format version %u.%u, this build reads %d.x", f->path, f->major,
                         f->minor, DPL__CONTAINER_MAJOR);
    if (get64(h + 32) != f->n_bytes) {
        dpl__fail(err, DPL_E_FORMAT, "'%s': header: the file has %zu bytes instead of %llu",
                  f->path, f->n_bytes, (unsigned long long)get64(h + 32));
        return DPL_E_FORMAT;
    }
    if (!is_name(h + 16, DPL__CONTAINER_KIND))
        return damaged(f, "header: malformed kind", 16, err);
    memcpy(f->kind, h + 16, DPL__CONTAINER_KIND);
    f->n_sections = get32(h + 12);
    uint64_t table = get64(h + 40);
    if (f->n_sections > DPL__CONTAINER_MOST_SECTIONS || table % DPL__CONTAINER_ALIGN != 0 ||
        table < DPL__CONTAINER_HEADER || table > f->n_bytes ||
        f->n_bytes - table != f->n_sections * DPL__CONTAINER_ENTRY)
        return damaged(f, "header: impossible section table", 40, err);
    f->table = (size_t)table;
    uint32_t crc = f->ctx->kernels->crc32c(0, h + table, f->n_bytes - f->table);
    if (crc != get32(h + 56))
        return damaged(f, "section table: checksum does not match", table, err);
    return DPL_OK;
}

static dpl_status read_table(dpl_file *f, dpl_error *err)
{
    if (f->n_sections) {
        f->sections = dpl__calloc(f->ctx, f->n_sections, sizeof *f->sections);
        DPL_TRY(dpl__need(f->sections, err));
    }
    uint64_t end = DPL__CONTAINER_HEADER; /* of the section before */
    for (size_t i = 0; i < f->n_sections; i++) {
        const uint8_t *e = f->map + f->table + i * DPL__CONTAINER_ENTRY;
        uint64_t offset = get64(e + 32), n = get64(e + 40);
        uint32_t element = get32(e + 48);
        bool is_good = is_name(e, DPL__CONTAINER_NAME) && offset % DPL__CONTAINER_ALIGN == 0 &&
                       offset >= end && offset <= f->table && n <= f->table - offset &&
                       (element == 1 || element == 2 || element == 4 || element == 8) &&
                       n % element == 0;
        if (!is_good) {
            dpl__fail(err, DPL_E_FORMAT, "'%s': section table: entry %zu is impossible",
                      f->path, i);
            return DPL_E_FORMAT;
        }
        f->sections[i] = (dpl_section){.name = (const char *)e,
                                       .data = f->map + offset,
                                       .n_bytes = (size_t)n,
                                       .element = element,
                                       .crc = get32(e + 56),
                                       .is_required = get32(e + 52) & 1};
        end = offset + n;
    }
    return DPL_OK;
}

dpl_status dpl__file_read(dpl_file *f, dpl_error *err)
{
    DPL_TRY(read_header(f, err));
    return read_table(f, err);
}

dpl_status dpl__file_new(dpl_file **out, dpl_ctx *ctx, const char *name, dpl_error *err)
{
    *out = NULL;
    dpl_file *f = dpl__calloc(ctx, 1, sizeof *f);
    DPL_TRY(dpl__need(f, err));
    f->ctx = ctx;
    f->path = dpl__alloc(ctx, strlen(name) + 1);
    if (f->path)
        memcpy(f->path, name, strlen(name) + 1);
    *out = f;
    return dpl__need(f->path, err);
}

dpl_status dpl__file_open_memory(dpl_file **out, dpl_ctx *ctx, const void *bytes, size_t n,
                                 const char *name, dpl_error *err)
{
    assert(bytes || !n);
    dpl_file *f = NULL;
    *out = NULL;
    dpl_status status;
    DPL__STEP(dpl__file_new(&f, ctx, name, err));
    f->map = bytes;
    f->n_bytes = n;
    DPL__STEP(dpl__file_read(f, err));
    *out = f;
    f = NULL;
done:
    dpl_file_close(f);
    return status;
}

void dpl_file_close(dpl_file *f)
{
    if (!f)
        return;
    dpl__free(f->ctx, f->sections);
    if (f->unmap)
        f->unmap(f);
    if (f->path)
        dpl__free(f->ctx, f->path);
    dpl__free(f->ctx, f);
}

dpl_ctx *dpl__file_ctx(const dpl_file *f)
{
    return f->ctx;
}

dpl_file_info dpl_file_get_info(const dpl_file *f)
{
    return (dpl_file_info){.path = f->path,
                           .kind = f->kind,
                           .major = f->major,
                           .minor = f->minor,
                           .n_bytes = f->n_bytes,
                           .n_sections = f->n_sections};
}

dpl_section dpl_file_section(const dpl_file *f, size_t i)
{
    assert(i < f->n_sections);
    return f->sections[i];
}

bool dpl_file_find(const dpl_file *f, const char *name, dpl_section *out)
{
    for (size_t i = 0; i < f->n_sections; i++)
        if (strcmp(f->sections[i].name, name) == 0) {
            *out = f->sections[i];
            return true;
        }
    return false;
}
