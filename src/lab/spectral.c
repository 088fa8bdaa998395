/*
 * spectral.c - dense symmetric matrices, with LAPACK.
 *
 * Reference LAPACK runs on one thread and adds in a fixed order: the same bytes in every run.
 * Another BLAS adds in another order, which shows in the last digits.
 */
#include "lab/spectral.h"

#include <math.h>

/* LAPACK is Fortran: everything by address. */
void dsyevr_(const char *jobz, const char *range, const char *uplo, const int *n, double *a,
             const int *lda, const double *vl, const double *vu, const int *il, const int *iu,
             const double *abstol, int *m, double *w, double *z, const int *ldz, int *isuppz,
             double *work, const int *lwork, int *iwork, const int *liwork, int *info);
void dpotrf_(const char *uplo, const int *n, double *a, const int *lda, int *info);
void dpotrs_(const char *uplo, const int *n, const int *nrhs, const double *a, const int *lda,
             double *b, const int *ldb, int *info);

static void fix_sign(double *v, size_t n)
{
    size_t largest = 0;
    for (size_t i = 1; i < n; i++)
        if (fabs(v[i]) > fabs(v[largest]))
            largest = i;
    for (size_t i = 0; v[largest] < 0 && i < n; i++)
        if (i != largest)
            v[i] = -v[i];
    v[largest] = fabs(v[largest]);
}

/* Columns from the last to the first. */
static void turn_order(double *values, double *vectors, size_t n, size_t k)
{
    for (size_t i = 0; i < k / 2; i++) {
        const size_t j = k - 1 - i;
        double swap = values[i];
        values[i] = values[j];
        values[j] = swap;
        for (size_t r = 0; r < n; r++) {
            swap = vectors[i * n + r];
            vectors[i * n + r] = vectors[j * n + r];
            vectors[j * n + r] = swap;
        }
    }
}

dpl_status dpl__largest_eigenpairs(dpl_ctx *ctx, double *values, double *vectors, double *a,
                                   size_t n, size_t k, dpl_error *err)
{
    enum { WORK = 26, INT_WORK = 10 };
    const int order = (int)n, first = (int)(n - k + 1), work_size = WORK * order,
              int_size = INT_WORK * order;
    const double none = 0;
    int found = 0, info = 0;
    const size_t n_ints = (INT_WORK + 2) * n;
    double *work = dpl__alloc(ctx, (WORK + 1) * n * sizeof *work);
    int *ints = dpl__alloc(ctx, n_ints * sizeof *ints);
    dpl_status status = DPL_OK;
    DPL__STEP(dpl__need(work && ints, err));
    double *all = work + WORK * n; /* LAPACK wants room for n eigenvalues */
    dsyevr_("V", "I", "L", &order, a, &order, &none, &none, &first, &order, &none, &found, all,
            vectors, &order, ints + INT_WORK * n, work, &work_size, ints, &int_size, &info);
    memcpy(values, all, k * sizeof *values);
    if (info != 0 || found != (int)k)
        DPL__STEP(dpl__fail(err, DPL_E_UNSUPPORTED,
                            "no eigenvectors of a matrix of %zu rows (LAPACK: %d)", n, info));
    turn_order(values, vectors, n, k);
    for (size_t i = 0; i < k; i++)
        fix_sign(vectors + i * n, n);
done:
    dpl__free(ctx, ints, work);
    return status;
}

bool dpl__cholesky(double *a, size_t n)
{
    const int order = (int)n;
    int info = 0;
    dpotrf_("L", &order, a, &order, &info);
    return info == 0;
}

void dpl__cholesky_solve(double *b, size_t m, const double *a, size_t n)
{
    const int order = (int)n, columns = (int)m;
    int info = 0;
    dpotrs_("L", &order, &columns, a, &order, b, &order, &info);
    assert(info == 0);
}
