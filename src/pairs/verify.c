/*
 * verify.c - candidates to true cosines.
 *
 * The left row is spread over an array with a place for every term of the right side, then each
 * right row walks through its own terms: the products that are not zero are squeezed together
 * and added in order, which is the canonical sum. Rows to come are prefetched. Candidates of
 * one left row stand together, so spreading costs little.
 */
#include "pairs/exact.h"

#include "base/ctx.h"
#include "kernels/kernels.h"
#include "par/pool.h"

enum {
    PRODUCTS = 512, /* at a time */
    CHUNK = 4096,   /* candidates */
    AHEAD = 3,      /* rows */
    LINE = 64
};

/* ---- one left row -------------------------------------------------------------------- */

bool dpl__scorer_init(dpl__scorer *s, dpl_ctx *ctx, const dpl__sides *sides)
{
    *s = (dpl__scorer){.sides = sides, .kernels = ctx->kernels, .row = DPL__NO_ROW};
    if (sides->right->sizes.dim)
        return true;
    assert(sides->right->rows.n_terms <= INT32_MAX);
    s->weights = dpl__calloc(ctx, (size_t)sides->right->rows.n_terms + 1, sizeof *s->weights);
    return s->weights != NULL;
}

void dpl__scorer_clear(dpl__scorer *s, dpl_ctx *ctx)
{
    if (s->weights)
        dpl__free(ctx, s->weights,
                  ((size_t)s->sides->right->rows.n_terms + 1) * sizeof *s->weights);
    s->weights = NULL;
}

/* Writes the row's weights, or zeros, to their places. */
static void spread(dpl__scorer *s, uint32_t row, bool is_in)
{
    const dpl__rows *left = &s->sides->left->rows;
    for (uint64_t i = left->offsets[row]; i < left->offsets[row + 1]; i++) {
        uint32_t term = dpl__right_term(s->sides, left->terms[i]);
        if (term != DPL__NO_TERM)
            s->weights[term] = is_in ? left->weights[i] : 0;
    }
}

void dpl__scorer_set(dpl__scorer *s, uint32_t left_row)
{
    if (s->row == left_row)
        return;
    if (s->weights && s->row != DPL__NO_ROW)
        spread(s, s->row, false);
    if (s->weights && left_row != DPL__NO_ROW)
        spread(s, left_row, true);
    s->row = left_row;
}

static const float *dense_row(const dpl_vectors *v, uint32_t row)
{
    return v->dense.values + (size_t)row * v->dense.dim;
}

float dpl__score(const dpl__scorer *s, uint32_t right_row)
{
    if (!s->weights)
        return s->kernels->dot(dense_row(s->sides->left, s->row),
                               dense_row(s->sides->right, right_row),
                               s->sides->left->dense.dim);
    const dpl__rows *right = &s->sides->right->rows;
    uint64_t end = right->offsets[right_row + 1];
    double products[PRODUCTS], sum = 0;
    for (uint64_t i = right->offsets[right_row]; i < end; i += PRODUCTS) {
        size_t n = s->kernels->sparse_products(products, s->weights, right->terms + i,
                                               right->weights + i,
                                               dpl__min((size_t)(end - i), PRODUCTS));
        for (size_t k = 0; k < n; k++)
            sum += products[k];
    }
    return (float)sum;
}

static void fetch(const void *data, size_t n)
{
    const char *p = data;
    for (size_t i = 0; i < n; i += LINE)
        DPL_PREFETCH(p + i);
}

void dpl__scorer_prefetch(const dpl__scorer *s, uint32_t right_row)
{
    if (!s->weights)
        return;
    const dpl__rows *right = &s->sides->right->rows;
    uint64_t first = right->offsets[right_row];
    size_t n = dpl__min((size_t)(right->offsets[right_row + 1] - first), PRODUCTS);
    fetch(right->terms + first, n * sizeof *right->terms);
    fetch(right->weights + first, n * sizeof *right->weights);
}

/* ---- many candidates ----------------------------------------------------------------- */

typedef struct job {
    const dpl__sides *sides;
    dpl_ctx *ctx;
    dpl_pair *out;
    const dpl__candidate *in;
    size_t n;
    dpl__scorer *scorers; /* of each thread */
} job;

static dpl_status verify_chunk(void *user, size_t chunk, unsigned worker, dpl_error *err)
{
    job *j = user;
    dpl__scorer *s = &j->scorers[worker];
    if (!s->sides && !dpl__scorer_init(s, j->ctx, j->sides)) {
        *s = (dpl__scorer){0};
        return dpl__fail_nomem(err);
    }
    size_t end = dpl__min((chunk + 1) * CHUNK, j->n);
    for (size_t i = chunk * CHUNK; i < end; i++) {
        if (i + AHEAD < j->n)
            dpl__scorer_prefetch(s, j->in[i + AHEAD].right);
        dpl__scorer_set(s, j->in[i].left);
        j->out[i] = (dpl_pair){j->in[i].left, j->in[i].right, dpl__score(s, j->in[i].right)};
    }
    return DPL_OK;
}

dpl_status dpl__verify(dpl_ctx *ctx, const dpl__sides *sides, dpl_pair *out,
                       const dpl__candidate *in, size_t n, dpl_error *err)
{
    job j = {.sides = sides, .ctx = ctx, .out = out, .in = in, .n = n};
    j.scorers = dpl__calloc(ctx, ctx->n_threads, sizeof *j.scorers);
    if (!j.scorers)
        return dpl__fail_nomem(err);
    dpl_status status = dpl__parallel_for(ctx, (n + CHUNK - 1) / CHUNK, &j, verify_chunk, err);
    for (unsigned i = 0; i < ctx->n_threads; i++)
        if (j.scorers[i].sides)
            dpl__scorer_clear(&j.scorers[i], ctx);
    dpl__free(ctx, j.scorers, ctx->n_threads * sizeof *j.scorers);
    return status;
}
