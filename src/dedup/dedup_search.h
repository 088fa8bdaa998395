/*
 * dedup_search.h - near-duplicates and translations among the rows of a run.
 */
#ifndef DPL_DEDUP_DEDUP_SEARCH_H
#define DPL_DEDUP_DEDUP_SEARCH_H

#include "dedup/set_search.h"
#include "dedup/work.h"

/* What is searched, and with what. Options are complete. */
typedef struct dpl__dedup_query {
    dpl_ctx *ctx;
    const dpl__dedup_docs *docs;
    const dpl__sets *sets;
    const dpl_dedup_options *options;
    const char *spill_dir;
} dpl__dedup_query;

/* Pairs of rows at or above the floor, and what the search was like. */
typedef struct dpl__dedup_search {
    dpl__found found;       /* edges of rows */
    dpl_recall_check check; /* of pairs, where the search has one of its own */
    double search_seconds, verify_seconds;
} dpl__dedup_search;

/* Near-duplicates. n_set, own: dpl__set_sizes. */
dpl_status dpl__search_sets(dpl__dedup_search *out, const dpl__dedup_query *q,
                            const uint32_t *n_set, double own, dpl_error *err);
/* Exact search, comparing new documents with old ones only. */
dpl_status dpl__search_items(dpl__dedup_search *out, const dpl__dedup_query *q, dpl_error *err);
dpl_status dpl__search_vectors(dpl__dedup_search *out, const dpl__dedup_query *q,
                               dpl_error *err);
/* Adds translations. */
dpl_status dpl__search_translations(dpl__edges *edges, const dpl__dedup_query *q,
                                    dpl_error *err);

/* The lexicon that the options name. */
dpl_status dpl__dedup_lexicon(dpl_lexicon **out, dpl_ctx *ctx, const dpl_dedup_options *o,
                              dpl_error *err);

#endif
