/*
 * kernels_avx2.c - 32 bytes at a time.
 */
#include "kernels/kernels.h"

#if defined(__x86_64__)
#include <immintrin.h>

/* As in kernels_sse42.c, on both lanes. */
static inline uint32_t in_set(__m256i x, __m256i low0, __m256i low1)
{
    const __m256i bits =
        _mm256_setr_epi8(1, 2, 4, 8, 16, 32, 64, -128, 1, 2, 4, 8, 16, 32, 64, -128, 1, 2, 4, 8,
                         16, 32, 64, -128, 1, 2, 4, 8, 16, 32, 64, -128);
    const __m256i top = _mm256_set1_epi8(-128);
    const __m256i keep = _mm256_set1_epi8((char)0x8F);
    __m256i sets = _mm256_or_si256(
        _mm256_shuffle_epi8(low0, _mm256_and_si256(x, keep)),
        _mm256_shuffle_epi8(low1, _mm256_and_si256(_mm256_xor_si256(x, top), keep)));
    __m256i bit = _mm256_shuffle_epi8(
        bits, _mm256_and_si256(_mm256_srli_epi16(x, 4), _mm256_set1_epi8(15)));
    return (uint32_t)_mm256_movemask_epi8(_mm256_cmpeq_epi8(_mm256_and_si256(sets, bit), bit));
}

static inline __m256i both_lanes(const uint8_t *low)
{
    return _mm256_broadcastsi128_si256(_mm_loadu_si128((const __m128i *)(const void *)low));
}

static size_t find_byte(const uint8_t *p, size_t n, const dpl__byteset *set)
{
    const __m256i low0 = both_lanes(set->low[0]), low1 = both_lanes(set->low[1]);
    size_t i = 0;
    for (; i + 32 <= n; i += 32) {
        __m256i x = _mm256_loadu_si256((const __m256i *)(const void *)(p + i));
        uint32_t m = in_set(x, low0, low1);
        if (m)
            return i + (unsigned)__builtin_ctz(m);
    }
    while (i < n && !dpl__byteset_has(set, p[i]))
        i++;
    return i;
}

static void mask_bytes(uint64_t *mask, const uint8_t *p, size_t n, const dpl__byteset *set)
{
    const __m256i low0 = both_lanes(set->low[0]), low1 = both_lanes(set->low[1]);
    for (size_t k = 0; k < n; k++, p += 64) {
        __m256i x = _mm256_loadu_si256((const __m256i *)(const void *)p);
        __m256i y = _mm256_loadu_si256((const __m256i *)(const void *)(p + 32));
        mask[k] = in_set(x, low0, low1) | (uint64_t)in_set(y, low0, low1) << 32;
    }
}

/* ---- utf8_prefix -------------------------------------------------------------------- */

typedef __m256i vec;
enum { VEC = 32 };

static inline vec v_load(const uint8_t *p)
{
    return _mm256_loadu_si256((const __m256i *)(const void *)p);
}

static inline uint8_t v_most(vec x)
{
    __m128i y = _mm_max_epu8(_mm256_castsi256_si128(x), _mm256_extracti128_si256(x, 1));
    y = _mm_max_epu8(y, _mm_srli_si128(y, 8));
    y = _mm_max_epu8(y, _mm_srli_si128(y, 4));
    y = _mm_max_epu8(y, _mm_srli_si128(y, 2));
    y = _mm_max_epu8(y, _mm_srli_si128(y, 1));
    return (uint8_t)_mm_extract_epi8(y, 0);
}

#define v_set(b) _mm256_set1_epi8((char)(b))
#define v_table(bytes16) both_lanes(bytes16)
#define v_lookup _mm256_shuffle_epi8
#define v_low(x) _mm256_and_si256((x), v_set(15))
#define v_high(x) _mm256_and_si256(_mm256_srli_epi16((x), 4), v_set(15))
#define v_and _mm256_and_si256
#define v_or _mm256_or_si256
#define v_xor _mm256_xor_si256
#define v_minus _mm256_subs_epu8
#define v_max _mm256_max_epu8
#define v_any(x) (!_mm256_testz_si256((x), (x)))
#define v_any_top(x) (_mm256_movemask_epi8(x) != 0)
/* The instruction shifts within lanes: each takes its bytes from the lane before. */
#define V_SHIFT(x, before, k)                                                                  \
    _mm256_alignr_epi8((x), _mm256_permute2x128_si256((before), (x), 0x21), 16 - (k))

#include "kernels/utf8_prefix.h"

void dpl__kernels_avx2(dpl__kernels *k)
{
    dpl__kernels_chain_avx2(k);
    k->find_byte = find_byte;
    k->mask_bytes = mask_bytes;
    k->utf8_prefix = utf8_prefix;
    dpl__hamming_avx2(k);
    dpl__dot_avx2(k);
    dpl__sparse_avx2(k);
    dpl__permute_avx2(k);
    dpl__sign_avx2(k);
}
#endif
