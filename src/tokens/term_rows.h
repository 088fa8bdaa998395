/*
 * term_rows.h - the second pass of an import: final ids, and each document's terms with counts.
 */
#ifndef DPL_TOKENS_TERM_ROWS_H
#define DPL_TOKENS_TERM_ROWS_H

#include "io/container.h"
#include "io/spill.h"
#include "tokens/vocabulary.h"

/* What the first pass wrote down of one batch of documents. */
typedef struct dpl__batch_record {
    uint64_t n_tokens;
    uint64_t n_entries;
    uint32_t *tokens; /* n_tokens numbers; NULL: in the spool, where batches follow in order.
                         Freed when their rows are written. */
    uint32_t n_docs;
    uint32_t run; /* whose numbers they are */
} dpl__batch_record;

/* What it left behind. */
typedef struct dpl__first_pass {
    const dpl__vocabulary *vocabulary;
    const dpl__spool *tokens;     /* of the batches without their own: a u32 each */
    const dpl__spool *doc_tokens; /* tokens of each document, u32 */
    dpl__batch_record *batches;
    size_t n_batches;
    bool no_rows; /* rows are empty */
} dpl__first_pass;

/* Writes the sections tokens, row.offsets, row.terms, row.counts. */
dpl_status dpl__rows_write(dpl_ctx *ctx, dpl__writer *w, const dpl__first_pass *in,
                           dpl_error *err);

#endif
