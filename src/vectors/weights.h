/*
 * weights.h - term weightings: how much a term says about a document.
 *
 * A weighting is a row of the table of weights.c and an enumerator in doppel/vectors.h;
 * options, help and files take its name from the row.
 *
 * tf, df and lengths are real numbers, since projection spreads occurrences over several terms.
 */
#ifndef DPL_VECTORS_WEIGHTS_H
#define DPL_VECTORS_WEIGHTS_H

#include "doppel/vectors.h"

#include "base/base.h"

/* A term of a document: how often it occurs, then what it weighs. */
typedef struct dpl__part {
    double value;
    uint32_t term;
} dpl__part;

struct dpl__weighting_ops;

/* Frozen. */
typedef struct dpl__weigher {
    const struct dpl__weighting_ops *ops;
    double k1, b;
    double average;    /* length of a document */
    const double *idf; /* of every term */
} dpl__weigher;

typedef struct dpl__weighting_ops {
    const char *name;
    /* What a term is worth that occurs in df of n_docs documents; above 0. */
    double (*idf)(double n_docs, double df);
    /* The parts of one document, occurrences (above 0), become weights, above 0, of any length.
     */
    void (*weigh)(const dpl__weigher *w, dpl__part *parts, size_t n);
    /* What of the options makes rows comparable, beside the name: " k1=1.2 b=0.75"; NULL:
     * nothing. */
    void (*describe)(char *out, size_t n, const dpl_vectors_options *options);
} dpl__weighting_ops;

/* "bm25", "tf-idf", "idf"; NULL when out of range. */
const char *dpl__weighting_name(dpl_weighting weighting);
/* NULL when out of range. */
const dpl__weighting_ops *dpl__weighting(dpl_weighting weighting);

/* The parts of one document, occurrences (above 0), become weights of a row of length one. */
void dpl__weigh(const dpl__weigher *w, dpl__part *parts, size_t n);

#endif
