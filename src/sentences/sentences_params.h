/*
 * sentences_params.h - the constants of sentence alignment that decide results, each with its
 * unit, its source and how sensitive results are to it.
 *
 * "News sets": 25 German-French documents of 50 to 300 lines of news with lines joined, removed
 * and inserted and words misread (README.md); parameters with this note were chosen there by
 * strict F1. "Speed": a bound on work, set high enough to rarely change results. bench/params
 * perturbs each parameter by a factor of two on three collections; docs/reference/params.md has
 * the table. Defaults of options are parameters, too.
 */
#ifndef DPL_SENTENCES_SENTENCES_PARAMS_H
#define DPL_SENTENCES_SENTENCES_PARAMS_H

#include "base/params.h"

/* clang-format off */
#define DPL__SENTENCES_PARAMS(PARAM)                                                           \
    /* sample and rounds (align.c, align_learn.c) */                                           \
    PARAM(sentences, sample, 6000, "units",                                                    \
          "sample to learn from with a lexicon; an option")                                    \
    PARAM(sentences, sample_alone, 12000, "units",                                             \
          "the same without a lexicon, where more must be learnt")                             \
    PARAM(sentences, sample_pairs, 8, "document pairs",                                        \
          "fewest in the sample, so that one long document does not decide")                   \
    PARAM(sentences, rounds, 3, "rounds",                                                      \
          "over the sample: each aligns with what the one before it learnt")             \
    PARAM(sentences, halved_sample, 2000, "units",                                             \
          "samples above it are halved for the first round: speed")                            \
    /* numbers before every line (line_labels.c) */                                            \
    PARAM(sentences, label_lines, 8, "lines", "of a document at least, for labels of lines")   \
    PARAM(sentences, label_share, 0.9, "share", "of lines that begin with a number, at least") \
    PARAM(sentences, label_rising, 0.8, "share",                                               \
          "of numbers above the one before, at least: chapters begin again")                   \
    /* words or none (word_trial.c) */                                                         \
    PARAM(sentences, trial_uniform, 0.5, "probability",                                        \
          "that a bead found without words is a wrong one, where words are tried")             \
    PARAM(sentences, trial_sure, 0.1, "nats",                                                  \
          "that words make a bead more likely without learning, at least, to skip that: speed")\
    PARAM(sentences, trial_half, 0.85, "ratio",                                                \
          "of the likelihood with words to that with half of their weight, at least; 11 sets " \
          "of half 0 with words replaced by any of their length")                              \
    /* bag of words: the NULL word of Model 1 (bag_of_words.c) */                              \
    PARAM(sentences, null_known, 0.45, "probability",                                           \
          "that a word with links is unaligned, the NULL word of Moore (2002); news sets")     \
    PARAM(sentences, null_unknown, 0.6, "probability",                                         \
          "the same of words that no lexicon has; news sets")                                  \
    PARAM(sentences, null_step, 0.15, "probability",                                           \
          "by which that of words of a lexicon is raised while it makes beads of lengths and " \
          "punctuation more likely ...")                                                       \
    PARAM(sentences, null_most, 0.9, "probability", "... up to this one")                      \
    PARAM(sentences, absent_share, 0.1,  "share",                                              \
          "of the probability that a known word is aligned, by which one without any link "    \
          "into the other document makes a bead less likely: keeps lines of one side out")     \
    /* links between terms (term_links.c, variants.c) */                                       \
    PARAM(sentences, same_unknown, 0.5, "probability",                                         \
          "of an equal word on the other side when no lexicon has it: names, numbers")         \
    PARAM(sentences, same_known, 0.05, "probability", "the same when a lexicon has it")        \
    PARAM(sentences, cognate_unknown, 0.3, "probability",                                      \
          "of a word of similar spelling, times the squared similarity, when no lexicon has "  \
          "it")                                                                                \
    PARAM(sentences, cognate_known, 0.03, "probability", "the same when a lexicon has it")     \
    PARAM(sentences, cognate_letters, 4, "letters",                                            \
          "common prefix of cognates, at least; Simard et al. (1992) have four, too")          \
    PARAM(sentences, cognate_share, 0.6, "share",                                              \
          "of the longer word that the common prefix must cover")                              \
    PARAM(sentences, cognate_pairs, 10000, "comparisons",                                      \
          "of words with the same prefix, beyond which only neighbours are compared: speed")   \
    PARAM(sentences, cognate_terms, 262144, "terms",                                           \
          "the most frequent ones, whose spelling is compared: speed")                         \
    PARAM(sentences, variant_letters, 5, "bytes",                                              \
          "common prefix of an unknown word and a known one of its language")                  \
    PARAM(sentences, variant_share, 0.5, "share", "of the longer one that it must cover")      \
    PARAM(sentences, variant_weight, 0.3, "share",                                             \
          "of the known word's probabilities that the unknown one gets, times the squared "    \
          "similarity; news sets with a lexicon of other texts")                               \
    PARAM(sentences, variant_least, 0.02, "probability", "below which such a link is dropped") \
    PARAM(sentences, words_weight, 0.4, "weight",                                              \
          "of the words against lengths and priors, below 1 because words are not "            \
          "independent and both directions count the same evidence; news sets")                \
    PARAM(sentences, least_lift, 12, "ratio",                                                   \
          "p(f|e) / p(f) below which a link is dropped: weak links mislead, and cost time")      \
    PARAM(sentences, unseen_tokens, 1000, "tokens",                                            \
          "added to a collection's for the unigram probabilities")                             \
    /* words learnt from the sample (learn_links.c, cooccurrence.c) */                         \
    PARAM(sentences, learn_discount, 1.7, "count",                                             \
          "absolute discount of a co-occurrence count: above 1, because a bead must not be "    \
          "judged by words that were learnt from it; 0.7 loses 0.03 of F1 on novels")                             \
    PARAM(sentences, learn_prior, 2, "count", "added to a word's occurrences: rare, less sure")\
    PARAM(sentences, learn_least, 0.01, "probability", "below which nothing was learnt")       \
    PARAM(sentences, learn_sure, 0.3, "probability",                                           \
          "both ways, above which two words are left out of learning: speed")                  \
    PARAM(sentences, learn_uses, 300, "occurrences", "of a word that are looked at: speed")    \
    PARAM(sentences, cooccur_rows, 2, "rows",                                                  \
          "that a pair of words shares at least: one would repeat what was found")             \
    PARAM(sentences, cooccur_rounds, 4, "rounds", "of mutual choice between candidates")       \
    PARAM(sentences, cooccur_least, 0.002, "weight",                                           \
          "p(r|l) p(l|r) of a candidate, at least: speed")                                     \
    PARAM(sentences, cooccur_null, 0.01, "weight", "of having no counterpart; news sets")      \
    /* length model and bead priors (priors.c, length_model.c) */                              \
    PARAM(sentences, length_variance, 7, "1 / characters",                                     \
          "of log length ratio, start value; Gale and Church (1993) estimate 6.8")             \
    PARAM(sentences, length_floor, 0.02, "variance",                                           \
          "of the log ratio of very long sentences, start value")                              \
    PARAM(sentences, length_outlier, 3, "standard deviations",                                 \
          "beyond which a bead is left out of the estimate")                                   \
    PARAM(sentences, length_scale, 100, "characters",                                          \
          "sentences above it count less in the estimate: few, and they scatter")              \
    PARAM(sentences, length_flat, 40, "squared standard deviations",                           \
          "where the length penalty flattens: a translation may leave something out")          \
    PARAM(sentences, em_rounds, 6, "rounds", "of estimates without words")                     \
    PARAM(sentences, em_sample, 2000, "units", "whose alignments are summed: speed")           \
    PARAM(sentences, em_units, 300, "units", "of a long document among them: speed")           \
    PARAM(sentences, em_band, 30, "nodes", "around the diagonal, and ...")                     \
    PARAM(sentences, em_band_share, 0.1, "share", "... of the shorter side")                   \
    PARAM(sentences, em_least, 1e-30, "ratio",                                                 \
          "of a node to the best one of its row, below which it is left out: speed")           \
    PARAM(sentences, em_least_count, 0.001, "probability", "of a bead that is counted: speed") \
    PARAM(sentences, run_variance, 0.5, "variance",                                            \
          "of the logarithm of any sentence's length, start value")                            \
    PARAM(sentences, sign_same, 0.3, "share",                                                  \
          "of beads that keep a kind of punctuation, start value")                             \
    PARAM(sentences, sign_beads, 50, "beads",                                                  \
          "without relation of punctuation added to the counts")                               \
    PARAM(sentences, sign_gain, 28, "nats",                                                    \
          "that punctuation makes texts more likely, at least ...")                            \
    PARAM(sentences, sign_gain_each, 0.25, "nats",                                             \
          "... and for each bead: shuffled punctuation of half 0 has less")                    \
    PARAM(sentences, prior_most, 5, "ratio",                                                   \
          "of the share of beads of several on both sides to the usual one, at most")          \
    PARAM(sentences, prior_bin, 10, "beads", "of the former variance added to each length bin")\
    PARAM(sentences, lopsided, 8, "times",                                                     \
          "as long as the other document: no length is learnt from such a pair")               \
    PARAM(sentences, prior_chars, 1000, "characters", "of equal length added to the mean ratio")\
    PARAM(sentences, prior_beads, 30, "beads",                                                 \
          "of the usual distribution added to the counts of bead types")                       \
    PARAM(sentences, prior_share, 0.03, "share", "the same as a share of the beads found")     \
    PARAM(sentences, prior_1_0, 0.005, "probability",                                          \
          "usual share of 1-0 and of 0-1 beads, as Gale and Church have it; 0.024, which was " \
          "better before shares were estimated over all alignments, loses 0.05 on novels")     \
    PARAM(sentences, prior_alone, 0.25, "probability", "estimated of 1-0 and of 0-1, at most") \
    PARAM(sentences, prior_1_1, 0.85, "probability", "of 1-1; Gale and Church: 0.89")          \
    PARAM(sentences, prior_1_2, 0.04, "probability", "of 1-2, of 2-1; Gale and Church: 0.045") \
    PARAM(sentences, prior_1_3, 0.006, "probability", "of 1-3 and of 3-1")                     \
    PARAM(sentences, prior_1_4, 0.002, "probability", "of 1-4 and of 4-1")                     \
    PARAM(sentences, prior_2_2, 0.002, "probability",                                          \
          "of 2-2; Gale and Church: 0.011, too likely for texts that have none; news sets")    \
    PARAM(sentences, prior_2_3, 0.0005, "probability", "of 2-3 and of 3-2")                    \
    PARAM(sentences, prior_many, 0.0001, "probability", "of 3-3, 2-4, 1-5 and larger ones")    \
    /* dynamic programming and its band (beads.c, band.c, anchors.c) */                        \
    PARAM(sentences, max_side, 4, "units", "on a side of a bead; an option")                   \
    PARAM(sentences, full_cells, 100, "sentence pairs",                                        \
          "up to which all of a document pair are looked at: speed")                           \
    PARAM(sentences, widen, 10, "nodes",                                                       \
          "by which a band is widened first, then four times as many: speed")                  \
    PARAM(sentences, widen_tries, 3, "runs", "of a segment at the edge of the band, at most")  \
    PARAM(sentences, widen_all, 0.25, "share",                                                 \
          "of a path at the edge, above which all of it is done again")                        \
    PARAM(sentences, widen_nodes, 1048576, "nodes", "of a widened band, at most ...")          \
    PARAM(sentences, widen_nodes_each, 50, "nodes", "... and for each sentence: speed")        \
    PARAM(sentences, piece, 150, "units", "of a piece of a long document in the sample")       \
    PARAM(sentences, band_margin, 2, "nodes", "around an anchor")                              \
    PARAM(sentences, band_large, 4096, "sentence pairs",                                       \
          "between two anchors, above which anchors are looked for again: speed")              \
    PARAM(sentences, band_depth, 3, "times", "how often: speed")                               \
    PARAM(sentences, diagonal, 40, "nodes",                                                    \
          "on both sides of the diagonal where there are no anchors, at least ...")            \
    PARAM(sentences, diagonal_share, 0.125, "share", "... and of the shorter side ...")        \
    PARAM(sentences, diagonal_most, 300, "nodes", "... but at most")                           \
    PARAM(sentences, anchor_uses, 12, "occurrences", "of a rare word in the area, at most")    \
    PARAM(sentences, anchor_candidates, 4, "sentences", "for a left sentence, up to 16")       \
    PARAM(sentences, anchor_weight, 2, "nats", "of a candidate, at least")                     \
    PARAM(sentences, anchor_support, 8, "nats", "of an anchor and those near it, at least")    \
    PARAM(sentences, anchor_near, 10, "sentences", "between anchors that support each other")  \
    PARAM(sentences, usual_tokens, 20, "tokens", "of a sentence, for weights of word links")   \
    /* unordered texts (unordered.c) */                                                        \
    PARAM(sentences, margin, 3, "nats",                                                        \
          "of the best match of a sentence over the second best; an option")                   \
    PARAM(sentences, unordered_uses, 64, "sentences", "that a word occurs in, at most ...")    \
    PARAM(sentences, unordered_share, 0.1, "share", "... or of all sentences")                 \
    PARAM(sentences, unordered_candidates, 8, "sentences", "for a left sentence, up to 32")    \
    /* filter (filter.c) */                                                                    \
    PARAM(sentences, min_information, 1.0 / 3, "share",                                        \
          "of the expected mutual information; Uszkoreit et al. (2010), section 2.3; an "      \
          "option")                                                                            \
    PARAM(sentences, max_length_ratio, 3, "ratio", "of characters, to the mean; an option")    \
    PARAM(sentences, length_slack, 15, "characters", "added to both sides before that ratio")  \
    PARAM(sentences, least_expected, 3, "nats",                                                \
          "of mutual information, below which words decide nothing")                           \
    PARAM(sentences, lang_confidence, 0.9, "probability",                                      \
          "of another language than the document's, at least: single sentences are often "     \
          "misidentified")                                                                     \
    PARAM(sentences, lang_bytes, 60, "bytes", "of a side whose language is identified")        \
    PARAM(sentences, lang_same, 1.0 / 3, "share",                                              \
          "of the shorter side's words that occur on both sides, at least, to identify it")    \
    PARAM(sentences, lang_tokens, 200, "tokens", "of a side that is compared that way: speed") \
    PARAM(sentences, corpus_score, 0.5, "probability",                                         \
          "lowest score of a bead in a corpus (moses, tmx): rather right than wrong; an option") \
    PARAM(sentences, min_score, 0.02, "probability",                                           \
          "of a bead, at least: on five collections damaged on purpose that the weights were " \
          "not fitted on, precision rises from 0.836 to 0.881 (twice the damage: from "        \
          "0.612 to 0.670) and recall falls by 0.001; an option")                              \
    /* equal sentence pairs (repeats.c) */                                                     \
    PARAM(sentences, frequent_share, 0.1, "share",                                             \
          "of the document pairs that a frequent sentence pair stands in, at least; that of "  \
          "boilerplate in mining")                                                             \
    PARAM(sentences, frequent_pairs, 5, "document pairs", "and so many, at least")             \
    /* probability of a bead (bead_rating.c): fitted on five collections with known lines */   \
    PARAM(sentences, rate_bias, 2.47, "log-odds", "of a bead with no evidence")                 \
    PARAM(sentences, rate_information, 1.41, "log-odds",                                        \
          "for the mutual information of aligned words as a share of the expected one")        \
    PARAM(sentences, rate_most_information, 1.5, "share", "beyond which more says nothing")    \
    PARAM(sentences, rate_coverage, 2.79, "log-odds",                                           \
          "for the share of tokens explained by the other side, the smaller of both")          \
    PARAM(sentences, rate_length, -1.16, "log-odds",                                            \
          "for a squared standard deviation of the lengths' ratio")                            \
    PARAM(sentences, rate_flat, 20, "squared standard deviations",                             \
          "where more off says little")                                                        \
    PARAM(sentences, rate_type, 0.56, "log-odds",                                              \
          "for the log prior of the bead's type, relative to 1-1")                             \
    PARAM(sentences, rate_docs, 4.25, "log-odds",                                               \
          "for the logarithm of the share of the document pair's beads with common words")     \
    PARAM(sentences, rate_docs_beads, 4, "beads", "of the run's mean added to that share")     \
    PARAM(sentences, rate_docs_coverage, -2.91, "log-odds",                                     \
          "for the mean coverage of the document pair, which a bead's is compared with")       \
    PARAM(sentences, rate_alone, -0.92, "log-odds",                                             \
          "for the logarithm of the share of sentences without counterpart in the run")        \
    PARAM(sentences, rate_one_one, 2.33, "log-odds", "for the logarithm of the share of 1-1") \
    PARAM(sentences, latin_tokens, 5, "tokens", \
          "of a side that may be in Latin letters where its language has its own script") \
    PARAM(sentences, latin_letters, 25, "letters", \
          "in Latin script of such a side, and no others, from which on it is in another language")
/* clang-format on */

DPL__PARAMS_DECLARE(DPL__SENTENCES_PARAMS)

/* A parameter of this folder as a double, as a number, and as a float. */
#define P(name) DPL__P(sentences, name)
#define PN(name) ((uint32_t)DPL__P(sentences, name))
#define PF(name) ((float)DPL__P(sentences, name))

#endif
