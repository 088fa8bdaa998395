/*
 * permute_avx2.c - keys of 256 rows at a time.
 */
#if defined(__x86_64__)
enum { LANES = 4 };
#include "kernels/permute_keys.h"

void dpl__permute_avx2(dpl__kernels *k)
{
    k->column_turn = column_turn;
    k->column_keys = column_keys;
}
#endif
