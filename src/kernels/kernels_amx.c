/*
 * kernels_amx.c - tiles of signed bytes; all else is as with AVX-512.
 */
#include "kernels/kernels.h"

#if defined(__x86_64__)
void dpl__kernels_amx(dpl__kernels *k)
{
    dpl__dot8_amx(k);
}
#endif
