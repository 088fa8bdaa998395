/*
 * forward.h - the forward index: the scoring n-grams of every document, with their document
 * frequency, n-grams rising. Owned while it is built, then locked.
 */
#ifndef DPL_PAIRS_NGRAM_FORWARD_H
#define DPL_PAIRS_NGRAM_FORWARD_H

#include "pairs/ngram/ngram_score.h"
#include "pairs/ngram/shuffle.h"

typedef struct dpl__forward {
    dpl_ctx *ctx;
    uint32_t n_docs;
    uint64_t *offsets; /* n_docs + 1, in entries */
    dpl__spool rows;
    double *idf_of; /* by document frequency, up to most_df */
    double *norms;
    uint32_t most_df;
} dpl__forward;

/* What it is built with. */
typedef struct dpl__forward_plan {
    dpl__spill *spill;
    uint32_t n_docs;
    size_t share;    /* bytes that rows may hold in memory */
    dpl__bytes room; /* for rows, if it is enough; taken, and empty afterwards */
} dpl__forward_plan;

/* Takes all postings out of the shuffle. */
dpl_status dpl__forward_build(dpl__forward *f, dpl_ngram_summary *counts,
                              dpl__forward_plan *plan, dpl__shuffle *postings,
                              const dpl__ngram_settings *s, dpl_error *err);
void dpl__forward_clear(dpl__forward *f);

/* One thread's copy of a row that is not in memory. Zeroed memory is ready for use. */
typedef DPL_VEC(dpl__row_entry) dpl__forward_copy;

/* Fetches a row to come, if it is in memory. */
void dpl__forward_fetch(const dpl__forward *f, uint32_t doc);
dpl_status dpl__forward_row(const dpl__forward *f, uint32_t doc, dpl__row *row,
                            dpl__forward_copy *copy, dpl_error *err);

#endif
