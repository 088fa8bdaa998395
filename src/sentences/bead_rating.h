/*
 * bead_rating.h - the probability that a bead is a whole and true translation.
 *
 * Words and lengths alone say "translation or chance", and are nearly always certain. What is
 * wrong about beads is more often that a part is missing or that a neighbour was put into them,
 * in documents that are not translated sentence by sentence. So the probability also looks at
 * how much of both sides is explained, at the type of the bead, and at how well the document
 * pair and all pairs together can be aligned.
 */
#ifndef DPL_SENTENCES_BEAD_RATING_H
#define DPL_SENTENCES_BEAD_RATING_H

#include "sentences/bead_score.h"

/* What is the same for all document pairs. Frozen. */
typedef struct dpl__bead_rating {
    double type[DPL__MAX_SIDE + 1][DPL__MAX_SIDE + 1]; /* log-odds of each type of bead */
    double all;     /* log-odds of the alignment as a whole */
    double one_one; /* share of 1-1 beads */
    bool is_unordered;
} dpl__bead_rating;

/* NULL: beads come in any order, and their types say nothing. */
void dpl__bead_rating_init(dpl__bead_rating *rating, const dpl__bead_priors *priors);

/* Fills in the scores of the beads of a document pair; scores[i] belongs to beads[i]. Beads
 * without both sides get 0. */
void dpl__bead_rating_apply(const dpl__bead_rating *rating, dpl_bead *beads,
                            const dpl__bead_score *scores, size_t n);

#endif
