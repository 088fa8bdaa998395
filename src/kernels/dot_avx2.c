/*
 * dot_avx2.c - the 16 sums of a dot product in two registers.
 */
#include "kernels/kernels.h"

#if defined(__x86_64__)
#include <immintrin.h>

static inline __m256 product(const float *a, const float *b)
{
    return _mm256_mul_ps(_mm256_loadu_ps(a), _mm256_loadu_ps(b));
}

static float dot(const float *a, const float *b, size_t n)
{
    __m256 low = _mm256_setzero_ps(), high = low;
    size_t i = 0;
    for (; i + 16 <= n; i += 16) {
        low = _mm256_add_ps(low, product(a + i, b + i));
        high = _mm256_add_ps(high, product(a + i + 8, b + i + 8));
    }
    if (i < n) { /* sums are never -0, so that adding 0 changes none of them */
        float x[16] = {0}, y[16] = {0};
        memcpy(x, a + i, (n - i) * sizeof *x);
        memcpy(y, b + i, (n - i) * sizeof *y);
        low = _mm256_add_ps(low, product(x, y));
        high = _mm256_add_ps(high, product(x + 8, y + 8));
    }
    __m256 x = _mm256_add_ps(low, high);
    __m128 y = _mm_add_ps(_mm256_castps256_ps128(x), _mm256_extractf128_ps(x, 1));
    y = _mm_add_ps(y, _mm_movehl_ps(y, y));
    return _mm_cvtss_f32(_mm_add_ss(y, _mm_movehdup_ps(y)));
}

void dpl__dot_avx2(dpl__kernels *k)
{
    k->dot = dot;
}
#endif
