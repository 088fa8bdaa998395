/*
 * sparse_avx512.c - sparse rows: weights gathered 16 at a time, what is zero squeezed out.
 */
#include "kernels/kernels.h"

#if defined(__x86_64__)
#include "kernels/simd.h"
/* after what it is told */
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

enum { TERMS = 256 }; /* at a time */

/* Terms that may be shared, with their weights. */
typedef struct shared {
    uint32_t terms[TERMS + 16];
    float weights[TERMS + 16];
    size_t n;
} shared;

static inline void take_shared(shared *s, const uint32_t *bits, __m512i terms, __m512 weights,
                               __mmask16 here)
{
    __mmask16 m = have_bits(bits, terms) & here;
    _mm512_storeu_si512(s->terms + s->n, _mm512_maskz_compress_epi32(m, terms));
    _mm512_storeu_ps(s->weights + s->n, _mm512_maskz_compress_ps(m, weights));
    s->n += (size_t)__builtin_popcount(m);
}

static inline __m512d products(__m256 a, __m256 b)
{
    return _mm512_mul_pd(_mm512_cvtps_pd(a), _mm512_cvtps_pd(b));
}

static double add_shared(double sum, const float *dense, const shared *s)
{
    double out[16];
    for (size_t i = 0; i < s->n; i += 16) {
        size_t n = s->n - i < 16 ? s->n - i : 16;
        __mmask16 here = v_first16(n);
        __m512 a = _mm512_mask_i32gather_ps(_mm512_setzero_ps(), here,
                                            _mm512_loadu_si512(s->terms + i), dense, 4);
        __m512 b = _mm512_maskz_loadu_ps(here, s->weights + i);
        _mm512_storeu_pd(out, products(_mm512_castps512_ps256(a), _mm512_castps512_ps256(b)));
        _mm512_storeu_pd(out + 8,
                         products(_mm512_extractf32x8_ps(a, 1), _mm512_extractf32x8_ps(b, 1)));
        for (size_t k = 0; k < n; k++)
            sum += out[k];
    }
    return sum;
}

static double sparse_dot(double sum, const float *dense, const uint32_t *bits,
                         const dpl__sparse_row *row, const dpl__sparse_row *next)
{
    const uint32_t *terms = row->terms;
    const float *weights = row->weights;
    const size_t n = row->n;
    shared s;
    s.n = 0;
    size_t i = 0;
    for (; i + 16 <= n; i += 16) {
        __builtin_prefetch(next->terms + i);
        __builtin_prefetch(next->weights + i);
        take_shared(&s, bits, _mm512_loadu_si512(terms + i), _mm512_loadu_ps(weights + i),
                    (__mmask16)-1);
        if (s.n > TERMS - 16) {
            sum = add_shared(sum, dense, &s);
            s.n = 0;
        }
    }
    if (i < n) {
        __mmask16 here = v_first16(n - i);
        __builtin_prefetch(next->terms + i);
        __builtin_prefetch(next->weights + i);
        take_shared(&s, bits, _mm512_maskz_loadu_epi32(here, terms + i),
                    _mm512_maskz_loadu_ps(here, weights + i), here);
    }
    return add_shared(sum, dense, &s);
}

/* 16 products. */
static inline __m512 bound_16(__m512 sum, const float *table, const uint16_t *places,
                              const uint16_t *weights)
{
    const __m512i at = _mm512_cvtepu16_epi32(_mm256_loadu_si256((const void *)places));
    const __m512i weight =
        _mm512_slli_epi32(_mm512_cvtepu16_epi32(_mm256_loadu_si256((const void *)weights)), 16);
    return _mm512_fmadd_ps(_mm512_i32gather_ps(at, table, 4), _mm512_castsi512_ps(weight), sum);
}

static float sparse_bound(const float *table, const uint16_t *places, const uint16_t *weights,
                          size_t n)
{
    assert(n % DPL__BOUND_STEP == 0);
    __m512 a = _mm512_setzero_ps(), b = a;
    for (size_t i = 0; i < n; i += DPL__BOUND_STEP) {
        a = bound_16(a, table, places + i, weights + i);
        b = bound_16(b, table, places + i + 16, weights + i + 16);
    }
    return _mm512_reduce_add_ps(_mm512_add_ps(a, b));
}

/* Which of 32 places reach the least. */
static inline uint32_t sweep_32(const uint16_t *sums, const uint16_t *norms, __m512i norm,
                                __m512i least)
{
    __m512i bound = _mm512_adds_epu16(_mm512_loadu_si512(sums),
                                      _mm512_mulhi_epu16(_mm512_loadu_si512(norms), norm));
    return _mm512_cmpge_epu16_mask(bound, least);
}

static inline size_t put_places(uint16_t *out, size_t i, uint64_t mask)
{
    size_t n = 0;
    for (; mask; mask &= mask - 1)
        out[n++] = (uint16_t)(i + (unsigned)__builtin_ctzll(mask));
    return n;
}

static size_t sparse_sweep(uint16_t *out, const uint16_t *sums, const uint16_t *norms, size_t n,
                           uint16_t norm, uint16_t least)
{
    assert(n <= 65536);
    const __m512i vnorm = v_set16(norm);
    const __m512i vleast = v_set16(least);
    size_t n_out = 0, i = 0;
    for (; i + 64 <= n; i += 64) {
        uint64_t mask = sweep_32(sums + i, norms + i, vnorm, vleast) |
                        (uint64_t)sweep_32(sums + i + 32, norms + i + 32, vnorm, vleast) << 32;
        if (mask)
            n_out += put_places(out + n_out, i, mask);
    }
    return n_out + sweep_rest(out + n_out, sums, norms, i, n, norm, least);
}

/* Which of 32 places pass. */
static inline uint32_t pass_32(const uint16_t *sums, size_t i, const dpl__pass *p)
{
    __m512i head = _mm512_mulhi_epu16(_mm512_loadu_si512(p->norms + i), v_set16(p->norm));
    __m512i bound = _mm512_adds_epu16(_mm512_adds_epu16(_mm512_loadu_si512(sums + i), head),
                                      v_set16(p->slack));
    return _mm512_cmpge_epu16_mask(
        bound, _mm512_min_epu16(_mm512_loadu_si512(p->cuts + i), v_set16(p->least)));
}

static size_t sparse_pass(uint16_t *out, const uint16_t *sums, size_t n, const dpl__pass *p)
{
    size_t n_out = 0, i = 0;
    for (; i + 64 <= n; i += 64) {
        uint64_t mask = pass_32(sums, i, p) | (uint64_t)pass_32(sums, i + 32, p) << 32;
        if (mask)
            n_out += put_places(out + n_out, i, mask);
    }
    return n_out + pass_rest(out + n_out, sums, i, n, p);
}

void dpl__sparse_avx512(dpl__kernels *k)
{
    k->sparse_pass = sparse_pass;
    k->sparse_dot = sparse_dot;
    k->sparse_bound = sparse_bound;
    k->sparse_add = sparse_add;
    k->sparse_sweep = sparse_sweep;
}
#endif
