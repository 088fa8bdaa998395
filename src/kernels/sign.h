/*
 * sign.h - the random words of a term: what hyperplanes and minima are made of.
 *
 * A term has three streams of 64-bit words, made of four hashes of its key. Word w of stream i
 * is
 *
 *     x[i] ^ rotl(y, r(w) + i),   x[i] = dpl__mix(key ^ c[i]), y = dpl__mix(key ^ c[3])
 *
 * with c[j] = dpl__mix(seed + j) and r(w) = w / 8 + 8 (w % 8), which is another rotation for
 * each of the 64 words. The entry of hyperplane 64 w + p is the number of streams that have bit
 * p of word w set. If the hashes are random, then any two entries of a term are independent:
 *
 * - In different columns p and q, their six bits hold six different bits of x.
 * - In the same column of words w and v, the bits of x go in pairs, and what they leave is
 *   y[j] + y[k], y[j - 1] + y[k - 1], y[j - 2] + y[k - 2]: no cycle, so independent.
 *
 * In the same way any two 32-bit halves of stream 0 are independent: bits of one x and one y
 * are the edges of a graph, whose cycles go through all multiples of a rotation, half of which
 * lie outside of a 32-bit half. So a distance between signatures has exactly the mean and the
 * variance that it has with independent hyperplanes or orders, at two instructions per word
 * instead of a hash; and the rotation is one of whole bytes, which every level has, once y has
 * been rotated by up to 9 bits.
 */
#ifndef DPL_KERNELS_SIGN_H
#define DPL_KERNELS_SIGN_H

#include "base/hash.h"

enum { DPL__SIGN_STREAMS = 3 };

static inline uint64_t dpl__rotl(uint64_t x, unsigned k)
{
    return x << (k & 63) | x >> (-k & 63);
}

static inline unsigned dpl__sign_rotation(size_t word)
{
    return (unsigned)(word / 8 + 8 * (word % 8));
}

/* What the words of a term are made from. */
typedef struct dpl__sign_state {
    uint64_t x[DPL__SIGN_STREAMS], y;
} dpl__sign_state;

static inline dpl__sign_state dpl__sign_state_of(uint64_t key, uint64_t seed)
{
    return (dpl__sign_state){{dpl__mix(key ^ dpl__mix(seed)),
                              dpl__mix(key ^ dpl__mix(seed + 1)),
                              dpl__mix(key ^ dpl__mix(seed + 2))},
                             dpl__mix(key ^ dpl__mix(seed + 3))};
}

static inline uint64_t dpl__sign_word(const dpl__sign_state *s, unsigned stream, size_t word)
{
    return s->x[stream] ^ dpl__rotl(s->y, dpl__sign_rotation(word) + stream);
}

#endif
