/*
 * sentence_score.h - how well two single sentences fit as translations of each other.
 *
 * The words of each side are explained by those of the other with IBM Model 1 and a preference
 * for the diagonal (Dyer, Chahuneau and Smith 2013), in both directions. Score: the mean
 * log-likelihood ratio of a word against its unigram probability, the share of both sentences'
 * information that links of both directions cover, and how well the lengths fit.
 */
#ifndef DPL_MINE_SENTENCE_SCORE_H
#define DPL_MINE_SENTENCE_SCORE_H

#include "mine/round.h"
#include "mine/word_links.h"

/* What stays from round to round. */
typedef struct dpl__sentence_sides {
    uint32_t n_docs[2];
    float *length[2];     /* of each document: logarithm of its characters, less their mean */
    uint32_t *trained[2]; /* of each document: the one that it was a training pair with */
} dpl__sentence_sides;

/* Frozen, but for the scratch of each worker. */
typedef struct dpl__sentence_scorer dpl__sentence_scorer;

/* All borrowed. */
dpl_status dpl__sentence_scorer_new(dpl__sentence_scorer **out, const dpl__comparable *corpus,
                                    const dpl__sentence_sides *sides,
                                    const dpl__word_links *links, dpl_error *err);
void dpl__sentence_scorer_free(dpl__sentence_scorer *s);

/* Whose candidates are scored next. */
dpl_status dpl__sentence_scorer_turn(dpl__sentence_scorer *s, int side, dpl_error *err);

/* The sentence that the next ones of the other side are compared with. */
dpl_status dpl__sentence_scorer_load(dpl__sentence_scorer *s, unsigned worker, uint32_t doc,
                                     dpl_error *err);
/* Scores are between least_score and 1, and the same from both sides. */
dpl_status dpl__sentence_scorer_score(double *out, dpl__sentence_scorer *s, unsigned worker,
                                      uint32_t other_doc, dpl_error *err);

#endif
