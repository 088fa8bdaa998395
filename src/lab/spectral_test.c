#include "lab/spectral.h"

#include "base/hash.h"
#include "test.h"

#include <math.h>
#include <stdlib.h>

static double number(dpl__rng *rng)
{
    return (double)dpl__rng_below(rng, 2001) / 1000 - 1;
}

/* B B' of n rows and `rank` columns that are drawn: symmetric, no eigenvalue below 0. */
static double *draw_matrix(size_t n, size_t rank, dpl__rng *rng)
{
    double *b = malloc(n * rank * sizeof *b), *a = calloc(n * n, sizeof *a);
    for (size_t i = 0; i < n * rank; i++)
        b[i] = number(rng);
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++)
            for (size_t k = 0; k < rank; k++)
                a[j * n + i] += b[k * n + i] * b[k * n + j];
    free(b);
    return a;
}

static double *copy_of(const double *a, size_t n)
{
    double *out = malloc(n * sizeof *out);
    memcpy(out, a, n * sizeof *out);
    return out;
}

static double dot(const double *x, const double *y, size_t n)
{
    double sum = 0;
    for (size_t i = 0; i < n; i++)
        sum += x[i] * y[i];
    return sum;
}

/* A v = value v, of length 1; its number of largest size is positive. */
static void check_pair(const double *a, const double *v, double value, size_t n)
{
    size_t largest = 0;
    for (size_t i = 0; i < n; i++) {
        CHECK(fabs(dot(a + i * n, v, n) - value * v[i]) < 1e-9); /* rows are columns */
        if (fabs(v[i]) > fabs(v[largest]))
            largest = i;
    }
    CHECK(fabs(dot(v, v, n) - 1) < 1e-9);
    CHECK(v[largest] > 0);
}

DPL_TEST(spectral, eigenpairs_solve_their_equation_and_fall)
{
    dpl_ctx *ctx = test_ctx(1);
    static const size_t sizes[][2] = {{1, 1}, {2, 1}, {2, 2}, {5, 3}, {9, 9}, {30, 4}};
    dpl__rng rng = {3};
    for (size_t s = 0; s < DPL_LEN(sizes); s++) {
        const size_t n = sizes[s][0], k = sizes[s][1];
        double *a = draw_matrix(n, n, &rng), *used = copy_of(a, n * n), trace = 0, sum = 0;
        double *values = malloc(n * sizeof *values), *vectors = malloc(n * n * sizeof *vectors);
        CHECK_OK(dpl__largest_eigenpairs(ctx, values, vectors, used, n, k, &test_err));
        for (size_t i = 0; i < k; i++) {
            CHECK(values[i] >= -1e-9 && (i == 0 || values[i] <= values[i - 1]));
            check_pair(a, vectors + i * n, values[i], n);
            for (size_t j = 0; j < i; j++)
                CHECK(fabs(dot(vectors + i * n, vectors + j * n, n)) < 1e-9);
            sum += values[i];
        }
        for (size_t i = 0; i < n; i++)
            trace += a[i * n + i];
        CHECK(k < n ? sum <= trace + 1e-9 : fabs(sum - trace) < 1e-9);
        free(vectors);
        free(values);
        free(used);
        free(a);
    }
    test_ctx_done(ctx);
}

/* The largest ones, not any: a matrix of a lower rank has nothing beyond them. */
DPL_TEST(spectral, the_largest_values_make_up_a_matrix_of_their_rank)
{
    enum { N = 12, RANK = 3 };
    dpl_ctx *ctx = test_ctx(1);
    dpl__rng rng = {8};
    double *a = draw_matrix(N, RANK, &rng), *used = copy_of(a, N * N);
    double values[RANK], vectors[RANK * N];
    CHECK_OK(dpl__largest_eigenpairs(ctx, values, vectors, used, N, RANK, &test_err));
    for (size_t i = 0; i < N; i++)
        for (size_t j = 0; j < N; j++) {
            double sum = 0;
            for (size_t k = 0; k < RANK; k++)
                sum += values[k] * vectors[k * N + i] * vectors[k * N + j];
            CHECK(fabs(sum - a[j * N + i]) < 1e-9);
        }
    free(used);
    free(a);
    test_ctx_done(ctx);
}

DPL_TEST(spectral, systems_of_equations_are_solved_where_a_matrix_is_definite)
{
    enum { N = 7, COLUMNS = 3 };
    dpl__rng rng = {5};
    double *a = draw_matrix(N, N, &rng), *made = copy_of(a, N * N);
    double x[N * COLUMNS], b[N * COLUMNS];
    for (size_t i = 0; i < DPL_LEN(x); i++)
        x[i] = number(&rng);
    for (size_t c = 0; c < COLUMNS; c++)
        for (size_t i = 0; i < N; i++)
            b[c * N + i] = dot(a + i * N, x + c * N, N);
    CHECK(dpl__cholesky(made, N));
    dpl__cholesky_solve(b, COLUMNS, made, N);
    for (size_t i = 0; i < DPL_LEN(x); i++)
        CHECK(fabs(b[i] - x[i]) < 1e-6);
    memcpy(made, a, N * N * sizeof *a);
    made[3 * N + 3] = -made[3 * N + 3];
    CHECK(!dpl__cholesky(made, N));
    free(made);
    free(a);
}

static dpl_status decompose(void *user, dpl_ctx *ctx, dpl_error *err)
{
    double *a = copy_of(user, 9), values[2], vectors[6];
    const dpl_status status = dpl__largest_eigenpairs(ctx, values, vectors, a, 3, 2, err);
    free(a);
    return status;
}

DPL_TEST(spectral, survives_every_failing_allocation)
{
    double a[9] = {2, 1, 0, 1, 2, 1, 0, 1, 2};
    test_allocation_failures(decompose, a);
}
