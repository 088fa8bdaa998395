/*
 * read_ahead.h - a compressed input is decompressed by a thread of its own, some blocks ahead
 * of whoever reads it. Owned.
 *
 * The bytes and the failure behind them are the same as without it. For files and memory only:
 * a thread that waits for a pipe could not be ended.
 */
#ifndef DPL_IO_READ_AHEAD_H
#define DPL_IO_READ_AHEAD_H

#include "io/codec.h"

typedef struct dpl__read_ahead dpl__read_ahead;

/* From here on until it is freed codec, state and source belong to the thread. NULL: there is
 * no memory or no thread for it. */
dpl__read_ahead *dpl__read_ahead_new(const dpl__codec *codec, void *state, dpl__source *src);
void dpl__read_ahead_free(dpl__read_ahead *a);

/* The next bytes, borrowed until the next call, none at the end; and how much of the source
 * was taken for them. */
dpl_status dpl__read_ahead_next(dpl__read_ahead *a, const uint8_t **bytes, size_t *n,
                                uint64_t *position, dpl_error *err);

#endif
