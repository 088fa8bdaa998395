/*
 * align_sides.h - sentences of document pairs, aligned with the pivot on the left.
 *
 * Aligning and training break ties and add up in an order that depends on which side is left.
 * Both are always done with the pivot on the left, and what comes out is turned round where
 * the pivot is the right side of the run: swapping the inputs gives the mirror image.
 */
#ifndef DPL_MINE_ALIGN_SIDES_H
#define DPL_MINE_ALIGN_SIDES_H

#include "mine/round.h"

/* What is aligned, and with what. */
typedef struct dpl__align_input {
    const dpl__comparable *corpus;
    dpl__pair_list pairs;
    const dpl_lexicon *lexicon; /* NULL: none */
    dpl_sentences_options options;
    dpl__pair_list learn; /* that lengths and bead types are estimated from; none: the pairs */
} dpl__align_input;

/* As dpl_sentences_align, with the collections of the corpus. */
dpl_status dpl__align_sides(const dpl__align_input *in, dpl_aligned_docs_fn *take, void *user,
                            dpl_error *err);

#endif
