/*
 * maths.h - elementary functions with the same bits on every machine.
 *
 * The C library chooses among variants by processor (with and without FMA, AVX2), which differ
 * in the last bit, and so do its versions. A score that is compared or printed can hang on
 * that bit. These functions use additions, multiplications, divisions and square roots only,
 * which IEEE 754 fixes (the build forbids contraction to FMA), and tables.
 *
 * Errors are in units of the last place, 0.5 being the best possible; maths_test.c measures
 * them. Special values are those of C's Annex F, except where noted. No errno, no rounding
 * mode but to nearest.
 */
#ifndef DPL_BASE_MATHS_H
#define DPL_BASE_MATHS_H

#include "base/base.h"

/* log(x) for an x that is zero, negative, subnormal, infinite or no number. */
double dpl__log_special(double x);

/* The natural logarithm, 3; inline, because inner loops of sentence alignment call it.
 * log(m 2^e) = e log 2 + 2 artanh((m - 1) / (m + 1)) as a series, m from sqrt(1/2) to sqrt(2).
 */
static inline double dpl__log(double x)
{
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    if (bits - ((uint64_t)1 << 52) >= (uint64_t)0x7FE << 52)
        return dpl__log_special(x);
    bits -= 0x3FE6A09E667F3BCDu; /* sqrt(1/2): m begins there */
    double e = (double)((int64_t)bits >> 52);
    bits = (bits & 0xFFFFFFFFFFFFFu) + 0x3FE6A09E667F3BCDu;
    double m;
    memcpy(&m, &bits, sizeof m);
    double s = (m - 1) / (m + 1), z = s * s;
    double low = 1 / 3.0 + z * (1 / 5.0 + z * (1 / 7.0 + z * (1 / 9.0)));
    double high = 1 / 11.0 + z * (1 / 13.0 + z * (1 / 15.0 + z * (1 / 17.0 + z * (1 / 19.0))));
    double z2 = z * z;
    return e * 0x1.62e42fefa39efp-1 + 2 * s * (1 + z * (low + z2 * z2 * high));
}

double dpl__log2(double x);  /* 0.51; exact for powers of two */
double dpl__log1p(double x); /* 0.51 */
double dpl__exp(double x);   /* 0.52 */
double dpl__exp2(double x);  /* 0.52; exact for whole numbers */
double dpl__expm1(double x); /* 0.52 */
/* 0.54; x >= 0: NaN for x < 0, whatever y is, unless y is 0. */
double dpl__pow(double x, double y);
/* 0.6; |x| <= 1e6, NaN beyond. */
double dpl__sin(double x);
double dpl__cos(double x);
double dpl__acos(double x); /* 0.65 */

#endif
