/*
 * dot8_avx2.c - dot products of signed bytes, eight documents in a vector.
 */
#include "kernels/dot8.h"

#if defined(__x86_64__)
#include "kernels/simd.h"

/* The top bit of every 32-bit lane. */
#define v_tops32(x) (unsigned)_mm256_movemask_ps(_mm256_castsi256_ps(x))

/* after what it is told */
#include "kernels/dot8_plain.h"

static inline __m256d four_numbers(const int32_t *x)
{
    return _mm256_cvtepi32_pd(v_load128(x));
}

static inline __m128i four_rounded(__m256d y)
{
    const __m256d sign = _mm256_and_pd(y, _mm256_set1_pd(-0.0));
    y = _mm256_min_pd(_mm256_andnot_pd(_mm256_set1_pd(-0.0), y), _mm256_set1_pd(127));
    return _mm256_cvttpd_epi32(_mm256_or_pd(_mm256_add_pd(y, _mm256_set1_pd(0.5)), sign));
}

static void quantise8(int8_t *out, const int32_t *x, size_t n)
{
    __m256d low = _mm256_setzero_pd(), high = low;
    for (size_t i = 0; i < n; i += 8) {
        const __m256d a = four_numbers(x + i), b = four_numbers(x + i + 4);
        low = _mm256_add_pd(low, _mm256_mul_pd(a, a));
        high = _mm256_add_pd(high, _mm256_mul_pd(b, b));
    }
    double sums[8];
    memcpy(sums, &low, sizeof low);
    memcpy(sums + 4, &high, sizeof high);
    const __m256d scale = _mm256_set1_pd(dpl__dot8_scale(sums, n));
    for (size_t i = 0; i < n; i += 8) {
        const __m128i words =
            _mm_packs_epi32(four_rounded(_mm256_mul_pd(four_numbers(x + i), scale)),
                            four_rounded(_mm256_mul_pd(four_numbers(x + i + 4), scale)));
        _mm_storel_epi64((void *)(out + i), _mm_packs_epi16(words, words));
    }
}

void dpl__dot8_avx2(dpl__kernels *k)
{
    set_dot8(k);
    k->quantise8 = quantise8;
}
#endif
