/*
 * spectral.h - dense symmetric matrices: eigenvectors, definiteness, systems of equations.
 *
 * The only place that calls LAPACK. Matrices are columns of n numbers, one behind the other.
 */
#ifndef DPL_LAB_SPECTRAL_H
#define DPL_LAB_SPECTRAL_H

#include "base/base.h"

/* The k largest eigenvalues, falling, and their eigenvectors, k columns. The number of largest
 * size in each vector (the first of several) is positive. a is overwritten. 1 <= k <= n. */
dpl_status dpl__largest_eigenpairs(dpl_ctx *ctx, double *values, double *vectors, double *a,
                                   size_t n, size_t k, dpl_error *err);
/* Whether it has a Cholesky decomposition; that takes its place if so. */
bool dpl__cholesky(double *a, size_t n);
/* Solves A x = b for m columns of b, in place; a is the decomposition of A. */
void dpl__cholesky_solve(double *b, size_t m, const double *a, size_t n);

#endif
