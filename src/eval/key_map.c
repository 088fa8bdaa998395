/*
 * key_map.c - open addressing.
 */
#include "eval/key_map.h"

#include "base/ctx.h"
#include "base/hash.h"

enum { FIRST_SLOTS = 1 << 8 };

dpl__key dpl__key_of(dpl_str text, uint64_t seed)
{
    uint64_t second = dpl__hash(text.data, text.n, ~seed);
    return (dpl__key){dpl__hash(text.data, text.n, seed), (uint32_t)(second >> 32)};
}

dpl__key dpl__key_pair(dpl__key a, dpl__key b)
{
    const uint64_t both[4] = {a.hash, a.more, b.hash, b.more};
    return dpl__key_of((dpl_str){(const char *)both, sizeof both}, 0);
}

void dpl__keys_init(dpl__keys *keys, dpl_ctx *ctx)
{
    *keys = (dpl__keys){.ctx = ctx};
}

void dpl__keys_clear(dpl__keys *keys)
{
    if (keys->ctx)
        dpl__free(keys->ctx, keys->slots, keys->n_slots * sizeof *keys->slots);
    *keys = (dpl__keys){0};
}

/* The slot that holds it, or the free one where it belongs. */
static dpl__keys_slot *find(const dpl__keys *keys, dpl__key key)
{
    size_t mask = keys->n_slots - 1, at = key.hash & mask;
    while (keys->slots[at].value &&
           (keys->slots[at].hash != key.hash || keys->slots[at].more != key.more))
        at = (at + 1) & mask;
    return &keys->slots[at];
}

uint32_t dpl__keys_get(const dpl__keys *keys, dpl__key key)
{
    return keys->n_slots ? find(keys, key)->value : 0;
}

static dpl_status grow(dpl__keys *keys, dpl_error *err)
{
    dpl__keys larger = *keys;
    larger.n_slots = keys->n_slots ? 2 * keys->n_slots : FIRST_SLOTS;
    size_t n_bytes = larger.n_slots * sizeof *larger.slots;
    if (dpl__ctx_used(keys->ctx) + n_bytes > keys->ctx->memory) {
        dpl__fail(err, DPL_E_LIMIT, "the distinct ids and pairs do not fit into %llu MiB",
                  (unsigned long long)(keys->ctx->memory >> 20));
        return dpl__code(err, DPL_E_LIMIT, "memory");
    }
    larger.slots = dpl__calloc(keys->ctx, larger.n_slots, sizeof *larger.slots);
    if (!larger.slots)
        return dpl__fail_nomem(err);
    for (size_t i = 0; i < keys->n_slots; i++) {
        const dpl__keys_slot *s = &keys->slots[i];
        if (s->value)
            *find(&larger, (dpl__key){s->hash, s->more}) = *s;
    }
    dpl__keys_clear(keys);
    *keys = larger;
    return DPL_OK;
}

dpl_status dpl__keys_put(dpl__keys *keys, dpl__key key, uint32_t **value, dpl_error *err)
{
    if (4 * (keys->n_used + 1) > 3 * keys->n_slots)
        DPL_TRY(grow(keys, err));
    dpl__keys_slot *slot = find(keys, key);
    if (!slot->value) {
        slot->hash = key.hash;
        slot->more = key.more;
        keys->n_used++;
    }
    *value = &slot->value;
    return DPL_OK;
}
