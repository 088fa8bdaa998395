/*
 * dot8_avx2.c - dot products of signed bytes, eight documents in a vector.
 */
#include "kernels/dot8.h"

#if defined(__x86_64__)
#include "kernels/simd.h"

/* The top bit of every 32-bit lane. */
#define v_tops32(x) (unsigned)_mm256_movemask_ps(_mm256_castsi256_ps(x))

/* after what it is told */
#include "kernels/dot8_plain.h"

void dpl__dot8_avx2(dpl__kernels *k)
{
    set_dot8(k);
}
#endif
