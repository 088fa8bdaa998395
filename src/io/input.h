/*
 * input.h - bytes from a file or standard input, decompressed by magic. Owned.
 *
 * gzip (also several members), zstd (several frames), bzip2 (several streams, decoded in
 * parallel), xz (several streams); anything else passes through. Bytes that end before the
 * compressed stream does, or behind it and not part of another one, are DPL_E_FORMAT.
 */
#ifndef DPL_IO_INPUT_H
#define DPL_IO_INPUT_H

#include "base/base.h"

typedef struct dpl__input dpl__input;

/* "-" is standard input. A directory is DPL_E_IO with EISDIR. */
dpl_status dpl__input_open(dpl__input **out, dpl_ctx *ctx, const char *path, dpl_error *err);
/* The same over memory that the caller keeps; name is for messages. */
dpl_status dpl__input_open_memory(dpl__input **out, dpl_ctx *ctx, const char *name,
                                  const void *data, size_t n, dpl_error *err);
void dpl__input_close(dpl__input *in);

/* Up to n bytes, at least one unless the end is reached: then *got is 0. */
dpl_status dpl__input_read(dpl__input *in, void *buffer, size_t n, size_t *got, dpl_error *err);

/* For messages: the path, or "(standard input)". Borrowed until closed. */
const char *dpl__input_name(const dpl__input *in);
/* Bytes taken from the file so far, compressed as it is; and how many it has, 0 if unknown. */
uint64_t dpl__input_position(const dpl__input *in);
uint64_t dpl__input_size(const dpl__input *in);

#endif
