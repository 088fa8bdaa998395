/*
 * dot_avx2.c - the 16 sums of a dot product in two registers.
 */
#include "kernels/kernels.h"

#if defined(__x86_64__)
#include "kernels/simd.h"

static inline __m256 product(const float *a, const float *b)
{
    return _mm256_mul_ps(_mm256_loadu_ps(a), _mm256_loadu_ps(b));
}

static inline float add_up(__m256 low, __m256 high)
{
    __m256 x = _mm256_add_ps(low, high);
    __m128 y = _mm_add_ps(_mm256_castps256_ps128(x), _mm256_extractf128_ps(x, 1));
    y = _mm_add_ps(y, _mm_movehl_ps(y, y));
    return _mm_cvtss_f32(_mm_add_ss(y, _mm_movehdup_ps(y)));
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
    return add_up(low, high);
}

/* Two rows of a against two of b: eight registers of sums. */
enum { TILE = 2 };

static inline void add_products(__m256 *sums, const float *a, const float *b, size_t n)
{
    for (size_t half = 0; half < 2; half++) {
        __m256 x = _mm256_loadu_ps(a + 8 * half), y = _mm256_loadu_ps(a + n + 8 * half);
        for (size_t j = 0; j < TILE; j++) {
            __m256 z = _mm256_loadu_ps(b + j * n + 8 * half);
            sums[2 * j + half] = _mm256_add_ps(sums[2 * j + half], _mm256_mul_ps(x, z));
            sums[4 + 2 * j + half] = _mm256_add_ps(sums[4 + 2 * j + half], _mm256_mul_ps(y, z));
        }
    }
}

static inline void tile(float *out, size_t stride, const float *a, const float *b, size_t n)
{
    __m256 sums[2 * TILE * TILE];
    for (size_t i = 0; i < 2 * TILE * TILE; i++)
        sums[i] = _mm256_setzero_ps();
    size_t k = 0;
    for (; k + 16 <= n; k += 16)
        add_products(sums, a + k, b + k, n);
    if (k < n) {
        float x[16 * TILE] = {0}, y[16 * TILE] = {0};
        for (size_t i = 0; i < TILE; i++) {
            memcpy(x + 16 * i, a + i * n + k, (n - k) * sizeof *x);
            memcpy(y + 16 * i, b + i * n + k, (n - k) * sizeof *y);
        }
        add_products(sums, x, y, 16);
    }
    for (size_t i = 0; i < TILE; i++)
        for (size_t j = 0; j < TILE; j++)
            out[i * stride + j] = add_up(sums[4 * i + 2 * j], sums[4 * i + 2 * j + 1]);
}

#include "kernels/dot_tiles.h"

void dpl__dot_avx2(dpl__kernels *k)
{
    k->dot = dot;
    k->dots = dots;
}
#endif
