/*
 * logarithm.h - the natural logarithm, and back, the same bits on every machine.
 *
 * The C library chooses among versions by processor, which may differ in the last bit; a
 * comparison of two scores can hang on that. log(m 2^e) = e log 2 + 2 artanh((m-1)/(m+1)) as a
 * series, with m between sqrt(1/2) and sqrt(2). Error below 1e-15.
 */
#ifndef DPL_SENTENCES_LOGARITHM_H
#define DPL_SENTENCES_LOGARITHM_H

#include "base/base.h"

/* x > 0, finite and normal. */
static inline double dpl__log(double x)
{
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
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

/* 1 / (1 + exp(-x)), within 1e-9. */
static inline double dpl__sigmoid(double x)
{
    double y = x < 0 ? -x : x;
    if (y > 40)
        return x < 0 ? 0 : 1;
    y /= -1024; /* exp(-|x|) is exp(-|x| / 1024) to the power of 1024 */
    double e = 1 + y * (1 + y / 2 * (1 + y / 3 * (1 + y / 4 * (1 + y / 5))));
    for (int i = 0; i < 10; i++)
        e *= e;
    return x < 0 ? e / (1 + e) : 1 / (1 + e);
}

#endif
