/*
 * sentence_search.h - nearest neighbours of single sentences, ranked by word alignment.
 *
 * A cosine of so few words says little: the counterpart of a sentence is often among the
 * nearest, but not the first of them. The nearest by lexicon and by spelling are candidates;
 * they are ranked by how well the words of each side explain those of the other (IBM Model 1,
 * both directions) and by length.
 */
#ifndef DPL_MINE_SENTENCE_SEARCH_H
#define DPL_MINE_SENTENCE_SEARCH_H

#include "mine/alike_words.h"
#include "mine/confidence.h"
#include "mine/round.h"
#include "mine/sentence_score.h"
#include "sentences/term_links.h"

/* What stays from round to round. Owned. */
typedef struct dpl__sentence_search {
    dpl_ctx *ctx;
    dpl__sentence_sides sides;
    /* Nearest documents by spelling: SPELLED of each, from the search of n_spelled_docs
     * documents; NULL: not yet. */
    uint32_t *spelled[2];
    uint32_t n_spelled_docs;
    dpl__term_links prior;  /* of spelling, or of a lexicon that was given */
    dpl__alike_words alike; /* of strict rounds, unless a lexicon was given */
} dpl__sentence_search;

/* Of the corpus; the lexicon of the input was given, if it is not NULL. */
dpl_status dpl__sentence_search_new(dpl__sentence_search **out, const dpl__round_input *in,
                                    dpl_error *err);
void dpl__sentence_search_free(dpl__sentence_search *s);

/* Memory of a search with n_docs documents on each side, beside that of the documents. */
uint64_t dpl__sentence_search_bytes(const dpl__round_input *in, const uint64_t n_searched[2]);

/* The pairs that the lexicon of the next search is trained on: what was learnt from a pair is
 * taken away when it is scored. */
void dpl__sentence_search_note_trained(dpl__sentence_search *s, const dpl_doc_pair *pairs,
                                       size_t n_pairs);

/* dpl__neighbours_find for sentences: scores are not cosines, but also between 0 and 1. The
 * state of the input is a dpl__sentence_search, which keeps the nearest by spelling. */
dpl_status dpl__sentence_neighbours_find(dpl__neighbours *out, const dpl__round_input *in,
                                         dpl_vectors *const v[2],
                                         const dpl_pairs_options *options, dpl_error *err);

/* Features of a candidate for its confidence. */
enum { DPL__SENTENCE_FEATURES = 1 };
dpl__features dpl__sentence_features(const dpl__comparable *corpus,
                                     const dpl__doc_candidate *candidate);

#endif
