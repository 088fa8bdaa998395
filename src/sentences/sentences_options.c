/*
 * sentences_options.c - the options of sentence alignment.
 */
#include "base/options.h"

#include "doppel/sentences.h"
DPL__STATIC_NAMES(evidence_name, "all", "shape", "lengths")

static const dpl_option options[] = {
    {DPL__OPTION(COUNT, "max-side", dpl_sentences_options, max_side), .value = "N", .min = 1,
     .max = 8, .standard = "4", .changes_result = true, .only_with = "!unordered",
     .help = "most sentences on one side of a bead, a group of sentences that are "
             "translations of each other"},
    {DPL__OPTION(FLAG, "one-per-line", dpl_sentences_options, one_per_line),
     .changes_result = true, .help = "every line is a sentence: do not split the text"},
    {DPL__OPTION(FLAG, "unordered", dpl_sentences_options, unordered), .changes_result = true,
     .help = "comparable texts: sentences may be in any order, each has at most one "
             "counterpart"},
    {DPL__OPTION(REAL, "lead", dpl_sentences_options, lead), .value = "X", .least = 0,
     .most = 1000, .standard = "3", .has_zero = true, .changes_result = true,
     .only_with = "unordered",
     .help = "lowest difference between the log-likelihoods of the best "
             "and the second best counterpart; 0: none"},
    {DPL__OPTION(FLAG, "no-learning", dpl_sentences_options, no_learning),
     .changes_result = true, .help = "do not learn words from these documents"},
    {DPL__OPTION(COUNT, "sample", dpl_sentences_options, sample), .value = "N", .min = 1,
     .standard = "6000, without a lexicon 12000", .changes_result = true,
     .help = "sentences to train on"},
    {DPL__OPTION(FLAG, "no-filter", dpl_sentences_options, no_filter), .changes_result = true,
     .help = "keep every bead that has sentences on both sides"},
    {DPL__OPTION(COUNT, "min-words", dpl_sentences_options, min_words), .value = "N", .min = 1,
     .max = 1000, .standard = "1", .changes_result = true, .only_with = "!no-filter",
     .help = "lowest number of words on a side"},
    {DPL__OPTION(REAL, "length-ratio", dpl_sentences_options, length_ratio), .value = "X",
     .least = 1, .most = 1000, .standard = "3", .changes_result = true,
     .only_with = "!no-filter",
     .help = "highest ratio of the lengths of both sides in characters, relative to "
             "the mean ratio"},
    {DPL__OPTION(REAL, "min-ratio", dpl_sentences_options, min_ratio), .value = "X", .least = 0,
     .most = 10, .standard = "1/3", .has_zero = true, .changes_result = true,
     .only_with = "!no-filter",
     .help = "lowest mutual information of the aligned words, as a share of its expectation; "
             "0: any"},
    {DPL__OPTION(FLAG, "no-lang-check", dpl_sentences_options, no_lang_check),
     .changes_result = true, .only_with = "!no-filter",
     .help = "keep sentences that are in another language than their document"},
    {DPL__OPTION(FLAG, "unique", dpl_sentences_options, unique),
     .help = "keep each sentence pair once, where it has the best score"},
    {DPL__OPTION(FLAG, "drop-frequent", dpl_sentences_options, drop_frequent),
     .help = "drop sentence pairs that occur in at least 5 document pairs and in 10 % of "
             "them, such as menus"},
    {DPL__OPTION(FOLDER, "temp", dpl_sentences_options, temp), .value = "DIR",
     .standard = "/tmp", .help = "unique, drop-frequent: where temporary files go"},
    {DPL__OPTION(REAL, "threshold", dpl_sentences_options, threshold),
     .only_with = "!no-filter", .value = "T", .least = 0, .most = 1, .standard = "0.02",
     .has_zero = true,
     .help = "lowest score: the estimated probability that both sides are whole translations "
             "of each other; 0: any"},
    {DPL__OPTION(CHOICE, "evidence", dpl_sentences_options, evidence), .value = "WHAT",
     .choice = evidence_name, .changes_result = true, .only_with = "!unordered",
     .help = "set the evidence for beads: words, lengths and punctuation (all), lengths and "
             "punctuation (shape), or lengths alone (lengths)"},
    {DPL__OPTION(FLAG, "paper-filter", dpl_sentences_options, paper_filter),
     .changes_result = true, .only_with = "!no-filter",
     .help = "filter as Uszkoreit et al. (2010) do: mutual information of one direction, not "
             "smoothed; no lengths and no lowest score"},
};
DPL__OPTION_TABLE(sentences, dpl_sentences_options, options)
