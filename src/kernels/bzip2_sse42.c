/*
 * bzip2_sse42.c - the symbols of bzip2 blocks, with the front of the list in a register.
 */
#include "kernels/kernels.h"

#if defined(__x86_64__)
#include "kernels/bzip2_list.h"
#include "kernels/bzip2_symbols.h"

void dpl__bzip2_sse42(dpl__kernels *k)
{
    k->bz_symbols = decode_symbols;
    k->bz_four = find_four;
}
#endif
