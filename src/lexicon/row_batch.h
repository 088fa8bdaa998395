/*
 * row_batch.h - some rows of parallel text in memory. Owned.
 */
#ifndef DPL_LEXICON_ROW_BATCH_H
#define DPL_LEXICON_ROW_BATCH_H

#include "doppel/text.h"

#include "base/vec.h"

/* Zeroed memory with a context is an empty one. */
typedef struct dpl__row_batch {
    dpl_ctx *ctx;
    dpl__bytes text;
    DPL_VEC(dpl_bitext_row) rows; /* slices of text */
} dpl__row_batch;

/* The next rows, in place of those that were there: until there are enough, or some million
 * bytes of them. DPL_END when there is none left. */
dpl_status dpl__row_batch_read(dpl__row_batch *rows, dpl_bitext *reader, dpl_error *err);
void dpl__row_batch_clear(dpl__row_batch *rows);

#endif
