/*
 * phrase_keys.h - rising keys that are evenly spread, found by their first bits. Frozen once
 * made.
 */
#ifndef DPL_TRANSLATE_PHRASE_KEYS_H
#define DPL_TRANSLATE_PHRASE_KEYS_H

#include "base/hash.h"

typedef struct dpl__keys {
    const uint64_t *keys;
    size_t n;
    uint32_t *starts;
    unsigned shift;
} dpl__keys;

/* keys are borrowed; false when there is no memory. */
static inline bool dpl__keys_init(dpl__keys *k, dpl_ctx *ctx, const uint64_t *keys, size_t n)
{
    unsigned bits = 8;
    while (bits < 28 && ((size_t)1 << bits) < n)
        bits++;
    *k = (dpl__keys){.keys = keys, .n = n, .shift = 64 - bits};
    k->starts = dpl__calloc(ctx, ((size_t)1 << bits) + 1, sizeof *k->starts);
    if (!k->starts)
        return false;
    for (size_t i = 0; i < n; i++)
        k->starts[(keys[i] >> k->shift) + 1]++;
    for (size_t i = 0; i < (size_t)1 << bits; i++)
        k->starts[i + 1] += k->starts[i];
    assert(k->starts[(size_t)1 << bits] == n);
    return true;
}

static inline void dpl__keys_clear(dpl__keys *k, dpl_ctx *ctx)
{
    if (k->starts)
        dpl__free(ctx, k->starts);
    *k = (dpl__keys){0};
}

/* SIZE_MAX: it is not there. */
static inline size_t dpl__keys_find(const dpl__keys *k, uint64_t key)
{
    uint64_t at = key >> k->shift;
    for (size_t i = k->starts[at], end = k->starts[at + 1]; i < end; i++)
        if (k->keys[i] == key)
            return i;
    return SIZE_MAX;
}

/* The key of a phrase grows word by word. */
static inline uint64_t dpl__phrase_key(uint64_t key, uint32_t word)
{
    return dpl__mix(key ^ ((uint64_t)word + 1) * DPL__K1);
}

#endif
