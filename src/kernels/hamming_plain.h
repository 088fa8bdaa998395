/*
 * hamming_plain.h - what hamming_slices.h wants, for levels without a count of bits in vectors
 * and without operations on three of them.
 */
#ifndef DPL_KERNELS_HAMMING_PLAIN_H
#define DPL_KERNELS_HAMMING_PLAIN_H

#include "kernels/hamming.h"
#include "kernels/simd.h"

/* Four sums, since one would wait for itself. */
static unsigned hamming(const uint64_t *a, const uint64_t *b, size_t n_words)
{
    uint64_t n[4] = {0};
    for (; n_words >= 4; a += 4, b += 4, n_words -= 4) {
        n[0] += (unsigned)__builtin_popcountll(a[0] ^ b[0]);
        n[1] += (unsigned)__builtin_popcountll(a[1] ^ b[1]);
        n[2] += (unsigned)__builtin_popcountll(a[2] ^ b[2]);
        n[3] += (unsigned)__builtin_popcountll(a[3] ^ b[3]);
    }
    for (; n_words; a++, b++, n_words--)
        n[0] += (unsigned)__builtin_popcountll(*a ^ *b);
    return (unsigned)(n[0] + n[1] + n[2] + n[3]);
}

enum { HAMMING_LANES = V_BYTES / 8, HAMMING_UNIT = 16 };
#define MOST_FIELD 5

INLINE vec v_spread(const uint8_t *p, unsigned field)
{
    (void)field;
    return v_repeat16(p);
}

INLINE vec v_majority(vec a, vec b, vec c)
{
    return v_or(v_and(a, b), v_and(c, v_or(a, b)));
}

INLINE vec v_full(vec *sum, vec a, vec b)
{
    vec u = v_xor(a, b);
    vec carry = v_or(v_and(a, b), v_and(*sum, u));
    *sum = v_xor(*sum, u);
    return carry;
}

#endif
