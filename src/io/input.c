/*
 * input.c - plain files for now.
 */
#include "io/input.h"

#include <stdio.h>

struct dpl__input {
    dpl_ctx *ctx;
    FILE *file;
    const char *name;
    uint64_t n_read;
};

dpl_status dpl__input_open(dpl__input **out, dpl_ctx *ctx, const char *path, dpl_error *err)
{
    *out = NULL;
    FILE *f = strcmp(path, "-") ? fopen(path, "rb") : stdin;
    if (!f)
        return dpl__fail_errno(err, errno, "cannot open '%s'", path);
    dpl__input *in = dpl__calloc(ctx, 1, sizeof *in);
    if (!in)
        return dpl__fail_nomem(err);
    *in = (dpl__input){.ctx = ctx, .file = f, .name = path};
    *out = in;
    return DPL_OK;
}

void dpl__input_close(dpl__input *in)
{
    if (!in)
        return;
    if (in->file != stdin)
        fclose(in->file);
    dpl__free(in->ctx, in, sizeof *in);
}

dpl_status dpl__input_read(dpl__input *in, void *buffer, size_t n, size_t *got, dpl_error *err)
{
    *got = fread(buffer, 1, n, in->file);
    in->n_read += *got;
    if (*got == 0 && ferror(in->file))
        return dpl__fail_errno(err, errno, "cannot read '%s'", in->name);
    return DPL_OK;
}

const char *dpl__input_name(const dpl__input *in)
{
    return in->name;
}
uint64_t dpl__input_position(const dpl__input *in)
{
    return in->n_read;
}
uint64_t dpl__input_size(const dpl__input *in)
{
    (void)in;
    return 0;
}
