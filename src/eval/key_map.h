/*
 * key_map.h - a map from hashes of 96 bits to small numbers. Owned.
 *
 * Keeps the hash of a text, not the text: at a hundred million keys the chance of mistaking
 * two for one is below 10^-12. 16 bytes a slot, at least a quarter of them free.
 */
#ifndef DPL_EVAL_KEY_MAP_H
#define DPL_EVAL_KEY_MAP_H

#include "base/base.h"

typedef struct dpl__key {
    uint64_t hash;
    uint32_t more;
} dpl__key;

typedef struct dpl__keys_slot {
    uint64_t hash;
    uint32_t more;
    uint32_t value; /* 0 is free */
} dpl__keys_slot;

typedef struct dpl__keys {
    dpl_ctx *ctx;
    dpl__keys_slot *slots;
    size_t n_slots, n_used;
} dpl__keys;

/* Texts with different seeds are different keys. */
dpl__key dpl__key_of(dpl_str text, uint64_t seed);
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
