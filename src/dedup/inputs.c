/*
 * inputs.c - the inputs of a run, made ready to be read more than once.
 */
#include "dedup/dedup_run.h"
#include "io/source.h"
#include "io/text_output.h"

dpl_status dpl__dedup_copy(dpl_output *to, uint64_t *n_bytes, dpl_ctx *ctx, const char *path,
                           dpl_error *err)
{
    enum { PIECE = 1 << 16 };
    dpl__source in;
    size_t n = 1;
    DPL_TRY(dpl__source_open(&in, ctx, path, err));
    uint8_t *piece = dpl__alloc(ctx, PIECE);
    dpl_status status = dpl__need(piece, err);
    while (n > 0 && status == DPL_OK) {
        n = 0;
        DPL__STEP(dpl__source_read(&in, piece, PIECE, &n, err));
        dpl_output_write(to, piece, n);
        *n_bytes += n;
    }
done:
    dpl__free(ctx, piece);
    dpl__source_close(&in);
    return status;
}

static dpl_status copy_stream(dpl_dedup_result *r, const char *path, dpl_error *err)
{
    dpl_output *output = NULL;
    uint64_t n = 0;
    DPL_TRY(dpl__out_folder_file(r->stdin_path, sizeof r->stdin_path, &r->work.folder, true,
                                 "stdin", err));
    DPL_TRY(dpl_output_new(&output, r->ctx, r->stdin_path, err));
    dpl_status status;
    DPL__STEP(dpl__dedup_copy(output, &n, r->ctx, path, err));
done:
    return dpl__output_end(output, status, err);
}

static dpl_status keep_stream(dpl_dedup_result *r, dpl_input *in, dpl_error *err)
{
    const char *name = dpl_input_name(in);
    if (!dpl__is_stream(in->path))
        return DPL_OK;
    if (*r->stdin_path)
        return dpl__fail(err, DPL_E_USAGE, "'%s' is the second stream: only one can be read",
                         name);
    DPL_TRY(copy_stream(r, in->path, err));
    *in = (dpl_input){.path = r->stdin_path, .name = name};
    return DPL_OK;
}

dpl_status dpl__dedup_open_inputs(dpl_dedup_result *r, const dpl_input *inputs, size_t n,
                                  dpl_error *err)
{
    const size_t n_all = n + r->o.n_against;
    dpl_input *all = dpl__calloc(r->ctx, n_all + 1, sizeof *all);
    dpl_status status;
    DPL__STEP(dpl__need(all, err));
    for (size_t i = 0; i < n_all; i++) {
        all[i] = i < n ? inputs[i] : r->o.against[i - n];
        DPL__STEP(keep_stream(r, &all[i], err));
    }
    status = dpl__inputs_open(&r->in, r->ctx, all, n_all, err);
    r->n_new_inputs = n;
done:
    dpl__free(r->ctx, all);
    return status;
}
