#include "base/maths.h"

#include "base/hash.h"
#include "test.h"

#include <float.h>
#include <math.h>
#include <stdio.h>

enum { N = 400000 };

static uint64_t state;

static double uniform(double from, double to)
{
    state = dpl__mix(state + 0x9E3779B97F4A7C15u);
    return from + (to - from) * ((double)(state >> 11) * 0x1p-53);
}

/* Any positive normal number, all exponents alike. */
static double any_positive(void)
{
    state = dpl__mix(state + 0x9E3779B97F4A7C15u);
    uint64_t bits = (state % 2046 + 1) << 52 | state >> 12;
    double x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

/* The distance of y from the exact value in units of y's last place. */
static double error_of(double y, long double exact)
{
    if (y == (double)exact && (isinf(y) || y == 0))
        return 0;
    double a = fabs((double)exact), unit = nextafter(a, INFINITY) - a;
    return (double)(fabsl((long double)y - exact) / unit);
}

typedef struct measure {
    const char *name;
    double most, at; /* error, argument */
} measure;

static void note(measure *m, double x, double y, long double exact)
{
    double e = error_of(y, exact);
    if (!(e <= m->most)) {
        m->most = e;
        m->at = x;
    }
}

/* Long double must tell more than double does. */
static void check(const measure *m, double bound)
{
    if (LDBL_MANT_DIG <= DBL_MANT_DIG)
        bound = 1.5;
    printf("         %s: %.4f at %a\n", m->name, m->most, m->at);
    if (!(m->most <= bound))
        dpl__test_fail(__FILE__, __LINE__, "%s is wrong by %.4f units at %a", m->name, m->most,
                       m->at);
}

DPL_TEST(maths, logarithms_are_close)
{
    measure all = {.name = "log"}, near = {.name = "log near 1"}, two = {.name = "log2"};
    for (int i = 0; i < N; i++) {
        double x = any_positive(), y = 1 + uniform(-1, 1) * pow(2, -uniform(0, 50));
        note(&all, x, dpl__log(x), logl(x));
        note(&near, y, dpl__log(y), logl(y));
        note(&two, x, dpl__log2(x), log2l(x));
        note(&two, y, dpl__log2(y), log2l(y));
        x = uniform(0, 20);
        note(&all, x, dpl__log(x), logl(x));
        x *= 0x1p-1060;
        note(&all, x, dpl__log(x), logl(x));
    }
    check(&all, 3);
    check(&near, 3);
    check(&two, 0.51);
    for (int k = -1074; k < 1024; k++)
        CHECK(dpl__log2(ldexp(1, k)) == k);
    CHECK(dpl__log(1) == 0);
    CHECK(dpl__log(0) == -INFINITY && dpl__log(-0.0) == -INFINITY && dpl__log2(0) == -INFINITY);
    CHECK(dpl__log(INFINITY) == INFINITY && isnan(dpl__log(-1)) && isnan(dpl__log(NAN)));
    CHECK(isnan(dpl__log(-INFINITY)) && isnan(dpl__log2(-1e-320)));
}

DPL_TEST(maths, log1p_is_nearly_correctly_rounded)
{
    measure m = {.name = "log1p"};
    for (int i = 0; i < N; i++) {
        double x = pow(2, uniform(-80, 100)), y = -pow(2, -uniform(0, 60));
        note(&m, x, dpl__log1p(x), log1pl(x));
        note(&m, y, dpl__log1p(y), log1pl(y));
        y = uniform(-1, 3);
        note(&m, y, dpl__log1p(y), log1pl(y));
    }
    check(&m, 0.51);
    CHECK(dpl__log1p(0) == 0 && signbit(dpl__log1p(-0.0)) && dpl__log1p(5e-324) == 5e-324);
    CHECK(dpl__log1p(-1) == -INFINITY && isnan(dpl__log1p(-1.5)) && isnan(dpl__log1p(NAN)));
    CHECK(dpl__log1p(INFINITY) == INFINITY && isnan(dpl__log1p(-INFINITY)));
    CHECK(error_of(dpl__log1p(DBL_MAX), log1pl(DBL_MAX)) < 0.51);
}

DPL_TEST(maths, exp_is_nearly_correctly_rounded)
{
    measure m = {.name = "exp"}, two = {.name = "exp2"}, less = {.name = "expm1"};
    for (int i = 0; i < N; i++) {
        double x = uniform(-745.2, 709.8), y = uniform(-1, 1) * pow(2, -uniform(0, 60));
        note(&m, x, dpl__exp(x), expl(x));
        note(&m, y, dpl__exp(y), expl(y));
        note(&two, x, dpl__exp2(x * 1.44), exp2l(x * 1.44));
        note(&less, y, dpl__expm1(y), expm1l(y));
        note(&less, x, dpl__expm1(x / 10), expm1l(x / 10));
        y = uniform(-30, 10);
        note(&m, y, dpl__exp(y), expl(y));
        note(&less, y, dpl__expm1(y), expm1l(y));
        y = uniform(-745.2, -708);
        note(&m, y, dpl__exp(y), expl(y));
    }
    check(&m, 0.52);
    check(&two, 0.52);
    check(&less, 0.52);
    for (int k = -1074; k < 1024; k++)
        CHECK(dpl__exp2(k) == ldexp(1, k));
    CHECK(dpl__exp(0) == 1 && dpl__exp(1) == 0x1.5bf0a8b145769p+1);
    CHECK(dpl__exp(-INFINITY) == 0 && dpl__exp(INFINITY) == INFINITY && isnan(dpl__exp(NAN)));
    CHECK(dpl__exp(-1e300) == 0 && dpl__exp(1e300) == INFINITY && dpl__exp(710) == INFINITY);
    CHECK(dpl__exp2(1024) == INFINITY && dpl__exp2(-1100) == 0 && isnan(dpl__exp2(NAN)));
    CHECK(dpl__expm1(0) == 0 && signbit(dpl__expm1(-0.0)) && dpl__expm1(-INFINITY) == -1);
    CHECK(dpl__expm1(INFINITY) == INFINITY && isnan(dpl__expm1(NAN)));
}

DPL_TEST(maths, pow_is_nearly_correctly_rounded)
{
    measure m = {.name = "pow"};
    for (int i = 0; i < N; i++) {
        double x = any_positive(), y = uniform(-1, 1) * 740 / fabs(log(x));
        note(&m, x, dpl__pow(x, y), powl(x, y));
        x = uniform(0, 1), y = uniform(-3, 64);
        note(&m, x, dpl__pow(x, y), powl(x, y));
        x = 1 + uniform(-1, 1) * pow(2, -uniform(0, 40)),
        y = uniform(-1, 1) * 700 / fabs(log(x));
        note(&m, x, dpl__pow(x, y), powl(x, y));
    }
    check(&m, 0.54);
    for (int base = 2; base < 20; base++) /* whole powers that a double holds are exact */
        for (double k = 0, exact = 1; exact < 0x1p53; k++, exact *= base)
            CHECK(dpl__pow(base, k) == exact);
    CHECK(dpl__pow(0, 0) == 1 && dpl__pow(NAN, 0) == 1 && dpl__pow(1, NAN) == 1);
    CHECK(dpl__pow(0, 2) == 0 && dpl__pow(0, -2) == INFINITY && dpl__pow(INFINITY, -1) == 0);
    CHECK(dpl__pow(2, INFINITY) == INFINITY && dpl__pow(0.5, INFINITY) == 0);
    CHECK(dpl__pow(0.5, -INFINITY) == INFINITY && dpl__pow(2, -1e300) == 0);
    CHECK(isnan(dpl__pow(-1, 2)) && isnan(dpl__pow(2, NAN)) && isnan(dpl__pow(NAN, 2)));
    CHECK(dpl__pow(5e-324, 0.5) == 0x1p-537 && dpl__pow(1e-300, 1e-300) == 1);
}

DPL_TEST(maths, circular_functions_are_close)
{
    const double pi = 3.14159265358979323846;
    measure s = {.name = "sin"}, c = {.name = "cos"}, a = {.name = "acos"};
    for (int i = 0; i < N; i++) {
        double x = uniform(0, pi);
        note(&s, x, dpl__sin(x), sinl(x));
        note(&c, x, dpl__cos(x), cosl(x));
        x = uniform(-1, 1) * pow(2, -uniform(-19.9, 40));
        note(&s, x, dpl__sin(x), sinl(x));
        note(&c, x, dpl__cos(x), cosl(x));
        x = uniform(-1, 1);
        note(&a, x, dpl__acos(x), acosl(x));
        x = 1 - pow(2, -uniform(0, 53));
        note(&a, x, dpl__acos(x), acosl(x));
        note(&a, -x, dpl__acos(-x), acosl(-x));
    }
    check(&s, 0.6);
    check(&c, 0.6);
    check(&a, 0.65);
    CHECK(dpl__sin(0) == 0 && signbit(dpl__sin(-0.0)) && dpl__cos(0) == 1 &&
          dpl__cos(pi) == -1);
    CHECK(dpl__acos(1) == 0 && dpl__acos(-1) == pi && dpl__acos(0) == pi / 2);
    CHECK(isnan(dpl__acos(1.1)) && isnan(dpl__acos(NAN)) && isnan(dpl__cos(INFINITY)));
    CHECK(isnan(dpl__sin(NAN)) && isnan(dpl__sin(2e6)));
}

/* A table is where a function may step back; neighbours there must not. */
DPL_TEST(maths, neighbours_are_in_order)
{
    for (int i = 0; i < N; i++) {
        double x = i % 2 ? uniform(0.5, 2) : any_positive(), above = nextafter(x, INFINITY);
        CHECK(dpl__log1p(x) <= dpl__log1p(above));
        x = uniform(-700, 700), above = nextafter(x, INFINITY);
        CHECK(dpl__exp(x) <= dpl__exp(above));
    }
    const uint64_t first = (uint64_t)0x3FE6 << 48;
    for (uint64_t i = 0; i <= 128; i++) {
        uint64_t bits = first + (i << 45);
        double x;
        memcpy(&x, &bits, sizeof x);
        CHECK(dpl__log2(nextafter(x, 0)) < dpl__log2(nextafter(x, 2)));
    }
}

/* The same bits wherever this runs. */
DPL_TEST(maths, results_have_known_bits)
{
    uint64_t sum = 0;
    state = 1;
    for (int i = 0; i < N; i++) {
        double x = any_positive(), y = uniform(-20, 20), z = uniform(-1, 1);
        double results[] = {dpl__log(x),    dpl__log2(x),  dpl__log1p(x), dpl__exp(y),
                            dpl__exp2(y),   dpl__expm1(y), dpl__sin(y),   dpl__cos(y),
                            dpl__pow(x, z), dpl__acos(z)};
        for (size_t k = 0; k < DPL_LEN(results); k++) {
            uint64_t bits;
            memcpy(&bits, &results[k], sizeof bits);
            sum = dpl__mix(sum ^ bits);
        }
    }
    CHECK(sum == 0xba3f08c02bda26e8u);
}
