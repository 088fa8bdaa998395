/*
 * dot_avx512.c - the 16 sums of a dot product in one register.
 */
#include "kernels/kernels.h"

#if defined(__x86_64__)
#include "kernels/simd.h"

static inline float add_up(__m512 sums)
{
    __m256 x = _mm256_add_ps(_mm512_castps512_ps256(sums), _mm512_extractf32x8_ps(sums, 1));
    __m128 y = _mm_add_ps(_mm256_castps256_ps128(x), _mm256_extractf128_ps(x, 1));
    y = _mm_add_ps(y, _mm_movehl_ps(y, y));
    return _mm_cvtss_f32(_mm_add_ss(y, _mm_movehdup_ps(y)));
}

static float dot(const float *a, const float *b, size_t n)
{
    __m512 sums = _mm512_setzero_ps();
    size_t i = 0;
    for (; i + 16 <= n; i += 16)
        sums =
            _mm512_add_ps(sums, _mm512_mul_ps(_mm512_loadu_ps(a + i), _mm512_loadu_ps(b + i)));
    if (i < n) { /* sums are never -0, so that adding 0 changes none of them */
        __mmask16 rest = v_first16(n - i);
        sums = _mm512_add_ps(sums, _mm512_mul_ps(_mm512_maskz_loadu_ps(rest, a + i),
                                                 _mm512_maskz_loadu_ps(rest, b + i)));
    }
    return add_up(sums);
}

/* Four rows of a against four of b, 16 numbers at a time: 16 registers of sums. */
enum { TILE = 4 };

static inline void add_products(__m512 *sums, const float *a, const float *b, size_t n,
                                __mmask16 here)
{
    __m512 x[TILE];
    for (size_t i = 0; i < TILE; i++)
        x[i] = _mm512_maskz_loadu_ps(here, a + i * n);
    for (size_t j = 0; j < TILE; j++) {
        __m512 y = _mm512_maskz_loadu_ps(here, b + j * n);
        for (size_t i = 0; i < TILE; i++)
            sums[TILE * i + j] = _mm512_add_ps(sums[TILE * i + j], _mm512_mul_ps(x[i], y));
    }
}

static inline void tile(float *out, size_t stride, const float *a, const float *b, size_t n)
{
    __m512 sums[TILE * TILE];
    for (size_t i = 0; i < TILE * TILE; i++)
        sums[i] = _mm512_setzero_ps();
    size_t k = 0;
    for (; k + 16 <= n; k += 16)
        add_products(sums, a + k, b + k, n, (__mmask16)-1);
    if (k < n)
        add_products(sums, a + k, b + k, n, v_first16(n - k));
    for (size_t i = 0; i < TILE; i++)
        for (size_t j = 0; j < TILE; j++)
            out[i * stride + j] = add_up(sums[TILE * i + j]);
}

#include "kernels/dot_tiles.h"

void dpl__dot_avx512(dpl__kernels *k)
{
    k->dot = dot;
    k->dots = dots;
}
#endif
