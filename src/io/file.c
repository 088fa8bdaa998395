/*
 * file.c - opens a container from a file: maps it; then its checksums.
 *
 * file_table.c reads what was mapped.
 */
#define _GNU_SOURCE /* madvise */
#include "doppel/file.h"

#include "base/ctx.h"
#include "base/vec.h"
#include "io/file_parts.h"
#include "io/text_output.h"
#include "kernels/kernels.h"
#include "par/pool.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

static void unmap(dpl_file *f)
{
    dpl__mappings_remove(f->ctx, &f->mapping);
    munmap((void *)(uintptr_t)f->map, f->n_bytes);
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
    f->unmap = unmap;
    f->n_bytes = (size_t)st.st_size;
    dpl__mappings_add(f->ctx, &f->mapping, p, f->n_bytes);
    return DPL_OK;
}

dpl_status dpl__file_open_fd(dpl_file **out, dpl_ctx *ctx, int fd, const char *name,
                             dpl_error *err)
{
    dpl_file *f = NULL;
    *out = NULL;
    dpl_status status;
    DPL__STEP(dpl__file_new(&f, ctx, name, err));
    DPL__STEP(map_file(f, fd, err));
    DPL__STEP(dpl__file_read(f, err));
    *out = f;
    f = NULL;
done:
    dpl_file_close(f);
    return status;
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

static bool has_magic(int fd)
{
    char magic[DPL__CONTAINER_N_MAGIC];
    return read(fd, magic, sizeof magic) == (ssize_t)sizeof magic &&
           memcmp(magic, DPL__CONTAINER_MAGIC, sizeof magic) == 0;
}

dpl_status dpl_file_detect(char kind[DPL_FILE_KIND], dpl_ctx *ctx, const char *path,
                           dpl_error *err)
{
    struct stat st;
    dpl_file *file = NULL;
    dpl_status status = DPL_OK;
    memset(kind, 0, DPL_FILE_KIND);
    if (!path || stat(path, &st) != 0 || !S_ISREG(st.st_mode)) /* opening a pipe may wait */
        return DPL_OK;
    const int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return DPL_OK;
    if (has_magic(fd))
        status = dpl__file_open_fd(&file, ctx, fd, path, err);
    if (file)
        memcpy(kind, dpl_file_get_info(file).kind, strlen(dpl_file_get_info(file).kind));
    dpl_file_close(file);
    close(fd);
    return status;
}

dpl_status dpl__file_save(const dpl_file *f, const char *path, dpl_error *err)
{
    dpl_output *o = NULL;
    DPL_TRY(dpl_output_new(&o, f->ctx, path, err));
    dpl_output_write(o, f->map, f->n_bytes);
    return dpl__output_end(o, DPL_OK, err);
}

/* ---- memory ------------------------------------------------------------------------- */

/* Whole pages within [data, data + n) go back to the system; they are read again from the file
 * when they are needed. */
static void forget(const dpl_file *f, const uint8_t *data, size_t n)
{
    assert(data >= f->map && (size_t)(data - f->map) + n <= f->n_bytes);
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

static void check_piece(void *user, size_t i)
{
    check *c = user;
    piece *p = &c->pieces.data[i];
    assert(i < c->pieces.n && p->section < c->file->n_sections);
    const uint8_t *data = c->file->sections[p->section].data;
    p->crc = c->file->ctx->kernels->crc32c(0, data + p->offset, p->n);
    if (c->is_large)
        forget(c->file, data + p->offset, p->n);
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
            DPL__STEP(dpl__need(dpl__vec_push(f->ctx, &c.pieces, p), err));
        }
    if ((status = dpl__parallel_each(f->ctx, c.pieces.n, &c, check_piece, err)) != DPL_OK)
        goto done;
    if ((status = compare_crcs(&c, err)) != DPL_OK)
        goto done;
    status = check_gaps(f, err);
done:
    dpl__vec_clear(f->ctx, &c.pieces);
    return status;
}
