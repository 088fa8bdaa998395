/*
 * length_model.h - the log-likelihood ratio of the lengths of two runs of sentences.
 *
 * After Gale and Church (1993): the logarithm of the ratio of two lengths has a known mean, and
 * a variance that falls with the length. Its likelihood is compared with that of any two
 * lengths. Far from the mean the penalty flattens: a translation may omit something.
 */
#ifndef DPL_SENTENCES_LENGTH_MODEL_H
#define DPL_SENTENCES_LENGTH_MODEL_H

#include "sentences/bag_of_words.h"
#include "sentences/sentences_params.h"

enum { DPL__LENGTH_STEPS = 8, DPL__LENGTH_BINS = 24 * DPL__LENGTH_STEPS };

typedef struct dpl__length_model {
    double log_ratio;
    double precision[DPL__LENGTH_BINS]; /* 1 / variance, by the logarithm of the length */
    double bonus[DPL__LENGTH_BINS];     /* of a ratio equal to the mean; rising */
    unsigned max_side;
    double *logs[2]; /* max_side of each sentence: of the runs that end with it */
} dpl__length_model;

void dpl__length_model_init(dpl__length_model *l, const dpl__bead_priors *priors);
/* For a document pair; memory comes from the arena of the bag of words. */
dpl_status dpl__length_model_start(dpl__length_model *l, dpl__bow *bow, unsigned max_side,
                                   dpl_error *err);

/* How far off the ratio of k left sentences that end with i and n right ones that end with j
 * is, in squared standard deviations; *bin is for the score. */
static inline double dpl__length_model_off(const dpl__length_model *l, uint32_t i, unsigned k,
                                           uint32_t j, unsigned n, unsigned *bin)
{
    double left = l->logs[DPL__LEFT][(size_t)i * l->max_side + k - 1];
    double right = l->logs[DPL__RIGHT][(size_t)j * l->max_side + n - 1];
    double x = right - left - l->log_ratio;
    *bin = (unsigned)((left + right) * (0.5 * DPL__LENGTH_STEPS));
    return x * x * l->precision[*bin];
}

static inline double dpl__length_model_score(const dpl__length_model *l, double off,
                                             unsigned bin)
{
    return l->bonus[bin] - 0.5 * off / (1 + off * (1 / P(length_flat)));
}

#endif
