/*
 * surfaces.h - words as they stand in the text to term numbers, so that each distinct word is
 * folded and stemmed once. Owned; one per worker and language.
 */
#ifndef DPL_TOKENS_SURFACES_H
#define DPL_TOKENS_SURFACES_H

#include "base/base.h"
#include "base/hash.h"

/* A word of up to 24 bytes stands in the slot itself, padded with zeros (no word holds a zero
 * byte); of a longer one two hashes stand for it, marked by bytes that UTF-8 does not have. */
typedef struct dpl__surface {
    uint64_t key[3];
    uint32_t term;
    uint32_t unused;
} dpl__surface;

typedef struct dpl__surfaces {
    dpl_ctx *ctx;
    dpl__surface *slots;
    size_t n_slots, n_used; /* a power of two; at most half are used */
} dpl__surfaces;

#define DPL__SURFACE_DROPPED UINT32_MAX

void dpl__surfaces_init(dpl__surfaces *s, dpl_ctx *ctx);
void dpl__surfaces_clear(dpl__surfaces *s);

/* Bytes of a word of n bytes in each of the three parts of its key. */
extern const uint64_t dpl__surface_masks[25][3];

/* The key of a word that is followed by 24 readable bytes; it must not be empty. */
static inline void dpl__surface_key(uint64_t key[3], const char *word, size_t n)
{
    if (DPL_LIKELY(n <= 24)) {
        const uint64_t *mask = dpl__surface_masks[n];
        key[0] = dpl__load64(word) & mask[0];
        key[1] = dpl__load64(word + 8) & mask[1];
        key[2] = dpl__load64(word + 16) & mask[2];
    } else {
        key[0] = dpl__hash(word, n, 1);
        key[1] = dpl__hash(word, n, 2);
        key[2] = ~(uint64_t)n;
    }
}

static inline uint64_t dpl__surface_hash(const uint64_t key[3])
{
    return dpl__mum(key[0] ^ DPL__K0, key[1] ^ DPL__K1 ^ key[2] * DPL__K2);
}

static inline bool dpl__surface_is(const dpl__surface *slot, const uint64_t key[3])
{
    return ((slot->key[0] ^ key[0]) | (slot->key[1] ^ key[1]) | (slot->key[2] ^ key[2])) == 0;
}

/* Where the search for a key of that hash begins. */
static inline size_t dpl__surfaces_home(const dpl__surfaces *s, uint64_t hash)
{
    return hash & (s->n_slots - 1);
}

/* The slot of the key, or the free one (key[0] and key[2] are 0) where it belongs. */
static inline dpl__surface *dpl__surfaces_find(const dpl__surfaces *s, const uint64_t key[3],
                                               uint64_t hash)
{
    size_t at = dpl__surfaces_home(s, hash);
    for (;; at = (at + 1) & (s->n_slots - 1)) {
        dpl__surface *slot = &s->slots[at];
        if (DPL_LIKELY(dpl__surface_is(slot, key)))
            return slot;
        if ((slot->key[0] | slot->key[2]) == 0)
            return slot;
    }
}

/* Makes room for one more, within most_bytes: beyond that everything is forgotten. Before the
 * first find, and after each new key. */
dpl_status dpl__surfaces_reserve(dpl__surfaces *s, size_t most_bytes, dpl_error *err);
void dpl__surfaces_forget(dpl__surfaces *s);

#endif
