/*
 * sparse_scalar.c - sparse rows: the specification.
 */
#include "kernels/kernels.h"

static size_t sparse_products(double *out, const float *dense, const uint32_t *terms,
                              const float *weights, size_t n)
{
    size_t n_out = 0;
    for (size_t i = 0; i < n; i++) { /* no branch: it cannot be foretold */
        double product = (double)dense[terms[i]] * (double)weights[i];
        out[n_out] = product;
        n_out += product != 0;
    }
    return n_out;
}

void dpl__kernels_sparse_scalar(dpl__kernels *k)
{
    k->sparse_products = sparse_products;
}
