/*
 * file.c - opens a container: maps it, checks header, table and bounds, then the checksums.
 *
 * Every number is checked before it is trusted; what opens can be read without leaving the
 * mapping.
 */
#define _GNU_SOURCE /* madvise */
#include "doppel/file.h"

#include "base/ctx.h"
#include "base/vec.h"
#include "io/container.h"
#include "io/sections.h"
#include "kernels/kernels.h"
#include "par/pool.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

struct dpl_file {
    dpl_ctx *ctx;
    char *path;
    const uint8_t *map;
    size_t n_bytes;
    size_t table;
    unsigned major, minor;
    char kind[DPL__CONTAINER_KIND];
    dpl_section *sections;
    size_t n_sections;
};

static uint32_t get32(const uint8_t *p)
{
    return p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
}

static uint64_t get64(const uint8_t *p)
{
    return get32(p) | (uint64_t)get32(p + 4) << 32;
}

static dpl_status map_file(dpl_file *f, int fd, dpl_error *err)
{
    struct stat st;
    if (fstat(fd, &st) != 0)
        return dpl__fail_errno(err, errno, "cannot open '%s'", f->path);
    if (!S_ISREG(st.st_mode))
        return dpl__fail(err, DPL_E_UNSUPPORTED, "cannot open '%s': not a regular file",
                         f->path);
    if (st.st_size == 0)
        return DPL_OK;
    void *p = mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_SHARED, fd, 0);
    if (p == MAP_FAILED)
        return dpl__fail_errno(err, errno, "cannot map '%s'", f->path);
    f->map = p;
    f->n_bytes = (size_t)st.st_size;
    return DPL_OK;
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
        if (!f->sections)
            return dpl__fail_nomem(err);
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

static dpl_status read_file(dpl_file *f, int fd, dpl_error *err)
{
    DPL_TRY(map_file(f, fd, err));
    DPL_TRY(read_header(f, err));
    return read_table(f, err);
}

dpl_status dpl__file_open_fd(dpl_file **out, dpl_ctx *ctx, int fd, const char *name,
                             dpl_error *err)
{
    *out = NULL;
    dpl_file *f = dpl__calloc(ctx, 1, sizeof *f);
    if (!f)
        return dpl__fail_nomem(err);
    f->ctx = ctx;
    f->path = dpl__alloc(ctx, strlen(name) + 1);
    if (f->path)
        memcpy(f->path, name, strlen(name) + 1);
    dpl_status status = f->path ? read_file(f, fd, err) : dpl__fail_nomem(err);
    if (status != DPL_OK) {
        dpl_file_close(f);
        return status;
    }
    *out = f;
    return DPL_OK;
}

dpl_status dpl_file_open(dpl_file **out, dpl_ctx *ctx, const char *path, dpl_error *err)
{
    *out = NULL;
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return dpl__fail_errno(err, errno, "cannot open '%s'", path);
    dpl_status status = dpl__file_open_fd(out, ctx, fd, path, err);
    close(fd);
    return status;
}

dpl_status dpl_file_save(const dpl_file *f, const char *path, dpl_error *err)
{
    dpl_output *o = NULL;
    DPL_TRY(dpl_output_new(&o, f->ctx, path, err));
    dpl_output_write(o, f->map, f->n_bytes);
    dpl_status status = dpl_output_finish(o, err);
    dpl_output_free(o);
    return status;
}

void dpl_file_close(dpl_file *f)
{
    if (!f)
        return;
    dpl__free(f->ctx, f->sections, f->n_sections * sizeof *f->sections);
    if (f->map)
        munmap((void *)(uintptr_t)f->map, f->n_bytes);
    if (f->path)
        dpl__free(f->ctx, f->path, strlen(f->path) + 1);
    dpl__free(f->ctx, f, sizeof *f);
}

dpl_ctx *dpl__file_ctx(const dpl_file *f)
{
    return f->ctx;
}

const char *dpl_file_path(const dpl_file *f)
{
    return f->path;
}

const char *dpl_file_kind(const dpl_file *f)
{
    return f->kind;
}

unsigned dpl_file_major(const dpl_file *f)
{
    return f->major;
}

unsigned dpl_file_minor(const dpl_file *f)
{
    return f->minor;
}

size_t dpl_file_n_bytes(const dpl_file *f)
{
    return f->n_bytes;
}

size_t dpl_file_n_sections(const dpl_file *f)
{
    return f->n_sections;
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

/* ---- memory ------------------------------------------------------------------------- */

/* Whole pages within [data, data + n) go back to the system; they are read again from the file
 * when they are needed. */
static void forget(const dpl_file *f, const uint8_t *data, size_t n)
{
#ifdef MADV_DONTNEED
    const size_t page = (size_t)sysconf(_SC_PAGESIZE);
    size_t begin = ((size_t)(data - f->map) + page - 1) / page * page,
           end = (size_t)(data - f->map) + n;
    end = end == f->n_bytes ? end : end / page * page;
    if (end > begin)
        (void)madvise((void *)(uintptr_t)(f->map + begin), end - begin, MADV_DONTNEED);
#else
    (void)f, (void)data, (void)n;
#endif
}

void dpl__file_forget(const dpl_file *f)
{
    if (f->map)
        forget(f, f->map, f->n_bytes);
}

static bool is_large(const dpl_file *f)
{
    enum { LARGE_PART = 8 };
    return f->n_bytes > dpl_ctx_memory(f->ctx) / LARGE_PART;
}

void dpl__file_ease(const dpl_file *f)
{
    if (is_large(f))
        dpl__file_forget(f);
}

/* ---- checksums ---------------------------------------------------------------------- */

/* Large sections are checked in pieces, so that all threads have work. */
enum { PIECE = 4 << 20 };

typedef struct piece {
    size_t section, offset, n;
    uint32_t crc;
} piece;

typedef struct check {
    const dpl_file *file;
    bool is_large;
    DPL_VEC(piece) pieces;
} check;

static dpl_status check_piece(void *user, size_t i, unsigned worker, dpl_error *err)
{
    (void)worker, (void)err;
    check *c = user;
    piece *p = &c->pieces.data[i];
    const uint8_t *data = c->file->sections[p->section].data;
    p->crc = c->file->ctx->kernels->crc32c(0, data + p->offset, p->n);
    if (c->is_large)
        forget(c->file, data + p->offset, p->n);
    return DPL_OK;
}

static dpl_status check_gaps(const dpl_file *f, dpl_error *err)
{
    const uint8_t *at = f->map + 60 + 4;
    for (size_t i = 0; i <= f->n_sections; i++) {
        bool is_last = i == f->n_sections;
        const uint8_t *next = is_last ? f->map + f->table : f->sections[i].data;
        for (; at < next; at++)
            if (*at) {
                dpl__fail(err, DPL_E_FORMAT, "'%s': padding before %s%s%s is not zero", f->path,
                          is_last ? "the section table" : "section '",
                          is_last ? "" : f->sections[i].name, is_last ? "" : "'");
                dpl__error_place(err, 0, 0, (uint64_t)(at - f->map));
                return DPL_E_FORMAT;
            }
        if (!is_last)
            at = next + f->sections[i].n_bytes;
    }
    return DPL_OK;
}

static dpl_status compare_crcs(const check *c, dpl_error *err)
{
    size_t k = 0;
    for (size_t i = 0; i < c->file->n_sections; i++) {
        uint32_t crc = 0;
        for (; k < c->pieces.n && c->pieces.data[k].section == i; k++)
            crc = dpl__crc32c_join(crc, c->pieces.data[k].crc, c->pieces.data[k].n);
        if (crc != c->file->sections[i].crc) {
            dpl__fail(err, DPL_E_FORMAT, "'%s': section '%s': checksum does not match",
                      c->file->path, c->file->sections[i].name);
            const uint8_t *data = c->file->sections[i].data;
            dpl__error_place(err, 0, 0, (uint64_t)(data - c->file->map));
            return DPL_E_FORMAT;
        }
    }
    return DPL_OK;
}

dpl_status dpl_file_check(const dpl_file *f, dpl_error *err)
{
    check c = {.file = f, .is_large = is_large(f)};
    dpl_status status = DPL_OK;
    for (size_t i = 0; i < f->n_sections; i++)
        for (size_t at = 0; at < f->sections[i].n_bytes; at += PIECE) {
            piece p = {i, at, dpl__min(PIECE, f->sections[i].n_bytes - at), 0};
            if (!dpl__vec_push(f->ctx, &c.pieces, p)) {
                status = dpl__fail_nomem(err);
                goto done;
            }
        }
    if ((status = dpl__parallel_for(f->ctx, c.pieces.n, &c, check_piece, err)) != DPL_OK)
        goto done;
    if ((status = compare_crcs(&c, err)) != DPL_OK)
        goto done;
    status = check_gaps(f, err);
done:
    dpl__vec_clear(f->ctx, &c.pieces);
    return status;
}
