/*
 * output.c - a buffer in front of a file with a temporary name.
 *
 * Cost: a copy into the buffer, and one pwrite whenever it is full.
 */
#include "io/output.h"

#include "io/files.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { BUFFER = 1 << 16, PATH_MOST = 4096 };

struct dpl__output {
    dpl_ctx *ctx;
    char path[PATH_MOST], temporary[PATH_MOST];
    int fd;
    int failed; /* errno of the first failure */
    uint64_t n_written;
    size_t n_buffered;
    char buffer[BUFFER];
};

dpl_status dpl__output_new(dpl__output **out, dpl_ctx *ctx, const char *path, dpl_error *err)
{
    *out = NULL;
    static const char suffix[] = ".XXXXXX";
    if (strlen(path) + sizeof suffix > PATH_MOST)
        return dpl__fail_errno(err, ENAMETOOLONG, "cannot create '%s'", path);
    dpl__output *o = dpl__alloc(ctx, sizeof *o);
    if (!o)
        return dpl__fail_nomem(err);
    o->ctx = ctx;
    o->failed = 0;
    o->n_written = 0;
    o->n_buffered = 0;
    snprintf(o->path, sizeof o->path, "%s", path);
    snprintf(o->temporary, sizeof o->temporary, "%s%s", path, suffix);
    o->fd = mkstemp(o->temporary);
    if (o->fd < 0) {
        int e = errno;
        dpl__output_free(o);
        return dpl__fail_errno(err, e, "cannot create '%s'", path);
    }
    *out = o;
    return DPL_OK;
}

void dpl__output_free(dpl__output *o)
{
    if (!o)
        return;
    if (o->fd >= 0) {
        close(o->fd);
        unlink(o->temporary);
    }
    dpl__free(o->ctx, o, sizeof *o);
}

static void write_out(dpl__output *o, const void *data, size_t n)
{
    if (!o->failed)
        o->failed = dpl__pwrite_all(o->fd, data, n, o->n_written);
    o->n_written += n;
}

static void flush(dpl__output *o)
{
    write_out(o, o->buffer, o->n_buffered);
    o->n_buffered = 0;
}

void dpl__output_write(dpl__output *o, const void *data, size_t n)
{
    if (!n)
        return;
    if (n > BUFFER - o->n_buffered)
        flush(o);
    if (n > BUFFER) {
        write_out(o, data, n);
    } else {
        memcpy(o->buffer + o->n_buffered, data, n);
        o->n_buffered += n;
    }
}

dpl_status dpl__output_finish(dpl__output *o, dpl_error *err)
{
    flush(o);
    dpl__usual_mode(o->fd);
    if (!o->failed && fsync(o->fd) != 0)
        o->failed = errno;
    if (o->failed)
        return dpl__fail_errno(err, o->failed, "cannot write '%s'", o->path);
    if (rename(o->temporary, o->path) != 0)
        return dpl__fail_errno(err, errno, "cannot rename the finished file to '%s'", o->path);
    int fd = o->fd;
    o->fd = -1;
    if (close(fd) != 0)
        return dpl__fail_errno(err, errno, "cannot write '%s'", o->path);
    return DPL_OK;
}
