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

/* The two halves of a code, for callers that try several widths: the projections of a row,
 * which do not depend on the width, and the codes that they give. */
size_t dpl__pstable_n(const dpl_hash *h); /* numbers of a row */
void dpl__pstable_project(float *out, const dpl_hash *h, const dpl__hash_row *row);
void dpl__pstable_quantise(uint64_t *out, const dpl_hash *h, const float *projected);

#endif
