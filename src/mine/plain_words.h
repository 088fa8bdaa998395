/*
 * plain_words.h - strict rounds once more, with words as they are, without stems and parts.
 */
#ifndef DPL_MINE_PLAIN_WORDS_H
#define DPL_MINE_PLAIN_WORDS_H

#include "mine/pair_run.h"

/* Joins the candidates of such rounds to those of `strict`, which found some with this input.
 * Without stems or parts there is nothing to do. */
dpl_status dpl__plain_words_find(dpl__rounds *strict, dpl__pair_run *run,
                                 const dpl__rounds_input *in, dpl_error *err);

/* Candidates of two lexicons become one list, in the order of left documents: each document
 * goes to the likeliest of its pairs. */
dpl_status dpl__candidates_join(dpl__doc_candidate_vec *out, const dpl__comparable *corpus,
                                const dpl__doc_candidate_vec *other, dpl_error *err);

#endif
