/*
 * weights.h - how much a term says about a document.
 *
 * tf, df and lengths are real numbers, since projection spreads occurrences over several terms.
 */
#ifndef DPL_SRC_WEIGHTS_H
#define DPL_SRC_WEIGHTS_H

#include "doppel/vectors.h"

#include "base/base.h"

/* A term of a document: how often it occurs, then what it weighs. */
typedef struct dpl__part {
    double value;
    uint32_t term;
} dpl__part;

/* Frozen. */
typedef struct dpl__weigher {
    dpl_weighting weighting;
    double k1, b;
    double average;    /* length of a document */
    const double *idf; /* of every term */
} dpl__weigher;

/* What a term is worth that occurs in df of n_docs documents; above 0. */
double dpl__idf(dpl_weighting weighting, double n_docs, double df);

/* The parts of one document, occurrences (above 0), become weights of a row of length one. */
void dpl__weigh(const dpl__weigher *w, dpl__part *parts, size_t n);

#endif
