/*
 * buckets.c - candidates from joins of codes or fingerprints, each pair once and in order.
 */
#include "pairs/buckets.h"

#include "base/ctx.h"
#include "par/pool.h"

static dpl_status begin(dpl_buckets *b, const char *dir, dpl__pair_buffer **buffers,
                        dpl_error *err)
{
    const unsigned n_threads = b->ctx->n_threads;
    DPL_TRY(dpl__spill_init(&b->spill, b->ctx, dir ? dir : "/tmp", err));
    DPL_TRY(dpl__candidates_new(&b->set, &b->spill, (size_t)(b->ctx->memory / 4), err));
    *buffers = dpl__calloc(b->ctx, n_threads, sizeof **buffers);
    DPL_TRY(dpl__need(*buffers, err));
    for (unsigned i = 0; i < n_threads; i++)
        (*buffers)[i].set = b->set;
    return DPL_OK;
}

static dpl_status take_buffers(dpl_buckets *b, dpl__pair_buffer *buffers, dpl_error *err)
{
    dpl_join_summary *s = &b->summary;
    for (unsigned i = 0; i < b->ctx->n_threads; i++) {
        DPL_TRY(dpl__pair_buffer_flush(&buffers[i], err));
        s->n_shared += buffers[i].n_shared;
        s->n_left_out += buffers[i].n_left_out;
        s->largest = dpl__max(s->largest, buffers[i].largest);
    }
    DPL_TRY(dpl__candidates_sort(b->set, err));
    s->n_spilled_bytes = atomic_load(&b->spill.n_bytes);
    return DPL_OK;
}

dpl_status dpl__join_run(dpl_buckets **out, dpl_ctx *ctx, const dpl__join_work *work,
                         dpl_error *err)
{
    assert(work->run && work->buffers && !*work->buffers);
    dpl_buckets *b = dpl__calloc(ctx, 1, sizeof *b);
    DPL_TRY(dpl__need(b, err));
    b->ctx = ctx;
    b->summary.size = sizeof b->summary;
    dpl_status status;
    DPL__STEP(begin(b, work->spill_dir, work->buffers, err));
    DPL__STEP(dpl__parallel_for(ctx, work->n_jobs, work->user, work->run, err));
    status = take_buffers(b, *work->buffers, err);
done:
    dpl__free(ctx, *work->buffers);
    if (status != DPL_OK) {
        dpl_buckets_close(b);
        return status;
    }
    *out = b;
    return DPL_OK;
}

dpl_status dpl_buckets_next(dpl_buckets *b, dpl_row_pair *pairs, size_t *n, size_t n_most,
                            dpl_error *err)
{
    uint64_t numbers[512];
    *n = 0;
    while (*n < n_most) {
        size_t n_more;
        DPL_TRY(dpl__candidates_next(b->set, numbers, &n_more,
                                     dpl__min(DPL_LEN(numbers), n_most - *n), err));
        for (size_t i = 0; i < n_more; i++)
            pairs[(*n)++] = (dpl_row_pair){(uint32_t)(numbers[i] >> 32), (uint32_t)numbers[i]};
        if (n_more == 0)
            break;
    }
    return *n ? DPL_OK : DPL_END;
}

const dpl_join_summary *dpl_buckets_get_summary(const dpl_buckets *b)
{
    return &b->summary;
}

void dpl_buckets_close(dpl_buckets *b)
{
    if (!b)
        return;
    dpl__candidates_free(b->set);
    dpl__spill_clear(&b->spill);
    dpl__free(b->ctx, b);
}
