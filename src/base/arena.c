/*
 * arena.c - chunks of doubling size, bumped through.
 */
#include "base/arena.h"

enum { ALIGN = 16, FIRST_CHUNK = 1 << 12, LAST_CHUNK = 1 << 22 };

struct dpl__arena_chunk {
    dpl__arena_chunk *older;
    size_t n_bytes; /* with this header */
};

#define HEADER ((sizeof(dpl__arena_chunk) + ALIGN - 1) / ALIGN * ALIGN)

void dpl__arena_init(dpl__arena *arena, dpl_ctx *ctx)
{
    *arena = (dpl__arena){.ctx = ctx};
}

static void use_chunk(dpl__arena *arena, dpl__arena_chunk *chunk)
{
    arena->chunk = chunk;
    arena->at = chunk ? (char *)chunk + HEADER : NULL;
    arena->end = chunk ? (char *)chunk + chunk->n_bytes : NULL;
}

static void free_chunks(dpl__arena *arena, dpl__arena_chunk *chunk)
{
    while (chunk) {
        dpl__arena_chunk *older = chunk->older;
        dpl__free(arena->ctx, chunk);
        chunk = older;
    }
}

void dpl__arena_reset(dpl__arena *arena)
{
    dpl__arena_chunk *keep = NULL;
    for (dpl__arena_chunk *c = arena->chunk, *older; c; c = older) {
        older = c->older;
        c->older = NULL;
        /* A giant chunk served one giant record; holding on to it would make peak memory
         * the rule. */
        if (c->n_bytes <= 2 * (size_t)LAST_CHUNK && (!keep || c->n_bytes > keep->n_bytes)) {
            free_chunks(arena, keep);
            keep = c;
        } else {
            free_chunks(arena, c);
        }
    }
    use_chunk(arena, keep);
}

void dpl__arena_clear(dpl__arena *arena)
{
    free_chunks(arena, arena->chunk);
    use_chunk(arena, NULL);
}

static bool add_chunk(dpl__arena *arena, size_t n)
{
    size_t size = arena->chunk ? 2 * arena->chunk->n_bytes : FIRST_CHUNK;
    if (size > LAST_CHUNK)
        size = LAST_CHUNK;
    if (n > SIZE_MAX - HEADER - ALIGN)
        return false;
    if (size < n + HEADER)
        size = n + HEADER;
    dpl__arena_chunk *chunk = dpl__alloc(arena->ctx, size);
    if (!chunk)
        return false;
    chunk->older = arena->chunk;
    chunk->n_bytes = size;
    use_chunk(arena, chunk);
    return true;
}

void *dpl__arena_alloc(dpl__arena *arena, size_t n)
{
    if (n > SIZE_MAX - ALIGN)
        return NULL;
    n = (n + ALIGN - 1) / ALIGN * ALIGN;
    if (!arena->at || (size_t)(arena->end - arena->at) < n)
        if (!add_chunk(arena, n))
            return NULL;
    void *p = arena->at;
    assert((uintptr_t)p % ALIGN == 0);
    arena->at += n;
    assert(arena->at <= arena->end);
    return p;
}

void dpl__arena_shrink(dpl__arena *arena, void *p, size_t old_bytes, size_t new_bytes)
{
    assert(new_bytes <= old_bytes);
    char *old_end = (char *)p + (old_bytes + ALIGN - 1) / ALIGN * ALIGN;
    if (old_end == arena->at)
        arena->at = (char *)p + (new_bytes + ALIGN - 1) / ALIGN * ALIGN;
}

dpl_str dpl__arena_copy(dpl__arena *arena, dpl_str s)
{
    assert(s.data || !s.n);
    char *p = dpl__arena_alloc(arena, s.n + 1);
    if (!p)
        return (dpl_str){NULL, 0};
    if (s.n)
        memcpy(p, s.data, s.n);
    p[s.n] = 0;
    return (dpl_str){p, s.n};
}
