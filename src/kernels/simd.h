/*
 * simd.h - one name for each vector operation at every instruction set, and the masks for what
 * is left over. The one place where the levels' loads, stores and constants are spelled out.
 *
 * Included by files of a level (the end of their name), which are compiled for it; templates
 * that are included after it (utf8_prefix.h, hamming_slices.h ...) are written in these names:
 *
 *     vec                      V_BYTES bytes, as integers
 *     v_load, v_store          at any address; ..._aligned: at multiples of V_BYTES
 *     v_zero(), v_set8, v_set16, v_set64    the number in every lane
 *     v_and, v_or, v_xor, v_not, v_andnot(a, b)    b without a
 *     v_left64(x, k), v_right64(x, k), v_right16(x, k)
 *     v_repeat16(p)            the 16 bytes at p, over and over
 *     v_lookup(table, index)   bytes, within each 16; 0 where the top bit of the index is set
 *     v_has_bit(x, bit)        a mask of bytes: bit i is set if x's byte i has the bit of bit's
 *     v_any(x), v_any_top(x)   a bit is set; a top bit of a byte is set
 *     V_SHIFT(x, before, k)    each byte's k-th predecessor, the first k from the vector before
 */
#ifndef DPL_KERNELS_SIMD_H
#define DPL_KERNELS_SIMD_H

#include "base/base.h"

#if defined(__AVX2__)
#include <immintrin.h> /* takes a third of a second: CMakeLists.txt compiles a level's files as one */
#else
#include <nmmintrin.h>
#endif

#if defined(__AVX512F__)

enum { V_BYTES = 64 };
typedef __m512i vec;
#define V_(name) _mm512_##name
#define V_SI(name) _mm512_##name##_si512
#define V_POINTER(p) (p)
#define v_set64(word) _mm512_set1_epi64((long long)(word))
#define v_repeat16(p) _mm512_broadcast_i32x4(v_load128(p))
#define v_has_bit(x, bit) _mm512_test_epi8_mask((x), (bit))
#define v_any(x) (_mm512_test_epi8_mask((x), (x)) != 0)
#define v_any_top(x) (_mm512_movepi8_mask(x) != 0)
/* The instruction shifts within lanes: each takes its bytes from the lane before. */
#define V_SHIFT(x, before, k)                                                                  \
    _mm512_alignr_epi8((x), _mm512_alignr_epi64((x), (before), 6), 16 - (k))

/* The first n lanes, for loads and stores of what is left over; n at most the number of lanes.
 */
static inline __mmask8 v_first8(size_t n)
{
    return (__mmask8)((1u << n) - 1);
}

static inline __mmask16 v_first16(size_t n)
{
    return (__mmask16)((1u << n) - 1);
}

static inline __mmask64 v_first64(size_t n)
{
    return n < 64 ? ((uint64_t)1 << n) - 1 : ~(uint64_t)0;
}

#elif defined(__AVX2__)

enum { V_BYTES = 32 };
typedef __m256i vec;
#define V_(name) _mm256_##name
#define V_SI(name) _mm256_##name##_si256
#define V_POINTER(p) ((vec *)(void *)(uintptr_t)(p))
#define v_set64(word) _mm256_set1_epi64x((long long)(word))
#define v_repeat16(p) _mm256_broadcastsi128_si256(v_load128(p))
#define v_has_bit(x, bit)                                                                      \
    (uint32_t) _mm256_movemask_epi8(_mm256_cmpeq_epi8(_mm256_and_si256((x), (bit)), (bit)))
#define v_any(x) (!_mm256_testz_si256((x), (x)))
#define v_any_top(x) (_mm256_movemask_epi8(x) != 0)
#define V_SHIFT(x, before, k)                                                                  \
    _mm256_alignr_epi8((x), _mm256_permute2x128_si256((before), (x), 0x21), 16 - (k))

#else

enum { V_BYTES = 16 };
typedef __m128i vec;
#define V_(name) _mm_##name
#define V_SI(name) _mm_##name##_si128
#define V_POINTER(p) ((vec *)(void *)(uintptr_t)(p))
#define v_set64(word) _mm_set1_epi64x((long long)(word))
#define v_repeat16(p) v_load128(p)
#define v_has_bit(x, bit)                                                                      \
    (uint32_t) _mm_movemask_epi8(_mm_cmpeq_epi8(_mm_and_si128((x), (bit)), (bit)))
#define v_any(x) (!_mm_testz_si128((x), (x)))
#define v_any_top(x) (_mm_movemask_epi8(x) != 0)
#define V_SHIFT(x, before, k) _mm_alignr_epi8((x), (before), 16 - (k))

#endif

#define v_load(p) V_SI(loadu)(V_POINTER(p))
#define v_store(p, x) V_SI(storeu)(V_POINTER(p), (x))
#define v_load_aligned(p) V_SI(load)(V_POINTER(p))
#define v_store_aligned(p, x) V_SI(store)(V_POINTER(p), (x))
#define v_zero() V_SI(setzero)()
#define v_set8(b) V_(set1_epi8)((char)(b))
#define v_set16(x) V_(set1_epi16)((short)(x))
#define v_and V_SI(and)
#define v_or V_SI(or)
#define v_xor V_SI(xor)
#define v_andnot V_SI(andnot)
#define v_not(x) v_xor((x), v_set64(-1))
#define v_left64(x, k) V_(sll_epi64)((x), _mm_cvtsi32_si128((int)(k)))
#define v_right64(x, k) V_(srl_epi64)((x), _mm_cvtsi32_si128((int)(k)))
#define v_right16(x, k) V_(srl_epi16)((x), _mm_cvtsi32_si128((int)(k)))
#define v_multiply16 V_(mullo_epi16)
#define v_mulhi16 V_(mulhi_epu16)
#define v_lookup V_(shuffle_epi8)
#define v_low4(x) v_and((x), v_set8(15))
#define v_high4(x) v_and(V_(srli_epi16)((x), 4), v_set8(15))
#define v_minus8 V_(subs_epu8)
#define v_max8 V_(max_epu8)
#define v_min32 V_(min_epu32)

static inline __m128i v_load128(const void *p)
{
    return _mm_loadu_si128((const __m128i *)p);
}

/* The largest byte. */
static inline uint8_t v_most8(vec x)
{
#if defined(__AVX512F__)
    __m256i z = _mm256_max_epu8(_mm512_castsi512_si256(x), _mm512_extracti64x4_epi64(x, 1));
    __m128i y = _mm_max_epu8(_mm256_castsi256_si128(z), _mm256_extracti128_si256(z, 1));
#elif defined(__AVX2__)
    __m128i y = _mm_max_epu8(_mm256_castsi256_si128(x), _mm256_extracti128_si256(x, 1));
#else
    __m128i y = x;
#endif
    y = _mm_max_epu8(y, _mm_srli_si128(y, 8));
    y = _mm_max_epu8(y, _mm_srli_si128(y, 4));
    y = _mm_max_epu8(y, _mm_srli_si128(y, 2));
    y = _mm_max_epu8(y, _mm_srli_si128(y, 1));
    return (uint8_t)_mm_extract_epi8(y, 0);
}

#endif
