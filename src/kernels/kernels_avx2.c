/*
 * kernels_avx2.c - 32 bytes at a time.
 */
#include "kernels/kernels.h"

#if defined(__x86_64__)
#include "kernels/byteset.h"
#include "kernels/utf8_prefix.h"

void dpl__kernels_avx2(dpl__kernels *k)
{
    dpl__kernels_chain_avx2(k);
    k->find_byte = find_byte;
    k->mask_bytes = mask_bytes;
    k->utf8_prefix = utf8_prefix;
    dpl__hamming_avx2(k);
    dpl__dot_avx2(k);
    dpl__dot8_avx2(k);
    dpl__sparse_avx2(k);
    dpl__permute_avx2(k);
    dpl__sign_avx2(k);
    dpl__bzip2_avx2(k);
}
#endif
