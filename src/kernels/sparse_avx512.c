/*
 * sparse_avx512.c - sparse rows: weights gathered 16 at a time, what is zero squeezed out.
 */
#include "kernels/kernels.h"

#if defined(__x86_64__)
#include <immintrin.h>

typedef __m512i vec;
enum { VEC = 32 };

#define v_load(p) _mm512_loadu_si512(p)
#define v_store(p, x) _mm512_storeu_si512((p), (x))
#define v_set(x) _mm512_set1_epi16((short)(x))
#define v_mulhi _mm512_mulhi_epu16

#include "kernels/sparse_add.h"

/* Which of 16 terms have their bit set. */
static inline __mmask16 have_bits(const uint32_t *bits, __m512i terms)
{
    const __m512i words = _mm512_set1_epi32(DPL__TERM_BITS / 32 - 1);
    __m512i word =
        _mm512_i32gather_epi32(_mm512_and_si512(_mm512_srli_epi32(terms, 5), words), bits, 4);
    __m512i bit = _mm512_rolv_epi32(_mm512_set1_epi32(1), terms); /* counts modulo 32 */
    return _mm512_test_epi32_mask(word, bit);
}

/* Eight products; the ones that are not 0 go to out. */
static inline size_t put_products(double *out, __m256 a, __m256 b)
{
    __m512d product = _mm512_mul_pd(_mm512_cvtps_pd(a), _mm512_cvtps_pd(b));
    __mmask8 m = _mm512_cmp_pd_mask(product, _mm512_setzero_pd(), _CMP_NEQ_UQ);
    _mm512_mask_compressstoreu_pd(out, m, product);
    return (size_t)__builtin_popcount(m);
}

static size_t sparse_products(double *out, const float *dense, const uint32_t *bits,
                              const uint32_t *terms, const float *weights, size_t n)
{
    uint32_t some_terms[DPL__MOST_PRODUCTS + 16];
    float some_weights[DPL__MOST_PRODUCTS + 16];
    size_t n_some = 0, n_out = 0;
    for (size_t i = 0; i < n; i += 16) {
        __mmask16 here = n - i < 16 ? (__mmask16)((1u << (n - i)) - 1) : (__mmask16)-1;
        __m512i t = _mm512_maskz_loadu_epi32(here, terms + i);
        __m512 w = _mm512_maskz_loadu_ps(here, weights + i);
        __mmask16 m = have_bits(bits, t) & here;
        _mm512_storeu_si512(some_terms + n_some, _mm512_maskz_compress_epi32(m, t));
        _mm512_storeu_ps(some_weights + n_some, _mm512_maskz_compress_ps(m, w));
        n_some += (size_t)__builtin_popcount(m);
    }
    for (size_t i = 0; i < n_some; i += 16) {
        __mmask16 here =
            n_some - i < 16 ? (__mmask16)((1u << (n_some - i)) - 1) : (__mmask16)-1;
        __m512 a = _mm512_mask_i32gather_ps(_mm512_setzero_ps(), here,
                                            _mm512_loadu_si512(some_terms + i), dense, 4);
        __m512 b = _mm512_maskz_loadu_ps(here, some_weights + i);
        n_out +=
            put_products(out + n_out, _mm512_castps512_ps256(a), _mm512_castps512_ps256(b));
        n_out += put_products(out + n_out, _mm512_extractf32x8_ps(a, 1),
                              _mm512_extractf32x8_ps(b, 1));
    }
    return n_out;
}

/* Which of 32 places reach the least; zeros are left. */
static inline uint32_t sweep_32(uint16_t *sums, const uint16_t *norms, __m512i norm,
                                __m512i least)
{
    __m512i bound = _mm512_adds_epu16(_mm512_loadu_si512(sums),
                                      _mm512_mulhi_epu16(_mm512_loadu_si512(norms), norm));
    _mm512_storeu_si512(sums, _mm512_setzero_si512());
    return _mm512_cmpge_epu16_mask(bound, least);
}

static inline size_t put_places(uint16_t *out, size_t i, uint64_t mask)
{
    size_t n = 0;
    for (; mask; mask &= mask - 1)
        out[n++] = (uint16_t)(i + (unsigned)__builtin_ctzll(mask));
    return n;
}

static size_t sparse_sweep(uint16_t *out, uint16_t *sums, const uint16_t *norms, size_t n,
                           uint16_t norm, uint16_t least)
{
    const __m512i vnorm = _mm512_set1_epi16((short)norm);
    const __m512i vleast = _mm512_set1_epi16((short)least);
    size_t n_out = 0, i = 0;
    for (; i + 64 <= n; i += 64) {
        uint64_t mask = sweep_32(sums + i, norms + i, vnorm, vleast) |
                        (uint64_t)sweep_32(sums + i + 32, norms + i + 32, vnorm, vleast) << 32;
        if (mask)
            n_out += put_places(out + n_out, i, mask);
    }
    for (; i < n; i++) {
        uint32_t bound = sums[i] + ((uint32_t)norms[i] * norm >> 16);
        sums[i] = 0;
        out[n_out] = (uint16_t)i;
        n_out += bound >= least;
    }
    return n_out;
}

void dpl__sparse_avx512(dpl__kernels *k)
{
    k->sparse_products = sparse_products;
    k->sparse_add = sparse_add;
    k->sparse_sweep = sparse_sweep;
}
#endif
