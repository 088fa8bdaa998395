/*
 * scratch.h - a large array of 32-bit numbers for random access: in memory if it may be, else
 * in an unnamed mapped file, which the system can write back when memory is short.
 */
#ifndef DPL_IO_SCRATCH_H
#define DPL_IO_SCRATCH_H

#include "base/mappings.h"
#include "io/spill.h"

typedef struct dpl__scratch {
    dpl__spill *spill;
    uint32_t *data; /* zero at first */
    size_t n;
    bool is_mapped;
    dpl__mapping mapping;
} dpl__scratch;

dpl_status dpl__scratch_init(dpl__scratch *s, dpl__spill *spill, size_t n, size_t share,
                             dpl_error *err);
void dpl__scratch_clear(dpl__scratch *s);

#endif
