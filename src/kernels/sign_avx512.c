/*
 * sign_avx512.c - signatures, eight words at a time.
 */
#include "kernels/kernels.h"
#include "kernels/sign.h"

#if defined(__x86_64__)
#include "kernels/simd.h"

/* The carry from a, the sum before and the sum after: a where the first two agree, else not
 * the third. So nothing needs to be copied. */
#define V_ADD(sum, carry, a, b)                                                                \
    do {                                                                                       \
        const vec a_ = (a), after_ = _mm512_ternarylogic_epi64((b), (sum), a_, 0x96);          \
        (carry) = _mm512_ternarylogic_epi64(a_, (sum), after_, 0xD4);                          \
        (sum) = after_;                                                                        \
    } while (0)

#define V_OWN_LOOPS
#include "kernels/sign_words.h"

static uint64_t sum_of(const uint8_t *weights, size_t n)
{
    __m512i sum = v_zero();
    for (size_t i = 0; i < n; i += 64) {
        __mmask64 valid = v_first64(n - i);
        sum = _mm512_add_epi64(
            sum, _mm512_sad_epu8(_mm512_maskz_loadu_epi8(valid, weights + i), v_zero()));
    }
    return (uint64_t)_mm512_reduce_add_epi64(sum);
}

static inline __m512i mix(__m512i x)
{
    x = _mm512_add_epi64(x, _mm512_set1_epi64((long long)DPL__K0));
    x = _mm512_mullo_epi64(_mm512_xor_si512(x, _mm512_srli_epi64(x, 30)),
                           _mm512_set1_epi64((long long)DPL__K1));
    x = _mm512_mullo_epi64(_mm512_xor_si512(x, _mm512_srli_epi64(x, 27)),
                           _mm512_set1_epi64((long long)DPL__K2));
    return _mm512_xor_si512(x, _mm512_srli_epi64(x, 31));
}

/* What is written has room for whole vectors. */
static void mix_keys(uint64_t *out, const uint64_t *keys, size_t n, uint64_t constant)
{
    const __m512i c = _mm512_set1_epi64((long long)constant);
    for (size_t i = 0; i < n; i += 8) {
        __mmask8 valid = v_first8(dpl__min(n - i, 8));
        v_store_aligned(out + i, mix(v_xor(_mm512_maskz_loadu_epi64(valid, keys + i), c)));
    }
}

static void turn(uint64_t *out, const uint64_t *in, size_t n, unsigned k)
{
    const __m512i count = _mm512_set1_epi64(k);
    for (size_t i = 0; i < n; i += 8)
        v_store_aligned(out + i, _mm512_rolv_epi64(v_load(in + i), count));
}

#define LIST_BIT(j)                                                                            \
    do {                                                                                       \
        __mmask16 has_ = _mm512_test_epi32_mask(weight, _mm512_set1_epi32(1 << (j)));          \
        _mm512_storeu_si512(lists + (j)*MOST_LISTED + n##j,                                    \
                            _mm512_maskz_compress_epi32(has_, place));                         \
        n##j += (uint32_t)_mm_popcnt_u32(has_);                                                \
    } while (0)

static void list_low(work *w, const uint8_t *weights, size_t n)
{
    uint32_t n0 = 0, n1 = 0, n2 = 0, n3 = 0, n4 = 0, n5 = 0, *lists = w->lists;
    const __m512i lanes =
        _mm512_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
    for (size_t i = 0; i < n; i += 16) {
        __m128i some = _mm_maskz_loadu_epi8(v_first16(dpl__min(n - i, 16)), weights + i);
        __m512i weight = _mm512_cvtepu8_epi32(some),
                place = _mm512_mullo_epi32(_mm512_add_epi32(lanes, _mm512_set1_epi32((int)i)),
                                           _mm512_set1_epi32(2 * sizeof(vec)));
        LIST_BIT(0);
        LIST_BIT(1);
        LIST_BIT(2);
        LIST_BIT(3);
        LIST_BIT(4);
        LIST_BIT(5);
    }
    const uint32_t all[] = {n0, n1, n2, n3, n4, n5};
    memcpy(w->n_listed, all, sizeof all);
}

static void list_high(uint32_t *high, const uint32_t *low, size_t n)
{
    for (size_t i = 0; i < n; i += 16)
        _mm512_storeu_si512(high + i,
                            _mm512_add_epi32(v_load(low + i), _mm512_set1_epi32(sizeof(vec))));
}

static void put_numbers(int32_t *out, const uint64_t *digits, size_t step, unsigned n_digits,
                        int32_t total)
{
    for (unsigned i = 0; i < 64; i += 16) {
        __m512i x = _mm512_set1_epi32(-total);
        for (unsigned k = 0; k < n_digits; k++)
            x = _mm512_mask_add_epi32(x, (__mmask16)(digits[k * step] >> i), x,
                                      _mm512_set1_epi32((int)(2u << k)));
        v_store(out + i, x);
    }
}

/* ---- weights ------------------------------------------------------------------------ */

static unsigned sign_weights(uint8_t *out, const float *w, size_t n)
{
    __m512 most = _mm512_setzero_ps();
    for (size_t i = 0; i < n; i += 16)
        most =
            _mm512_max_ps(_mm512_maskz_loadu_ps(v_first16(dpl__min(n - i, 16)), w + i), most);
    const __m512 limit = _mm512_set1_ps(DPL__SIGN_WEIGHT), half = _mm512_set1_ps(0.5f);
    const __m512 scale = _mm512_set1_ps(DPL__SIGN_WEIGHT / _mm512_reduce_max_ps(most));
    __m512i sum = v_zero();
    size_t heaviest = n;
    for (size_t i = 0; i < n; i += 16) {
        __mmask16 valid = v_first16(dpl__min(n - i, 16));
        __m512 x = _mm512_mul_ps(_mm512_maskz_loadu_ps(valid, w + i), scale);
        __m512i whole =
            _mm512_maskz_cvttps_epi32(valid, _mm512_min_ps(_mm512_add_ps(x, half), limit));
        _mm512_mask_cvtepi32_storeu_epi8(out + i, valid, whole);
        sum = _mm512_add_epi32(sum, whole);
        unsigned is_most = _mm512_cmpeq_epi32_mask(whole, _mm512_set1_epi32(DPL__SIGN_WEIGHT));
        if (is_most && heaviest == n)
            heaviest = i + (unsigned)__builtin_ctz(is_most);
    }
    unsigned all = (unsigned)_mm512_reduce_add_epi32(sum);
    if (heaviest < n && all % 2 == 0) {
        out[heaviest]--;
        all--;
    }
    return all;
}

/* ---- votes -------------------------------------------------------------------------- */

enum { VOTERS = 1024 }; /* whose weights sum up to no more than 16 bits */

/* Sums of 32 bits each of the hash, a weight added under the mask of a half. */
static void sign_votes(uint64_t *out, size_t n_words, const dpl__sign_terms *terms,
                       uint64_t seed)
{
    const uint64_t *keys = terms->keys;
    const uint8_t *weights = terms->weights;
    const size_t n = terms->n;
    assert(n < 1 << 23); /* sums have 32 bits */
    uint64_t *bits = terms->scratch;
    uint32_t *twice = (uint32_t *)(void *)(bits + VOTERS); /* a weight in both halves */
    const uint32_t *halves = terms->scratch;               /* of bits */
    const __m512i half = _mm512_set1_epi32((int)(sum_of(weights, n) / 2));
    for (size_t w = 0; w < n_words; w++) {
        __m512i all[4] = {v_zero(), v_zero(), v_zero(), v_zero()};
        for (size_t first = 0; first < n; first += VOTERS) {
            size_t n_some = dpl__min(VOTERS, n - first);
            mix_keys(bits, keys + first, n_some, dpl__mix(seed + w));
            for (size_t i = 0; i < n_some; i += 16) {
                __mmask16 valid = v_first16(dpl__min(n_some - i, 16));
                __m512i x =
                    _mm512_cvtepu8_epi32(_mm_maskz_loadu_epi8(valid, weights + first + i));
                v_store_aligned(twice + i, _mm512_or_si512(x, _mm512_slli_epi32(x, 16)));
            }
            __m512i low = v_zero(), high = v_zero();
            for (size_t i = 0; i < n_some; i++) {
                __m512i weight = _mm512_set1_epi32((int)twice[i]);
                low = _mm512_mask_add_epi16(low, halves[2 * i], low, weight);
                high = _mm512_mask_add_epi16(high, halves[2 * i + 1], high, weight);
            }
            const __m256i quarters[4] = {
                _mm512_castsi512_si256(low), _mm512_extracti64x4_epi64(low, 1),
                _mm512_castsi512_si256(high), _mm512_extracti64x4_epi64(high, 1)};
            for (unsigned i = 0; i < 4; i++)
                all[i] = _mm512_add_epi32(all[i], _mm512_cvtepu16_epi32(quarters[i]));
        }
        out[w] = 0;
        for (unsigned i = 0; i < 4; i++)
            out[w] |= (uint64_t)_mm512_cmpgt_epu32_mask(all[i], half) << 16 * i;
    }
}

/* ---- dots --------------------------------------------------------------------------- */

enum { DOT_STEPS = 1024 }; /* of a pair of products each, whose sums have 31 bits */

static int64_t wide_sum(__m512i x)
{
    return _mm512_reduce_add_epi64(
        _mm512_add_epi64(_mm512_cvtepi32_epi64(_mm512_castsi512_si256(x)),
                         _mm512_cvtepi32_epi64(_mm512_extracti64x4_epi64(x, 1))));
}

static void sign_dots(int64_t *out, const int16_t *row, const int16_t *planes, size_t dim)
{
    for (unsigned plane = 0; plane < DPL__SIGN_PLANES; plane += 4) {
        const int16_t *p = planes + plane * dim;
        int64_t all[4] = {0};
        for (size_t first = 0; first < dim; first += 32 * DOT_STEPS) {
            size_t end = dpl__min(dim, first + 32 * DOT_STEPS);
            __m512i s0 = v_zero(), s1 = v_zero(), s2 = v_zero(), s3 = v_zero();
            for (size_t d = first; d < end; d += 32) {
                __m512i x = v_load(row + d);
                s0 = _mm512_add_epi32(s0, _mm512_madd_epi16(x, v_load(p + d)));
                s1 = _mm512_add_epi32(s1, _mm512_madd_epi16(x, v_load(p + dim + d)));
                s2 = _mm512_add_epi32(s2, _mm512_madd_epi16(x, v_load(p + 2 * dim + d)));
                s3 = _mm512_add_epi32(s3, _mm512_madd_epi16(x, v_load(p + 3 * dim + d)));
            }
            all[0] += wide_sum(s0);
            all[1] += wide_sum(s1);
            all[2] += wide_sum(s2);
            all[3] += wide_sum(s3);
        }
        for (unsigned i = 0; i < 4; i++)
            out[plane + i] = all[i];
    }
}

void dpl__sign_avx512(dpl__kernels *k)
{
    k->sign_weights = sign_weights;
    k->sign_rp = sign_rp;
    k->sign_votes = sign_votes;
    k->sign_minima = sign_minima;
    k->sign_sums = sign_sums;
    k->sign_dots = sign_dots;
}
#endif
