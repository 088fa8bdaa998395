/*
 * run_estimates.h - precision and recall of the pairs, each with an interval.
 *
 * The sum of the confidences says how many pairs are right, and of documents how many there
 * are. Of single sentences the share that comes back when hidden does (hidden_pairs.h). How far
 * these are from the truth was measured on collections with gold pairs: it depends on the unit,
 * and on whether few documents have a counterpart. So an estimate is shifted by the median
 * error of its kind, and the interval (95 %) has the quantiles of these errors.
 */
#ifndef DPL_MINE_RUN_ESTIMATES_H
#define DPL_MINE_RUN_ESTIMATES_H

#include "mine/unit.h"

/* What an estimate is made of. */
typedef struct dpl__estimate_input {
    const dpl__unit *unit;
    bool has_few;        /* confidence is that of few_pairs.h */
    bool has_few_docs;   /* confidence is that of few_docs.h */
    bool is_strict;      /* confidence is that of strict_confidence.h */
    size_t n_candidates; /* mutual best matches */
    size_t n_pairs;      /* of these, likely enough */
    size_t n_smaller;    /* documents of the smaller side; 0: not known */
    double right, all;   /* expected to be right: of the pairs; of all that there are */
    double usual;        /* of pairs more likely right than wrong */
    double back;  /* share of these that come back when hidden; a unit without alignment */
    double doubt; /* wrong pairs for each one that the confidences expect; 0: 1 */
} dpl__estimate_input;

/* NaN: cannot be estimated. */
typedef struct dpl__estimate {
    double value, low, high;
} dpl__estimate;

typedef struct dpl__estimates {
    dpl__estimate precision, recall;
    const char *why_none; /* in one line; NULL: they are there */
    char verdict[240];    /* what they mean, in words: one sentence */
} dpl__estimates;

void dpl__estimates_make(dpl__estimates *out, const dpl__estimate_input *in);

/* Whether of pairs with that mean confidence at most a share is expected to be wrong, and at
 * most twice as many nineteen times in twenty. */
bool dpl__has_fewer_wrong(const dpl__estimate_input *in, double confidence, double share);

#endif
