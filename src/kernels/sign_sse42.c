/*
 * sign_sse42.c - signatures, two words at a time.
 */
#include "kernels/kernels.h"
#include "kernels/sign.h"

#if defined(__x86_64__)
#include <immintrin.h>

typedef __m128i vec;
enum { LANES = 2 };

#define v_set(p) _mm_set1_epi64x((long long)*(p))
#define v_load(p) _mm_loadu_si128((const vec *)(const void *)(p))
#define v_store(p, x) _mm_store_si128((p), (x))
#define v_xor _mm_xor_si128
#define v_turn _mm_shuffle_epi8
#define v_min _mm_min_epu32
#define v_most _mm_set1_epi64x(-1)
#define v_zero _mm_setzero_si128()
#define V_ADD(sum, carry, a, b)                                                                \
    do {                                                                                       \
        const vec a_ = (a), b_ = (b), s_ = (sum), t_ = v_xor(a_, b_);                          \
        (sum) = v_xor(t_, s_);                                                                 \
        (carry) = _mm_or_si128(_mm_and_si128(a_, b_), _mm_and_si128(t_, s_));                  \
    } while (0)

#include "kernels/sign_words.h"

void dpl__sign_sse42(dpl__kernels *k)
{
    k->sign_rp = sign_rp;
    k->sign_minima = sign_minima;
}
#endif
