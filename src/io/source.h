/*
 * source.h - the bytes of a file as they stand there: what the codecs read from. Owned.
 *
 * A window p[0, n) moves over the file: `want` makes it longer, `skip` drops its beginning.
 * Over memory the window is all of it, and nothing is copied.
 */
#ifndef DPL_IO_SOURCE_H
#define DPL_IO_SOURCE_H

#include "base/base.h"

typedef struct dpl__source {
    dpl_ctx *ctx;
    char *name;       /* for messages: the path, or "(standard input)" */
    const uint8_t *p; /* read, but not yet taken */
    size_t n;
    uint64_t offset; /* of p[0] in the file */
    uint64_t size;   /* of the file; 0 when unknown */
    bool is_at_end;  /* nothing comes behind the window */
    int fd;          /* -1 over memory */
    bool is_own_fd;  /* to be closed with the source */
    uint8_t *buffer; /* what p points into, unless it is the caller's memory */
    size_t cap;
} dpl__source;

/* "-" is standard input. After a failure there is nothing to close. */
dpl_status dpl__source_open(dpl__source *s, dpl_ctx *ctx, const char *path, dpl_error *err);
dpl_status dpl__source_open_memory(dpl__source *s, dpl_ctx *ctx, const char *name,
                                   const void *data, size_t n, dpl_error *err);
void dpl__source_close(dpl__source *s);

/* Makes the window at least n bytes long, or as long as the file goes on. p may change. */
dpl_status dpl__source_want(dpl__source *s, size_t n, dpl_error *err);

/* Takes n <= s->n bytes. */
static inline void dpl__source_skip(dpl__source *s, size_t n)
{
    assert(n <= s->n);
    s->p += n;
    s->n -= n;
    s->offset += n;
}

/* Takes up to n > 0 bytes, at least one unless the file ends; large reads go straight into the
 * caller's buffer. */
dpl_status dpl__source_read(dpl__source *s, uint8_t *out, size_t n, size_t *got,
                            dpl_error *err);

/* DPL_E_FORMAT: "'name': <what> at byte N of the file". */
DPL_COLD dpl_status dpl__source_bad(const dpl__source *s, uint64_t offset, dpl_error *err,
                                    const char *what);

#endif
