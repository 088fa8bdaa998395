/*
 * hamming_avx512.c - Hamming distances, 512 documents at a time.
 */
#include "kernels/hamming.h"

#if defined(__x86_64__)
#include "kernels/simd.h"

static unsigned hamming(const uint64_t *a, const uint64_t *b, size_t n_words)
{
    __m512i sum = _mm512_setzero_si512();
    for (; n_words >= 8; a += 8, b += 8, n_words -= 8)
        sum = _mm512_add_epi64(sum, _mm512_popcnt_epi64(_mm512_xor_si512(
                                        _mm512_loadu_si512(a), _mm512_loadu_si512(b))));
    if (n_words) {
        __mmask8 rest = v_first8(n_words);
        sum = _mm512_add_epi64(
            sum, _mm512_popcnt_epi64(_mm512_xor_si512(_mm512_maskz_loadu_epi64(rest, a),
                                                      _mm512_maskz_loadu_epi64(rest, b))));
    }
    return (unsigned)_mm512_reduce_add_epi64(sum);
}

/* The sums of eight vectors, in order. */
static inline __m512i eight_sums(const __m512i x[8])
{
    __m512i a[4], b[2];
    UNROLL for (int i = 0; i < 4; i++) a[i] =
        _mm512_add_epi64(_mm512_unpacklo_epi64(x[2 * i], x[2 * i + 1]),
                         _mm512_unpackhi_epi64(x[2 * i], x[2 * i + 1]));
    UNROLL for (int i = 0; i < 2; i++) b[i] =
        _mm512_add_epi64(_mm512_shuffle_i64x2(a[2 * i], a[2 * i + 1], 0x88),
                         _mm512_shuffle_i64x2(a[2 * i], a[2 * i + 1], 0xDD));
    return _mm512_add_epi64(_mm512_shuffle_i64x2(b[0], b[1], 0x88),
                            _mm512_shuffle_i64x2(b[0], b[1], 0xDD));
}

/* Eight documents at a time, the last eight together, whether or not some of them have been
 * before. Where there are no eight, the last one is read again. */
INLINE uint64_t few(const uint64_t *query, const uint64_t *docs, size_t n_docs, size_t n_words,
                    size_t stride, unsigned cut)
{
    const __m512i most = _mm512_set1_epi64(cut);
    const size_t n = dpl__min(n_docs, 8);
    uint64_t mask = 0;
    for (size_t end = n; end; end = end < n_docs ? dpl__min(end + 8, n_docs) : 0) {
        __m512i sums[8];
        UNROLL for (size_t i = 0; i < 8; i++) sums[i] = _mm512_setzero_si512();
        for (size_t w = 0; w < n_words; w += 8) {
            const __mmask8 words = v_first8(dpl__min(n_words - w, 8));
            const __m512i q = _mm512_maskz_loadu_epi64(words, query + w);
            const uint64_t *first = docs + (end - n) * stride + w;
            UNROLL for (size_t i = 0; i < 8; i++) sums[i] = _mm512_add_epi64(
                sums[i],
                _mm512_popcnt_epi64(_mm512_xor_si512(
                    q, _mm512_maskz_loadu_epi64(words, first + (i < n ? i : n - 1) * stride))));
        }
        mask |= (uint64_t)_mm512_cmple_epu64_mask(eight_sums(sums), most) << (end - n);
    }
    return n_docs < 64 ? mask & (((uint64_t)1 << n_docs) - 1) : mask;
}

#define OWN_FEW 1
static uint64_t hamming_few(const uint64_t *query, const uint64_t *docs, size_t n_docs,
                            size_t n_words, size_t stride, unsigned cut)
{
    if (n_words == 1 && stride == 1) { /* fingerprints: eight at a time */
        const __m512i q = _mm512_set1_epi64((long long)*query), most = _mm512_set1_epi64(cut);
        uint64_t mask = 0;
        for (size_t d = 0; d < n_docs; d += 8) {
            const __mmask8 there = v_first8(dpl__min(n_docs - d, 8));
            const __m512i x = _mm512_xor_si512(q, _mm512_maskz_loadu_epi64(there, docs + d));
            mask |= (uint64_t)_mm512_mask_cmple_epu64_mask(there, _mm512_popcnt_epi64(x), most)
                    << d;
        }
        return mask;
    }
    if (n_docs >= 8 && n_words == 16 && stride == 16) /* the compiler knows all three */
        return few(query, docs, n_docs, 16, 16, cut);
    return few(query, docs, n_docs, n_words, stride, cut);
}

enum { HAMMING_LANES = 8, HAMMING_UNIT = 32 };
#define MOST_FIELD 4

#define v_majority(a, b, c) _mm512_ternarylogic_epi64((a), (b), (c), 0xE8)

static inline __m256i twice(const uint8_t *p)
{
    return _mm256_broadcastsi128_si256(v_load128(p));
}

INLINE vec v_spread(const uint8_t *p, unsigned field)
{
    return _mm512_inserti64x4(_mm512_castsi256_si512(twice(p)), twice(p + 2 * field), 1);
}

/* Neither operation needs a copy: the sum takes b's place, the carry a's. */
INLINE vec v_full(vec *sum, vec a, vec b)
{
    vec old = *sum;
    *sum = _mm512_ternarylogic_epi64(b, old, a, 0x96);
    return _mm512_ternarylogic_epi64(a, old, *sum, 0xD4); /* a == old ? a : ~sum */
}

#include "kernels/hamming_ternary.h"
/* after what it is told */
#include "kernels/hamming_slices.h"

void dpl__hamming_avx512(dpl__kernels *k)
{
    set_hamming(k);
}
#endif
