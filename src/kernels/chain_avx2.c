/*
 * chain_avx2.c - chains, 8 states at a time.
 */
#if defined(__x86_64__)
#define CHAIN_WIDTH 8
#include "kernels/chain_lanes.h"

void dpl__kernels_chain_avx2(dpl__kernels *k)
{
    k->chains = chains;
    k->chain_jumps = chain_jumps;
}
#endif
