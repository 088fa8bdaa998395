/*
 * exact_dense.c - dense rows, all against all.
 *
 * Right rows in blocks that stay in the second cache, left rows in strips of a few, all dot
 * products of a strip and a block by one kernel in the one order that scores have. Cost: one
 * multiplication and addition for every pair and dimension.
 *
 * With cuts (dense_cuts.h) most pairs are passed over after one comparison. Cuts that rise are
 * copied for each call, and a left row's own rises with what the call finds.
 */
#include "pairs/exact.h"

#include "base/ctx.h"
#include "pairs/dense_cuts.h"

enum {
    BLOCK_BYTES = 1 << 19, /* of right rows */
    STRIP = 16,            /* left rows */
    QUERIES = 256          /* left rows that a block meets before the next one comes */
};

typedef struct scratch {
    float *scores; /* of a strip and a block */
    dpl__survivors survivors;
    dpl__dense_cuts_view cuts;
} scratch;

struct dpl__all_dense {
    dpl_ctx *ctx;
    const dpl__join *join;
    dpl__dense_cuts *cuts; /* NULL: none */
    uint32_t block_rows;
    uint32_t first, end;
    scratch *scratch; /* of each thread */
};

static uint32_t fit(const void *self, uint32_t first, uint64_t n_bytes)
{
    (void)first, (void)n_bytes; /* there is no index */
    const dpl__all_dense *d = self;
    return d->join->n_indexed;
}

static dpl_status begin(void *self, uint32_t first, uint32_t end, dpl_error *err)
{
    (void)err;
    dpl__all_dense *d = self;
    d->first = first;
    d->end = end;
    return DPL_OK;
}

/* Queries [q, q + n), whose rows stand one behind the other. */
typedef struct strip {
    const uint32_t *rows;
    uint32_t q, n;
} strip;

/* Queries [q, q + n), whose rows stand one behind the other, against a block. */
static bool search_strip(dpl__all_dense *d, scratch *s, const strip *of, uint32_t first,
                         uint32_t n_block)
{
    const uint32_t *rows = of->rows, q = of->q, n = of->n;
    const dpl__dense *left = &d->join->sides->left->dense;
    const dpl__dense *right = &d->join->sides->right->dense;
    size_t dim = left->dim;
    d->ctx->kernels->dots(s->scores, left->values + rows[q] * dim, n,
                          right->values + first * dim, n_block, dim);
    if (!dpl__vec_reserve(d->ctx, &s->survivors.all, (size_t)n * n_block))
        return false;
    dpl__survivor *all = s->survivors.all.data;
    size_t n_all = s->survivors.all.n;
    for (uint32_t i = 0; i < n; i++) {
        const float *scores = s->scores + (size_t)i * n_block;
        uint32_t r = 0;
        if (d->join->sides->is_self && rows[q + i] >= first)
            r = (uint32_t)dpl__min(rows[q + i] + 1 - first, n_block);
        for (; !d->cuts && r < n_block; r++) {
            all[n_all] = (dpl__survivor){q + i, first + r};
            n_all += dpl__is_pair(scores[r], d->join->threshold);
        }
        const dpl__row_scores row = {rows[q + i], q + i, first, r, n_block, scores};
        if (d->cuts)
            n_all += dpl__dense_cuts_pass(&s->cuts, all + n_all, &row);
    }
    s->survivors.all.n = n_all;
    return true;
}

/* Queries at q that stand one behind the other, for one strip. */
static uint32_t strip_length(const uint32_t *rows, uint32_t q, uint32_t n_queries)
{
    assert(q < n_queries);
    uint32_t n = 1;
    while (n < STRIP && q + n < n_queries && rows[q + n] == rows[q] + n)
        n++;
    return n;
}

static bool search_blocks(dpl__all_dense *d, scratch *s, const uint32_t *rows,
                          uint32_t *n_queries, size_t most)
{
    s->survivors.all.n = 0;
    for (uint32_t first = d->first; first < d->end; first += d->block_rows) {
        uint32_t n_block = (uint32_t)dpl__min(d->block_rows, d->end - first);
        for (uint32_t q = 0; q < *n_queries;) {
            uint32_t n = strip_length(rows, q, *n_queries);
            bool is_behind = d->join->sides->is_self && rows[q] + 1 >= first + n_block;
            if (!is_behind && !search_strip(d, s, &(strip){rows, q, n}, first, n_block))
                return false;
            while (s->survivors.all.n > most && *n_queries > 1)
                *n_queries = dpl__survivors_halve(&s->survivors, *n_queries);
            q += n;
        }
    }
    return true;
}

static dpl_status find(void *self, dpl__found *out, size_t *n_done,
                       const dpl__find_rows *wanted, unsigned worker, dpl_error *err)
{
    dpl__all_dense *d = self;
    scratch *s = &d->scratch[worker];
    if (!s->scores)
        s->scores = dpl__alloc(d->ctx, (size_t)STRIP * d->block_rows * sizeof *s->scores);
    DPL_TRY(dpl__need(s->scores, err));
    uint32_t n_queries = (uint32_t)dpl__min(wanted->n, QUERIES);
    if (d->cuts)
        DPL_TRY(dpl__dense_cuts_view_begin(&s->cuts, d->cuts, d->ctx, QUERIES, err));
    DPL_TRY(dpl__need(
        search_blocks(d, s, wanted->rows, &n_queries, wanted->most) &&
            dpl__survivors_score(&s->survivors, d->ctx, d->join, wanted->rows, n_queries, out),
        err));
    *n_done = n_queries;
    return DPL_OK;
}

dpl_status dpl__all_dense_new(dpl__all_dense **out, dpl_ctx *ctx, const dpl__join *join,
                              dpl__dense_cuts *cuts, dpl_error *err)
{
    *out = NULL;
    dpl__all_dense *d = dpl__calloc(ctx, 1, sizeof *d);
    DPL_TRY(dpl__need(d, err));
    size_t n = BLOCK_BYTES / sizeof(float) / join->sides->left->dense.dim;
    *d = (dpl__all_dense){.ctx = ctx,
                          .join = join,
                          .cuts = cuts,
                          .block_rows = (uint32_t)dpl__max(STRIP, dpl__min(n, join->n_indexed)),
                          .scratch = dpl__calloc(ctx, ctx->n_threads, sizeof *d->scratch)};
    if (!d->scratch) {
        dpl__all_dense_free(d);
        return dpl__fail_nomem(err);
    }
    *out = d;
    return DPL_OK;
}

void dpl__all_dense_free(dpl__all_dense *d)
{
    if (!d)
        return;
    for (unsigned i = 0; d->scratch && i < d->ctx->n_threads; i++) {
        scratch *s = &d->scratch[i];
        dpl__free(d->ctx, s->scores);
        dpl__survivors_clear(&s->survivors, d->ctx);
        dpl__dense_cuts_view_clear(&s->cuts, d->ctx);
    }
    dpl__free(d->ctx, d->scratch, d);
}

dpl__finder dpl__all_dense_finder(dpl__all_dense *d)
{
    return (dpl__finder){d, fit, begin, find};
}
