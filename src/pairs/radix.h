/*
 * radix.h - sorting 64-bit numbers by their bytes.
 */
#ifndef DPL_PAIRS_RADIX_H
#define DPL_PAIRS_RADIX_H

#include "base/base.h"

/* Sorts numbers[0, n) by bytes [first, end) of them, 0 being the lowest; numbers that agree
 * there stay in their order. scratch has room for n. Returns where the result is: one of the
 * two. */
uint64_t *dpl__radix_sort_bytes(uint64_t *numbers, uint64_t *scratch, size_t n, unsigned first,
                                unsigned end);

/* Sorts numbers[0, n), all bytes, in place. */
void dpl__radix_sort(uint64_t *numbers, uint64_t *scratch, size_t n);

#endif
