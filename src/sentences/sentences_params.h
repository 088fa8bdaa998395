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
#define DPL__SENTENCES_PARAMS(PARAM) \
    /* sample and rounds (align.c, align_learn.c) */ \
    PARAM(sentences, sample, 6000, "units", \
          "Units of the sample that alignment learns from with a lexicon; an option") \
    PARAM(sentences, sample_alone, 12000, "units", \
          "Units of the sample without a lexicon. More must be learnt") \
    PARAM(sentences, sample_pairs, 8, "document pairs", \
          "Lowest number of document pairs in the sample. One long document does not decide") \
    PARAM(sentences, rounds, 3, "rounds", \
          "Rounds over the sample; each aligns with what the one before it learnt") \
    PARAM(sentences, halved_sample, 2000, "units", \
          "The first round aligns half of a larger sample. Speed") \
    /* numbers before every line (line_labels.c) */ \
    PARAM(sentences, label_lines, 8, "lines", \
          "Lowest number of lines of a document with line labels") \
    PARAM(sentences, label_share, 0.9, "share", \
          "Lowest share of lines that begin with a number") \
    PARAM(sentences, label_rising, 0.8, "share", \
          "Lowest share of these numbers that exceed the one before. Chapters begin again") \
    /* words or none (word_trial.c) */ \
    PARAM(sentences, trial_uniform, 0.5, "probability", \
          "Probability that a bead found without words is wrong, when words are tried") \
    PARAM(sentences, trial_sure, 0.1, "nats", \
          "Nats per bead by which words must help to skip learning. Speed")\
    PARAM(sentences, trial_half, 0.85, "ratio", \
          "Lowest ratio of the likelihood with words to that with half of their weight. 11 " \
          "sets of half 0 with words replaced by any of their length") \
    PARAM(sentences, trial_lead, 2.5, "standard errors", \
          "Standard errors by which words must help where beads are many. 27 documents of " \
          "half 0, and 139 with words replaced by others") \
    PARAM(sentences, trial_few, 20, "beads", \
          "Beads that need no such lead. With more it rises to trial_lead") \
    /* bag of words: the NULL word of Model 1 (bag_of_words.c) */ \
    PARAM(sentences, null_known, 0.45, "probability", \
          "Probability that a word with links is unaligned. It is the NULL word of Moore " \
          "(2002); news sets") \
    PARAM(sentences, null_unknown, 0.6, "probability", \
          "Probability that a word without a lexicon entry is unaligned. News sets") \
    PARAM(sentences, null_step, 0.15, "probability", \
          "Step by which null_known is raised while beads of lengths and punctuation become " \
          "more likely") \
    PARAM(sentences, null_most, 0.9, "probability", \
          "Largest value that null_known is raised to") \
    PARAM(sentences, absent_share, 0.1, "share", \
          "Share of the alignment probability that a known word without any link takes from a " \
          "bead. It keeps lines of one side out") \
    /* links between terms (term_links.c, variants.c) */ \
    PARAM(sentences, same_unknown, 0.5, "probability", \
          "Probability of an equal word on the other side that no lexicon has. Names, numbers") \
    PARAM(sentences, same_known, 0.05, "probability", \
          "Probability of an equal word on the other side that a lexicon has") \
    PARAM(sentences, cognate_unknown, 0.3, "probability", \
          "Probability of a cognate that no lexicon has, times its squared similarity") \
    PARAM(sentences, cognate_known, 0.03, "probability", \
          "Probability of a cognate that a lexicon has, times its squared similarity") \
    PARAM(sentences, cognate_letters, 4, "letters", \
          "Shortest common prefix of cognates, in letters. Simard et al. (1992) have four, " \
          "too") \
    PARAM(sentences, cognate_share, 0.6, "share", \
          "Lowest share of the longer word that the common prefix covers") \
    PARAM(sentences, cognate_pairs, 10000, "comparisons", \
          "With more words of one prefix, only neighbours are compared. Speed") \
    PARAM(sentences, cognate_terms, 262144, "terms", \
          "Number of most frequent terms whose spelling is compared. Speed") \
    PARAM(sentences, variant_letters, 5, "bytes", \
          "Shortest common prefix, in bytes, of an unknown word and a known variant") \
    PARAM(sentences, variant_share, 0.5, "share", \
          "Lowest share of the longer variant that the prefix covers") \
    PARAM(sentences, variant_weight, 0.3, "share", \
          "Share of a known word's probabilities that its variant gets, times the squared " \
          "similarity. News sets with a lexicon of other texts") \
    PARAM(sentences, variant_least, 0.02, "probability", \
          "Links of variants with a lower probability are dropped") \
    PARAM(sentences, words_weight, 0.4, "weight", \
          "Weight of words against lengths and priors. It is below 1 because words are not " \
          "independent and both directions count the same evidence; news sets") \
    PARAM(sentences, least_lift, 12, "ratio", \
          "Links with a lower ratio p(f|e) / p(f) are dropped. Weak links mislead, and cost " \
          "time") \
    PARAM(sentences, unseen_tokens, 1000, "tokens", \
          "Tokens that are added to a collection's for unigram probabilities") \
    /* words learnt from the sample (learn_links.c, cooccurrence.c) */ \
    PARAM(sentences, learn_discount, 1.7, "count", \
          "Absolute discount of a co-occurrence count. It is above 1, because a bead must not " \
          "be judged by words that were learnt from it; 0.7 loses 0.03 of F1 on novels") \
    PARAM(sentences, learn_prior, 2, "count", \
          "Occurrences that are added to a word's. Rare words become less sure")\
    PARAM(sentences, learn_least, 0.01, "probability", \
          "Learnt links with a lower probability are dropped") \
    PARAM(sentences, learn_sure, 0.3, "probability", \
          "Words linked with this probability in both directions are left out of learning. " \
          "Speed") \
    PARAM(sentences, learn_uses, 300, "occurrences", \
          "Maximum number of occurrences of a word that learning reads. Speed") \
    PARAM(sentences, cooccur_rows, 2, "rows", \
          "Lowest number of rows that two words share. One row would repeat what was found") \
    PARAM(sentences, cooccur_rounds, 4, "rounds", \
          "Rounds of mutual choice between candidates") \
    PARAM(sentences, cooccur_least, 0.002, "weight", \
          "Lowest product p(r|l) p(l|r) of a candidate. Speed") \
    PARAM(sentences, cooccur_null, 0.01, "weight", \
          "Weight of having no counterpart. News sets") \
    /* length model and bead priors (priors.c, length_model.c) */ \
    PARAM(sentences, length_variance, 7, "1 / characters", \
          "Start value of the variance of the log length ratio, times the characters. Gale " \
          "and Church (1993) estimate 6.8") \
    PARAM(sentences, length_floor, 0.02, "variance", \
          "Start value of the variance of the log length ratio of very long sentences") \
    PARAM(sentences, length_outlier, 3, "standard deviations", \
          "Beads beyond this many standard deviations are left out of the estimate") \
    PARAM(sentences, length_scale, 100, "characters", \
          "Sentences with more characters count less in the estimate. They are few and " \
          "scatter") \
    PARAM(sentences, length_flat, 40, "squared standard deviations", \
          "Squared standard deviations at which the length penalty flattens. A translation " \
          "may leave something out") \
    PARAM(sentences, em_rounds, 6, "rounds", "Rounds of estimation without words") \
    PARAM(sentences, em_sample, 2000, "units", "Units whose alignments are summed. Speed") \
    PARAM(sentences, em_units, 300, "units", "Units of one document among them. Speed") \
    PARAM(sentences, em_band, 30, "nodes", \
          "Nodes around the diagonal that are summed, plus em_band_share") \
    PARAM(sentences, em_band_share, 0.1, "share", \
          "Share of the shorter side that is added to em_band") \
    PARAM(sentences, em_least, 1e-30, "ratio", \
          "Nodes with a smaller share of the best one in their row are left out. Speed") \
    PARAM(sentences, em_least_count, 0.001, "probability", \
          "Beads with a lower probability are not counted. Speed") \
    PARAM(sentences, run_variance, 0.5, "variance", \
          "Start value of the variance of the logarithm of a sentence's length") \
    PARAM(sentences, sign_same, 0.3, "share", \
          "Start value of the share of beads that keep a kind of punctuation") \
    PARAM(sentences, sign_beads, 50, "beads", \
          "Beads with unrelated punctuation that are added to the counts") \
    PARAM(sentences, sign_gain, 28, "nats", \
          "Nats by which punctuation must make the texts more likely, plus sign_gain_each") \
    PARAM(sentences, sign_gain_each, 0.25, "nats", \
          "Nats that are added to sign_gain for each bead. Shuffled punctuation of half 0 has " \
          "less") \
    PARAM(sentences, sign_gain_usual, 2, "nats", \
          "The same of punctuation that is kept as usual (sign_same), which is not fitted, " \
          "plus sign_gain_usual_each. Pieces of 5 to 40 lines of half 0; 4 loses .01 there") \
    PARAM(sentences, sign_gain_usual_each, 0.05, "nats", \
          "Nats added to sign_gain_usual for each bead") \
    PARAM(sentences, prior_most, 5, "ratio", \
          "Highest ratio of the share of many-to-many beads to their usual share") \
    PARAM(sentences, prior_bin, 10, "beads", \
          "Beads with the former variance that are added to each length bin")\
    PARAM(sentences, lopsided, 8, "times", \
          "A document pair with this ratio of lengths teaches no lengths") \
    PARAM(sentences, prior_chars, 1000, "characters", \
          "Characters of equal length that are added to the mean ratio")\
    PARAM(sentences, prior_beads, 30, "beads", \
          "Beads of the usual distribution that are added to the counts of bead types") \
    PARAM(sentences, prior_share, 0.03, "share", \
          "Share of the beads found that is added to prior_beads") \
    PARAM(sentences, prior_1_0, 0.005, "probability", \
          "Usual share of 1-0 and of 0-1 beads, as in Gale and Church. 0.024, which was " \
          "better before shares were estimated over all alignments, loses 0.05 on novels") \
    PARAM(sentences, prior_alone, 0.25, "probability", \
          "Highest estimated share of 1-0 and of 0-1 beads") \
    PARAM(sentences, prior_1_1, 0.85, "probability", \
          "Usual share of 1-1 beads. Gale and Church: 0.89") \
    PARAM(sentences, prior_1_2, 0.04, "probability", \
          "Usual share of 1-2 and of 2-1 beads. Gale and Church: 0.045") \
    PARAM(sentences, prior_1_3, 0.006, "probability", "Usual share of 1-3 and of 3-1 beads") \
    PARAM(sentences, prior_1_4, 0.002, "probability", "Usual share of 1-4 and of 4-1 beads") \
    PARAM(sentences, prior_2_2, 0.002, "probability", \
          "Usual share of 2-2 beads. Gale and Church: 0.011, too likely for texts that have " \
          "none; news sets") \
    PARAM(sentences, prior_2_3, 0.0005, "probability", "Usual share of 2-3 and of 3-2 beads") \
    PARAM(sentences, prior_many, 0.0001, "probability", \
          "Usual share of 3-3, 2-4, 1-5 and larger beads") \
    /* dynamic programming and its band (beads.c, band.c, anchors.c) */ \
    PARAM(sentences, max_side, 4, "units", \
          "Maximum number of units on a side of a bead; an option") \
    PARAM(sentences, full_cells, 100, "sentence pairs", \
          "Up to this number of sentence pairs, all are compared. Speed") \
    PARAM(sentences, widen, 10, "nodes", \
          "Nodes by which a band is widened first, then four times as many. Speed") \
    PARAM(sentences, widen_tries, 3, "runs", \
          "Times that a segment at the edge of the band is solved at most") \
    PARAM(sentences, widen_all, 0.25, "share", \
          "Share of the path at the edge above which the whole path is solved again") \
    PARAM(sentences, widen_nodes, 1048576, "nodes", \
          "Maximum number of nodes of a widened band, plus widen_nodes_each") \
    PARAM(sentences, widen_nodes_each, 50, "nodes", \
          "Nodes that are added to widen_nodes for each sentence. Speed") \
    PARAM(sentences, piece, 150, "units", "Units of a piece of a long document in the sample") \
    PARAM(sentences, band_margin, 2, "nodes", "Nodes of the band around an anchor") \
    PARAM(sentences, band_large, 4096, "sentence pairs", \
          "Anchors are sought again between two anchors with more sentence pairs. Speed") \
    PARAM(sentences, band_depth, 3, "times", "Times that anchors are sought again. Speed") \
    PARAM(sentences, diagonal, 40, "nodes", \
          "Lowest number of nodes on both sides of the diagonal where there are no anchors") \
    PARAM(sentences, diagonal_share, 0.125, "share", \
          "These nodes as a share of the shorter side") \
    PARAM(sentences, diagonal_most, 300, "nodes", "Highest number of these nodes") \
    PARAM(sentences, anchor_uses, 12, "occurrences", \
          "Maximum number of occurrences of a rare word in an area") \
    PARAM(sentences, anchor_candidates, 4, "sentences", \
          "Candidates for an anchor of a left sentence. At most 16") \
    PARAM(sentences, anchor_weight, 2, "nats", "Lowest weight of a candidate, in nats") \
    PARAM(sentences, anchor_support, 8, "nats", \
          "Lowest weight of an anchor and those near it, in nats") \
    PARAM(sentences, anchor_near, 10, "sentences", \
          "Largest distance, in sentences, of anchors that support each other") \
    PARAM(sentences, usual_tokens, 20, "tokens", \
          "Tokens of a sentence that the weights of word links assume") \
    /* unordered texts (unordered.c) */ \
    PARAM(sentences, margin, 3, "nats", \
          "Lowest lead, in nats, of the best match of a sentence over the second best; an " \
          "option") \
    PARAM(sentences, unordered_uses, 64, "sentences", \
          "Words in more sentences are ignored where order is free, unless unordered_share " \
          "allows more") \
    PARAM(sentences, unordered_share, 0.1, "share", \
          "Share of all sentences that a word may occur in") \
    PARAM(sentences, unordered_candidates, 8, "sentences", \
          "Candidates for a left sentence where order is free. At most 32") \
    /* filter (filter.c) */ \
    PARAM(sentences, min_information, 1.0 / 3, "share", \
          "Lowest share of the expected mutual information; an option. Uszkoreit et al. " \
          "(2010), section 2.3") \
    PARAM(sentences, max_length_ratio, 3, "ratio", \
          "Highest length ratio of a bead relative to the mean; an option") \
    PARAM(sentences, length_slack, 15, "characters", \
          "Characters that are added to both sides before that ratio") \
    PARAM(sentences, least_expected, 3, "nats", \
          "Words decide nothing below this expected mutual information, in nats") \
    PARAM(sentences, lang_confidence, 0.9, "probability", \
          "Lowest confidence that a sentence is in another language than its document. Single " \
          "sentences are often misidentified") \
    PARAM(sentences, lang_bytes, 60, "bytes", \
          "Shortest side, in bytes, whose language is identified") \
    PARAM(sentences, lang_same, 1.0 / 3, "share", \
          "Lowest share of words that occur on both sides for the language to be checked") \
    PARAM(sentences, lang_tokens, 200, "tokens", \
          "Longer sides, in tokens, are not compared that way. Speed") \
    PARAM(sentences, corpus_score, 0.5, "probability", \
          "Lowest score of a bead in a corpus (moses, tmx); an option. Such beads are rather " \
          "right than wrong") \
    PARAM(sentences, min_score, 0.02, "probability", \
          "Lowest score of a bead; an option. On five collections damaged on purpose that the " \
          "weights were not fitted on, precision rises from 0.836 to 0.881 (twice the damage: " \
          "from 0.612 to 0.670) and recall falls by 0.001") \
    /* equal sentence pairs (repeats.c) */ \
    PARAM(sentences, frequent_share, 0.1, "share", \
          "Lowest share of the document pairs that a frequent sentence pair occurs in. " \
          "Boilerplate in mining has the same") \
    PARAM(sentences, frequent_pairs, 5, "document pairs", \
          "Lowest number of document pairs that a frequent sentence pair occurs in") \
    /* probability of a bead (bead_rating.c): fitted on five collections with known lines */ \
    PARAM(sentences, rate_bias, 2.47, "log-odds", "Log-odds of a bead without evidence") \
    PARAM(sentences, rate_information, 1.41, "log-odds", \
          "Log-odds for the mutual information of aligned words as a share of the expected " \
          "one") \
    PARAM(sentences, rate_most_information, 1.5, "share", "Highest such share that counts") \
    PARAM(sentences, rate_coverage, 2.79, "log-odds", \
          "Log-odds for the share of tokens that the other side explains, the smaller of both") \
    PARAM(sentences, rate_length, -1.16, "log-odds", \
          "Log-odds for a squared standard deviation of the length ratio") \
    PARAM(sentences, rate_flat, 20, "squared standard deviations", \
          "Squared standard deviations at which that flattens") \
    PARAM(sentences, rate_type, 0.56, "log-odds", \
          "Log-odds for the log prior of the bead's type, relative to 1-1") \
    PARAM(sentences, rate_docs, 4.25, "log-odds", \
          "Log-odds for the logarithm of the share of the document pair's beads with common " \
          "words") \
    PARAM(sentences, rate_docs_beads, 4, "beads", \
          "Beads of the run's mean that are added to that share") \
    PARAM(sentences, rate_docs_coverage, -2.91, "log-odds", \
          "Log-odds for the mean coverage of the document pair") \
    PARAM(sentences, rate_alone, -0.92, "log-odds", \
          "Log-odds for the logarithm of the run's share of sentences without counterpart") \
    PARAM(sentences, rate_one_one, 2.33, "log-odds", \
          "Log-odds for the logarithm of the run's share of 1-1 beads") \
    PARAM(sentences, latin_tokens, 5, "tokens", \
          "Lowest number of tokens of a side in Latin letters whose language has its own " \
          "script") \
    PARAM(sentences, latin_letters, 25, "letters", \
          "Lowest number of letters, all Latin, at which such a side is in another language")
/* clang-format on */

DPL__PARAMS_DECLARE(DPL__SENTENCES_PARAMS)

/* A parameter of this folder as a double, as a number, and as a float. */
#define P(name) DPL__P(sentences, name)
#define PN(name) ((uint32_t)DPL__P(sentences, name))
#define PF(name) ((float)DPL__P(sentences, name))

#endif
