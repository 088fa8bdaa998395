/*
 * missed_docs.h - how many right pairs of documents compared by passages were not found.
 *
 * Documents of which a part is a translation are found the more often the longer they are. What
 * the found share rises to is the share that has a counterpart, as long as that does not depend
 * on the length; the shorter ones below it were missed.
 */
#ifndef DPL_MINE_MISSED_DOCS_H
#define DPL_MINE_MISSED_DOCS_H

#include "mine/round.h"

/* A document, and the confidence of its pair; 0: it has none. */
typedef struct dpl__doc_found {
    uint64_t length, key; /* words; what ties go by */
    double confidence;
} dpl__doc_found;

/* Documents of one side with a counterpart beside those that were found, at least; 0 where
 * there are too few to tell. Orders them. */
double dpl__missed_of_side(dpl__doc_found *docs, size_t n);

/* The mean of both sides. Near-copies are left out. */
dpl_status dpl__missed_docs_estimate(double *out, const dpl__comparable *corpus,
                                     const dpl__doc_candidates *found, dpl_error *err);

#endif
