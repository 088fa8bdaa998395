/*
 * surfaces.h - words as written in the text to term numbers, so that each distinct word is
 * folded and stemmed once. Owned; one per worker and language.
 */
#ifndef DPL_TOKENS_SURFACES_H
#define DPL_TOKENS_SURFACES_H

#include "base/base.h"
#include "base/hash.h"
#include "base/map.h"

/* A hash of 95 bits stands for the word, so that four slots fit into a cache line. The chance
 * that two of a thousand million words have the same one is below 10^-10. */
typedef struct dpl__surface {
    uint64_t hash;
    uint32_t check; /* 0: a free slot */
    uint32_t term;
} dpl__surface;

static inline bool dpl__surface_is_used(const void *user, const dpl__surface *slot)
{
    (void)user;
    return slot->check != 0;
}
static inline uint64_t dpl__surface_hash(const void *user, const dpl__surface *slot)
{
    (void)user;
    return slot->hash;
}
static inline bool dpl__surface_is(const void *user, const dpl__surface *slot,
                                   const dpl__surface *key)
{
    (void)user;
    return ((slot->hash ^ key->hash) | (slot->check ^ key->check)) == 0;
}
DPL_MAP(dpl__surface_map, dpl__surface, const dpl__surface *, dpl__surface_is_used,
        dpl__surface_hash, dpl__surface_is);

typedef struct dpl__surfaces {
    dpl_ctx *ctx;
    dpl__surface_map map;
    uint64_t case_bit; /* 0x20: a first letter in A to Z counts as its small one; or 0 */
} dpl__surfaces;

#define DPL__SURFACE_DROPPED UINT32_MAX

/* has_case: "The" and "the" are different words, as where folding makes no i of I. Else one
 * key stands for both, which saves a tenth of the words. */
void dpl__surfaces_init(dpl__surfaces *s, dpl_ctx *ctx, bool has_case);
void dpl__surfaces_clear(dpl__surfaces *s);

/* Bytes of a word of n bytes in each of its first three parts of eight. */
extern const uint64_t dpl__surface_masks[25][3];

/* The key of a word that is followed by 24 readable bytes: a slot without a term. */
static inline dpl__surface dpl__surface_key(const dpl__surfaces *s, const char *word, size_t n)
{
    if (DPL_UNLIKELY(n > 24))
        return (dpl__surface){dpl__hash(word, n, 1), (uint32_t)dpl__hash(word, n, 2) | 1, 0};
    const uint64_t *mask = dpl__surface_masks[n];
    const uint64_t w = dpl__load64(word) & mask[0],
                   a = w | ((w & 0xFF) - 'A' < 26 ? s->case_bit : 0),
                   b = dpl__load64(word + 8) & mask[1], c = dpl__load64(word + 16) & mask[2];
    const dpl__u128 m = (dpl__u128)(a ^ DPL__K0) * (b ^ DPL__K1 ^ c * DPL__K2);
    const uint64_t high = (uint64_t)(m >> 64);
    /* b with its halves swapped: its low one reaches no more than the low half of `high` */
    const uint64_t sum = a + c + (b << 32 | b >> 32);
    return (dpl__surface){(uint64_t)m ^ high, (uint32_t)((high ^ sum * DPL__K0) >> 32) | 1, 0};
}

/* The slot of the key, or the free one (its check is 0) where it belongs. */
static inline dpl__surface *dpl__surfaces_find(const dpl__surfaces *s, const dpl__surface *key)
{
    return dpl__surface_map_find(&s->map, key->hash, key);
}

/* Makes room for n more (128 at the most), within most_bytes: beyond that everything is
 * forgotten. Before the first find, and before or after new keys. */
dpl_status dpl__surfaces_reserve(dpl__surfaces *s, size_t n, size_t most_bytes, dpl_error *err);
void dpl__surfaces_forget(dpl__surfaces *s);

#endif
