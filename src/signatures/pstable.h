/*
 * pstable.h - Gaussian projections of rows.
 */
#ifndef DPL_SIGNATURES_PSTABLE_H
#define DPL_SIGNATURES_PSTABLE_H

#include "signatures/hash_functions.h"

/* n numbers, a multiple of DPL__GAUSS_STEP: the products of the row, scaled to length one, and
 * vectors of independent standard normal numbers. */
enum { DPL__GAUSS_STEP = 8 };
void dpl__gauss_project(float *out, size_t n, const dpl__hash_row *row, uint64_t seed);

#endif
