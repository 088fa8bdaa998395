/*
 * priors.h - lengths, punctuation and the priors of bead types, estimated from documents.
 *
 * Nothing is fixed to a language: how much longer one side is, how far lengths scatter, how
 * often sentences are split, joined or omitted, which punctuation is kept is all estimated from
 * the documents: first what sentences are like by chance (dpl__run_counts), then from beads.
 */
#ifndef DPL_SENTENCES_PRIORS_H
#define DPL_SENTENCES_PRIORS_H

#include "sentences/beads.h"

enum { DPL__PRIOR_BINS = 24 };

/* Sums over beads, each weighted with its probability. Zeroed memory is of none. Sums are added
 * in the order of the documents, so that they do not depend on threads. */
typedef struct dpl__prior_counts {
    double beads[DPL__MAX_SIDE + 1][DPL__MAX_SIDE + 1];
    double logs;  /* of the ratio, beads weighted with their length */
    double chars; /* those weights */
    /* Per bin of the logarithm of the length: number of beads, sum of squares of the ratio's
     * logarithm, sum of lengths. */
    double n[DPL__PRIOR_BINS], squares[DPL__PRIOR_BINS], lengths[DPL__PRIOR_BINS];
    double signs[DPL__SIGNS][DPL__SIGN_VALUES][DPL__SIGN_VALUES];
    double total; /* log-likelihood ratio to chance, over all alignments */
} dpl__prior_counts;

/* A bead of k-l sentences with these logarithms of the lengths. signs: of both sides, or
 * NULL. */
void dpl__prior_counts_bead(dpl__prior_counts *sums, const dpl__bead_priors *priors,
                            const unsigned n[2], const double logs[2],
                            const dpl__signs *const signs[2], double weight);
/* Adds the beads of one document pair, found with these priors. */
void dpl__prior_counts_add(dpl__prior_counts *sums, const dpl__bead_priors *priors,
                           const dpl__bead_doc docs[2], const dpl_bead *beads, size_t n);
void dpl__prior_counts_merge(dpl__prior_counts *sums, const dpl__prior_counts *more);
/* Estimates from the counts; the fewer beads, the closer to the usual values. */
void dpl__bead_priors_estimate(dpl__bead_priors *priors, const dpl__prior_counts *sums);

/* Sums over runs of sentences of each side. Zeroed memory is of none. */
typedef struct dpl__run_counts {
    double n[2][DPL__MAX_SIDE + 1], logs[2][DPL__MAX_SIDE + 1], squares[2][DPL__MAX_SIDE + 1];
    double signs[2][DPL__MAX_SIDE + 1][DPL__SIGNS][DPL__SIGN_VALUES];
    double chars[2];
    bool has_signs; /* all documents had them */
} dpl__run_counts;

/* Adds the runs of one document pair. */
void dpl__run_counts_add(dpl__run_counts *sums, const dpl__bead_doc docs[2]);
/* Whether one side is P(lopsided) times as long as the other. */
bool dpl__run_counts_are_lopsided(const dpl__run_counts *sums);
void dpl__run_counts_merge(dpl__run_counts *sums, const dpl__run_counts *more);
/* Sentences by chance; the ratio of the lengths is that of the documents. */
void dpl__bead_priors_start(dpl__bead_priors *priors, const dpl__run_counts *sums);
/* Its punctuation alone, as it is usually kept, with such a weight. */
void dpl__bead_priors_start_signs(dpl__bead_priors *priors, const dpl__run_counts *sums,
                                  double weight);

#endif
