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

/* Where 16-bit counts of four documents stand after add_across, as bits of a mask of 16-bit
 * lanes: documents 0 to 3 in the first, 4 to 7 in the fifth 64 bits. */
enum { FIRST_FOUR = 0, SECOND_FOUR = 16 };

/* The counts of 64-bit lanes of four vectors, side by side: 16 bits each. */
static inline __m512i side_by_side(const __m512i x[4])
{
    const __m512i low = _mm512_or_si512(x[0], _mm512_slli_epi64(x[1], 16)),
                  high = _mm512_or_si512(x[2], _mm512_slli_epi64(x[3], 16));
    return _mm512_or_si512(low, _mm512_slli_epi64(high, 32));
}

/* The sums over the 64-bit lanes of a in each of the first four lanes, those of b in the last
 * four. */
static inline __m512i add_across(__m512i a, __m512i b)
{
    __m512i x =
        _mm512_add_epi16(_mm512_shuffle_i64x2(a, b, 0x44), _mm512_shuffle_i64x2(a, b, 0xEE));
    x = _mm512_add_epi16(x, _mm512_permutex_epi64(x, 0x4E));
    return _mm512_add_epi16(x, _mm512_permutex_epi64(x, 0xB1));
}

/* Signatures of 1024 bits: two vectors a row, whose counts are added as 16-bit numbers. Where
 * fewer than eight documents are left, the rest of the mask is to be ignored, and rows are read
 * again instead of what is behind them. */
static uint64_t few_of_1024(const uint64_t *query, const uint64_t *docs, size_t n_docs,
                            size_t stride, unsigned cut)
{
    const __m512i q0 = _mm512_loadu_si512(query), q1 = _mm512_loadu_si512(query + 8),
                  most = _mm512_set1_epi16((short)cut);
    uint64_t mask = 0;
    for (size_t d = 0; d < n_docs; d += 8, docs += 8 * stride) {
        const size_t last = n_docs - d - 1;
        __m512i x[8];
        UNROLL for (size_t i = 0; i < 8; i++)
        {
            const uint64_t *row = docs + (last < i ? last : i) * stride;
            x[i] = _mm512_add_epi64(
                _mm512_popcnt_epi64(_mm512_xor_si512(q0, _mm512_loadu_si512(row))),
                _mm512_popcnt_epi64(_mm512_xor_si512(q1, _mm512_loadu_si512(row + 8))));
        }
        const __mmask32 near =
            _mm512_cmple_epu16_mask(add_across(side_by_side(x), side_by_side(x + 4)), most);
        mask |= (uint64_t)((near >> FIRST_FOUR & 15) | (near >> SECOND_FOUR & 15) << 4) << d;
    }
    return mask;
}

#define OWN_FEW 1
/* Eight documents at a time; where fewer are left, the last one again. */
static uint64_t hamming_few(const uint64_t *query, const uint64_t *docs, size_t n_docs,
                            size_t n_words, size_t stride, unsigned cut)
{
    const __m512i most = _mm512_set1_epi64(cut);
    uint64_t mask = 0;
    if (n_words == 1 && stride == 1) { /* fingerprints: eight at a time */
        const __m512i q = _mm512_set1_epi64((long long)*query);
        for (size_t d = 0; d < n_docs; d += 8) {
            const __mmask8 there = v_first8(dpl__min(n_docs - d, 8));
            const __m512i x = _mm512_xor_si512(q, _mm512_maskz_loadu_epi64(there, docs + d));
            mask |= (uint64_t)_mm512_mask_cmple_epu64_mask(there, _mm512_popcnt_epi64(x), most)
                    << d;
        }
        return mask;
    }
    if (n_words == 16) {
        mask = few_of_1024(query, docs, n_docs, stride, cut < 1024 ? cut : 1024);
        return n_docs < 64 ? mask & (((uint64_t)1 << n_docs) - 1) : mask;
    }
    for (size_t d = 0; d < n_docs; d += 8) {
        __m512i sums[8];
        const uint64_t *rows[8];
        UNROLL for (size_t i = 0; i < 8; i++)
        {
            sums[i] = _mm512_setzero_si512();
            rows[i] = docs + dpl__min(d + i, n_docs - 1) * stride;
        }
        for (size_t w = 0; w < n_words; w += 8) {
            const __mmask8 words = v_first8(dpl__min(n_words - w, 8));
            const __m512i q = _mm512_maskz_loadu_epi64(words, query + w);
            UNROLL for (size_t i = 0; i < 8; i++) sums[i] = _mm512_add_epi64(
                sums[i], _mm512_popcnt_epi64(_mm512_xor_si512(
                             q, _mm512_maskz_loadu_epi64(words, rows[i] + w))));
        }
        mask |= (uint64_t)_mm512_cmple_epu64_mask(eight_sums(sums), most) << d;
    }
    return n_docs < 64 ? mask & (((uint64_t)1 << n_docs) - 1) : mask;
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
