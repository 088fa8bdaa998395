/*
 * buckets.c - candidates from joins of codes or fingerprints, each pair once and in order.
 */
#include "pairs/buckets.h"

#include "base/ctx.h"

dpl_status dpl__join_begin(dpl_buckets **out, dpl_ctx *ctx, const dpl_join_options *o,
                           dpl_error *err)
{
    dpl_buckets *b = *out = dpl__calloc(ctx, 1, sizeof *b);
    if (!b)
        return dpl__fail_nomem(err);
    b->ctx = ctx;
    b->summary.size = sizeof b->summary;
    DPL_TRY(dpl__spill_init(&b->spill, ctx, o->spill_dir ? o->spill_dir : "/tmp", err));
    return dpl__candidates_new(&b->set, &b->spill, (size_t)(ctx->memory / 4), err);
}

dpl_status dpl__join_finish(dpl_buckets **out, dpl_buckets *b, dpl_status status,
                            dpl_error *err)
{
    if (status == DPL_OK)
        status = dpl__candidates_sort(b->set, err);
    if (status == DPL_OK) {
        b->summary.n_spilled_bytes = atomic_load(&b->spill.n_bytes);
    } else {
        dpl_buckets_close(b);
        b = NULL;
    }
    *out = b;
    return status;
}

dpl_status dpl__pair_buffers_new(dpl__pair_buffer **out, dpl_buckets *b, dpl_error *err)
{
    *out = dpl__calloc(b->ctx, b->ctx->n_threads, sizeof **out);
    if (!*out)
        return dpl__fail_nomem(err);
    for (unsigned i = 0; i < b->ctx->n_threads; i++)
        (*out)[i].set = b->set;
    return DPL_OK;
}

dpl_status dpl__pair_buffers_end(dpl__pair_buffer *buffers, dpl_buckets *b, dpl_status status,
                                 dpl_error *err)
{
    for (unsigned i = 0; buffers && i < b->ctx->n_threads; i++) {
        if (status == DPL_OK)
            status = dpl__pair_buffer_flush(&buffers[i], err);
        b->summary.n_shared += buffers[i].n_shared;
        b->summary.n_left_out += buffers[i].n_left_out;
        b->summary.largest = dpl__max(b->summary.largest, buffers[i].largest);
    }
    dpl__free(b->ctx, buffers, b->ctx->n_threads * sizeof *buffers);
    return status;
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
    dpl__free(b->ctx, b, sizeof *b);
}
