/*
 * ngram_options.c - the options of n-gram mining.
 */
#include "base/options.h"

#include "doppel/ngram.h"

static const dpl_option options[] = {
    {DPL__OPTION(COUNT, "matching", dpl_ngram_options, matching), .value = "N", .min = 1,
     .max = 32, .standard = "5", .changes_result = true,
     .help = "words of a matching n-gram: documents that share a rare one are compared"},
    {DPL__OPTION(COUNT, "scoring", dpl_ngram_options, scoring), .value = "N", .min = 1,
     .max = 32, .standard = "2", .changes_result = true,
     .help = "words of a scoring n-gram: the score is the cosine of those"},
    {DPL__OPTION(COUNT, "max-matching", dpl_ngram_options, max_matching), .value = "N",
     .min = 2, .max = 1000000, .standard = "50", .changes_result = true,
     .help = "ignore matching n-grams that occur in more documents"},
    {DPL__OPTION(COUNT, "max-scoring", dpl_ngram_options, max_scoring), .value = "N", .min = 2,
     .max = UINT32_MAX, .standard = "100000", .changes_result = true,
     .help = "ignore scoring n-grams that occur in more documents"},
    {DPL__OPTION(COUNT, "sample-bits", dpl_ngram_options, sample_bits), .value = "B", .max = 32,
     .standard = "0", .changes_result = true,
     .help = "keep one matching n-gram in 2^B, by bits of its fingerprint; for books"},
    {DPL__OPTION(COUNT, "max-per-doc", dpl_ngram_options, max_per_doc), .value = "N", .min = 1,
     .max = UINT32_MAX, .standard = "20000", .changes_result = true,
     .help = "keep at most so many matching n-grams of a document, those with the lowest "
             "fingerprints"},
    {DPL__OPTION(REAL, "max-disorder", dpl_ngram_options, max_disorder), .value = "D",
     .least = 0, .most = 1, .standard = "0.8", .has_zero = true, .changes_result = true,
     .help = "drop pairs whose shared n-grams are in another order: largest share of them that "
             "would have to be moved; 0: no filter"},
    {DPL__OPTION(FLAG, "by-language", dpl_ngram_options, by_language), .changes_result = true,
     .help = "find pairs between languages of the documents instead of between sides"},
    {DPL__OPTION(COUNT, "max-candidates", dpl_ngram_options, max_candidates), .value = "N",
     .min = 1, .max = UINT32_MAX, .standard = "20", .changes_result = true,
     .help = "maximum number of candidates scored per document: those that share the most "
             "matching n-grams"},
    {DPL__OPTION(OTHER, "lexicon", dpl_ngram_options, lexicon), .changes_result = true,
     .help = "translates documents in its source language, word by word"},
    {DPL__OPTION(FLAG, "all-candidates", dpl_ngram_options, all_candidates),
     .changes_result = true,
     .help = "score every pair that shares a matching n-gram, as in the paper"},
};
DPL__OPTION_TABLE(ngram, dpl_ngram_options, options)

static const dpl_option docalign_options[] = {
    {DPL__OPTION(COUNT, "ngram-size", dpl_docalign_options, ngram_size), .value = "N", .min = 1,
     .max = 32, .standard = "2", .changes_result = true, .help = "words of an n-gram"},
    {DPL__OPTION(REAL, "threshold", dpl_docalign_options, threshold), .value = "T", .least = 0,
     .most = 1, .standard = "0.1", .has_zero = true, .changes_result = true,
     .help = "lowest score of a pair"},
    {DPL__OPTION(COUNT, "min-count", dpl_docalign_options, min_count), .value = "N", .min = 1,
     .max = UINT32_MAX, .standard = "2", .changes_result = true,
     .help = "compare only n-grams that occur in at least N documents"},
    {DPL__OPTION(COUNT, "max-count", dpl_docalign_options, max_count), .value = "N", .min = 1,
     .max = UINT32_MAX, .standard = "1000", .changes_result = true,
     .help = "ignore n-grams that occur in more than N documents"},
    {DPL__OPTION(FLAG, "all", dpl_docalign_options, all), .changes_result = true,
     .help = "write all pairs above the threshold, not only the best one of each document"},
    {DPL__OPTION(FOLDER, "temp", dpl_docalign_options, temp), .value = "DIR",
     .standard = "/tmp", .help = "write temporary files to DIR"},
};
DPL__OPTION_TABLE(docalign, dpl_docalign_options, docalign_options)
