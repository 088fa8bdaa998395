/*
 * embed_matrix.c - embeddings by decomposition of a matrix of cosines: svd and optimum.
 *
 * svd: S = X^T X of rows of length one; its k largest eigenpairs give Y = L^(1/2) Z^T, the best
 * approximation of all cosines of that rank (Eckart, Young).
 *
 * optimum (Stein 2007, 3.3): the same of S', every cosine taken through two consecutive tanh,
 *
 *     f(s) = floor (1 + tanh(20 (s + floor))) / 2
 *            + (1 - floor) (1 + tanh(20 (s - threshold))) / 2
 *
 * scaled to f(1) = 1: all that is below the threshold is close to the floor, which is one
 * dimension, so that the others are left for similar rows. S' is tested for positive
 * definiteness by its Cholesky decomposition; when it has none, the nearest positive
 * semidefinite matrix (Higham 1988: the part of positive eigenvalues) is taken, whose
 * approximation of rank k are its k largest eigenpairs: negative ones count as 0. Other
 * documents: y = P x with X^T P^T = Y^T (Remark 5), that is P = Y S^-1 X^T; copies make S
 * singular, so 10^-6 is added to its diagonal.
 *
 * Cost: two matrices of n^2 numbers, 4/3 n^3 operations for the eigenvectors and 1/3 n^3 for
 * each decomposition, on one thread: 5 s for 2,000 rows.
 */
#include "lab/embed_matrix.h"
#include "lab/spectral.h"

#include "base/maths.h"

#include <math.h>

static const double slope = 20, ridge = 1e-6;

static double tanh_of(double x)
{
    return 1 - 2 / (dpl__exp(2 * x) + 1);
}

static double two_steps(double s, double threshold, double floor)
{
    return floor * (1 + tanh_of(slope * (s + floor))) / 2 +
           (1 - floor) * (1 + tanh_of(slope * (s - threshold))) / 2;
}

double dpl__embed_step(double cosine, double threshold, double floor)
{
    return two_steps(cosine, threshold, floor) / two_steps(1, threshold, floor);
}

/* ---- the matrix --------------------------------------------------------------------- */

typedef struct matrix {
    dpl_ctx *ctx;
    const dpl_vectors *vectors;
    uint32_t n;         /* rows of it */
    double *cosines;    /* n x n */
    double *work;       /* n x n */
    double *values, *z; /* k eigenvalues; n x k */
    size_t k;
} matrix;

static uint32_t row_of(const matrix *m, uint32_t i)
{
    return (uint32_t)((uint64_t)i * m->vectors->sizes.n_rows / m->n);
}

/* Products with all rows, from the row's terms spread out. */
static dpl_status fill_cosines(matrix *m, dpl_error *err)
{
    const dpl__rows *rows = &m->vectors->rows;
    float *spread = dpl__calloc(m->ctx, (size_t)rows->n_terms + 1, sizeof *spread);
    DPL_TRY(dpl__need(spread, err));
    for (uint32_t i = 0; i < m->n; i++) {
        const uint32_t a = row_of(m, i);
        for (uint64_t t = rows->offsets[a]; t < rows->offsets[a + 1]; t++)
            spread[rows->terms[t]] = rows->weights[t];
        for (uint32_t j = 0; j <= i; j++) {
            const uint32_t b = row_of(m, j);
            double sum = 0;
            for (uint64_t t = rows->offsets[b]; t < rows->offsets[b + 1]; t++)
                sum += (double)spread[rows->terms[t]] * (double)rows->weights[t];
            m->cosines[(size_t)i * m->n + j] = m->cosines[(size_t)j * m->n + i] = sum;
        }
        for (uint64_t t = rows->offsets[a]; t < rows->offsets[a + 1]; t++)
            spread[rows->terms[t]] = 0;
    }
    dpl__free(m->ctx, spread);
    return DPL_OK;
}

static void fill_work(const matrix *m, const dpl_embed_options *o)
{
    for (size_t i = 0; i < (size_t)m->n * m->n; i++)
        m->work[i] =
            o->embedding == DPL_EMBED_OPTIMUM
                ? dpl__embed_step(m->cosines[i], o->optimum_threshold, o->optimum_floor)
                : m->cosines[i];
    /* a row's product with itself is 1 but for rounding */
}

/* Dimensions with an eigenvalue that is not 0, and what share of the squares they keep. */
static void count_dims(matrix *m, double squares, dpl_embed_summary *summary)
{
    double kept = 0;
    summary->n_dims = 0;
    for (size_t i = 0; i < m->k; i++)
        if (m->values[i] > 1e-9 * m->values[0]) {
            summary->n_dims++;
            kept += m->values[i] * m->values[i];
        } else {
            m->values[i] = 0;
        }
    summary->kept = squares > 0 ? kept / squares : 0;
}

/* ---- values and projection ---------------------------------------------------------- */

static dpl_status copy_terms(dpl_embedding *e, const dpl__strings *terms, dpl_error *err)
{
    const size_t n_bytes = (size_t)terms->offsets[terms->n];
    e->offsets = dpl__alloc(e->ctx, (terms->n + 1) * sizeof *e->offsets);
    DPL_TRY(dpl__need(e->offsets, err));
    memcpy(e->offsets, terms->offsets, (terms->n + 1) * sizeof *e->offsets);
    e->n_terms = terms->n;
    e->bytes = dpl__alloc(e->ctx, n_bytes + 1);
    e->projection = dpl__calloc(e->ctx, (terms->n + 1) * e->dims, sizeof *e->projection);
    DPL_TRY(dpl__need(e->bytes && e->projection, err));
    memcpy(e->bytes, terms->bytes, n_bytes);
    return DPL_OK;
}

/* Columns of C^T, so that P = C X^T: S^-1 Y^T. z holds Y^T on entry. */
static void solve(matrix *m)
{
    for (size_t i = 0; i < m->n; i++)
        m->cosines[i * m->n + i] += ridge;
    const bool is_done = dpl__cholesky(m->cosines, m->n);
    assert(is_done); /* semidefinite, and more on its diagonal */
    if (is_done)
        dpl__cholesky_solve(m->z, m->k, m->cosines, m->n);
}

static void fill_projection(const matrix *m, dpl_embedding *e)
{
    const dpl__rows *rows = &m->vectors->rows;
    for (uint32_t i = 0; i < m->n; i++) {
        const uint32_t row = row_of(m, i);
        for (uint64_t t = rows->offsets[row]; t < rows->offsets[row + 1]; t++) {
            float *p = e->projection + (size_t)rows->terms[t] * e->dims;
            for (size_t d = 0; d < m->k; d++)
                p[d] += rows->weights[t] * (float)m->z[d * m->n + i];
        }
    }
}

static dpl_status decompose(matrix *m, dpl_embedding *e, dpl_embed_summary *summary,
                            dpl_error *err)
{
    double squares = 0;
    DPL_TRY(fill_cosines(m, err));
    fill_work(m, &e->options);
    summary->is_definite = dpl__cholesky(m->work, m->n);
    fill_work(m, &e->options);
    for (size_t i = 0; i < (size_t)m->n * m->n; i++)
        squares += m->work[i] * m->work[i];
    DPL_TRY(dpl__largest_eigenpairs(m->ctx, m->values, m->z, m->work, m->n, m->k, err));
    count_dims(m, squares, summary);
    for (size_t d = 0; d < m->k; d++) {
        const double scale = sqrt(m->values[d]);
        for (uint32_t i = 0; i < m->n; i++)
            m->z[d * m->n + i] *= scale;
    }
    if (m->n == e->n_rows) /* closed: their own numbers */
        for (uint32_t i = 0; i < m->n; i++)
            for (size_t d = 0; d < m->k; d++)
                e->values[(size_t)i * e->dims + d] = (float)m->z[d * m->n + i];
    solve(m);
    DPL_TRY(copy_terms(e, &m->vectors->terms, err));
    fill_projection(m, e);
    if (m->n == e->n_rows)
        return DPL_OK;
    return dpl_embedding_project(e->values, e->ctx, e, m->vectors, err);
}

dpl_status dpl__embed_matrix(dpl_embedding *e, dpl_embed_summary *summary,
                             const dpl_vectors *vectors, dpl_error *err)
{
    matrix m = {.ctx = e->ctx, .vectors = vectors};
    m.n = (uint32_t)dpl__min(e->options.matrix, e->n_rows);
    m.k = dpl__min(e->dims, m.n);
    summary->n_dense = m.n;
    const size_t n_square = (size_t)m.n * m.n;
    if (2 * n_square * sizeof(double) > e->ctx->memory)
        return dpl__fail_code(err, DPL_E_LIMIT, "memory",
                              "two matrices of %u x %u numbers need %zu MiB", m.n, m.n,
                              2 * n_square * sizeof(double) >> 20);
    m.cosines = dpl__alloc(m.ctx, n_square * sizeof *m.cosines);
    m.work = dpl__alloc(m.ctx, n_square * sizeof *m.work);
    m.values = dpl__alloc(m.ctx, m.k * sizeof *m.values);
    m.z = dpl__alloc(m.ctx, m.n * m.k * sizeof *m.z);
    dpl_status status;
    DPL__STEP(dpl__need(m.cosines && m.work && m.values && m.z, err));
    status = decompose(&m, e, summary, err);
done:
    dpl__free(m.ctx, m.z, m.values, m.work, m.cosines);
    return status;
}
