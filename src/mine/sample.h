/*
 * sample.h - what rounds before the last are limited to in large collections.
 */
#ifndef DPL_MINE_SAMPLE_H
#define DPL_MINE_SAMPLE_H

#include "mine/round.h"

/* Chooses the documents of the smaller side that rounds before the last search with; none where
 * the collection is small. */
dpl_status dpl__sample_docs(dpl__sample *out, const dpl__comparable *corpus, dpl_error *err);
/* Makes the sample larger where the pairs found with it have too few sentences to train on;
 * more than half of the documents become all. Says whether it did. */
dpl_status dpl__sample_grow(bool *has_grown, dpl__sample *sample, const dpl__comparable *corpus,
                            dpl__pair_list pairs, dpl_error *err);
void dpl__sample_clear(dpl__sample *sample, const dpl__comparable *corpus);

/* Takes those of the pairs, in order, that together have about as many sentences as a lexicon
 * is trained on; none taken: it is trained on all pairs. */
dpl_status dpl__sample_pairs(dpl__doc_pairs *out, const dpl__comparable *corpus,
                             const dpl_doc_pair *pairs, size_t n_pairs, dpl_error *err);

#endif
