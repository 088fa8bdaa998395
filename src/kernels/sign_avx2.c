/*
 * sign_avx2.c - signatures, four words at a time.
 */
#include "kernels/kernels.h"
#include "kernels/sign.h"

#if defined(__x86_64__)
#include "kernels/simd.h"

#include "kernels/sign_words.h"

/* ---- dots --------------------------------------------------------------------------- */

enum { DOT_STEPS = 1024 }; /* of a pair of products each, whose sums have 31 bits */

static int64_t wide_sum(vec x)
{
    vec sum = _mm256_add_epi64(_mm256_cvtepi32_epi64(_mm256_castsi256_si128(x)),
                               _mm256_cvtepi32_epi64(_mm256_extracti128_si256(x, 1)));
    return _mm256_extract_epi64(sum, 0) + _mm256_extract_epi64(sum, 1) +
           _mm256_extract_epi64(sum, 2) + _mm256_extract_epi64(sum, 3);
}

static void sign_dots(int64_t *out, const int16_t *row, const int16_t *planes, size_t dim)
{
    for (unsigned plane = 0; plane < DPL__SIGN_PLANES; plane += 2) {
        const int16_t *p = planes + plane * dim;
        int64_t all[2] = {0};
        for (size_t first = 0; first < dim; first += 16 * DOT_STEPS) {
            size_t end = dpl__min(dim, first + 16 * DOT_STEPS);
            vec s0 = v_zero(), s1 = v_zero();
            for (size_t d = first; d < end; d += 16) {
                vec x = v_load(row + d);
                s0 = _mm256_add_epi32(s0, _mm256_madd_epi16(x, v_load(p + d)));
                s1 = _mm256_add_epi32(s1, _mm256_madd_epi16(x, v_load(p + dim + d)));
            }
            all[0] += wide_sum(s0);
            all[1] += wide_sum(s1);
        }
        out[plane] = all[0];
        out[plane + 1] = all[1];
    }
}

void dpl__sign_avx2(dpl__kernels *k)
{
    k->sign_rp = sign_rp;
    k->sign_minima = sign_minima;
    k->sign_sums = sign_sums;
    k->sign_dots = sign_dots;
}
#endif
