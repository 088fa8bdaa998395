/*
 * output.c - a buffer in front of an output.
 *
 * Cost: a copy into the buffer, and one write whenever it is full.
 */
#include "doppel/file.h"

#include "base/ctx.h"
#include "io/files.h"
#include "io/sealed.h"
#include "io/target.h"
#include "io/text_output.h"
#include "kernels/kernels.h"

#include <stdio.h>

enum { BUFFER = 1 << 16 };

struct dpl_output {
    dpl_ctx *ctx;
    dpl__target target;
    int failed;   /* errno of the first failure */
    uint32_t sum; /* CRC-32C of what was written */
    uint64_t n_written;
    size_t n_buffered;
    char buffer[BUFFER];
};

dpl_status dpl_output_new(dpl_output **out, dpl_ctx *ctx, const char *path, dpl_error *err)
{
    *out = NULL;
    dpl_output *o = dpl__alloc(ctx, sizeof *o);
    DPL_TRY(dpl__need(o, err));
    o->ctx = ctx;
    o->failed = 0;
    o->sum = 0;
    o->n_written = 0;
    o->n_buffered = 0;
    dpl_status status = dpl__target_open(&o->target, ctx, path, false, err);
    if (status != DPL_OK) {
        dpl__free(ctx, o);
        return status;
    }
    *out = o;
    return DPL_OK;
}

void dpl_output_free(dpl_output *o)
{
    if (!o)
        return;
    (void)dpl__target_close(&o->target, NULL);
    dpl__free(o->ctx, o);
}

static void write_out(dpl_output *o, const void *data, size_t n)
{
    if (!o->failed)
        o->failed = o->target.is_stream ? dpl__write_all(o->target.fd, data, n)
                                        : dpl__pwrite_all(o->target.fd, data, n, o->n_written);
    o->n_written += n;
    o->sum = o->ctx->kernels->crc32c(o->sum, data, n);
}

static void flush(dpl_output *o)
{
    assert(o->n_buffered <= BUFFER);
    write_out(o, o->buffer, o->n_buffered);
    o->n_buffered = 0;
}

void dpl_output_write(dpl_output *o, const void *data, size_t n)
{
    assert(data || !n);
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

void dpl__output_seal(dpl_output *o)
{
    flush(o);
    dpl__put(o, "crc32c\t%08x\n", o->sum);
}

dpl_status dpl_output_finish(dpl_output *o, dpl_error *err)
{
    flush(o);
    if (o->failed)
        return dpl__fail_errno(err, o->failed, "cannot write '%s'", o->target.path);
    DPL_TRY(dpl__target_finish(&o->target, err));
    return dpl__target_close(&o->target, err);
}
