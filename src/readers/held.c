/*
 * held.c - the side of a join that is held in memory, by its keys.
 *
 * Open addressing with at least a quarter of the slots free; keys and texts lie in an arena.
 * What the context's memory cannot hold is refused before it is taken.
 */
#include "readers/bitext/bitext.h"

#include "base/ctx.h"
#include "base/hash.h"

enum { FIRST_SLOTS = 256 };

void dpl__held_init(dpl__held *held, dpl_ctx *ctx)
{
    *held = (dpl__held){.ctx = ctx};
    dpl__arena_init(&held->arena, ctx);
}

void dpl__held_clear(dpl__held *held)
{
    if (!held->ctx)
        return;
    dpl__free(held->ctx, held->texts, held->n_slots * sizeof *held->texts);
    dpl__arena_clear(&held->arena);
    *held = (dpl__held){0};
}

/* The slot that holds the key, or the free one where it belongs. */
static dpl__held_text *find(const dpl__held *held, dpl_str key, uint64_t hash)
{
    size_t mask = held->n_slots - 1, at = hash & mask;
    while (held->texts[at].key.data &&
           (held->texts[at].hash != hash || !dpl__str_eq(held->texts[at].key, key)))
        at = (at + 1) & mask;
    return &held->texts[at];
}

static dpl_status check_room(const dpl__held *held, size_t n_bytes, const char *file,
                             dpl_error *err)
{
    if (dpl__ctx_used(held->ctx) + n_bytes <= dpl_ctx_memory(held->ctx))
        return DPL_OK;
    dpl__fail(err, DPL_E_LIMIT, "'%s' does not fit into %llu MiB of memory", file,
              (unsigned long long)(dpl_ctx_memory(held->ctx) >> 20));
    return dpl__code(err, DPL_E_LIMIT, "memory-keyed");
}

static dpl_status grow(dpl__held *held, const char *file, dpl_error *err)
{
    dpl__held larger = *held;
    larger.n_slots = held->n_slots ? 2 * held->n_slots : FIRST_SLOTS;
    DPL_TRY(check_room(held, larger.n_slots * sizeof *larger.texts, file, err));
    larger.texts = dpl__calloc(held->ctx, larger.n_slots, sizeof *larger.texts);
    if (!larger.texts)
        return dpl__fail_nomem(err);
    for (size_t i = 0; i < held->n_slots; i++)
        if (held->texts[i].key.data)
            *find(&larger, held->texts[i].key, held->texts[i].hash) = held->texts[i];
    dpl__free(held->ctx, held->texts, held->n_slots * sizeof *held->texts);
    *held = larger;
    return DPL_OK;
}

dpl_status dpl__held_add(dpl__held *held, const dpl__held_text *text, const char *file,
                         const dpl__held_text **there, dpl_error *err)
{
    if (4 * (held->n_texts + 1) > 3 * held->n_slots)
        DPL_TRY(grow(held, file, err));
    const uint64_t hash = dpl__hash(text->key.data, text->key.n, 0);
    dpl__held_text *slot = find(held, text->key, hash);
    if (slot->key.data) {
        *there = slot;
        return DPL_END;
    }
    DPL_TRY(check_room(held, text->key.n + text->text.n, file, err));
    dpl_str copy = dpl__arena_copy(&held->arena, text->text);
    dpl_str key = dpl__arena_copy(&held->arena, text->key);
    if (!copy.data || !key.data)
        return dpl__fail_nomem(err);
    *slot = (dpl__held_text){.hash = hash, .key = key, .text = copy, .line = text->line};
    held->n_texts++;
    return DPL_OK;
}

dpl__held_text *dpl__held_find(const dpl__held *held, dpl_str key)
{
    if (!held->n_slots)
        return NULL;
    dpl__held_text *slot = find(held, key, dpl__hash(key.data, key.n, 0));
    return slot->key.data ? slot : NULL;
}
