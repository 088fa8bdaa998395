/*
 * sign_sse42.c - signatures, two words at a time.
 */
#include "kernels/kernels.h"
#include "kernels/sign.h"

#if defined(__x86_64__)
#include "kernels/simd.h"

#include "kernels/sign_words.h"

void dpl__sign_sse42(dpl__kernels *k)
{
    k->sign_rp = sign_rp;
    k->sign_minima = sign_minima;
    k->sign_sums = sign_sums;
}
#endif
