/*
 * ngram_params.h - the constants of n-gram mining that decide results (base/params.h).
 */
#ifndef DPL_PAIRS_NGRAM_NGRAM_PARAMS_H
#define DPL_PAIRS_NGRAM_NGRAM_PARAMS_H

#include "base/params.h"

/* clang-format off */
#define DPL__NGRAM_PARAMS(PARAM)                                                               \
    PARAM(ngram, matching, 5, "words", "of a matching n-gram; the paper")                      \
    PARAM(ngram, scoring, 2, "words", "of a scoring n-gram; the paper")                        \
    PARAM(ngram, max_matching, 50, "documents", "with a matching n-gram, at most; the paper")  \
    PARAM(ngram, max_scoring, 100000, "documents", "with a scoring n-gram, at most; the paper") \
    PARAM(ngram, max_per_doc, 20000, "n-grams", "matching ones of a document; the paper")      \
    PARAM(ngram, max_candidates, 20, "pairs",                                                  \
          "of a document and another group that are scored")                                   \
    PARAM(ngram, threshold, 0.1, "cosine", "lowest score of a pair; the paper")                \
    PARAM(ngram, max_disorder, 0.8, "share of n-grams",                                        \
          "that had to be moved: permutation edit distance; at random 1 - 2 / sqrt(n)")        \
    PARAM(ngram, least_ordered, 16, "n-grams",                                                 \
          "in common, or the order filter does not apply: few are in disorder by chance")      \
    PARAM(ngram, near_ratio, 0.7, "share of a score",                                          \
          "pairs that score so much of the best are near-duplicates of it")                       \
    /* the nearest by cosine */                                                                \
    PARAM(ngram, word_frequent, 0.3, "share of documents",                                     \
          "words in more are not part of an n-gram; lohelp en-de: recall 0.970 with 0.1")      \
    PARAM(ngram, words_apart, 2, "words", "two words of an n-gram are so far apart at the most") \
    PARAM(ngram, near_candidates, 32, "pairs", "of a document whose cosine is computed")       \
    PARAM(ngram, clear_lead, 1.25, "times the second best cosine",                             \
          "the recall check counts nearest documents that are so far ahead")
/* clang-format on */

DPL__PARAMS_DECLARE(DPL__NGRAM_PARAMS)

#endif
