/*
 * pack.h - compressed output: each piece a zstd frame or gzip member of its own, which all
 * programs read as one stream. So pieces can be compressed on any thread.
 */
#ifndef DPL_DEDUP_PACK_H
#define DPL_DEDUP_PACK_H

#include "base/vec.h"
#include "doppel/dedup.h"
#include "doppel/file.h"

/* Replaces the bytes by their compressed form; NONE leaves them. */
dpl_status dpl__pack(dpl__bytes *bytes, dpl_ctx *ctx, dpl_dedup_compress how, dpl_error *err);
/* An output that got no bytes becomes one of no bytes, compressed: an empty file is none. */
dpl_status dpl__pack_nothing(dpl_output *output, dpl_ctx *ctx, dpl_dedup_compress how,
                             dpl_error *err);
/* "", ".gz" or ".zst". */
const char *dpl__pack_ending(dpl_dedup_compress how);
/* How a file is compressed; xz and bzip2 count as zstd, what cannot be read as not at all. */
dpl_dedup_compress dpl__pack_of(const dpl_input *input);

#endif
