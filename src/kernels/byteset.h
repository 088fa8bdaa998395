/*
 * byteset.h - the vector form of find_byte and mask_bytes, included by each level after simd.h.
 *
 * The low nibble of a byte fetches the set's bits for each half of the byte range, the high
 * nibble selects one. The lookup clears bytes whose index has its top bit set, which is what
 * keeps the two halves apart.
 */
#ifndef DPL_KERNELS_BYTESET_H
#define DPL_KERNELS_BYTESET_H

#include "kernels/kernels.h"
#include "kernels/simd.h"

/* Bit i: is byte i in the set? */
static inline uint64_t in_set(vec x, vec low0, vec low1)
{
    const vec bits = v_set64(0x8040201008040201u), top = v_set8(-128), keep = v_set8(0x8F);
    vec sets = v_or(v_lookup(low0, v_and(x, keep)), v_lookup(low1, v_and(v_xor(x, top), keep)));
    return v_has_bit(sets, v_lookup(bits, v_high4(x)));
}

static size_t find_byte(const uint8_t *p, size_t n, const dpl__byteset *set)
{
    const vec low0 = v_repeat16(set->low[0]), low1 = v_repeat16(set->low[1]);
    size_t i = 0;
    for (; i + V_BYTES <= n; i += V_BYTES) {
        uint64_t m = in_set(v_load(p + i), low0, low1);
        if (m)
            return i + (unsigned)__builtin_ctzll(m);
    }
#if defined(__AVX512F__)
    if (i < n) {
        __mmask64 valid = v_first64(n - i);
        uint64_t m = in_set(_mm512_maskz_loadu_epi8(valid, p + i), low0, low1) & valid;
        return m ? i + (unsigned)__builtin_ctzll(m) : n;
    }
#else
    while (i < n && !dpl__byteset_has(set, p[i]))
        i++;
#endif
    return i;
}

static void mask_bytes(uint64_t *mask, const uint8_t *p, size_t n, const dpl__byteset *set)
{
    const vec low0 = v_repeat16(set->low[0]), low1 = v_repeat16(set->low[1]);
    for (size_t k = 0; k < n; k++, p += 64) {
        uint64_t m = 0;
        _Pragma("GCC unroll 4") for (unsigned i = 0; i < 64; i += V_BYTES) m |=
            in_set(v_load(p + i), low0, low1) << i;
        mask[k] = m;
    }
}

#endif
