/*
 * passages.h - documents of which only parts are translations: nearest documents by their
 * passages.
 *
 * A passage is a sentence, wherever it occurs. The nearest passages of the other side vote for
 * the document pairs that contain them.
 *
 *     DPL_TRY(dpl__passages_new(&passages, corpus, err));
 *     DPL_TRY(dpl__passages_neighbours(&near, &known, passages, lexicon, err));
 *     dpl__passages_free(passages);
 */
#ifndef DPL_MINE_PASSAGES_H
#define DPL_MINE_PASSAGES_H

#include "mine/round.h"
#include "mine/training_rows.h"

/* Distinct passages of both sides, and where they stand. Owned. */
typedef struct dpl__passages dpl__passages;

/* What dpl__passages_new needs for its lists of sentences. */
uint64_t dpl__passages_list_bytes(const dpl__comparable *corpus);

/* What a search holds beside these lists, at most: the nearest of each passage, their votes,
 * and the pairs to learn from. */
uint64_t dpl__passages_search_bytes(const dpl__passages *passages);

/* Reads the documents that take part. work/ of the corpus receives a collection of the passages
 * of each side, unless it is there already. The corpus must outlive it. */
dpl_status dpl__passages_new(dpl__passages **out, const dpl__comparable *corpus,
                             dpl_error *err);
void dpl__passages_free(dpl__passages *passages);

/* The nearest documents of both sides; rows are document numbers. A score is the sum of the
 * votes, 1/4096 each, and 1 at most. lexicon NULL: by spelling. found receives the share of
 * known words, or why there is nothing to compare. */
dpl_status dpl__passages_neighbours(dpl__neighbours *out, dpl__doc_candidates *found,
                                    dpl__passages *passages, const dpl_lexicon *lexicon,
                                    dpl_error *err);

/* Adds the passage pairs of the last search that are likely translations and in none of the
 * document pairs. lexicon: that of this search, which is repeated if there was none yet. */
dpl_status dpl__passages_learn(dpl__training_rows *rows, dpl__reason *why,
                               dpl__passages *passages, dpl__pair_list pairs,
                               const dpl_lexicon *lexicon, dpl_error *err);

#endif
