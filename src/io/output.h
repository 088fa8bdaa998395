/*
 * output.h - text of any length to a file that appears when it is complete. Owned.
 *
 *     DPL_TRY(dpl__output_new(&o, ctx, path, err));
 *     dpl__output_write(o, "left_id\tright_id\n", 17);
 *     dpl_status status = dpl__output_finish(o, err);
 *     dpl__output_free(o);
 *
 * The first failure sticks: what is written after it is dropped, and finish reports it. So
 * only finish needs to be checked.
 */
#ifndef DPL_SRC_OUTPUT_H
#define DPL_SRC_OUTPUT_H

#include "base/base.h"

typedef struct dpl__output dpl__output;

/* Opens a temporary file beside path. */
dpl_status dpl__output_new(dpl__output **out, dpl_ctx *ctx, const char *path, dpl_error *err);
/* Without a finish that succeeded, removes the temporary file: path stays as it was. */
void dpl__output_free(dpl__output *o);
void dpl__output_write(dpl__output *o, const void *data, size_t n);
/* Flush, rename. */
dpl_status dpl__output_finish(dpl__output *o, dpl_error *err);

#endif
