/*
 * dot8_turn16.h - documents turned in groups of 16, with 512-bit vectors: the layout of
 * dpl__dot8_turn with 16 lanes; every 64 numbers of a group are a tile of AMX.
 */
#ifndef DPL_KERNELS_DOT8_TURN16_H
#define DPL_KERNELS_DOT8_TURN16_H

#define INLINE static inline __attribute__((always_inline))
#define UNROLL16 _Pragma("GCC unroll 16")

/* 32-bit lane k of x[i] becomes lane i of x[k]. */
INLINE void transpose16(__m512i x[16])
{
    __m512i a[16], b[16];
    UNROLL16 for (int i = 0; i < 16; i += 2)
    {
        a[i] = _mm512_unpacklo_epi32(x[i], x[i + 1]);
        a[i + 1] = _mm512_unpackhi_epi32(x[i], x[i + 1]);
    }
    UNROLL16 for (int i = 0; i < 16; i += 4)
    {
        b[i] = _mm512_unpacklo_epi64(a[i], a[i + 2]);
        b[i + 1] = _mm512_unpackhi_epi64(a[i], a[i + 2]);
        b[i + 2] = _mm512_unpacklo_epi64(a[i + 1], a[i + 3]);
        b[i + 3] = _mm512_unpackhi_epi64(a[i + 1], a[i + 3]);
    }
    UNROLL16 for (int i = 0; i < 4; i++)
    {
        a[i] = _mm512_shuffle_i32x4(b[i], b[i + 4], 0x88);
        a[i + 4] = _mm512_shuffle_i32x4(b[i], b[i + 4], 0xDD);
        a[i + 8] = _mm512_shuffle_i32x4(b[i + 8], b[i + 12], 0x88);
        a[i + 12] = _mm512_shuffle_i32x4(b[i + 8], b[i + 12], 0xDD);
    }
    UNROLL16 for (int i = 0; i < 8; i++)
    {
        x[i] = _mm512_shuffle_i32x4(a[i], a[i + 8], 0x88);
        x[i + 8] = _mm512_shuffle_i32x4(a[i], a[i + 8], 0xDD);
    }
}

/* Up to a multiple of 64 documents; missing ones are 0. flip is xored to all. `together` groups
 * alternate, every 64 numbers. */
INLINE void turn16(__m512i *out, const int8_t *docs, size_t n_docs, size_t dim, __m512i flip,
                   size_t together)
{
    const size_t n_all = (n_docs + 63) / 64 * 64;
    for (size_t d = 0; d < n_all; d += 16) {
        const size_t first = d / 16 / together * together, which = d / 16 % together;
        __m512i *to = out + first * (dim / 4) + which * 16;
        for (size_t k = 0; k < dim; k += 64, to += 16 * together) {
            __m512i x[16];
            UNROLL16 for (size_t i = 0; i < 16; i++) x[i] = _mm512_xor_si512(
                d + i < n_docs ? v_load(docs + (d + i) * dim + k) : v_zero(), flip);
            transpose16(x);
            UNROLL16 for (size_t i = 0; i < 16; i++) v_store_aligned(to + i, x[i]);
        }
    }
}

#endif
