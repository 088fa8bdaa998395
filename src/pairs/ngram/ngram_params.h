/*
 * ngram_params.h - the constants of n-gram mining that decide results (base/params.h).
 */
#ifndef DPL_PAIRS_NGRAM_NGRAM_PARAMS_H
#define DPL_PAIRS_NGRAM_NGRAM_PARAMS_H

#include "base/params.h"

/* clang-format off */
#define DPL__NGRAM_PARAMS(PARAM) \
    PARAM(ngram, matching, 5, "words", "Words of a matching n-gram. The paper") \
    PARAM(ngram, scoring, 2, "words", "Words of a scoring n-gram. The paper") \
    PARAM(ngram, max_matching, 50, "documents", \
          "Matching n-grams in more documents are ignored. The paper") \
    PARAM(ngram, max_scoring, 100000, "documents", \
          "Scoring n-grams in more documents are ignored. The paper") \
    PARAM(ngram, max_per_doc, 20000, "n-grams", \
          "Maximum number of matching n-grams of a document. The paper") \
    PARAM(ngram, max_candidates, 20, "pairs", \
          "Maximum number of candidates that are scored for a document and another group") \
    PARAM(ngram, threshold, 0.1, "cosine", "Lowest score of a pair, a cosine. The paper") \
    PARAM(ngram, max_disorder, 0.8, "share of n-grams", \
          "Largest share of common n-grams that are out of order. Permutation edit distance; " \
          "at random 1 - 2 / sqrt(n)") \
    PARAM(ngram, least_ordered, 16, "n-grams", \
          "The order filter needs this many common n-grams. Few are in disorder by chance") \
    PARAM(ngram, near_ratio, 0.7, "share of a score", \
          "Pairs with at least this share of the best score are its near-duplicates") \
    /* the nearest by cosine */ \
    PARAM(ngram, word_frequent, 0.3, "share of documents", \
          "Words in a larger share of documents are not part of an n-gram. lohelp en-de: " \
          "recall 0.970 with 0.1") \
    PARAM(ngram, words_apart, 2, "words", "Largest distance of two words of an n-gram") \
    PARAM(ngram, near_candidates, 32, "pairs", \
          "Maximum number of cosines that are computed for a document") \
    PARAM(ngram, clear_lead, 1.25, "times the second best cosine", \
          "The recall check counts nearest documents with this many times the second best " \
          "cosine")
/* clang-format on */

DPL__PARAMS_DECLARE(DPL__NGRAM_PARAMS)

#endif
