/*
 * sort.h - sorting on all threads.
 */
#ifndef DPL_PAR_SORT_H
#define DPL_PAR_SORT_H

#include "base/base.h"

/* As qsort, but stable: elements that compare equal stay in their order, for any number of
 * threads. Takes the memory of the elements once more. */
dpl_status dpl__parallel_sort(dpl_ctx *ctx, void *data, size_t n, size_t size,
                              int (*compare)(const void *, const void *), dpl_error *err);

#endif
