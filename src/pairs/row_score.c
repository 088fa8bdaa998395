/*
 * row_score.c - canonical scores of one left row and any right rows.
 *
 * The left row is spread over an array with a place for every term of the right side, then a
 * right row walks through its own terms and adds up the products in order, which is the
 * canonical sum. Most of the time goes into fetching right
 * rows, so a row to come is asked for meanwhile, line by line: all at once would be more than
 * the processor waits for at a time.
 */
#include "pairs/exact.h"

#include "base/ctx.h"
#include "kernels/kernels.h"

enum {
    LINE = 16, /* terms in a cache line */
    MOST_FETCHED = 512
};

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

double dpl__scorer_bytes(const dpl__sides *sides)
{
    return sides->right->sizes.dim
               ? 0
               : DPL__TERM_BITS / 8 + sides->right->rows.n_terms * (double)sizeof(float);
}

void dpl__scorer_clear(dpl__scorer *s, dpl_ctx *ctx)
{
    if (s->weights)
        dpl__free(ctx, s->weights);
    dpl__free(ctx, s->bits);
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
    assert(left_row == DPL__NO_ROW || left_row < s->sides->left->sizes.n_rows);
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

float dpl__score(const dpl__scorer *s, uint32_t right_row, uint32_t next_row)
{
    assert(s->row != DPL__NO_ROW && right_row < s->sides->right->sizes.n_rows);
    if (!s->weights)
        return s->kernels->dot(dense_row(s->sides->left, s->row),
                               dense_row(s->sides->right, right_row),
                               s->sides->left->dense.dim);
    const dpl__rows *rows = &s->sides->right->rows;
    const dpl__sparse_row row = dpl__sparse_row_of(rows, right_row),
                          next = dpl__sparse_row_of(rows, next_row);
    double sum = s->kernels->sparse_dot(0, s->weights, s->bits, &row, &next);
    for (size_t i = row.n; i < dpl__min(next.n, MOST_FETCHED); i += LINE) { /* the rest of it */
        DPL_PREFETCH(next.terms + i);
        DPL_PREFETCH(next.weights + i);
    }
    return (float)sum;
}
