/*
 * permute_avx512.c - keys of 512 rows at a time.
 */
#if defined(__x86_64__)
enum { LANES = 8 };
#include "kernels/permute_keys.h"

void dpl__permute_avx512(dpl__kernels *k)
{
    k->column_turn = column_turn;
    k->column_keys = column_keys;
}
#endif
