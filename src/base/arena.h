/*
 * arena.h - memory that dies together: a batch, a document, a worker's scratch. Owned.
 *
 * Allocation is a pointer bump; reset keeps the largest chunk, so a warm arena allocates
 * nothing.
 */
#ifndef DPL_BASE_ARENA_H
#define DPL_BASE_ARENA_H

#include "base/base.h"

typedef struct dpl__arena_chunk dpl__arena_chunk;
typedef struct dpl__arena dpl__arena;

struct dpl__arena {
    dpl_ctx *ctx;
    dpl__arena_chunk *chunk; /* the one in use; older ones hang behind it */
    char *at, *end;
};

void dpl__arena_init(dpl__arena *arena, dpl_ctx *ctx);
void dpl__arena_reset(dpl__arena *arena);
void dpl__arena_clear(dpl__arena *arena);

/* Aligned to 16 bytes; NULL when there is no memory. Zero bytes give a valid pointer. */
void *dpl__arena_alloc(dpl__arena *arena, size_t n);
/* Gives back the unused end of the newest allocation: p of old_bytes keeps new_bytes. */
void dpl__arena_shrink(dpl__arena *arena, void *p, size_t old_bytes, size_t new_bytes);
/* A terminated copy; data is NULL when there is no memory. */
dpl_str dpl__arena_copy(dpl__arena *arena, dpl_str s);

#endif
