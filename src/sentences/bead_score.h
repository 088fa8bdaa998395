/*
 * bead_score.h - the likelihood and the mutual information of the words of a single bead.
 */
#ifndef DPL_SENTENCES_BEAD_SCORE_H
#define DPL_SENTENCES_BEAD_SCORE_H

#include "sentences/bag_of_words.h"

struct dpl__bead_score {
    double words;       /* log-likelihood ratio of its words: translation against chance */
    double information; /* mutual, of a greedy alignment: each word once, best first; or 0 */
    double expected;    /* the same, expected of a translation: mean of both sides */
    double value;       /* that of words and lengths, as dynamic programming weighs them */
    double off;         /* of the lengths' ratio from the mean: squared standard deviations */
    double coverage[2]; /* share of each side's tokens that the other side explains */
    double n_tokens[2]; /* of each side */
};

typedef struct dpl__bead_score_link {
    uint32_t left, right; /* entries, counted from the first of the bead */
    float p[2], information;
} dpl__bead_score_link;

/* Owned. */
typedef struct dpl__bead_scorer {
    dpl_ctx *ctx;
    const dpl__bow *bow;
    uint32_t *chosen; /* by right word: its first entry in the bead + 1; zero between beads */
    DPL_VEC(dpl__bead_score_link) links;
    DPL_VEC(double) sums[2]; /* of each entry: probabilities */
    DPL_VEC(bool) is_used[2];
    DPL_VEC(uint32_t) next; /* of each right entry: the next one of the same word + 1 */
} dpl__bead_scorer;

void dpl__bead_scorer_init(dpl__bead_scorer *w, dpl_ctx *ctx);
void dpl__bead_scorer_clear(dpl__bead_scorer *w);
/* Begins a document pair. Memory comes from the arena of the bag of words. */
dpl_status dpl__bead_scorer_start(dpl__bead_scorer *w, dpl__bow *bow, dpl_error *err);
/* out->words and out->expected of a bead with both sides. */
dpl_status dpl__bead_scorer_words(dpl__bead_scorer *w, const dpl_bead *bead,
                                  dpl__bead_score *out, dpl_error *err);
/* out->information of the bead scored last, which costs a sort. */
void dpl__bead_scorer_pmi(dpl__bead_scorer *w, dpl__bead_score *out);

/* out->coverage and out->n_tokens of the bead scored last. */
void dpl__bead_scorer_coverage(const dpl__bead_scorer *w, const dpl_bead *bead,
                               dpl__bead_score *out);

#endif
