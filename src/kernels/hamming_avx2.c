/*
 * hamming_avx2.c - Hamming distances, 256 documents at a time.
 */
#if defined(__x86_64__)
#include "kernels/hamming_plain.h"
/* after what it is told */
#include "kernels/hamming_slices.h"

void dpl__hamming_avx2(dpl__kernels *k)
{
    set_hamming(k);
}
#endif
