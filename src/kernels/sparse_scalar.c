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

static inline void add_posting(uint16_t *sums, uint32_t posting, uint32_t weight)
{
    uint16_t *sum = &sums[posting & 0xFFFF];
    *sum = (uint16_t)(*sum + ((posting >> 16) * weight >> 16));
}

static void sparse_add(uint16_t *sums, const uint32_t *postings, size_t n, uint16_t weight)
{
    const uint32_t *p = postings, *end = p + n;
    for (; end - p >= 4; p += 4) {
        add_posting(sums, p[0], weight);
        add_posting(sums, p[1], weight);
        add_posting(sums, p[2], weight);
        add_posting(sums, p[3], weight);
    }
    for (; p < end; p++)
        add_posting(sums, *p, weight);
}

static size_t sparse_sweep(uint16_t *out, uint16_t *sums, const uint16_t *norms, size_t n,
                           uint16_t norm, uint16_t least)
{
    size_t n_out = 0;
    for (size_t i = 0; i < n; i++) {
        uint32_t bound = sums[i] + ((uint32_t)norms[i] * norm >> 16);
        sums[i] = 0;
        out[n_out] = (uint16_t)i;
        n_out += bound >= least;
    }
    return n_out;
}

void dpl__kernels_sparse_scalar(dpl__kernels *k)
{
    k->sparse_products = sparse_products;
    k->sparse_add = sparse_add;
    k->sparse_sweep = sparse_sweep;
}
