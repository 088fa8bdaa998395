/*
 * inputs.c - the inputs of a run, made ready to be read more than once.
 */
#include "base/ctx.h"
#include "dedup/dedup_run.h"
#include "doppel/file.h"
#include "io/source.h"
#include "tokens/input_languages.h"

#include <stdio.h>

/* Bytes as they come, compressed or not. */
static dpl_status copy_stream(dpl_dedup_result *r, const char *path, dpl_error *err)
{
    enum { PIECE = 1 << 16 };
    dpl_output *output = NULL;
    dpl__source in;
    uint8_t *piece = dpl__alloc(r->ctx, PIECE);
    size_t n = 1;
    if (!piece)
        return dpl__fail_nomem(err);
    dpl_status status =
        dpl__work_file(r->stdin_path, sizeof r->stdin_path, &r->work, true, "stdin", err);
    if (status == DPL_OK)
        status = dpl__source_open(&in, r->ctx, path, err);
    if (status == DPL_OK) {
        status = dpl_output_new(&output, r->ctx, r->stdin_path, err);
        while (status == DPL_OK && n > 0) {
            n = 0;
            status = dpl__source_read(&in, piece, PIECE, &n, err);
            if (status == DPL_OK)
                dpl_output_write(output, piece, n);
        }
        if (status == DPL_OK)
            status = dpl_output_finish(output, err);
        dpl_output_free(output);
        dpl__source_close(&in);
    }
    dpl__free(r->ctx, piece, PIECE);
    return status;
}

static dpl_status open_one(dpl_dedup_result *r, size_t i, dpl_error *err)
{
    dpl_input *in = &r->inputs[i];
    bool is_collection;
    if (dpl__is_stream(in->path)) {
        const char *name = dpl_input_name(in);
        if (*r->stdin_path)
            return dpl__fail(err, DPL_E_USAGE,
                             "'%s' is the second stream: only one can be read", name);
        DPL_TRY(copy_stream(r, in->path, err));
        *in = (dpl_input){.path = r->stdin_path, .name = name};
    }
    DPL_TRY(dpl__is_collection(&is_collection, r->ctx, in->path, err));
    if (is_collection) {
        DPL_TRY(dpl_collection_open(&r->opened[i], r->ctx, in->path, err));
        *in = (dpl_input){.collection = r->opened[i], .name = dpl_input_name(in)};
    }
    return DPL_OK;
}

dpl_status dpl__dedup_open_inputs(dpl_dedup_result *r, const dpl_input *inputs, size_t n,
                                  dpl_error *err)
{
    r->n_new_inputs = n;
    r->n_inputs = n + r->o.n_against;
    r->inputs = dpl__calloc(r->ctx, r->n_inputs + 1, sizeof *r->inputs);
    r->opened = dpl__calloc(r->ctx, r->n_inputs + 1, sizeof *r->opened);
    r->walks = dpl__calloc(r->ctx, r->n_inputs + 1, sizeof *r->walks);
    if (!r->inputs || !r->opened || !r->walks)
        return dpl__fail_nomem(err);
    for (size_t i = 0; i < r->n_inputs; i++) {
        r->inputs[i] = i < n ? inputs[i] : r->o.against[i - n];
        DPL_TRY(open_one(r, i, err));
    }
    return DPL_OK;
}

void dpl__dedup_close_inputs(dpl_dedup_result *r)
{
    for (size_t i = 0; r->opened && i < r->n_inputs; i++)
        dpl_collection_close(r->opened[i]);
    dpl__free(r->ctx, r->walks, (r->n_inputs + 1) * sizeof *r->walks);
    dpl__free(r->ctx, r->opened, (r->n_inputs + 1) * sizeof *r->opened);
    dpl__free(r->ctx, r->inputs, (r->n_inputs + 1) * sizeof *r->inputs);
}
