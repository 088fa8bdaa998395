/*
 * held.c - the side of a join that is held in memory, by its keys.
 *
 * A map (base/map.h); keys and texts lie in an arena.
 * What the context's memory cannot hold is refused before it is taken.
 */
#include "readers/bitext/bitext.h"

#include "base/ctx.h"
#include "base/hash.h"

void dpl__held_init(dpl__held *held, dpl_ctx *ctx)
{
    assert(ctx);
    *held = (dpl__held){.ctx = ctx};
    dpl__arena_init(&held->arena, ctx);
}

void dpl__held_clear(dpl__held *held)
{
    if (!held->ctx)
        return;
    dpl__held_map_clear(&held->texts, held->ctx);
    dpl__arena_clear(&held->arena);
    *held = (dpl__held){0};
}

static dpl_status check_room(const dpl__held *held, size_t n_bytes, const char *file,
                             dpl_error *err)
{
    if (dpl__ctx_used(held->ctx) + n_bytes <= dpl_ctx_memory(held->ctx))
        return DPL_OK;
    return dpl__fail_code(err, DPL_E_LIMIT, "memory-keyed",
                          "'%s' does not fit into %llu MiB of memory", file,
                          (unsigned long long)(dpl_ctx_memory(held->ctx) >> 20));
}

dpl_status dpl__held_add(dpl__held *held, const dpl__held_text *text, const char *file,
                         const dpl__held_text **there, dpl_error *err)
{
    const size_t n_slots = dpl__map_slots(held->texts.n_used + 1);
    if (n_slots > held->texts.n_slots)
        DPL_TRY(check_room(held, n_slots * sizeof *text, file, err));
    DPL_TRY(dpl__need(dpl__held_map_reserve(&held->texts, held->ctx, 1), err));
    const uint64_t hash = dpl__hash(text->key.data, text->key.n, 0);
    dpl__held_text *slot = dpl__held_map_find(&held->texts, hash, text->key);
    if (slot->key.data) {
        *there = slot;
        return DPL_END;
    }
    DPL_TRY(check_room(held, text->key.n + text->text.n, file, err));
    dpl_str copy = dpl__arena_copy(&held->arena, text->text);
    dpl_str key = dpl__arena_copy(&held->arena, text->key);
    DPL_TRY(dpl__need(copy.data && key.data, err));
    *slot = (dpl__held_text){.hash = hash, .key = key, .text = copy, .line = text->line};
    held->texts.n_used++;
    return DPL_OK;
}

dpl__held_text *dpl__held_find(const dpl__held *held, dpl_str key)
{
    if (!held->texts.n_slots)
        return NULL;
    dpl__held_text *slot = dpl__held_map_find(&held->texts, dpl__hash(key.data, key.n, 0), key);
    return slot->key.data ? slot : NULL;
}
