/*
 * maths.c - log, exp and their like: ours beside the C library's.
 *
 *     maths [--rounds N]
 *
 * Nanoseconds of a call, the fastest of N rounds over 4,096 arguments, both in turn; and the
 * same where each call waits for the one before (latency).
 */
#include "base/maths.h"

#include "base/ctx.h"
#include "base/hash.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { N = 4096 };

static double dpl_pow_30(double x)
{
    return dpl__pow(x, 30.7);
}

static double pow_30(double x)
{
    return pow(x, 30.7);
}

/* dpl__log is inline. */
static double dpl_log(double x)
{
    return dpl__log(x);
}

static const struct row {
    const char *name;
    double (*theirs)(double), (*ours)(double);
    double from, to;
} rows[] = {
    {"log", log, dpl_log, 1e-9, 100},
    {"log2", log2, dpl__log2, 1e-9, 100},
    {"log1p", log1p, dpl__log1p, -0.999, 3},
    {"exp", exp, dpl__exp, -30, 5},
    {"exp2", exp2, dpl__exp2, -30, 5},
    {"expm1", expm1, dpl__expm1, -3, 3},
    {"pow(x, 30.7)", pow_30, dpl_pow_30, 0, 1},
    {"sin", sin, dpl__sin, 0, 3},
    {"cos", cos, dpl__cos, 0, 3},
    {"acos", acos, dpl__acos, -1, 1},
};

static volatile double kept; /* so that nothing is left out */

static double time_of(double (*f)(double), const double *x, bool waits)
{
    double sum = 0, start = dpl__now();
    for (size_t i = 0; i < N; i++)
        sum = waits ? f(x[i] + sum * 1e-300) : sum + f(x[i]);
    double seconds = dpl__now() - start;
    kept = sum;
    return seconds * 1e9 / N;
}

int main(int argc, char **argv)
{
    int n_rounds = argc == 3 && strcmp(argv[1], "--rounds") == 0 ? atoi(argv[2]) : 200;
    if ((argc != 1 && argc != 3) || n_rounds < 1) {
        fprintf(stderr, "usage: maths [--rounds N]\n");
        return 2;
    }
    printf("%-16s %28s %28s\n", "ns, C library, ours, ratio", "one after the other", "waiting");
    for (size_t r = 0; r < DPL_LEN(rows); r++) {
        static double x[N];
        dpl__rng rng = {r + 1};
        for (size_t i = 0; i < N; i++)
            x[i] = rows[r].from + (rows[r].to - rows[r].from) *
                                      ((double)(dpl__rng_next(&rng) >> 11) * 0x1p-53);
        printf("%-16s", rows[r].name);
        for (int waits = 0; waits < 2; waits++) {
            double best[2] = {1e9, 1e9};
            for (int i = 0; i < 2 * n_rounds; i++) {
                double ns = time_of(i % 2 ? rows[r].ours : rows[r].theirs, x, waits);
                if (ns < best[i % 2])
                    best[i % 2] = ns;
            }
            printf("   %10.2f %7.2f %7.2f", best[0], best[1], best[1] / best[0]);
        }
        printf("\n");
    }
    return 0;
}
