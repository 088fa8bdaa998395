/*
 * exact_dense.c - dense rows, all against all.
 */
#include "pairs/exact.h"

#include "base/ctx.h"

struct dpl__all_dense {
    dpl_ctx *ctx;
    const dpl__sides *sides;
    double threshold;
    uint32_t first, end;
};

static uint32_t fit(const void *self, uint32_t first, uint64_t n_bytes)
{
    (void)first, (void)n_bytes;
    const dpl__all_dense *d = self;
    return d->sides->right->dense.n_rows;
}

static dpl_status begin(void *self, uint32_t first, uint32_t end, dpl_error *err)
{
    (void)err;
    dpl__all_dense *d = self;
    d->first = first;
    d->end = end;
    return DPL_OK;
}

static dpl_status find(void *self, dpl__found *out, size_t *n_done, const uint32_t *rows,
                       size_t n, size_t most, unsigned worker, dpl_error *err)
{
    (void)worker;
    dpl__all_dense *d = self;
    const dpl__dense *left = &d->sides->left->dense, *right = &d->sides->right->dense;
    for (*n_done = 0; *n_done < n && (*n_done == 0 || out->n < most); ++*n_done) {
        uint32_t row = rows[*n_done];
        const float *x = left->values + (size_t)row * left->dim;
        for (uint32_t r = d->sides->is_self ? row + 1 : d->first; r < d->end; r++) {
            float score =
                dpl__dot(d->ctx, x, right->values + (size_t)r * right->dim, left->dim);
            if (dpl__is_pair(score, d->threshold) &&
                !dpl__vec_push(d->ctx, out, ((dpl_pair){row, r, score})))
                return dpl__fail_nomem(err);
        }
    }
    return DPL_OK;
}

dpl_status dpl__all_dense_new(dpl__all_dense **out, dpl_ctx *ctx, const dpl__sides *sides,
                              double threshold, dpl_error *err)
{
    *out = dpl__calloc(ctx, 1, sizeof **out);
    if (!*out)
        return dpl__fail_nomem(err);
    **out = (dpl__all_dense){.ctx = ctx, .sides = sides, .threshold = threshold};
    return DPL_OK;
}

void dpl__all_dense_free(dpl__all_dense *d)
{
    if (d)
        dpl__free(d->ctx, d, sizeof *d);
}

dpl__way dpl__all_dense_way(dpl__all_dense *d)
{
    return (dpl__way){d, fit, begin, find};
}
