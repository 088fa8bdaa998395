/*
 * hamming_avx2.c - Hamming distances, 256 documents at a time.
 */
#include "kernels/hamming.h"

#if defined(__x86_64__)
#include <immintrin.h>

/* Four sums, since one would wait for itself. */
static unsigned hamming(const uint64_t *a, const uint64_t *b, size_t n_words)
{
    uint64_t n[4] = {0};
    for (; n_words >= 4; a += 4, b += 4, n_words -= 4) {
        n[0] += (unsigned)__builtin_popcountll(a[0] ^ b[0]);
        n[1] += (unsigned)__builtin_popcountll(a[1] ^ b[1]);
        n[2] += (unsigned)__builtin_popcountll(a[2] ^ b[2]);
        n[3] += (unsigned)__builtin_popcountll(a[3] ^ b[3]);
    }
    for (; n_words; a++, b++, n_words--)
        n[0] += (unsigned)__builtin_popcountll(*a ^ *b);
    return (unsigned)(n[0] + n[1] + n[2] + n[3]);
}

typedef __m256i vec;
enum { LANES = 4, UNIT = 16 };
#define MOST_FIELD 5

#define v_load(p) _mm256_load_si256((const vec *)(const void *)(p))
#define v_store(p, x) _mm256_store_si256((p), (x))
#define v_zero() _mm256_setzero_si256()
#define v_all(word) _mm256_set1_epi64x((long long)(word))
#define v_and _mm256_and_si256
#define v_or _mm256_or_si256
#define v_xor _mm256_xor_si256
#define v_andnot _mm256_andnot_si256
#define v_not(x) _mm256_xor_si256((x), _mm256_set1_epi64x(-1))
#define v_left(x, k) _mm256_sll_epi64((x), _mm_cvtsi32_si128((int)(k)))
#define v_right(x, k) _mm256_srl_epi64((x), _mm_cvtsi32_si128((int)(k)))
#define v_shuffle _mm256_shuffle_epi8
#define v_multiply16 _mm256_mullo_epi16
#define v_right16(x, k) _mm256_srl_epi16((x), _mm_cvtsi32_si128((int)(k)))

INLINE vec v_spread(const uint8_t *p, unsigned field)
{
    (void)field;
    return _mm256_broadcastsi128_si256(_mm_loadu_si128((const __m128i *)(const void *)p));
}

INLINE vec v_majority(vec a, vec b, vec c)
{
    return v_or(v_and(a, b), v_and(c, v_or(a, b)));
}

INLINE vec v_full(vec *sum, vec a, vec b)
{
    vec u = v_xor(a, b);
    vec carry = v_or(v_and(a, b), v_and(*sum, u));
    *sum = v_xor(*sum, u);
    return carry;
}

#include "kernels/hamming_slices.h"

void dpl__hamming_avx2(dpl__kernels *k)
{
    k->hamming = hamming;
    k->hamming_mask = hamming_mask;
    k->hamming_few = hamming_few;
    k->hamming_turn = hamming_turn;
    k->hamming_turned = hamming_turned;
}
#endif
