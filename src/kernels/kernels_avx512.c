/*
 * kernels_avx512.c - 64 bytes at a time; a mask register is the answer.
 */
#include "kernels/kernels.h"

#if defined(__x86_64__)
#include "kernels/byteset.h"
#include "kernels/utf8_prefix.h"

void dpl__kernels_avx512(dpl__kernels *k)
{
    dpl__kernels_chain_avx512(k);
    k->find_byte = find_byte;
    k->mask_bytes = mask_bytes;
    k->utf8_prefix = utf8_prefix;
    dpl__hamming_avx512(k);
    dpl__dot_avx512(k);
    dpl__dot8_avx512(k);
    dpl__sparse_avx512(k);
    dpl__permute_avx512(k);
    dpl__sign_avx512(k);
}
#endif
