/*
 * estimate.c - what a distance between signatures says about a cosine, and how sure it is.
 *
 * Bits: two rows at the angle theta lie on different sides of a random hyperplane with
 * probability p = theta / pi (Charikar 2002), so a distance is binomial. Its standard error
 * carries over to the cosine by the slope there: pi sin(theta) sqrt(p (1 - p) / n).
 *
 * Values: the share of equal minima estimates Jaccard's J, the terms two rows share among those
 * of either (Broder 1997), and stands for the cosine as it is. For rows of equal weights and
 * equal length the cosine would be 2 J / (1 + J); but what two texts have in common are light
 * words above all, and measured against weighted rows (bench/table1) J itself is nearer.
 */
#include "signatures/signatures.h"

#include "base/base.h"
#include "base/maths.h"

#include <math.h>

static const double PI = 3.14159265358979323846;

const char *dpl_sign_method_name(dpl_sign_method method)
{
    static const char *const names[] = {"rp", "simhash", "minhash"};
    return (unsigned)method < DPL_LEN(names) ? names[method] : NULL;
}

dpl_status dpl_sign_check(dpl_sign_options *o, dpl_error *err)
{
    static const unsigned standard[] = {1024, 64, 128}, most[] = {65536, 128, 4096};
    if (!dpl_sign_method_name(o->method))
        return dpl__fail(err, DPL_E_USAGE, "no signature method number %d", (int)o->method);
    if (o->n == 0)
        o->n = standard[o->method];
    if (o->n > most[o->method])
        return dpl__fail(err, DPL_E_USAGE, "%s signatures have at most %u %s, not %u",
                         dpl_sign_method_name(o->method), most[o->method],
                         o->method == DPL_SIGN_MINHASH ? "values" : "bits", o->n);
    if (o->method == DPL_SIGN_SIMHASH && o->n != 64 && o->n != 128)
        return dpl__fail(err, DPL_E_USAGE, "simhash signatures have 64 or 128 bits, not %u",
                         o->n);
    if (o->method == DPL_SIGN_RP)
        o->n = (o->n + 63) / 64 * 64;
    return DPL_OK;
}

double dpl_sign_estimate(dpl_sign_method method, unsigned n, unsigned distance,
                         bool is_positive)
{
    assert(n && distance <= n);
    double share = (double)distance / n;
    double cosine = method == DPL_SIGN_MINHASH ? 1 - share : dpl__cos(PI * share);
    return is_positive && cosine < 0 ? 0 : cosine;
}

static double angle(double cosine)
{
    return dpl__acos(cosine > 1 ? 1 : cosine < -1 ? -1 : cosine);
}

double dpl_sign_error(dpl_sign_method method, unsigned n, double cosine)
{
    assert(n);
    double p, slope = 1;
    if (method == DPL_SIGN_MINHASH) {
        p = cosine > 1 ? 1 : cosine < 0 ? 0 : cosine;
    } else {
        p = angle(cosine) / PI;
        slope = PI * dpl__sin(angle(cosine));
    }
    return slope * sqrt(p * (1 - p) / n);
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
