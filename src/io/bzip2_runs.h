/*
 * bzip2_runs.h - the last step of bzip2: runs of bytes, and the checksum.
 *
 * Behind four equal bytes there is a count of more of them, 0 to 255. A block may become 50
 * times as large, so the output comes in pieces.
 */
#ifndef DPL_IO_BZIP2_RUNS_H
#define DPL_IO_BZIP2_RUNS_H

#include "kernels/kernels.h"

typedef struct dpl__bz_runs {
    const dpl__kernels *kernels;
    const uint8_t *text; /* n bytes, and one more that a missing count is read from */
    size_t n, at;
    size_t run;    /* where the next count is expected; beyond n: there is none */
    size_t n_more; /* of the byte `byte`, to be put out before anything else */
    uint8_t byte;
    bool lacks_count; /* the last one */
    uint32_t state;   /* of the CRC of what was put out */
} dpl__bz_runs;

void dpl__bz_runs_init(dpl__bz_runs *r, const dpl__kernels *kernels, const uint8_t *text,
                       size_t n);
/* Up to `room` bytes; fewer only at the end. */
size_t dpl__bz_runs_read(dpl__bz_runs *r, uint8_t *out, size_t room);

static inline bool dpl__bz_runs_done(const dpl__bz_runs *r)
{
    return r->at == r->n && r->n_more == 0;
}

#endif
