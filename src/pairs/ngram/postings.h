/*
 * postings.h - what is done with the postings of one n-gram: candidate pairs, or the entries of
 * the forward index.
 */
#ifndef DPL_PAIRS_NGRAM_POSTINGS_H
#define DPL_PAIRS_NGRAM_POSTINGS_H

#include "base/vec.h"
#include "pairs/ngram/shared_pairs.h"
#include "pairs/ngram/shuffle.h"

typedef DPL_VEC(uint64_t) dpl__ngram_candidates;

/* What candidates are made with. */
typedef struct dpl__matcher {
    dpl_ctx *ctx;
    const dpl__ngram_settings *s;
    const uint32_t *group_of;
    dpl_ngram_summary *counts;
} dpl__matcher;

/* Appends the pairs of the documents of one matching n-gram, unless it is filtered; counts it.
 * n_all documents have it, all in the list. */
dpl_status dpl__ngram_pairs_of(dpl__ngram_candidates *out, const dpl__matcher *m,
                               const dpl__ngram_posting *list, uint64_t n_all, dpl_error *err);

/* The pairs of all n-grams of the postings, which are sorted. */
dpl_status dpl__ngram_match(dpl__shared_pairs *out, const dpl__matcher *m,
                            dpl__shuffle *postings, dpl_error *err);

/* Whether an n-gram of n_all documents is one that scores. */
static inline bool dpl__ngram_is_scoring(uint64_t n_all, const dpl__ngram_settings *s)
{
    return n_all > 1 && n_all <= s->max_scoring;
}

/* The same; counts it. */
static inline bool dpl__ngram_is_kept(dpl_ngram_summary *counts, uint64_t n_all,
                                      const dpl__ngram_settings *s)
{
    counts->n_scoring++;
    counts->n_entries += n_all;
    counts->n_scoring_single += n_all == 1;
    counts->n_scoring_frequent += n_all > s->max_scoring;
    bool is_kept = dpl__ngram_is_scoring(n_all, s);
    counts->n_kept += is_kept ? n_all : 0;
    return is_kept;
}

#endif
