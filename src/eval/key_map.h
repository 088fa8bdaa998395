/*
 * key_map.h - a map from hashes of 96 bits to small numbers. Owned.
 *
 * Keeps the hash of a text, not the text: at a hundred million keys the chance of mistaking
 * two for one is below 10^-12. 16 bytes a slot, at least half of them free.
 */
#ifndef DPL_EVAL_KEY_MAP_H
#define DPL_EVAL_KEY_MAP_H

#include "base/map.h"

typedef struct dpl__key {
    uint64_t hash;
    uint32_t more;
} dpl__key;

typedef struct dpl__keys_slot {
    uint64_t hash;
    uint32_t more;
    uint32_t value; /* 0 is free */
} dpl__keys_slot;

static inline bool dpl__keys_is_used(const void *user, const dpl__keys_slot *slot)
{
    (void)user;
    return slot->value != 0;
}

static inline uint64_t dpl__keys_hash(const void *user, const dpl__keys_slot *slot)
{
    (void)user;
    return slot->hash;
}

static inline bool dpl__keys_has(const void *user, const dpl__keys_slot *slot, dpl__key key)
{
    (void)user;
    return slot->hash == key.hash && slot->more == key.more;
}

DPL_MAP(dpl__key_map, dpl__keys_slot, dpl__key, dpl__keys_is_used, dpl__keys_hash,
        dpl__keys_has);

typedef struct dpl__keys {
    dpl_ctx *ctx;
    dpl__key_map map;
} dpl__keys;

/* Texts with different seeds are different keys. */
dpl__key dpl__key_of(dpl_str text, uint64_t seed);
/* The key of an id: of its NFC. */
dpl__key dpl__key_of_id(dpl_str id, uint64_t seed);
/* The key of two keys, in this order. */
dpl__key dpl__key_pair(dpl__key a, dpl__key b);

void dpl__keys_init(dpl__keys *keys, dpl_ctx *ctx);
void dpl__keys_clear(dpl__keys *keys);
/* 0 when it is not there. */
uint32_t dpl__keys_get(const dpl__keys *keys, dpl__key key);
/* Where its value is, until the next call; 0 when it is new, and to be set then. DPL_E_LIMIT
 * when the map would take more than the context's memory. */
dpl_status dpl__keys_put(dpl__keys *keys, dpl__key key, uint32_t **value, dpl_error *err);

#endif
