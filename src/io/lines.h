/*
 * lines.h - the lines of a text file, one at a time, decompressed by magic. Owned.
 *
 *     DPL_TRY(dpl__lines_open(&lines, ctx, path, err));
 *     while ((st = dpl__lines_next(&lines, &line, err)) == DPL_OK)
 *         if (bad(line))
 *             return dpl__lines_bad(&lines, err, "no tab");   'path' line 12: no tab
 *
 * A byte order mark in front and the "\n" or "\r\n" behind a line are no part of it. A line
 * longer than DPL__LONGEST_LINE bytes is DPL_E_FORMAT.
 */
#ifndef DPL_IO_LINES_H
#define DPL_IO_LINES_H

#include "base/vec.h"
#include "io/input.h"

enum { DPL__LONGEST_LINE = 16 << 20 };

typedef struct dpl__lines {
    dpl_ctx *ctx;
    dpl__input *in;
    dpl__bytes buffer;
    size_t at;       /* where the next line begins */
    uint64_t number; /* of the line given last, from 1 */
    bool is_at_end;  /* the buffer holds all that is left */
} dpl__lines;

/* "-" is standard input. Zeroed memory may be closed. */
dpl_status dpl__lines_open(dpl__lines *lines, dpl_ctx *ctx, const char *path, dpl_error *err);
/* The same over memory that the caller keeps; name is for messages. */
dpl_status dpl__lines_open_memory(dpl__lines *lines, dpl_ctx *ctx, const char *name,
                                  const void *data, size_t n, dpl_error *err);
void dpl__lines_close(dpl__lines *lines);

/* Borrowed until the next call; DPL_END after the last one. */
dpl_status dpl__lines_next(dpl__lines *lines, dpl_str *line, dpl_error *err);

/* DPL_E_FORMAT: "'path' line N: <what>", about the line given last. */
DPL_COLD dpl_status dpl__lines_bad(const dpl__lines *lines, dpl_error *err, const char *what);

#endif
