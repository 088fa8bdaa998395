/*
 * textfile.h - a file's bytes as UTF-8: decompressed, byte-order mark dropped, UTF-16
 * converted.
 *
 *     DPL_TRY(dpl__textfile_open(&f, ctx, path, err));
 *     while (!f.is_at_end) {
 *         DPL_TRY(dpl__textfile_fill(&f, 4096, err));
 *         dpl__textfile_drop(&f, use(f.bytes));
 *     }
 *     dpl__textfile_clear(&f);
 *
 * Nothing is checked: what is no character in UTF-16 becomes the byte 0xFF, which is never
 * valid in UTF-8, so that its record meets the same policy as any other and counts
 * one replacement. The first byte beyond ASCII and the 64 KiB behind it decide which encoding a
 * file is in, whatever the sizes of the reads. Owned.
 */
#ifndef DPL_READERS_TEXTFILE_H
#define DPL_READERS_TEXTFILE_H

#include "base/vec.h"
#include "io/input.h"
#include "readers/guess.h"

typedef struct dpl__textfile {
    dpl_ctx *ctx;
    size_t n_start; /* bytes to read when opening; 0: 4096 */
    dpl__input *input;
    dpl__bytes bytes;     /* read and not yet taken; the caller may change them */
    bool is_at_end;       /* nothing comes behind them */
    unsigned n_mark;      /* bytes of the mark in front; 0: none */
    uint64_t n_raw_bytes; /* after decompression, of all files opened so far */
    enum { DPL__UTF8, DPL__UTF16LE, DPL__UTF16BE, DPL__DECODED } encoding;
    uint32_t high_surrogate; /* UTF-16: waiting for its other half */
    dpl__bytes raw;          /* as read, before conversion */
    dpl__charset other;      /* set before opening: what is not UTF-8 is in that; "": guessed */
    bool is_decided;         /* what bytes beyond ASCII mean is settled */
    dpl__guess guess;        /* charset: the one it is read in, or the likeliest if not sure */
    dpl__decoder *decoder;
} dpl__textfile;

/* Opens and reads the first bytes. "-" is standard input. Zeroed memory, or one that was
 * closed, whose buffers are used again. */
dpl_status dpl__textfile_open(dpl__textfile *f, dpl_ctx *ctx, const char *path, dpl_error *err);
/* The same over memory that the caller keeps; name is for messages. */
dpl_status dpl__textfile_open_memory(dpl__textfile *f, dpl_ctx *ctx, const char *name,
                                     const void *data, size_t n, dpl_error *err);
/* Right behind opening: what is not UTF-8 shall be converted, from `other` or from what it
 * looks like beyond doubt. Otherwise only UTF-16 is. */
dpl_status dpl__textfile_guess(dpl__textfile *f, dpl_error *err);
void dpl__textfile_close(dpl__textfile *f);
/* Closes it and frees the buffers. */
void dpl__textfile_clear(dpl__textfile *f);

/* Reads up to n more bytes of the file. There is room for 64 bytes behind them. */
dpl_status dpl__textfile_fill(dpl__textfile *f, size_t n, dpl_error *err);
/* Takes the first n bytes. */
void dpl__textfile_drop(dpl__textfile *f, size_t n);

#endif
