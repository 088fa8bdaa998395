/*
 * text_output.h - text into an output (doppel/file.h): columns, numbers, JSON.
 *
 *     DPL_TRY(dpl__open_output(&o, ctx, dir, "copies.tsv", err));
 *     dpl__put_field(o, id, "\t");
 *     dpl__put(o, "%u\n", n);
 *     return dpl__output_end(o, DPL_OK, err);
 */
#ifndef DPL_IO_TEXT_OUTPUT_H
#define DPL_IO_TEXT_OUTPUT_H

#include "doppel/file.h"
#include "doppel/json.h"

#include "base/base.h"

/* dir/name */
dpl_status dpl__open_output(dpl_output **out, dpl_ctx *ctx, const char *dir, const char *name,
                            dpl_error *err);
/* Finishes it if the status is DPL_OK, and frees it. Returns the first failure. */
dpl_status dpl__output_end(dpl_output *o, dpl_status status, dpl_error *err);

/* At most 4095 bytes; slices of any length have dpl__put_str. */
void dpl__put(dpl_output *o, const char *fmt, ...) DPL_PRINTF(2, 3);
void dpl__put_str(dpl_output *o, dpl_str s);
/* A column, then `end`; control characters, which an id or a sentence may hold, are blanks. */
void dpl__put_field(dpl_output *o, dpl_str s, const char *end);

/* Writes JSON there. */
dpl_json dpl__output_json(dpl_output *o, dpl_json_style style);

#endif
