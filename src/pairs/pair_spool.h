/*
 * pair_spool.h - pairs in a spool, read one after the other. Owned.
 */
#ifndef DPL_PAIRS_PAIR_SPOOL_H
#define DPL_PAIRS_PAIR_SPOOL_H

#include "doppel/pairs.h"

#include "io/spill.h"

enum { DPL__PAIR_BLOCK = 1 << 13 };

typedef struct dpl__pair_reader {
    const dpl__spool *spool;
    dpl_pair *block;
    size_t at, n;    /* in the block */
    uint64_t n_read; /* from the spool */
} dpl__pair_reader;

static inline uint64_t dpl__pairs_in(const dpl__spool *spool)
{
    return dpl__spool_size(spool) / sizeof(dpl_pair);
}

/* Begins to read; nothing is appended to the spool afterwards. Zeroed memory may be ended. */
dpl_status dpl__pair_reader_begin(dpl__pair_reader *reader, const dpl__spool *spool,
                                  dpl_error *err);
void dpl__pair_reader_end(dpl__pair_reader *reader);
/* The next block; DPL_END when there is none. Reports progress. */
dpl_status dpl__pair_reader_fill(dpl__pair_reader *reader, dpl_error *err);

/* DPL_END after the last one. */
static inline dpl_status dpl__pair_reader_next(dpl__pair_reader *reader, dpl_pair *pair,
                                               dpl_error *err)
{
    if (DPL_UNLIKELY(reader->at == reader->n))
        DPL_TRY(dpl__pair_reader_fill(reader, err));
    *pair = reader->block[reader->at++];
    return DPL_OK;
}

#endif
