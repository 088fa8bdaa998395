/*
 * priors.h - the length distribution and the priors of bead types, estimated from beads.
 *
 * Nothing is fixed to a language: how much longer one side is, how far lengths scatter, how
 * often sentences are split, joined or omitted is all estimated from the documents.
 */
#ifndef DPL_SENTENCES_PRIORS_H
#define DPL_SENTENCES_PRIORS_H

#include "sentences/beads.h"

enum { DPL__PRIOR_BINS = 24 };

/* Sums over beads. Zeroed memory is of none. Sums are added in the order of the documents, so
 * that they do not depend on threads. */
typedef struct dpl__prior_counts {
    double beads[DPL__MAX_SIDE + 1][DPL__MAX_SIDE + 1];
    double logs;  /* of the ratio, beads weighted with their length */
    double chars; /* those weights */
    /* By the logarithm of the length: beads, squares of the ratio's logarithm, lengths. */
    double n[DPL__PRIOR_BINS], squares[DPL__PRIOR_BINS], lengths[DPL__PRIOR_BINS];
} dpl__prior_counts;

/* Adds the beads of one document pair, found with these priors. */
void dpl__prior_counts_add(dpl__prior_counts *sums, const dpl__bead_priors *priors,
                           const dpl__bead_doc docs[2], const dpl_bead *beads, size_t n);
void dpl__prior_counts_merge(dpl__prior_counts *sums, const dpl__prior_counts *more);
/* Estimates from the counts; the fewer beads, the closer to the usual values. */
void dpl__bead_priors_estimate(dpl__bead_priors *priors, const dpl__prior_counts *sums);

#endif
