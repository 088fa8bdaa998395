/*
 * rp8.c - random projections as signed bytes: number i is the product of a row and hyperplane
 * i, in units of 1/32 of the root mean square of the row's products.
 *
 * A bit of rp keeps the sign of a product and loses the rest: the estimate of a cosine near 0
 * from D bits has the variance (pi/2)^2 / D, from D products 1 / D (Li, Hastie, Church 2006).
 * Hyperplanes have one random sign for each term (Achlioptas 2003): the estimate needs no
 * Gaussian entries, and their variance is the smallest there is.
 *
 * As each row is scaled by its own products, all signatures are of the same length, up to
 * rounding: the dot product of two, divided by 1024 n, is the cosine between them, with the
 * variance (1 - c^2)^2 / n instead of (1 + c^2) / n; and one number cuts for all pairs.
 * Products above 3.97 times the mean are cut off there; steps of 1/32 add 1/12,000 to the
 * variance. Everything is computed in whole numbers, but for one factor of the row.
 *
 * The distance of two signatures is 1024 n less their dot product, 0 at least.
 */
#include "signatures/sign_methods.h"

#include "base/maths.h"

#include <math.h>

enum { MOST = 127 };

static dpl_status check(unsigned *n, dpl_error *err)
{
    (void)err;
    *n = (*n + DPL__DOT8_DIMS - 1) / DPL__DOT8_DIMS * DPL__DOT8_DIMS;
    return DPL_OK;
}

static uint32_t n_words(unsigned n)
{
    return n / 8;
}

static bool is_valid(const uint64_t *words, unsigned n)
{
    const int8_t *bytes = (const int8_t *)(const void *)words;
    int least = 0;
    for (unsigned i = 0; i < n; i++)
        least = bytes[i] < least ? bytes[i] : least;
    return least >= -MOST;
}

static unsigned distance(const dpl__kernels *k, const uint64_t *a, const uint64_t *b, size_t n)
{
    const void *x = a, *y = b;
    return dpl__dot8_distance(k->dot8(x, y, 8 * n), 8 * n);
}

static double estimate(double share)
{
    const double cosine = 1 - share / DPL__DOT8_ONE;
    return cosine < -1 ? -1 : cosine;
}

/* Fisher's z: artanh of the estimate is normal, with a variance that does not depend on the
 * cosine. */
static unsigned cut(unsigned n, double cosine, double recall)
{
    const double one = DPL__DOT8_ONE * (double)n, most = one + (double)MOST * MOST * n;
    if (recall <= 0 || cosine >= 1)
        return 0;
    if (recall >= 1 || cosine <= -1)
        return (unsigned)most;
    const double odds = (1 + cosine) / (1 - cosine);
    const double least = dpl__log(odds) / 2 - dpl__normal_quantile(recall) / sqrt(n);
    const double power = dpl__exp(2 * least);
    return (unsigned)ceil(one * (1 - (power - 1) / (power + 1)));
}

const dpl__signature_method dpl__rp8 = {
    .info = {.method = DPL_SIGN_RP8,
             .name = "rp8",
             .help =
                 "random projections as signed bytes: their dot product estimates the cosine",
             .unit = "dims",
             .length_default = 448,
             .length_most = 65536,
             .takes_dense = true,
             .has_products = true},
    .has_weights = true,
    .what_is_wrong = "a number below -127",
    .check = check,
    .n_words = n_words,
    .has_products = true,
    .is_valid = is_valid,
    .distance = distance,
    .estimate = estimate,
    .cut = cut,
};
