/*
 * hamming.h - what the levels of hamming_mask and dpl__hamming_scratch agree on.
 */
#ifndef DPL_KERNELS_HAMMING_H
#define DPL_KERNELS_HAMMING_H

#include "kernels/kernels.h"

#define INLINE static inline __attribute__((always_inline))
/* Before a loop over an array that is to stay in registers. */
#define UNROLL _Pragma("GCC unroll 8")

enum {
    DPL__HAMMING_TILE = 1024, /* queries whose counters are in memory at a time */
    DPL__HAMMING_ROWS = 1024, /* table rows of a unit, at the most */
    DPL__HAMMING_PAD = 160,   /* positions of a unit, at the most */
};

/* Binary digits of a sum over all positions, padded to whole units. */
static inline size_t dpl__hamming_digits(size_t n_words)
{
    size_t n = 7; /* what a unit is added to */
    while ((64 * n_words + DPL__HAMMING_PAD) >> n)
        n++;
    return n;
}

#endif
