/*
 * json_writer.h - JSON text into memory: sinks for doppel/json.h.
 *
 *     dpl__json_text text = {.ctx = ctx};
 *     dpl_json j = dpl__json_into(&text, DPL_JSON_COMPACT);
 *     dpl_json_begin(&j, NULL, '{');
 *     ...
 *     if (text.has_failed)
 *         return dpl__fail_nomem(err);
 *     use(text.bytes.data, text.bytes.n);
 *     dpl__vec_clear(ctx, &text.bytes);
 */
#ifndef DPL_BASE_JSON_WRITER_H
#define DPL_BASE_JSON_WRITER_H

#include "base/vec.h"
#include "doppel/json.h"

/* Owned. Zero it but for the context. */
typedef struct dpl__json_text {
    dpl_ctx *ctx;
    dpl__bytes bytes;
    bool has_failed; /* there was no memory: the text is not complete */
} dpl__json_text;

dpl_json dpl__json_into(dpl__json_text *text, dpl_json_style style);

#endif
