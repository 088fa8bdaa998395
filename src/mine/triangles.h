/*
 * triangles.h - what two languages learn from a third one: a lexicon, and pairs.
 */
#ifndef DPL_MINE_TRIANGLES_H
#define DPL_MINE_TRIANGLES_H

#include "mine/many.h"

/* Documents of two languages, as read, that have the same counterpart in a third one. */
typedef struct dpl__implied {
    dpl_doc_pair docs;
    double confidence; /* product of those of both pairs */
} dpl__implied;

typedef DPL_VEC(dpl__implied) dpl__implied_vec;

/* Through the pivot, from final pairs, by left document. */
dpl_status dpl__implied_by_pivot(dpl__implied_vec *out, const dpl_mine_result *result,
                                 size_t left, size_t right, dpl_error *err);

/* How many pairs, likely ones, candidates of other runs imply: through the language with the
 * most. */
dpl_status dpl__count_implied(double *out, const dpl_mine_result *result, size_t left,
                              size_t right, dpl_error *err);

/* p(right|left) = sum of p(third|left) p(right|third), the mean over all third languages that
 * have runs with both. NULL: there is none whose runs found enough: 20 likely pairs, and this
 * share of their documents. */
dpl_status dpl__compose_lexicon(dpl_lexicon **out, const dpl_mine_result *result, size_t left,
                                size_t right, double share, dpl_error *err);

/* Candidates of all runs, before pairs are selected: those that follow from two other runs are
 * supported, or added; those that contradict them are doubted. */
dpl_status dpl__support_candidates(dpl_mine_result *result, dpl_error *err);

#endif
