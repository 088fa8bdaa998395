/*
 * spill.c - unnamed temporary files, and the spool over one.
 */
#include "io/spill.h"

#include "io/files.h"
#include "io/temporary.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

dpl_status dpl__spill_init(dpl__spill *spill, dpl_ctx *ctx, const char *dir, dpl_error *err)
{
    spill->ctx = ctx;
    atomic_init(&spill->n_bytes, 0);
    spill->dir = dpl__alloc(ctx, strlen(dir) + 1);
    DPL_TRY(dpl__need(spill->dir, err));
    memcpy(spill->dir, dir, strlen(dir) + 1);
    return DPL_OK;
}

void dpl__spill_clear(dpl__spill *spill)
{
    if (spill->dir)
        dpl__free(spill->ctx, spill->dir);
    spill->dir = NULL;
}

const char dpl__unnamed_dir[] = "/tmp";

dpl_status dpl__unnamed_open(int *fd, const char *dir, dpl_error *err)
{
    char name[4096];
    int n = snprintf(name, sizeof name, "%s/.doppel.XXXXXX", dir);
    bool has_room = n > 0 && (size_t)n < sizeof name;
    *fd = has_room ? mkstemp(name) : -1;
    if (*fd < 0)
        return dpl__fail_errno(err, has_room ? errno : ENAMETOOLONG,
                               "cannot create a temporary file in '%s'", dir);
    unlink(name);
    return DPL_OK;
}

dpl_status dpl__temporary_open(int *fd, const dpl__spill *spill, dpl_error *err)
{
    assert(spill->dir);
    return dpl__unnamed_open(fd, spill->dir, err);
}

dpl_status dpl__temporary_write(int fd, dpl__spill *spill, const void *data, size_t n,
                                uint64_t offset, dpl_error *err)
{
    int e = dpl__pwrite_all(fd, data, n, offset);
    if (e) {
        dpl_status status =
            dpl__fail_errno(err, e, "cannot write a temporary file in '%s'", spill->dir);
        return dpl__code(err, status, "memory-temp");
    }
    atomic_fetch_add_explicit(&spill->n_bytes, n, memory_order_relaxed);
    return DPL_OK;
}

dpl_status dpl__temporary_read(int fd, const dpl__spill *spill, void *data, size_t n,
                               uint64_t offset, dpl_error *err)
{
    int e = dpl__pread_all(fd, data, n, offset);
    if (e)
        return dpl__fail_errno(err, e, "cannot read a temporary file in '%s'", spill->dir);
    return DPL_OK;
}

/* ---- spool -------------------------------------------------------------------------- */

void dpl__spool_init(dpl__spool *spool, dpl__spill *spill, size_t share)
{
    *spool = (dpl__spool){.spill = spill, .share = share, .fd = -1};
}

void dpl__spool_clear(dpl__spool *spool)
{
    if (!spool->spill)
        return;
    dpl__vec_clear(spool->spill->ctx, &spool->memory);
    if (spool->fd >= 0)
        close(spool->fd);
    spool->fd = -1;
}

static dpl_status move_to_file(dpl__spool *spool, const void *data, size_t n, dpl_error *err)
{
    if (spool->fd < 0)
        DPL_TRY(dpl__temporary_open(&spool->fd, spool->spill, err));
    assert(spool->fd >= 0);
    DPL_TRY(dpl__temporary_write(spool->fd, spool->spill, data, n, spool->n_file, err));
    spool->n_file += n;
    return DPL_OK;
}

dpl_status dpl__spool_append(dpl__spool *spool, const void *data, size_t n, dpl_error *err)
{
    if (spool->memory.n + n > spool->share) {
        /* Now a small buffer is enough; the memory is left to others. */
        DPL_TRY(move_to_file(spool, spool->memory.data, spool->memory.n, err));
        spool->memory.n = 0;
        if (spool->share > 1 << 20) {
            dpl__vec_clear(spool->spill->ctx, &spool->memory);
            spool->share = 1 << 20;
        }
        if (n > spool->share)
            return move_to_file(spool, data, n, err);
    }
    return dpl__need(dpl__vec_append(spool->spill->ctx, &spool->memory, data, n), err);
}

dpl_status dpl__spool_expect(dpl__spool *spool, uint64_t n, dpl_error *err)
{
    if (n > spool->share)
        return DPL_OK;
    return dpl__need(dpl__vec_reserve(spool->spill->ctx, &spool->memory, (size_t)n), err);
}

uint64_t dpl__spool_size(const dpl__spool *spool)
{
    return spool->n_file + spool->memory.n;
}

dpl_status dpl__spool_read(const dpl__spool *spool, uint64_t offset, void *data, size_t n,
                           dpl_error *err)
{
    assert(offset + n <= dpl__spool_size(spool));
    char *p = data;
    if (offset < spool->n_file) {
        size_t part = (size_t)(spool->n_file - offset < n ? spool->n_file - offset : n);
        DPL_TRY(dpl__temporary_read(spool->fd, spool->spill, p, part, offset, err));
        p += part;
        n -= part;
        offset += part;
    }
    if (n)
        memcpy(p, spool->memory.data + (offset - spool->n_file), n);
    return DPL_OK;
}
