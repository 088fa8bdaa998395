/*
 * kernels_avx512.c - 64 bytes at a time; a mask register is the answer.
 */
#include "kernels/kernels.h"

#if defined(__x86_64__)
#include <immintrin.h>

/* As in kernels_sse42.c, on four lanes. */
static inline uint64_t in_set(__m512i x, __m512i low0, __m512i low1)
{
    const __m512i bits = _mm512_set1_epi64((long long)0x8040201008040201ull);
    const __m512i top = _mm512_set1_epi8(-128);
    const __m512i keep = _mm512_set1_epi8((char)0x8F);
    __m512i sets = _mm512_or_si512(
        _mm512_shuffle_epi8(low0, _mm512_and_si512(x, keep)),
        _mm512_shuffle_epi8(low1, _mm512_and_si512(_mm512_xor_si512(x, top), keep)));
    __m512i bit = _mm512_shuffle_epi8(
        bits, _mm512_and_si512(_mm512_srli_epi16(x, 4), _mm512_set1_epi8(15)));
    return _mm512_test_epi8_mask(sets, bit);
}

static inline __m512i four_lanes(const uint8_t *low)
{
    return _mm512_broadcast_i32x4(_mm_loadu_si128((const __m128i *)(const void *)low));
}

static size_t find_byte(const uint8_t *p, size_t n, const dpl__byteset *set)
{
    const __m512i low0 = four_lanes(set->low[0]), low1 = four_lanes(set->low[1]);
    size_t i = 0;
    for (; i + 64 <= n; i += 64) {
        uint64_t m = in_set(_mm512_loadu_si512(p + i), low0, low1);
        if (m)
            return i + (unsigned)__builtin_ctzll(m);
    }
    if (i < n) {
        __mmask64 valid = ~(uint64_t)0 >> (64 - (n - i));
        uint64_t m = in_set(_mm512_maskz_loadu_epi8(valid, p + i), low0, low1) & valid;
        return m ? i + (unsigned)__builtin_ctzll(m) : n;
    }
    return n;
}

static void mask_bytes(uint64_t *mask, const uint8_t *p, size_t n, const dpl__byteset *set)
{
    const __m512i low0 = four_lanes(set->low[0]), low1 = four_lanes(set->low[1]);
    for (size_t k = 0; k < n; k++, p += 64)
        mask[k] = in_set(_mm512_loadu_si512(p), low0, low1);
}

/* ---- utf8_prefix -------------------------------------------------------------------- */

typedef __m512i vec;
enum { VEC = 64 };

static inline uint8_t v_most(vec x)
{
    __m256i z = _mm256_max_epu8(_mm512_castsi512_si256(x), _mm512_extracti64x4_epi64(x, 1));
    __m128i y = _mm_max_epu8(_mm256_castsi256_si128(z), _mm256_extracti128_si256(z, 1));
    y = _mm_max_epu8(y, _mm_srli_si128(y, 8));
    y = _mm_max_epu8(y, _mm_srli_si128(y, 4));
    y = _mm_max_epu8(y, _mm_srli_si128(y, 2));
    y = _mm_max_epu8(y, _mm_srli_si128(y, 1));
    return (uint8_t)_mm_extract_epi8(y, 0);
}

#define v_load(p) _mm512_loadu_si512(p)
#define v_set(b) _mm512_set1_epi8((char)(b))
#define v_table(bytes16) four_lanes(bytes16)
#define v_lookup _mm512_shuffle_epi8
#define v_low(x) _mm512_and_si512((x), v_set(15))
#define v_high(x) _mm512_and_si512(_mm512_srli_epi16((x), 4), v_set(15))
#define v_and _mm512_and_si512
#define v_or _mm512_or_si512
#define v_xor _mm512_xor_si512
#define v_minus _mm512_subs_epu8
#define v_max _mm512_max_epu8
#define v_any(x) (_mm512_test_epi8_mask((x), (x)) != 0)
#define v_any_top(x) (_mm512_movepi8_mask(x) != 0)
/* The instruction shifts within lanes: each takes its bytes from the lane before. */
#define V_SHIFT(x, before, k)                                                                  \
    _mm512_alignr_epi8((x), _mm512_alignr_epi64((x), (before), 6), 16 - (k))

#include "kernels/utf8_prefix.h"

void dpl__kernels_avx512(dpl__kernels *k)
{
    dpl__kernels_chain_avx512(k);
    k->find_byte = find_byte;
    k->mask_bytes = mask_bytes;
    k->utf8_prefix = utf8_prefix;
    dpl__hamming_avx512(k);
    dpl__dot_avx512(k);
    dpl__sparse_avx512(k);
    dpl__permute_avx512(k);
    dpl__sign_avx512(k);
}
#endif
