/*
 * key_filter.h - bits of a set of 64-bit keys: one look rules out most keys that are not in
 * it, before they are searched for.
 */
#ifndef DPL_TOKENS_KEY_FILTER_H
#define DPL_TOKENS_KEY_FILTER_H

#include "base/ctx.h"

typedef struct dpl__key_filter {
    uint64_t *bits;
    size_t n_words;
    unsigned shift; /* of a key, to its bit */
} dpl__key_filter;

/* For n keys, 16 bits or more for each. False when there is no memory. */
static inline bool dpl__key_filter_init(dpl__key_filter *f, dpl_ctx *ctx, size_t n)
{
    f->n_words = 64;
    f->shift = 64 - 12;
    while (f->n_words * 4 < n) {
        f->n_words *= 2;
        f->shift--;
    }
    f->bits = dpl__calloc(ctx, f->n_words, sizeof *f->bits);
    return f->bits != NULL;
}

static inline void dpl__key_filter_clear(dpl__key_filter *f, dpl_ctx *ctx)
{
    dpl__free(ctx, f->bits);
}

static inline void dpl__key_filter_add(dpl__key_filter *f, uint64_t key)
{
    const uint64_t place = key >> f->shift;
    f->bits[place >> 6] |= (uint64_t)1 << (place & 63);
}

/* False: the key was not added. */
static inline bool dpl__key_filter_may_have(const dpl__key_filter *f, uint64_t key)
{
    const uint64_t place = key >> f->shift;
    return f->bits[place >> 6] >> (place & 63) & 1;
}

#endif
