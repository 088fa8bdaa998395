/*
 * lexicon_params.h - the constants of lexicons that decide results (base/params.h).
 *
 * "AER": chosen by the alignment error rate of four gold sets together (`bench/run lexicon`).
 * "pages": chosen by the share of LibreOffice help pages whose partner is found with the
 * dictionary (README.md, *Dictionaries*). A note gives a sensitivity only where it was measured
 * on such data; docs/reference/params.md has the effect of halving and doubling each of them on
 * mining.
 */
#ifndef DPL_LEXICON_LEXICON_PARAMS_H
#define DPL_LEXICON_LEXICON_PARAMS_H

#include "base/params.h"

/* clang-format off */
#define DPL__LEXICON_PARAMS(PARAM)                                                             \
    /* expectation-maximisation */                                                             \
    PARAM(lexicon, n_model1, 5, "iterations",                                                  \
          "of IBM Model 1 (Brown et al. 1993); the usual number; AER: ten are no better")      \
    PARAM(lexicon, n_hmm, 5, "iterations",                                                     \
          "of the hidden Markov model (Vogel, Ney, Tillmann 1996); AER: ten are no better")    \
    PARAM(lexicon, max_tokens, 200, "words",                                                   \
          "longer rows are skipped in training: their cost is quadratic in their length")      \
    PARAM(lexicon, class_letters, 5, "letters",                                                \
          "words with the same first ones are a class; AER: 3 and 8 are worse")                \
    PARAM(lexicon, class_prior, 10, "tokens",                                                  \
          "weight of the distribution of the class of a word; AER")                            \
    PARAM(lexicon, same_class, 2, "tokens",                                                    \
          "count of a class aligned with itself before training: names, numbers, loans; AER")  \
    PARAM(lexicon, p_empty, 0.1, "probability",                                                \
          "that a word has no counterpart, before training; a usual value; AER")               \
    PARAM(lexicon, empty_prior, 0.1, "tokens",                                                 \
          "added to the count of each word without counterpart")                               \
    PARAM(lexicon, jump_prior, 0.5, "jumps",                                                   \
          "added to the count of each jump width")                                             \
    PARAM(lexicon, first_jump_decay, 0.3, "per word",                                          \
          "weight of jumps by d in the first iteration: exp(-decay |d - 1|)")                  \
    PARAM(lexicon, least_link_p, 1e-10, "probability",                                         \
          "lower bound of the probability of a link")                                          \
    PARAM(lexicon, unknown_link_p, 1e-10, "probability",                                       \
          "of a pair of words that the model does not have")                                   \
    PARAM(lexicon, same_class_link_p, 0.05, "probability",                                     \
          "of such a pair whose words are of one class: names, numbers; AER on new text")      \
    PARAM(lexicon, posterior_exponent, 1.5, "exponent",                                        \
          "of the product of both directions' posteriors in the count of a link (Liang,"       \
          " Taskar, Klein 2006: 1); AER: 1 and 2 are worse")                                   \
    PARAM(lexicon, least_agreement, 1e-4, "probability",                                       \
          "smaller products of both directions' posteriors are not counted: speed")            \
    /* what is kept of a model */                                                              \
    PARAM(lexicon, min_link, 1e-6, "expected alignments",                                      \
          "links below it were never aligned; also in mining"                                 \
          " for other values")                                                                 \
    PARAM(lexicon, min_link_model1, 0.01, "expected alignments",                               \
          "the same of Model 1 alone, in which every link has some")                           \
    PARAM(lexicon, max_entries, 15, "entries",                                                 \
          "of a row (Ture, Elsayed, Lin 2011)")                                                \
    PARAM(lexicon, cumulative, 0.95, "probability",                                            \
          "entries of a row are kept until their sum reaches it (Ture, Elsayed, Lin 2011)")    \
    PARAM(lexicon, min_p, 0.001, "probability",                                                \
          "less probable entries are dropped")                                                 \
    PARAM(lexicon, min_count, 0.1, "expected alignments",                                      \
          "entries aligned less often are dropped")                                            \
    /* alignment of new text */                                                                \
    PARAM(lexicon, threshold, 0.5, "probability",                                              \
          "mean posterior of both directions that makes a link; AER")                          \
    PARAM(lexicon, align_max_tokens, 1000, "words",                                            \
          "longer rows get no links: memory is quadratic in their length")                     \
    /* dictionaries */                                                                         \
    PARAM(lexicon, phrase_share, 0.5, "share of weight",                                       \
          "of a translation of several words; pages: 0.971 without, 0.980 with 0.5, 0.978"     \
          " with 1")                                                                           \
    PARAM(lexicon, phrase_words, 4, "words",                                                   \
          "translations with more content words are definitions and left out; pages")          \
    PARAM(lexicon, stem_share, 0.8, "share of words",                                          \
          "a column with more words that are their own stem holds stems; about half of a"      \
          " text's words are")                                                                 \
    PARAM(lexicon, stem_words, 100, "words",                                                   \
          "columns with fewer are not examined") \
    PARAM(lexicon, lines_per_bad, 1000, "lines", \
          "of a table of words that one line that cannot be read stands among, at least") \
    PARAM(lexicon, fewest_lines, 100000, "lines", \
          "that may follow when too many cannot be read: what is no table is given up early") \
    /* similar words of a query */ \
    PARAM(lexicon, near_ending, 2, "edits", "that a different ending counts as, at most; by hand") \
    PARAM(lexicon, near_stem, 4, "characters", "that two words share in front of their endings; by hand")
/* clang-format on */

DPL__PARAMS_DECLARE(DPL__LEXICON_PARAMS)

#endif
