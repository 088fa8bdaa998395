/*
 * estimate.c - from a distance between signatures to a cosine, and the cut for a recall.
 *
 * Bits: two rows at the angle theta lie on different sides of a random hyperplane with
 * probability p = theta / pi (Charikar 2002), so a distance is binomial.
 */
#include "signatures/sign_methods.h"

#include "base/maths.h"

#include <math.h>

static const double PI = 3.14159265358979323846;

uint32_t dpl__bits_words(unsigned n)
{
    return n / 64;
}

unsigned dpl__bits_distance(const dpl__kernels *k, const uint64_t *a, const uint64_t *b,
                            size_t n_words)
{
    return k->hamming(a, b, n_words);
}

double dpl__bits_estimate(double share)
{
    return dpl__cos(PI * share);
}

double dpl_sign_estimate(dpl_sign_method method, unsigned n, unsigned distance,
                         bool is_positive)
{
    assert(n && (distance <= n || dpl__signature_method_of(method)->info.has_products));
    double cosine = dpl__signature_method_of(method)->estimate((double)distance / n);
    return is_positive && cosine < 0 ? 0 : cosine;
}

static double angle(double cosine)
{
    return dpl__acos(cosine > 1 ? 1 : cosine < -1 ? -1 : cosine);
}

/* Sums the terms of a binomial distribution from number *k on, given that one and the odds,
 * until the sum reaches the limit; *k is then the number of the last one. The ratio of
 * neighbours is simple, so there are no factorials, and all terms are positive. */
static double sum_terms(double *k, double n, double odds, double term, double limit)
{
    double sum = term;
    for (; *k < n && sum < limit; sum += term) {
        term *= (n - *k) / (*k + 1) * odds;
        ++*k;
    }
    return sum;
}

/* Acklam's rational functions, good to nine digits. */
double dpl__normal_quantile(double p)
{
    static const double a[] = {-3.969683028665376e+01, 2.209460984245205e+02,
                               -2.759285104469687e+02, 1.383577518672690e+02,
                               -3.066479806614716e+01, 2.506628277459239e+00};
    static const double b[] = {-5.447609879822406e+01, 1.615858368580409e+02,
                               -1.556989798598866e+02, 6.680131188771972e+01,
                               -1.328068155288572e+01};
    static const double c[] = {-7.784894002430293e-03, -3.223964580411365e-01,
                               -2.400758277161838e+00, -2.549732539343734e+00,
                               4.374664141464968e+00,  2.938163982698783e+00};
    static const double d[] = {7.784695709041462e-03, 3.224671290700398e-01,
                               2.445134137142996e+00, 3.754408661907416e+00};
    assert(p > 0 && p < 1);
    if (p > 0.5)
        return -dpl__normal_quantile(1 - p);
    if (p < 0.02425) {
        double q = sqrt(-2 * dpl__log(p));
        return (((((c[0] * q + c[1]) * q + c[2]) * q + c[3]) * q + c[4]) * q + c[5]) /
               ((((d[0] * q + d[1]) * q + d[2]) * q + d[3]) * q + 1);
    }
    double q = p - 0.5, r = q * q;
    return (((((a[0] * r + a[1]) * r + a[2]) * r + a[3]) * r + a[4]) * r + a[5]) * q /
           (((((b[0] * r + b[1]) * r + b[2]) * r + b[3]) * r + b[4]) * r + 1);
}

unsigned dpl_sign_cut(dpl_sign_method method, unsigned n, double cosine, double recall)
{
    const dpl__signature_method *m = dpl__signature_method_of(method);
    assert(n && m);
    return m->cut ? m->cut(n, cosine, recall) : n;
}

unsigned dpl__bits_cut(unsigned bits, double cosine, double recall)
{
    double n = bits, p = angle(cosine) / PI;
    if (recall <= 0 || p <= 0)
        return 0;
    if (recall >= 1 || p >= 1)
        return bits;
    /* Relative to the largest term; those too small for any sum are left out. */
    double odds = p / (1 - p), first = floor((n + 1) * p), term = 1;
    for (first = first < n ? first : n; first > 0 && term > 1e-250; first--)
        term *= first / (n - first + 1) / odds;
    double last = first, total = sum_terms(&last, n, odds, term, INFINITY);
    sum_terms(&first, n, odds, term, recall * total);
    return (unsigned)first;
}
