/*
 * buckets.h - candidates under construction, and given back as pairs of rows.
 */
#ifndef DPL_PAIRS_BUCKETS_H
#define DPL_PAIRS_BUCKETS_H

#include "doppel/codes.h"

#include "pairs/candidates.h"

struct dpl_buckets {
    dpl_ctx *ctx;
    dpl__spill spill;
    dpl__candidates *set;
    dpl_join_summary summary;
};

/* Pairs of one worker on their way to the set. */
typedef struct dpl__pair_buffer {
    dpl__candidates *set;
    size_t n;
    uint64_t pairs[1024];
    uint64_t n_shared, n_left_out, largest;
} dpl__pair_buffer;

static inline dpl_status dpl__pair_buffer_flush(dpl__pair_buffer *b, dpl_error *err)
{
    const size_t n = b->n;
    b->n = 0;
    return n ? dpl__candidates_add(b->set, b->pairs, n, err) : DPL_OK;
}

static inline dpl_status dpl__pair_buffer_put(dpl__pair_buffer *b, uint32_t left,
                                              uint32_t right, dpl_error *err)
{
    if (DPL_UNLIKELY(b->n == DPL_LEN(b->pairs)))
        DPL_TRY(dpl__pair_buffer_flush(b, err));
    b->pairs[b->n++] = (uint64_t)left << 32 | right;
    return DPL_OK;
}

/* A join as jobs, which put pairs into the buffer of their worker. */
typedef struct dpl__join_work {
    const char *spill_dir; /* NULL: /tmp */
    size_t n_jobs;
    dpl_status (*run)(void *user, size_t job, unsigned worker, dpl_error *err);
    void *user;
    dpl__pair_buffer **buffers; /* where jobs find them: one for each worker */
} dpl__join_work;

dpl_status dpl__join_run(dpl_buckets **out, dpl_ctx *ctx, const dpl__join_work *work,
                         dpl_error *err);

#endif
