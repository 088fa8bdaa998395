/*
 * select_rows.c - heaps of fixed size, one for each row.
 *
 * Nothing here depends on the order in which pairs come: partners are ordered totally, and
 * scores are added up from the highest down.
 */
#include "pairs/select_rows.h"

#include "base/ctx.h"
#include "base/order.h"

#include <stdlib.h>

/* n numbers of `size` bytes for each row, zero. */
static dpl_status take(void **out, dpl_ctx *ctx, uint32_t n_rows, unsigned n, size_t size,
                       dpl_error *err)
{
    double n_bytes = (double)n_rows * (double)n * (double)size;
    if ((double)dpl__ctx_used(ctx) + n_bytes > (double)ctx->memory)
        return dpl__fail_code(err, DPL_E_LIMIT, "memory-neighbours",
                              "%u numbers for each of %u rows do not fit into memory", n,
                              n_rows);
    *out = dpl__calloc(ctx, (size_t)n_rows * n + 1, size); /* of no rows there is memory, too */
    return dpl__need(*out, err);
}

/* ---- partners ----------------------------------------------------------------------- */

dpl_status dpl__partners_init(dpl__partners *p, dpl_ctx *ctx, uint32_t n_rows, unsigned n,
                              dpl_error *err)
{
    void *best = NULL;
    assert(n > 0);
    DPL_TRY(take(&best, ctx, n_rows, n, sizeof *p->best, err));
    *p = (dpl__partners){.ctx = ctx, .n_rows = n_rows, .n = n, .best = best};
    return DPL_OK;
}

void dpl__partners_clear(dpl__partners *p)
{
    if (p->ctx)
        dpl__free(p->ctx, p->best);
    *p = (dpl__partners){0};
}

void dpl__partners_forget(dpl__partners *p)
{
    memset(p->best, 0, (size_t)p->n_rows * p->n * sizeof *p->best);
}

bool dpl__partners_offer(dpl__partners *p, uint32_t row, uint64_t partner)
{
    assert(row < p->n_rows);
    uint64_t *heap = p->best + (size_t)row * p->n;
    if (partner <= heap[0])
        return false;
    size_t i = 0;
    for (size_t child; (child = 2 * i + 1) < p->n; i = child) {
        if (child + 1 < p->n && heap[child + 1] < heap[child])
            child++;
        if (heap[child] >= partner)
            break;
        heap[i] = heap[child];
    }
    heap[i] = partner;
    return true;
}

/* ---- nearest ------------------------------------------------------------------------ */

dpl_status dpl__nearest_init(dpl__nearest_scores *n, dpl_ctx *ctx, uint32_t n_rows, unsigned k,
                             float threshold, dpl_error *err)
{
    void *scores = NULL;
    assert(k > 0);
    DPL_TRY(take(&scores, ctx, n_rows, k, sizeof *n->scores, err));
    *n = (dpl__nearest_scores){.ctx = ctx, .n_rows = n_rows, .k = k, .scores = scores};
    for (size_t i = 0; i < (size_t)n_rows * k; i++)
        n->scores[i] = threshold;
    return DPL_OK;
}

static void free_scores(dpl__nearest_scores *n)
{
    dpl__free(n->ctx, n->scores);
    n->scores = NULL;
}

void dpl__nearest_clear(dpl__nearest_scores *n)
{
    if (!n->ctx)
        return;
    free_scores(n);
    dpl__free(n->ctx, n->halves);
    *n = (dpl__nearest_scores){0};
}

void dpl__nearest_offer(dpl__nearest_scores *n, uint32_t row, float score)
{
    assert(score == score);
    assert(row < n->n_rows);
    float *heap = n->scores + (size_t)row * n->k;
    if (score <= heap[0])
        return;
    size_t i = 0;
    for (size_t child; (child = 2 * i + 1) < n->k; i = child) {
        if (child + 1 < n->k && heap[child + 1] < heap[child])
            child++;
        if (heap[child] >= score)
            break;
        heap[i] = heap[child];
    }
    heap[i] = score;
}

DPL__FALLING_NUMBERS(compare_falling, float)

dpl_status dpl__nearest_finish(dpl__nearest_scores *n, dpl_error *err)
{
    void *halves = NULL;
    DPL_TRY(take(&halves, n->ctx, n->n_rows, 1, sizeof *n->halves, err));
    n->halves = halves;
    for (uint32_t row = 0; row < n->n_rows; row++) {
        float *scores = n->scores + (size_t)row * n->k;
        double sum = 0;
        qsort(scores, n->k, sizeof *scores, compare_falling);
        for (unsigned i = 0; i < n->k; i++)
            sum += scores[i];
        n->halves[row] = sum / (2.0 * n->k);
    }
    free_scores(n);
    return DPL_OK;
}
