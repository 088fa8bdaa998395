/*
 * radix.h - sorting 64-bit numbers by their bytes.
 */
#ifndef DPL_SRC_RADIX_H
#define DPL_SRC_RADIX_H

#include "base/base.h"

/* Sorts numbers[0, n) rising; scratch has room for n. On one thread. */
void dpl__radix_sort(uint64_t *numbers, uint64_t *scratch, size_t n);

#endif
