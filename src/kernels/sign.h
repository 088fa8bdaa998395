/*
 * sign.h - the random words of a term: what hyperplanes and minima are made of.
 *
 * A term has streams of 64-bit words. Word w of stream i is
 *
 *     x ^ rotl(y, (2 i + 1) r(w)),   x, y = dpl__mix(key ^ c[2 i]), dpl__mix(key ^ c[2 i + 1])
 *
 * with c[j] = dpl__mix(seed + j) and r(w) = w / 8 + 8 (w % 8), which is another rotation for
 * each of the 64 words. If x and y are random, then any two bits of a stream are independent,
 * and so are any two of its 32-bit halves: every bit is the sum of one bit of x and one of y,
 * and those pairs are the edges of a graph that has no cycle. (A cycle needs all multiples of a
 * rotation, half of which lie outside of a 32-bit half.) So a distance between signatures has
 * exactly the mean and the variance that it has with independent hyperplanes or orders, at two
 * instructions per word instead of a hash; and the rotation is one of bytes, which every level
 * has, once y has been rotated by w / 8.
 */
#ifndef DPL_SRC_SIGN_H
#define DPL_SRC_SIGN_H

#include "base/hash.h"

static inline uint64_t dpl__rotl(uint64_t x, unsigned k)
{
    return x << (k & 63) | x >> (-k & 63);
}

static inline unsigned dpl__sign_rotation(size_t word)
{
    return (unsigned)(word / 8 + 8 * (word % 8));
}

/* What the words of one stream of a term are made from. */
typedef struct dpl__sign_state {
    uint64_t x, y;
    unsigned step; /* 2 i + 1 */
} dpl__sign_state;

static inline dpl__sign_state dpl__sign_state_of(uint64_t key, uint64_t seed, unsigned stream)
{
    return (dpl__sign_state){dpl__mix(key ^ dpl__mix(seed + 2 * stream)),
                             dpl__mix(key ^ dpl__mix(seed + 2 * stream + 1)), 2 * stream + 1};
}

static inline uint64_t dpl__sign_word(const dpl__sign_state *s, size_t word)
{
    return s->x ^ dpl__rotl(s->y, s->step * dpl__sign_rotation(word));
}

#endif
