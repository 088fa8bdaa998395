/*
 * sparse_avx2.c - sparse rows: the sums swept 32 at a time.
 */
#include "kernels/kernels.h"

#if defined(__x86_64__)
#include <immintrin.h>

typedef __m256i vec;
enum { VEC = 16 };

#define v_load(p) _mm256_loadu_si256((const __m256i *)(const void *)(p))
#define v_store(p, x) _mm256_storeu_si256((__m256i *)(void *)(p), (x))
#define v_set(x) _mm256_set1_epi16((short)(x))
#define v_mulhi _mm256_mulhi_epu16

#include "kernels/sparse_add.h"

/* Lanes of all ones where 16 places reach the least; zeros are left. */
static inline __m256i sweep_16(uint16_t *sums, const uint16_t *norms, __m256i norm,
                               __m256i least)
{
    __m256i bound = _mm256_adds_epu16(v_load(sums), _mm256_mulhi_epu16(v_load(norms), norm));
    v_store(sums, _mm256_setzero_si256());
    return _mm256_cmpeq_epi16(_mm256_max_epu16(bound, least), bound);
}

static size_t sparse_sweep(uint16_t *out, uint16_t *sums, const uint16_t *norms, size_t n,
                           uint16_t norm, uint16_t least)
{
    const __m256i vnorm = _mm256_set1_epi16((short)norm);
    const __m256i vleast = _mm256_set1_epi16((short)least);
    size_t n_out = 0, i = 0;
    for (; i + 32 <= n; i += 32) {
        __m256i a = sweep_16(sums + i, norms + i, vnorm, vleast);
        __m256i b = sweep_16(sums + i + 16, norms + i + 16, vnorm, vleast);
        uint32_t mask = (uint32_t)_mm256_movemask_epi8(
            _mm256_permute4x64_epi64(_mm256_packs_epi16(a, b), 0xD8));
        for (; mask; mask &= mask - 1)
            out[n_out++] = (uint16_t)(i + (unsigned)__builtin_ctz(mask));
    }
    for (; i < n; i++) {
        uint32_t bound = sums[i] + ((uint32_t)norms[i] * norm >> 16);
        sums[i] = 0;
        out[n_out] = (uint16_t)i;
        n_out += bound >= least;
    }
    return n_out;
}

void dpl__sparse_avx2(dpl__kernels *k)
{
    k->sparse_add = sparse_add;
    k->sparse_sweep = sparse_sweep;
}
#endif
