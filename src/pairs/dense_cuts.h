/*
 * dense_cuts.h - which pairs of dense rows a search for the best of each row passes over.
 *
 * Every row has a cut; a pair is passed over when its score is below the cuts of both rows.
 *
 *   rising    Lists of the k best: the cut of a row is the lowest score of its full list. Pairs
 *             go to the lists while the search is on its way.
 *   margins   A second pass, with the lists of the first. A pair passes when it is among the
 *             k nearest of one of its rows, which the means of margins are made of, or when its
 *             margin is at least what one of its rows already has: the selection by margin
 *             (select.c) gives the same as with all pairs.
 */
#ifndef DPL_PAIRS_DENSE_CUTS_H
#define DPL_PAIRS_DENSE_CUTS_H

#include "pairs/exact.h"
#include "pairs/neighbour_lists.h"
#include "pairs/select_rows.h"

#include <pthread.h>

/* Locked. */
typedef struct dpl__dense_cuts {
    double threshold;
    bool is_self;
    dpl__neighbour_lists *lists; /* rising; NULL: margins */
    pthread_mutex_t lock;        /* of lists */
    /* Margins, by side; within one set there is one side. */
    float *cuts[2];    /* no pair below passes */
    float *near[2];    /* lowest score of a neighbour that counts in a mean */
    double *halves[2]; /* of the mean score of these neighbours */
    double *least[2];  /* lowest margin that may be selected */
} dpl__dense_cuts;

/* The lists are borrowed. */
void dpl__dense_cuts_init(dpl__dense_cuts *c, dpl__neighbour_lists *lists, double threshold);
/* Cuts from full lists. margin: neighbours that a mean is made of; n_best: partners of a left
 * or right row that may be selected, 0: none. The lists hold as many as the largest of these.
 */
dpl_status dpl__dense_margins_init(dpl__dense_cuts *c, const dpl__neighbour_lists *lists,
                                   double threshold, unsigned margin, const unsigned n_best[2],
                                   dpl_error *err);
void dpl__dense_cuts_clear(dpl__dense_cuts *c, dpl_ctx *ctx);
/* Margins: the lowest cut of any row. */
float dpl__dense_cuts_lowest(const dpl__dense_cuts *c, const dpl__sides *sides);
/* Margins: whether a pair of at least the threshold passes. */
bool dpl__dense_cuts_has(const dpl__dense_cuts *c, const dpl_pair *pair);
/* Rising: a sink that puts pairs into the lists. */
dpl__pair_sink dpl__dense_cuts_sink(dpl__dense_cuts *c);

/* The cuts as one thread uses them for some left rows. Zeroed memory is an empty one. Owned. */
typedef struct dpl__dense_cuts_view {
    dpl__dense_cuts *of;
    float *copied;           /* rising: of right rows */
    dpl__nearest_scores own; /* rising: of each left row, what was found since */
} dpl__dense_cuts_view;

dpl_status dpl__dense_cuts_view_begin(dpl__dense_cuts_view *v, dpl__dense_cuts *of,
                                      dpl_ctx *ctx, uint32_t n_queries, dpl_error *err);
void dpl__dense_cuts_view_clear(dpl__dense_cuts_view *v, dpl_ctx *ctx);

/* Scores of a left row with right rows [first + begin, first + end); query: its number among
 * those of the view. */
typedef struct dpl__row_scores {
    uint32_t row, query, first, begin, end;
    const float *scores; /* scores[i]: with first + i */
} dpl__row_scores;

/* Writes those that pass, returns how many. out has room for all. */
size_t dpl__dense_cuts_pass(dpl__dense_cuts_view *v, dpl__survivor *out,
                            const dpl__row_scores *left);

/* dense_device.c: on the context's device. DPL_E_UNSUPPORTED, before anything was found: it
 * does not do this. All pairs but those that the cuts (margins, or NULL) pass over: */
dpl_status dpl__dense_on_device(dpl_ctx *ctx, const dpl__join *f, const dpl__dense_cuts *cuts,
                                const dpl__pair_sink *sink, dpl_error *err);
/* Fills the lists. */
dpl_status dpl__dense_nearest_on_device(const dpl__nearest_search *s, dpl_error *err);

#endif
