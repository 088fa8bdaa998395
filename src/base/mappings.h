/*
 * mappings.h - mapped files of a context, whose pages go back to the system when there are too
 * many.
 *
 * The limit of memory is about what is allocated. Pages of mapped files can be dropped by the
 * system, but count as resident until it does so; with dpl__mappings_ease what is allocated and
 * these pages stay near the limit together. Locked.
 */
#ifndef DPL_BASE_MAPPINGS_H
#define DPL_BASE_MAPPINGS_H

#include "base/base.h"

/* A mapping of a file; in whatever holds it, until it is removed. */
typedef struct dpl__mapping {
    void *data;
    size_t n_bytes;
    struct dpl__mapping *next, *previous;
} dpl__mapping;

/* Initialises the list of a new context. Allocates nothing. */
void dpl__mappings_init(dpl_ctx *ctx);

void dpl__mappings_add(dpl_ctx *ctx, dpl__mapping *map, const void *data, size_t n_bytes);
/* Before it is unmapped. Zeroed memory may be removed. */
void dpl__mappings_remove(dpl_ctx *ctx, dpl__mapping *map);

/* Gives all pages of the mappings back if all resident pages of files, code among them, and
 * what is allocated come near the limit; first, memory that was freed and that the C library
 * kept. Any thread may go on reading: what is needed comes from the file again, mostly from the
 * system's cache. Looks only every few milliseconds, and not at all while mappings are small.
 */
void dpl__mappings_ease(dpl_ctx *ctx);

/* The same at once and whatever the limit is, before long work that fills the memory and reads
 * no mapping. */
void dpl__mappings_give_back(dpl_ctx *ctx);

/* dpl__mappings_ease, for a loop over rows of a mapping: in every 64th round. */
static inline void dpl__mappings_ease_in_loop(dpl_ctx *ctx, size_t round)
{
    if (round % 64 == 63)
        dpl__mappings_ease(ctx);
}

#endif
