/*
 * key_map.c - keys of texts; a map (base/map.h) within the memory of the context.
 */
#include "eval/key_map.h"

#include "base/ctx.h"
#include "base/hash.h"
#include "unicode/unicode.h"

dpl__key dpl__key_of(dpl_str text, uint64_t seed)
{
    uint64_t second = dpl__hash(text.data, text.n, ~seed);
    return (dpl__key){dpl__hash(text.data, text.n, seed), (uint32_t)(second >> 32)};
}

dpl__key dpl__key_of_id(dpl_str id, uint64_t seed)
{
    char buffer[DPL__NFC_ROOM];
    return dpl__key_of(dpl__nfc_id(buffer, id), seed);
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
        dpl__key_map_clear(&keys->map, keys->ctx);
    *keys = (dpl__keys){0};
}

uint32_t dpl__keys_get(const dpl__keys *keys, dpl__key key)
{
    return keys->map.n_slots ? dpl__key_map_find(&keys->map, key.hash, key)->value : 0;
}

/* Room for one more, within the context's memory. */
static dpl_status reserve(dpl__keys *keys, dpl_error *err)
{
    const size_t n_slots = dpl__map_slots(keys->map.n_used + 1),
                 n_bytes = n_slots * sizeof *keys->map.slots;
    if (n_slots > keys->map.n_slots && dpl__ctx_used(keys->ctx) + n_bytes > keys->ctx->memory)
        return dpl__fail_code(err, DPL_E_LIMIT, "memory",
                              "the distinct ids and pairs do not fit into %llu MiB",
                              (unsigned long long)(keys->ctx->memory >> 20));
    return dpl__need(dpl__key_map_reserve(&keys->map, keys->ctx, 1), err);
}

dpl_status dpl__keys_put(dpl__keys *keys, dpl__key key, uint32_t **value, dpl_error *err)
{
    DPL_TRY(reserve(keys, err));
    assert(keys->map.n_used < keys->map.n_slots); /* or the search for a free slot has no end */
    dpl__keys_slot *slot = dpl__key_map_find(&keys->map, key.hash, key);
    if (!slot->value) {
        slot->hash = key.hash;
        slot->more = key.more;
        keys->map.n_used++;
    }
    *value = &slot->value;
    return DPL_OK;
}
