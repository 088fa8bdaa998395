/*
 * dot_avx512.c - the 16 sums of a dot product in one register.
 */
#include "kernels/kernels.h"

#if defined(__x86_64__)
#include <immintrin.h>

static float dot(const float *a, const float *b, size_t n)
{
    __m512 sums = _mm512_setzero_ps();
    size_t i = 0;
    for (; i + 16 <= n; i += 16)
        sums =
            _mm512_add_ps(sums, _mm512_mul_ps(_mm512_loadu_ps(a + i), _mm512_loadu_ps(b + i)));
    if (i < n) { /* sums are never -0, so that adding 0 changes none of them */
        __mmask16 rest = (__mmask16)((1u << (n - i)) - 1);
        sums = _mm512_add_ps(sums, _mm512_mul_ps(_mm512_maskz_loadu_ps(rest, a + i),
                                                 _mm512_maskz_loadu_ps(rest, b + i)));
    }
    __m256 x = _mm256_add_ps(_mm512_castps512_ps256(sums), _mm512_extractf32x8_ps(sums, 1));
    __m128 y = _mm_add_ps(_mm256_castps256_ps128(x), _mm256_extractf128_ps(x, 1));
    y = _mm_add_ps(y, _mm_movehl_ps(y, y));
    return _mm_cvtss_f32(_mm_add_ss(y, _mm_movehdup_ps(y)));
}

void dpl__dot_avx512(dpl__kernels *k)
{
    k->dot = dot;
}
#endif
