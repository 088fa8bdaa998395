/*
 * shape_model.h - the log-likelihood ratio of the shapes of two runs of sentences: their
 * lengths and their punctuation, without words.
 *
 * After Gale and Church (1993), the logarithm of the ratio of two lengths has a known mean, and
 * a variance that falls with the length. After Moore (2002), its likelihood is compared with
 * that of the length of any run of as many sentences, on either side: the geometric mean of
 * both. Signs (signs.h) likewise. Far from the mean the penalty flattens: a translation may
 * omit something.
 */
#ifndef DPL_SENTENCES_SHAPE_MODEL_H
#define DPL_SENTENCES_SHAPE_MODEL_H

#include "base/arena.h"
#include "sentences/beads.h"
#include "sentences/sentences_params.h"

enum { DPL__LENGTH_STEPS = 8, DPL__LENGTH_BINS = 24 * DPL__LENGTH_STEPS };

/* A run of sentences. */
typedef struct dpl__run {
    double log;    /* of its characters */
    double chance; /* half of the log-likelihood of its length and signs by chance */
    dpl__signs signs;
    uint16_t places[DPL__SIGNS]; /* of the signs: sums of two are indexes of the table */
} dpl__run;

typedef struct dpl__shape_model {
    double log_ratio;
    double precision[DPL__LENGTH_BINS]; /* 1 / variance, by the logarithm of the length */
    double bonus[DPL__LENGTH_BINS];     /* of a ratio equal to the mean */
    const dpl__bead_priors *priors;
    unsigned max_side;
    bool has_signs;
    dpl__run *runs[2]; /* max_side of each sentence: of the runs that end with it */
} dpl__shape_model;

/* The priors are borrowed. */
void dpl__shape_model_init(dpl__shape_model *l, const dpl__bead_priors *priors);
/* For a document pair; memory comes from the arena. */
dpl_status dpl__shape_model_start(dpl__shape_model *l, dpl__arena *arena,
                                  const dpl__bead_doc docs[2], unsigned max_side,
                                  dpl_error *err);

/* The run of n sentences that ends with i. */
static inline const dpl__run *dpl__run_at(const dpl__shape_model *l, int side, uint32_t i,
                                          unsigned n)
{
    return &l->runs[side][(size_t)i * l->max_side + n - 1];
}

/* How far off the ratio of the lengths is, in squared standard deviations; *bin is for the
 * score. */
static inline double dpl__shape_off(const dpl__shape_model *l, const dpl__run *left,
                                    const dpl__run *right, unsigned *bin)
{
    double x = right->log - left->log - l->log_ratio;
    *bin = (unsigned)((left->log + right->log) * (0.5 * DPL__LENGTH_STEPS));
    return x * x * l->precision[*bin];
}

static inline double dpl__shape_score(const dpl__shape_model *l, const dpl__run *left,
                                      const dpl__run *right)
{
    unsigned bin;
    double off = dpl__shape_off(l, left, right, &bin), signs = 0;
    if (l->has_signs) {
        const double *table = &l->priors->signs[0][0][0];
        uint16_t at[DPL__SIGNS];
        for (unsigned i = 0; i < DPL__SIGNS; i++)
            at[i] = (uint16_t)(left->places[i] + right->places[i]);
        for (unsigned i = 0; i < DPL__SIGNS; i++)
            signs += table[at[i]];
    }
    return l->bonus[bin] - 0.5 * off / (1 + off * (1 / P(length_flat))) + signs - left->chance -
           right->chance;
}

#endif
