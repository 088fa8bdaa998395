/*
 * parse_number.c - digits, a point and an exponent become a number.
 */
#include "lexicon/parse_number.h"

static const char *skip_digits(const char *p, const char *end, uint64_t *digits, int *exponent,
                               int step)
{
    for (; p < end && *p >= '0' && *p <= '9'; p++) {
        if (*digits < UINT64_MAX / 10 - 1) {
            *digits = *digits * 10 + (uint64_t)(*p - '0');
            *exponent += step;
        } else if (*exponent < 10000) { /* further digits do not matter, their number does */
            *exponent += 1 + step;
        }
    }
    return p;
}

static double times_power(double x, int exponent)
{
    static const double powers[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                    1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
                                    1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
    while (exponent && x > 0 && x < 1e300) {
        int step = exponent > 22 ? 22 : exponent < -22 ? -22 : exponent;
        x = step > 0 ? x * powers[step] : x / powers[-step];
        exponent -= step;
    }
    return x;
}

bool dpl__parse_number(double *out, dpl_str s)
{
    const char *p = s.data, *end = p + s.n;
    bool is_negative = p < end && *p == '-';
    p += is_negative;
    uint64_t digits = 0;
    int exponent = 0;
    const char *begin = p;
    p = skip_digits(p, end, &digits, &exponent, 0);
    size_t n_digits = (size_t)(p - begin);
    if (p < end && *p == '.') {
        begin = ++p;
        p = skip_digits(p, end, &digits, &exponent, -1);
        n_digits += (size_t)(p - begin);
    }
    if (n_digits == 0)
        return false;
    if (p < end && (*p == 'e' || *p == 'E')) {
        bool is_small = p + 1 < end && p[1] == '-';
        p += 1 + (p + 1 < end && (p[1] == '-' || p[1] == '+'));
        int power = 0;
        for (begin = p; p < end && *p >= '0' && *p <= '9'; p++)
            power = power < 10000 ? power * 10 + (*p - '0') : power;
        if (p == begin)
            return false;
        exponent += is_small ? -power : power;
    }
    *out = times_power((double)digits, exponent) * (is_negative ? -1 : 1);
    return p == end;
}
