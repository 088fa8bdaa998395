/*
 * dot8_avx512.c - dot products of signed bytes with VPDPBUSD, 16 documents in a vector.
 *
 * The instruction multiplies unsigned with signed bytes, adds four products and a sum.
 * Documents get 128 on top, and what a query must reach 128 times the sum of its numbers.
 * Six queries against four vectors of documents: 24 registers of sums, ten loads for 24
 * instructions. Cost per pair: dim / 64 instructions.
 */
#include "kernels/dot8.h"

#if defined(__x86_64__)
#include "kernels/simd.h"

#include "kernels/dot8_turn16.h"

enum { DOT8_LANES = 16, DOT8_GROUPS = 4, DOT8_TILE = 6 };

static const uint32_t flip = 0x80808080u;

/* The sum of one query's numbers. */
static int32_t sum8(const int8_t *row, size_t dim)
{
    __m512i sum = v_zero();
    for (size_t i = 0; i < dim; i += 64)
        sum = _mm512_dpbusd_epi32(sum, v_set8(1), v_load(row + i));
    return _mm512_reduce_add_epi32(sum);
}

static int32_t dot8(const int8_t *a, const int8_t *b, size_t dim)
{
    __m512i sum = v_zero(), ones = v_zero();
    for (size_t i = 0; i < dim; i += 64) {
        const __m512i x = _mm512_xor_si512(v_load(a + i), _mm512_set1_epi32((int)flip));
        const __m512i y = v_load(b + i);
        sum = _mm512_dpbusd_epi32(sum, x, y);
        ones = _mm512_dpbusd_epi32(ones, v_set8(128), y);
    }
    return _mm512_reduce_add_epi32(_mm512_sub_epi32(sum, ones));
}

/* The intrinsic by another name: gcc copies and spills the sums around that one. */
INLINE void add_four(__m512i *sum, __m512i x, __m512i y)
{
    __asm__("vpdpbusd %2, %1, %0" : "+v"(*sum) : "v"(x), "v"(y));
}

INLINE __m512i four_of(const int8_t *row, size_t k)
{
    int32_t four;
    memcpy(&four, row + 4 * k, sizeof four);
    return _mm512_set1_epi32(four);
}

/* DOT8_TILE queries, of which some may be the same, against 64 documents. */
static inline void compare(uint64_t out[DOT8_TILE], const int8_t *const rows[DOT8_TILE],
                           const int32_t least[DOT8_TILE], const __m512i *docs, size_t n_steps)
{
    __m512i sums[DOT8_TILE][DOT8_GROUPS];
    const int8_t *const r0 = rows[0], *const r1 = rows[1], *const r2 = rows[2],
                        *const r3 = rows[3], *const r4 = rows[4], *const r5 = rows[5];
    UNROLL16 for (int q = 0; q < DOT8_TILE; q++) UNROLL16 for (int g = 0; g < DOT8_GROUPS; g++)
        sums[q][g] = v_zero();
    for (size_t k = 0; k < n_steps; k++) {
        __m512i x[DOT8_GROUPS];
        UNROLL16 for (int g = 0; g < DOT8_GROUPS; g++) x[g] =
            v_load_aligned(docs + (size_t)g * n_steps + k);
        const __m512i y[DOT8_TILE] = {four_of(r0, k), four_of(r1, k), four_of(r2, k),
                                      four_of(r3, k), four_of(r4, k), four_of(r5, k)};
        UNROLL16 for (int q = 0; q < DOT8_TILE; q++)
            UNROLL16 for (int g = 0; g < DOT8_GROUPS; g++) add_four(&sums[q][g], x[g], y[q]);
    }
    UNROLL16 for (int q = 0; q < DOT8_TILE; q++)
    {
        const __m512i t = _mm512_set1_epi32(least[q]);
        out[q] = 0;
        UNROLL16 for (int g = 0; g < DOT8_GROUPS; g++) out[q] |=
            (uint64_t)_mm512_cmpge_epi32_mask(sums[q][g], t) << DOT8_LANES * g;
    }
}

static void compare_docs(uint64_t *mask, const int8_t *queries, size_t n_queries,
                         const __m512i *docs, uint64_t valid, size_t dim, const int32_t *least)
{
    for (size_t q = 0; q < n_queries; q += DOT8_TILE) {
        const int8_t *rows[DOT8_TILE];
        int32_t reach[DOT8_TILE];
        uint64_t found[DOT8_TILE];
        for (size_t i = 0; i < DOT8_TILE; i++) {
            const size_t at = dpl__min(q + i, n_queries - 1);
            rows[i] = queries + at * dim;
            reach[i] = least[at];
        }
        compare(found, rows, reach, docs, dim / 4);
        for (size_t i = 0; i < DOT8_TILE && q + i < n_queries; i++)
            mask[8 * (q + i)] = found[i] & valid;
    }
}

enum { DOT8_BATCH = 1024 /* queries whose cuts are computed at a time */ };

static void dot8_mask(uint64_t *mask, void *scratch, const dpl__mask_rows *rows,
                      const int32_t *least)
{
    const int8_t *queries = rows->queries, *docs = rows->docs;
    const size_t n_queries = rows->n_queries, n_docs = rows->n_docs, dim = 8 * rows->n_words;
    assert(n_docs <= DPL__HAMMING_DOCS && dim % DPL__DOT8_DIMS == 0);
    const __m512i *turned = scratch;
    int32_t *reach = (int32_t *)(void *)((char *)scratch + DPL__HAMMING_DOCS * dim);
    turn16(scratch, docs, n_docs, dim, _mm512_set1_epi32((int)flip), 1);
    if (n_docs < DPL__HAMMING_DOCS)
        memset(mask, 0, n_queries * DPL__HAMMING_DOCS / 8);
    for (size_t first = 0; first < n_queries; first += DOT8_BATCH) {
        const size_t n = dpl__min(DOT8_BATCH, n_queries - first);
        const int8_t *some = queries + first * dim;
        for (size_t i = 0; i < n; i++)
            reach[i] = least[first + i] + 128 * sum8(some + i * dim, dim);
        for (size_t d = 0; d < n_docs; d += 64)
            compare_docs(mask + 8 * first + d / 64, some, n,
                         turned + d / DOT8_LANES * (dim / 4), dpl__dot8_valid(n_docs - d), dim,
                         reach);
    }
}

static void quantise8(int8_t *out, const int32_t *x, size_t n)
{
    __m512d squares = _mm512_setzero_pd();
    for (size_t i = 0; i < n; i += 8) {
        const __m512d y = _mm512_cvtepi32_pd(_mm256_loadu_si256((const void *)(x + i)));
        squares = _mm512_add_pd(squares, _mm512_mul_pd(y, y));
    }
    double sums[8];
    memcpy(sums, &squares, sizeof sums);
    const __m512d scale = _mm512_set1_pd(dpl__dot8_scale(sums, n));
    const __m512d most = _mm512_set1_pd(127), half = _mm512_set1_pd(0.5);
    for (size_t i = 0; i < n; i += 8) {
        __m512d y =
            _mm512_mul_pd(_mm512_cvtepi32_pd(_mm256_loadu_si256((const void *)(x + i))), scale);
        const __mmask8 is_below = _mm512_cmp_pd_mask(y, _mm512_setzero_pd(), _CMP_LT_OQ);
        y = _mm512_add_pd(_mm512_min_pd(_mm512_abs_pd(y), most), half);
        y = _mm512_mask_sub_pd(y, is_below, _mm512_setzero_pd(), y);
        const __m128i bytes = _mm256_cvtepi32_epi8(_mm512_cvttpd_epi32(y));
        _mm_storel_epi64((void *)(out + i), bytes);
    }
}

void dpl__dot8_avx512(dpl__kernels *k)
{
    k->dot8 = dot8;
    k->dot8_mask = dot8_mask;
    k->quantise8 = quantise8;
}
#endif
