/*
 * dot8_scalar.c - dot products of signed bytes in plain C: the specification.
 */
#include "kernels/dot8.h"

size_t dpl__dot8_scratch(size_t dim)
{
    return (DPL__HAMMING_DOCS + DPL__DOT8_QUERIES) * dim + DPL__DOT8_EXTRA;
}

static int32_t dot8(const int8_t *a, const int8_t *b, size_t dim)
{
    int32_t sum = 0;
    for (size_t i = 0; i < dim; i++)
        sum += a[i] * b[i];
    return sum;
}

static void dot8_mask(uint64_t *mask, void *scratch, const dpl__mask_rows *rows,
                      const int32_t *least)
{
    const int8_t *queries = rows->queries, *docs = rows->docs;
    const size_t n_queries = rows->n_queries, n_docs = rows->n_docs, dim = 8 * rows->n_words;
    assert(rows->n_words == rows->stride); /* one row behind the other */
    (void)scratch;
    memset(mask, 0, n_queries * DPL__HAMMING_DOCS / 8);
    for (size_t q = 0; q < n_queries; q++)
        for (size_t d = 0; d < n_docs; d++)
            if (dot8(queries + q * dim, docs + d * dim, dim) >= least[q])
                mask[8 * q + d / 64] |= (uint64_t)1 << d % 64;
}

static void quantise8(int8_t *out, const int32_t *x, size_t n)
{
    double sums[8] = {0};
    for (size_t i = 0; i < n; i++)
        sums[i % 8] += (double)x[i] * x[i];
    const double scale = dpl__dot8_scale(sums, n);
    for (size_t i = 0; i < n; i++) {
        double y = x[i] * scale;
        y = y > 127 ? 127 : y < -127 ? -127 : y;
        out[i] = (int8_t)(y + (y < 0 ? -0.5 : 0.5));
    }
}

void dpl__dot8_scalar(dpl__kernels *k)
{
    k->dot8 = dot8;
    k->dot8_mask = dot8_mask;
    k->quantise8 = quantise8;
}
