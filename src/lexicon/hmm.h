/*
 * hmm.h - the hidden Markov model of word alignment (Vogel, Ney, Tillmann 1996): as Model 1,
 * but the alignment of a word depends on that of its neighbour. Both directions are trained
 * jointly (alignment by agreement: Liang, Taskar, Klein 2006): the expected count of a link
 * comes from the product of the posteriors of both directions.
 */
#ifndef DPL_LEXICON_HMM_H
#define DPL_LEXICON_HMM_H

#include "kernels/chain.h"
#include "lexicon/train_model.h"

/* As dpl__model1_expect; the model also gets new jumps. */
dpl_status dpl__hmm_expect(dpl__trainer *t, double log_p[2], dpl_error *err);

/* ---- one row ------------------------------------------------------------------------ */

/* The model's jumps in the form that rows need. Frozen. */
typedef struct dpl__hmm {
    dpl_ctx *ctx;
    const dpl__wordmodel *model;
    size_t max_tokens;
    float *buffer;
    const float *jumps[2], *back[2]; /* [d], |d| <= max_tokens + 16 */
    const double *sums[2];           /* of jumps, from below */
    const float *leave[2];           /* of short rows: dpl__chain's, by number of words */
    size_t n_bytes;
} dpl__hmm;

dpl_status dpl__hmm_init(dpl__hmm *h, dpl_ctx *ctx, const dpl__wordmodel *model,
                         size_t max_tokens, dpl_error *err);
void dpl__hmm_clear(dpl__hmm *h);

/* A row of words and its posteriors under the model. Owned. */
typedef struct dpl__hmm_row {
    const dpl__hmm *hmm;
    size_t n[2];         /* words of both sides */
    dpl__chain chain[2]; /* chain[given]: its states are the given words, from 1 */
    void *buffer;
    size_t n_bytes;
} dpl__hmm_row;

/* Memory for a row: 32 bytes a cell. */
size_t dpl__hmm_row_bytes(size_t max_tokens);
dpl_status dpl__hmm_row_init(dpl__hmm_row *row, const dpl__hmm *h, dpl_error *err);
void dpl__hmm_row_clear(dpl__hmm_row *row);

/* Runs forward-backward on a row: its words, neither side empty nor longer than max_tokens, and
 * the numbers of its links. */
void dpl__hmm_row_infer(dpl__hmm_row *row, const uint32_t *left, size_t n_left,
                        const uint32_t *right, size_t n_right, const uint32_t *numbers);

/* p(the two are aligned), of the direction that has this side given. After
 * dpl__hmm_row_infer. */
static inline float dpl__hmm_row_posterior(const dpl__hmm_row *row, int given, size_t left,
                                           size_t right)
{
    const dpl__chain *c = &row->chain[given];
    return given == DPL__LEFT ? c->posterior[right * c->stride + left + 1]
                              : c->posterior[left * c->stride + right + 1];
}

/* The most probable alignment of the direction that has this side given: for each word of the
 * other side the given word, or DPL__UNALIGNED. After dpl__hmm_row_infer; it
 * overwrites the input of chain_jumps. */
void dpl__hmm_row_viterbi(dpl__hmm_row *row, int given, uint32_t *out);

#endif
