/*
 * ngram_search.h - nearest documents among those that share rare pairs of words, for
 * collections that are too large to compare all documents with all.
 */
#ifndef DPL_MINE_NGRAM_SEARCH_H
#define DPL_MINE_NGRAM_SEARCH_H

#include "mine/round.h"

/* The nearest of the rows of v, both ways, among the candidates that n-grams of their documents
 * give; words of the side that is not the pivot are translated by the lexicon. What is below
 * the threshold is left out. The recall check says which share of the nearest rows it finds. */
dpl_status dpl__ngram_neighbours_find(dpl__neighbours *out, const dpl__round_input *in,
                                      dpl_vectors *const v[2], double threshold,
                                      dpl_error *err);

#endif
