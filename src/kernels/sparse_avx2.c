/*
 * sparse_avx2.c - sparse rows: the sums swept 32 at a time.
 */
#include "kernels/kernels.h"

#if defined(__x86_64__)
#include "kernels/simd.h"
/* after what it is told */
#include "kernels/sparse_add.h"

static float sparse_bound(const float *table, const uint16_t *places, const uint16_t *weights,
                          size_t n)
{
    __m256 sum = _mm256_setzero_ps();
    for (size_t i = 0; i < n; i += 8) {
        const __m256i at = _mm256_cvtepu16_epi32(v_load128(places + i)),
                      weight = _mm256_cvtepu16_epi32(v_load128(weights + i));
        sum = _mm256_add_ps(sum,
                            _mm256_mul_ps(_mm256_i32gather_ps(table, at, 4),
                                          _mm256_castsi256_ps(_mm256_slli_epi32(weight, 16))));
    }
    float parts[8], all = 0;
    _mm256_storeu_ps(parts, sum);
    for (int k = 0; k < 8; k++)
        all += parts[k];
    return all;
}

/* Lanes of all ones where 16 places reach the least. */
static inline __m256i sweep_16(const uint16_t *sums, const uint16_t *norms, __m256i norm,
                               __m256i least)
{
    __m256i bound = _mm256_adds_epu16(v_load(sums), _mm256_mulhi_epu16(v_load(norms), norm));
    return _mm256_cmpeq_epi16(_mm256_max_epu16(bound, least), bound);
}

static size_t sparse_sweep(uint16_t *out, const uint16_t *sums, const uint16_t *norms, size_t n,
                           uint16_t norm, uint16_t least)
{
    assert(n <= 65536);
    const __m256i vnorm = v_set16(norm);
    const __m256i vleast = v_set16(least);
    size_t n_out = 0, i = 0;
    for (; i + 32 <= n; i += 32) {
        __m256i a = sweep_16(sums + i, norms + i, vnorm, vleast);
        __m256i b = sweep_16(sums + i + 16, norms + i + 16, vnorm, vleast);
        uint32_t mask = (uint32_t)_mm256_movemask_epi8(
            _mm256_permute4x64_epi64(_mm256_packs_epi16(a, b), 0xD8));
        for (; mask; mask &= mask - 1)
            out[n_out++] = (uint16_t)(i + (unsigned)__builtin_ctz(mask));
    }
    return n_out + sweep_rest(out + n_out, sums, norms, i, n, norm, least);
}

/* Lanes of all ones where 16 places pass. */
static inline __m256i pass_16(const uint16_t *sums, size_t i, const dpl__pass *p)
{
    __m256i head = _mm256_mulhi_epu16(v_load(p->norms + i), v_set16(p->norm));
    __m256i bound =
        _mm256_adds_epu16(_mm256_adds_epu16(v_load(sums + i), head), v_set16(p->slack));
    __m256i cut = _mm256_min_epu16(v_load(p->cuts + i), v_set16(p->least));
    return _mm256_cmpeq_epi16(_mm256_max_epu16(bound, cut), bound);
}

static size_t sparse_pass(uint16_t *out, const uint16_t *sums, size_t n, const dpl__pass *p)
{
    size_t n_out = 0, i = 0;
    for (; i + 32 <= n; i += 32) {
        __m256i a = pass_16(sums, i, p), b = pass_16(sums, i + 16, p);
        uint32_t mask = (uint32_t)_mm256_movemask_epi8(
            _mm256_permute4x64_epi64(_mm256_packs_epi16(a, b), 0xD8));
        for (; mask; mask &= mask - 1)
            out[n_out++] = (uint16_t)(i + (unsigned)__builtin_ctz(mask));
    }
    return n_out + pass_rest(out + n_out, sums, i, n, p);
}

void dpl__sparse_avx2(dpl__kernels *k)
{
    k->sparse_pass = sparse_pass;
    k->sparse_bound = sparse_bound;
    k->sparse_add = sparse_add;
    k->sparse_sweep = sparse_sweep;
}
#endif
