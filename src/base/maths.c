/*
 * maths.c - logarithms, exponentials and the circular functions, without the C library.
 *
 * Table-driven (Tang 1989, 1990): an argument is reduced to a small rest by a table, the rest
 * goes through a short Taylor series, and leading terms are kept as a sum of two doubles, so
 * that about one result in a hundred is not the nearest double. No FMA: products that must be
 * exact are products of short factors.
 */
#include "base/maths.h"

#include "base/base.h"
#include "base/maths_tables.h"

#include <math.h>

/* A number as the unevaluated sum of two: |low| is at most half a unit of high's last place,
 * or not much more. */
typedef struct two {
    double high, low;
} two;

static inline uint64_t to_bits(double x)
{
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}

static inline double from_bits(uint64_t bits)
{
    double x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

/* 2^n, for -1022 <= n <= 1023. */
static inline double power_of_two(int n)
{
    return from_bits((uint64_t)(1023 + n) << 52);
}

/* The first 26 bits of x: a product of two such numbers is exact. */
static inline double top_half(double x)
{
    return from_bits(to_bits(x) & ~(uint64_t)0x7FFFFFF);
}

/* a + b, where |a| >= |b| or a = 0, or a is a multiple of b's last place. */
static inline two fast_sum(double a, double b)
{
    double sum = a + b;
    return (two){sum, a - sum + b};
}

static inline two product(double a, double b)
{
    double ah = top_half(a), al = a - ah, bh = top_half(b), bl = b - bh, p = a * b;
    return (two){p, ah * bh - p + ah * bl + al * bh + al * bl};
}

/* ---- logarithms ------------------------------------------------------------------------ */

/* x = 2^k m, and an entry of the table near 1 / m: log(x) = k log 2 - log(inverse) + log(1 +
 * r), where r = m inverse - 1 is small: |r| <= 2^-7 where the inverse is 1, near x = 1, and |r|
 * <= 2^-8 elsewhere. */
typedef struct reduced {
    double k;
    size_t i;
    two r;
} reduced;

/* log(x + rest) for normal x > 0; rest is at most half a unit of x's last place. */
static inline reduced reduce_log(double x, double rest)
{
    uint64_t bits = to_bits(x), offset = bits - ((uint64_t)0x3FE6 << 48);
    int64_t k = (int64_t)offset >> 52;
    size_t i = offset >> 45 & (N_LOG - 1);
    uint64_t m = bits - ((uint64_t)k << 52);
    /* The inverse has 17 bits: products with the first 36 and the last 17 of m are exact. */
    double inverse = log_table[i].inverse, m_top = from_bits(m & ~(uint64_t)0x1FFFF);
    two r = fast_sum(m_top * inverse - 1, (from_bits(m) - m_top) * inverse);
    if (rest != 0) {
        double low = r.low;
        r = fast_sum(r.high, rest * power_of_two((int)-k) * inverse);
        r.low += low;
    }
    return (reduced){(double)k, i, r};
}

/* With a relative error below 2^-67. */
static inline two precise_log(reduced x)
{
    double r = x.r.high, rr = r * r;
    double head = x.k * LN2_HIGH + log_table[x.i].high; /* exact */
    two sum = fast_sum(head, r);
    double top = top_half(r), square = 0.5 * top * top; /* exact */
    two sum2 = fast_sum(sum.high, -square);
    double series = (1 / 3.0 - r * (1 / 4.0)) + rr * (1 / 5.0 - r * (1 / 6.0)) +
                    rr * rr * (1 / 7.0 - r * (1 / 8.0) + rr * (1 / 9.0));
    double low = x.k * LN2_LOW + log_table[x.i].low;
    low += x.r.low - r * x.r.low - 0.5 * (r - top) * (r + top) + rr * r * series;
    return (two){sum2.high, low + (sum.low + sum2.low)};
}

/* Rounded to a double. Away from 1 the second term of the series need not be exact. */
static inline double rounded_log(reduced x)
{
    double head = x.k * LN2_HIGH + log_table[x.i].high;
    if (head == 0) {
        two y = precise_log(x);
        return y.high + y.low;
    }
    double r = x.r.high, rr = r * r;
    two sum = fast_sum(head, r);
    double low = x.k * LN2_LOW + log_table[x.i].low + (x.r.low + sum.low);
    double series = (r * (1 / 3.0) - 0.5) + rr * (r * (1 / 5.0) - 1 / 4.0) +
                    rr * rr * (r * (1 / 7.0) - 1 / 6.0 - rr * (1 / 8.0));
    return sum.high + (low + rr * series);
}

/* Whether x is zero, negative, subnormal, infinite or no number. */
static inline bool is_special(double x)
{
    return to_bits(x) - ((uint64_t)1 << 52) >= ((uint64_t)0x7FE << 52);
}

/* The logarithm of a special x, to any base; the number itself if it is subnormal. */
static double special_log(double x)
{
    return x == 0 ? -INFINITY : x > 0 ? x : x != x ? x : NAN;
}

double dpl__log_special(double x)
{
    return x > 0 && x < 1 ? dpl__log(x * 0x1p54) - 54 * LN2_WHOLE : special_log(x);
}

double dpl__log2(double x)
{
    if (is_special(x))
        return x > 0 && x < 1 ? dpl__log2(x * 0x1p54) - 54 : special_log(x);
    two y = precise_log(reduce_log(x, 0));
    y = fast_sum(y.high, y.low);
    two p = product(y.high, INV_LN2_HIGH);
    return p.high + (p.low + y.high * INV_LN2_LOW + y.low * INV_LN2_HIGH);
}

double dpl__log1p(double x)
{
    if (!(x > -1 && x < INFINITY))
        return x == -1 ? -INFINITY : x > 0 || x != x ? x : NAN;
    if (x > -0x1p-54 && x < 0x1p-54)
        return x; /* also keeps the sign of zero */
    double u = 1 + x;
    return rounded_log(reduce_log(u, x < 1 ? x - (u - 1) : x < 0x1p60 ? 1 - (u - x) : 0));
}

/* ---- exponentials ---------------------------------------------------------------------- */

/* x = k log 2 / N_EXP + rest, |rest| <= log 2 / (2 N_EXP); for |x| < 1100. */
static inline int reduce_exp(two *rest, two x)
{
    double shifted = x.high * INV_STEP + 0x1.8p52; /* rounds to an integer: its last bits */
    double k = shifted - 0x1.8p52;
    *rest = fast_sum(x.high - k * STEP_HIGH, x.low - k * STEP_LOW);
    return (int)(uint32_t)to_bits(shifted);
}

/* exp(r) - 1 - r for a small r. */
static inline double exp_series(double r)
{
    double rr = r * r;
    return rr * (0.5 + r * (1 / 6.0)) + rr * rr * (1 / 24.0 + r * (1 / 120.0));
}

/* 2^n (value + value * part), where n makes the result large, small or subnormal. */
static double scale(int n, double value, double part)
{
    double y = value + value * part;
    if (n > 0)
        return y * 0x1p1000 * power_of_two(n - 1000);
    if (n > -1022 || (n == -1022 && y >= 1))
        return y * power_of_two(n);
    /* Subnormal: adding a number whose last place is the result's rounds once only. */
    double unit = power_of_two(-1022 - n), low = value - y + value * part;
    two sum = fast_sum(unit, y);
    return (sum.high + (sum.low + low) - unit) * power_of_two(-1022) / unit;
}

/* exp(x.high + x.low) */
static inline double exp_of(two x)
{
    if (!(x.high < 709.79))
        return x.high != x.high ? x.high : INFINITY;
    if (x.high < -745.2)
        return 0;
    two rest;
    int k = reduce_exp(&rest, x), i = k & (N_EXP - 1), n = (k - i) / N_EXP;
    double r = rest.high, value = exp_table[i].value;
    double part = r + (exp_table[i].rest + exp_series(r));
    if (n < -1000 || n > 1020) /* the product below must not be subnormal */
        return scale(n, value, part);
    value = from_bits(to_bits(value) + ((uint64_t)(int64_t)n << 52));
    return value + value * part;
}

double dpl__exp(double x)
{
    return exp_of((two){x, 0});
}

double dpl__exp2(double x)
{
    if (!(x < 1100 && x > -1100))
        return x != x ? x : x > 0 ? INFINITY : 0;
    two p = product(x, LN2_WHOLE);
    p.low += x * LN2_REST;
    return exp_of(p);
}

double dpl__expm1(double x)
{
    if (!(x < 60))
        return dpl__exp(x);
    if (x < -60)
        return -1;
    if (x > -0x1p-54 && x < 0x1p-54)
        return x;
    two rest;
    int k = reduce_exp(&rest, (two){x, 0}), i = k & (N_EXP - 1);
    double r = rest.high, value = exp_table[i].value * power_of_two((k - i) / N_EXP);
    /* value (1 + r + ...) - 1 = (value - 1) + r + (value - 1) r + ... */
    two less = value >= 1 ? fast_sum(value, -1) : fast_sum(-1, value);
    two sum = fast_sum(less.high, r);
    double rrr = r * r * r, far = rrr * rrr * (1 / 720.0 + r * (1 / 5040.0));
    double part = exp_table[i].rest * (1 + r) + rest.low + (exp_series(r) + far);
    return sum.high + (sum.low + (less.low + (less.high * r + value * part)));
}

double dpl__pow(double x, double y)
{
    if (x == 1 || y == 0)
        return 1;
    if (x != x || y != y || x < 0)
        return NAN;
    if (x == 0 || x == INFINITY)
        return (x == 0) == (y > 0) ? 0 : INFINITY;
    if (y > 0x1p64 || y < -0x1p64) /* farther from 1 than any result */
        return (x > 1) == (y > 0) ? INFINITY : 0;
    bool is_subnormal = is_special(x);
    reduced l = reduce_log(is_subnormal ? x * 0x1p54 : x, 0);
    if (is_subnormal)
        l.k -= 54;
    two z = precise_log(l);
    z = fast_sum(z.high, z.low);
    two p = product(z.high, y);
    p.low += z.low * y;
    return exp_of(p);
}

/* ---- circular functions ---------------------------------------------------------------- */

/* x = quarter pi / 2 + rest, |rest| <= pi / 4. Answers the quarter modulo 4. */
static unsigned quarter(double x, two *rest)
{
    double n = x * INV_QUARTER + 0x1.8p52 - 0x1.8p52;
    double a = x - n * QUARTER_1, b = n * QUARTER_2;
    double high = a - b, low = a - high - b - n * QUARTER_3;
    *rest = fast_sum(high, low);
    return (unsigned)(int)n & 3;
}

static double sin_near(two r)
{
    double x = r.high, z = x * x;
    two square = product(x, x), cube = product(square.high, x);
    cube.low += square.low * x;
    two sixth = product(cube.high, 1 / 6.0);
    sixth.low += cube.low * (1 / 6.0) + cube.high * 0x1.5555555555555p-57;
    double series = 1 / 120.0 + z * (-1 / 5040.0 + z * (1 / 362880.0 + z * (-1 / 39916800.0)));
    double far = 1 / 6227020800.0 + z * (-1 / 1307674368000.0 + z * (1 / 355687428096000.0));
    double z2 = z * z;
    two sum = fast_sum(x, -sixth.high);
    return sum.high +
           (sum.low - sixth.low + z2 * x * (series + z2 * z2 * far) + r.low * (1 - 0.5 * z));
}

static double cos_near(two r)
{
    double x = r.high, z = x * x, top = top_half(x), square = 0.5 * top * top; /* exact */
    double series = 1 / 24.0 + z * (-1 / 720.0 + z * (1 / 40320.0 + z * (-1 / 3628800.0)));
    double far = 1 / 479001600.0 + z * (-1 / 87178291200.0 + z * (1 / 20922789888000.0));
    double z2 = z * z;
    two sum = fast_sum(1, -square);
    return sum.high +
           (sum.low - 0.5 * (x - top) * (x + top) - x * r.low + z2 * (series + z2 * z2 * far));
}

/* The sine of x + n pi / 2. */
static double turned_sin(double x, unsigned n)
{
    if (!(x <= 1e6 && x >= -1e6))
        return NAN;
    two r;
    n += quarter(x, &r);
    double y = n & 1 ? cos_near(r) : sin_near(r);
    return n & 2 ? -y : y;
}

double dpl__sin(double x)
{
    return x == 0 ? x : turned_sin(x, 0);
}

double dpl__cos(double x)
{
    return turned_sin(x, 1);
}

/* (asin(s) - s) / s for z = s s <= 1/4. */
static double asin_series(double z)
{
    double sum = 0;
    for (size_t i = DPL_LEN(asin_terms); i--;)
        sum = sum * z + asin_terms[i];
    return sum * z;
}

double dpl__acos(double x)
{
    if (x >= -0.5 && x <= 0.5) {
        two sum = fast_sum(HALF_PI_HIGH, -x);
        return sum.high + (sum.low + (HALF_PI_LOW - x * asin_series(x * x)));
    }
    if (!(x >= -1 && x <= 1))
        return NAN;
    /* acos(|x|) = 2 asin(s), s = sqrt(z), as s + rest */
    double z = (1 - fabs(x)) / 2, s = sqrt(z);
    if (s == 0)
        return x > 0 ? 0 : PI_HIGH;
    double top = top_half(s), rest = (z - top * top) / (s + top) + s * asin_series(z);
    if (x > 0)
        return 2 * (top + rest);
    two sum = fast_sum(PI_HIGH, -2 * top);
    return sum.high + (sum.low + (PI_LOW - 2 * rest));
}
