/*
 * score.c - canonical scores of one left row and any right rows.
 *
 * The left row is spread over an array with a place for every term of the right side, then a
 * right row walks through its own terms: the products that are not zero are squeezed together
 * and added in order, which is the canonical sum. Nearly all of the time goes into fetching the
 * right rows, so they are asked for beforehand.
 */
#include "pairs/exact.h"

#include "base/ctx.h"
#include "kernels/kernels.h"

enum { PRODUCTS = DPL__MOST_PRODUCTS, LINE = 64 };

bool dpl__scorer_init(dpl__scorer *s, dpl_ctx *ctx, const dpl__sides *sides)
{
    *s = (dpl__scorer){.sides = sides, .kernels = ctx->kernels, .row = DPL__NO_ROW};
    if (sides->right->sizes.dim)
        return true;
    assert(sides->right->rows.n_terms <= INT32_MAX);
    s->bits = dpl__calloc(ctx, DPL__TERM_BITS / 32, sizeof *s->bits);
    s->weights = dpl__calloc(ctx, (size_t)sides->right->rows.n_terms + 1, sizeof *s->weights);
    if (s->bits && s->weights)
        return true;
    dpl__scorer_clear(s, ctx);
    return false;
}

void dpl__scorer_clear(dpl__scorer *s, dpl_ctx *ctx)
{
    if (s->weights)
        dpl__free(ctx, s->weights,
                  ((size_t)s->sides->right->rows.n_terms + 1) * sizeof *s->weights);
    dpl__free(ctx, s->bits, DPL__TERM_BITS / 32 * sizeof *s->bits);
    *s = (dpl__scorer){0};
}

/* Writes the row's weights, or zeros, to their places. */
static void spread(dpl__scorer *s, uint32_t row, bool is_in)
{
    const dpl__rows *left = &s->sides->left->rows;
    for (uint64_t i = left->offsets[row]; i < left->offsets[row + 1]; i++) {
        uint32_t term = dpl__right_term(s->sides, left->terms[i]);
        if (term == DPL__NO_TERM)
            continue;
        s->weights[term] = is_in ? left->weights[i] : 0;
        uint32_t bit = (uint32_t)1 << term % 32, *word = &s->bits[term % DPL__TERM_BITS / 32];
        *word = is_in ? *word | bit : 0;
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
        size_t n = s->kernels->sparse_products(products, s->weights, s->bits, right->terms + i,
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
    DPL_PREFETCH(p + n); /* the first may have begun in the middle of a line */
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
