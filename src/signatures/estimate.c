/*
 * estimate.c - from a distance between signatures to a cosine, its error, and the cut for a
 * recall.
 *
 * Bits: two rows at the angle theta lie on different sides of a random hyperplane with
 * probability p = theta / pi (Charikar 2002), so a distance is binomial. Its standard error
 * carries over to the cosine by the slope there: pi sin(theta) sqrt(p (1 - p) / n).
 */
#include "signatures/methods.h"

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
    assert(n && distance <= n);
    double cosine = dpl__signature_method_of(method)->estimate((double)distance / n);
    return is_positive && cosine < 0 ? 0 : cosine;
}

static double angle(double cosine)
{
    return dpl__acos(cosine > 1 ? 1 : cosine < -1 ? -1 : cosine);
}

double dpl__bits_error(unsigned n, double cosine)
{
    double p = angle(cosine) / PI;
    return PI * dpl__sin(angle(cosine)) * sqrt(p * (1 - p) / n);
}

double dpl_sign_error(dpl_sign_method method, unsigned n, double cosine)
{
    assert(n);
    return dpl__signature_method_of(method)->error(n, cosine);
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

unsigned dpl_sign_cut(unsigned bits, double cosine, double recall)
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
