/*
 * buckets.h - candidates under construction, and given back as pairs of rows.
 */
#ifndef DPL_PAIRS_BUCKETS_H
#define DPL_PAIRS_BUCKETS_H

#include "doppel/hash.h"

#include "pairs/candidates.h"

struct dpl_buckets {
    dpl_ctx *ctx;
    dpl__spill spill;
    dpl__candidates *set;
    dpl_join_summary summary;
};

/* To be filled: pairs are added to its set. */
dpl_status dpl__join_begin(dpl_buckets **out, dpl_ctx *ctx, const dpl_join_options *o,
                           dpl_error *err);
/* Ends filling. On failure it is closed and *out is NULL. */
dpl_status dpl__join_finish(dpl_buckets **out, dpl_buckets *b, dpl_status status,
                            dpl_error *err);

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

/* One for each worker; cleared by sum, which adds their counts to the summary. */
dpl_status dpl__pair_buffers_new(dpl__pair_buffer **out, dpl_buckets *b, dpl_error *err);
/* Flushes unless the status says failure, frees; returns the status. */
dpl_status dpl__pair_buffers_end(dpl__pair_buffer *buffers, dpl_buckets *b, dpl_status status,
                                 dpl_error *err);

#endif
