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
#define DPL__LEXICON_PARAMS(PARAM) \
    /* expectation-maximisation */ \
    PARAM(lexicon, n_model1, 5, "iterations", \
          "Iterations of IBM Model 1 (Brown et al. 1993). Usual; AER: ten are no better") \
    PARAM(lexicon, n_hmm, 5, "iterations", \
          "Iterations of the HMM (Vogel, Ney, Tillmann 1996). AER: ten are no better") \
    PARAM(lexicon, max_tokens, 200, "words", \
          "Training skips rows with more words. Their cost is quadratic in their length") \
    PARAM(lexicon, class_letters, 5, "letters", \
          "Words with the same first letters are a class. AER: 3 and 8 are worse") \
    PARAM(lexicon, class_prior, 10, "tokens", \
          "Tokens that the distribution of a word's class counts as. AER") \
    PARAM(lexicon, same_class, 2, "tokens", \
          "Tokens by which a class is aligned with itself before training. Names, numbers, " \
          "loans; AER") \
    PARAM(lexicon, p_empty, 0.1, "probability", \
          "Probability that a word has no counterpart, before training. A usual value; AER") \
    PARAM(lexicon, empty_prior, 0.1, "tokens", \
          "Tokens that are added to the count of each word without counterpart") \
    PARAM(lexicon, jump_prior, 0.5, "jumps", \
          "Jumps that are added to the count of each jump width") \
    PARAM(lexicon, first_jump_decay, 0.3, "per word", \
          "The first iteration weights jumps by d with exp(-first_jump_decay |d - 1|)") \
    PARAM(lexicon, least_link_p, 1e-10, "probability", \
          "Lower bound of the probability of a link") \
    PARAM(lexicon, unknown_link_p, 1e-10, "probability", \
          "Probability of a link between words that the model does not have") \
    PARAM(lexicon, same_class_link_p, 0.05, "probability", \
          "Probability of such a link within one class. Names, numbers; AER on new text") \
    PARAM(lexicon, posterior_exponent, 1.5, "exponent", \
          "Exponent of the product of both directions' posteriors in the count of a link. " \
          "Liang, Taskar, Klein 2006: 1; AER: 1 and 2 are worse") \
    PARAM(lexicon, least_agreement, 1e-4, "probability", \
          "Smaller products of both directions' posteriors are not counted. Speed") \
    /* what is kept of a model */ \
    PARAM(lexicon, min_link, 1e-6, "expected alignments", \
          "Links with fewer expected alignments are dropped, also in mining. They were never " \
          "aligned") \
    PARAM(lexicon, min_link_model1, 0.01, "expected alignments", \
          "The same for Model 1 alone, in which every link has some") \
    PARAM(lexicon, max_entries, 15, "entries", \
          "Maximum number of entries of a row. Ture, Elsayed, Lin 2011") \
    PARAM(lexicon, cumulative, 0.95, "probability", \
          "Entries of a row are kept until their probabilities sum to this. Ture, Elsayed, " \
          "Lin 2011") \
    PARAM(lexicon, min_p, 0.001, "probability", "Less probable entries are dropped") \
    PARAM(lexicon, min_count, 0.1, "expected alignments", \
          "Entries with fewer expected alignments are dropped") \
    /* alignment of new text */ \
    PARAM(lexicon, threshold, 0.5, "probability", \
          "Lowest mean posterior of both directions that makes a link. AER") \
    PARAM(lexicon, align_max_tokens, 1000, "words", \
          "Longer rows, in words, get no links. Memory is quadratic in their length") \
    /* dictionaries */ \
    PARAM(lexicon, phrase_share, 0.5, "share of weight", \
          "Share of the weight that a translation of several words gets. Pages: 0.971 " \
          "without, 0.980 with 0.5, 0.978 with 1") \
    PARAM(lexicon, phrase_words, 4, "words", \
          "Translations with more content words are definitions and left out. Pages") \
    PARAM(lexicon, stem_share, 0.8, "share of words", \
          "A column with a larger share of words that are their own stem holds stems. About " \
          "half of a text's words are") \
    PARAM(lexicon, stem_words, 100, "words", "Columns with fewer words are not examined") \
    PARAM(lexicon, lines_per_bad, 1000, "lines", \
          "Lines of a table of words for each line that cannot be read, at least") \
    PARAM(lexicon, fewest_lines, 100000, "lines", \
          "Lines after which a table with too many unreadable lines is given up") \
    /* similar words of a query */ \
    PARAM(lexicon, near_ending, 2, "edits", \
          "Edits that a different ending counts as at most. By hand") \
    PARAM(lexicon, near_stem, 4, "characters", \
          "Characters that two similar words share before their endings. By hand")
/* clang-format on */

DPL__PARAMS_DECLARE(DPL__LEXICON_PARAMS)

#endif
