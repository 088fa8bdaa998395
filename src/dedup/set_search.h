/*
 * set_search.h - pairs of rows whose sets of shingles are similar: exactly, or by codes.
 */
#ifndef DPL_DEDUP_SET_SEARCH_H
#define DPL_DEDUP_SET_SEARCH_H

#include "dedup/verify_edges.h"

/* What is searched. */
typedef struct dpl__set_query {
    const dpl__dedup_docs *docs;
    const dpl__sets *sets;
    const uint32_t *n_set; /* distinct shingles of each row */
    dpl_dedup_measure measure;
    double least;
    double own; /* share of shingles that no other row has */
} dpl__set_query;

/* *n_set: distinct shingles of each row; the caller's to free. *share: of them, those that no
 * other row has, from a sample of the shingles that depends on the documents alone. for_join:
 * in a shared run, dpl__set_join is going to count them. */
dpl_status dpl__set_sizes(uint32_t **n_set, double *share, const dpl__dedup_docs *docs,
                          const dpl__sets *sets, bool for_join, dpl_error *err);

/* All pairs of at least the similarity, as candidates to the verifier. *is_cut: rows that share
 * a shingle with too many others were compared with some of them only. */
dpl_status dpl__set_join(bool *is_cut, dpl__verifier *to, const dpl__set_query *q,
                         dpl_error *err);

/* All pairs of a row with new documents and one with old ones of at least the similarity,
 * scored; containment is that of the old document. n_set of the query is not used. */
dpl_status dpl__item_search(dpl__edges *edges, uint64_t *n_candidates, const dpl__set_query *q,
                            dpl_error *err);

/* A dpl__row_score; user is a dpl__set_scorer. */
typedef struct dpl__set_scorer {
    const dpl__set_query *query;
    dpl__set_scratch *scratch; /* two for each thread: the left row's table, the right row */
    uint32_t *loaded;          /* row in the table of each thread */
} dpl__set_scorer;

dpl_status dpl__set_scorer_init(dpl__set_scorer *s, const dpl__set_query *q, dpl_error *err);
void dpl__set_scorer_clear(dpl__set_scorer *s);
double dpl__set_scorer_score(void *user, uint32_t left, uint32_t right, unsigned worker);

#endif
