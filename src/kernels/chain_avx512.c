/*
 * chain_avx512.c - chains, 16 states at a time.
 */
#if defined(__x86_64__)
#define CHAIN_WIDTH 16
#include "kernels/chain_lanes.h"

void dpl__kernels_chain_avx512(dpl__kernels *k)
{
    k->chains = chains;
    k->chain_jumps = chain_jumps;
}
#endif
