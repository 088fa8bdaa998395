/*
 * vectors_options.c - the options of term vectors.
 */
#include "base/options.h"

#include "vectors/weights.h"

DPL__NAMES_OF(weighting, dpl__weighting_name)

/* In the order of dpl_direction. */
DPL__STATIC_NAMES(direction, "auto", "target", "source")

static const dpl_option options[] = {
    {DPL__OPTION(CHOICE, "weighting", dpl_vectors_options, weighting), .value = "NAME",
     .choice = weighting, .changes_result = true, .help = "set the weighting of terms"},
    {DPL__OPTION(REAL, "k1", dpl_vectors_options, k1), .value = "X", .least = 0.001,
     .most = 1000, .standard = "1.2", .changes_result = true, .only_with = "weighting=bm25",
     .help = "saturation of term frequency; a larger value gives repeated "
             "terms more weight"},
    {DPL__OPTION(REAL, "b", dpl_vectors_options, b), .value = "X", .least = 0, .most = 1,
     .standard = "0.75", .has_zero = true, .changes_result = true,
     .only_with = "weighting=bm25", .help = "normalisation by document length; 0: none"},
    {DPL__OPTION(COUNT, "min-count", dpl_vectors_options, min_count), .value = "N", .min = 1,
     .standard = "2; with ngrams: 1", .changes_result = true,
     .help = "drop terms that occur less often in the collection"},
    {DPL__OPTION(COUNT, "ngrams", dpl_vectors_options, ngrams), .value = "N", .min = 2,
     .max = 8, .standard = "whole terms", .changes_result = true,
     .help = "use the character n-grams of each term in Latin script instead of the "
             "term; 4 finds names and cognates across languages without a lexicon"},
    {DPL__OPTION(OTHER, "skip", dpl_vectors_options, skip),
     .help = "one byte per document: leave it out if not 0"},
    {DPL__OPTION(COUNT, "min-terms", dpl_vectors_options, min_terms), .value = "N", .min = 1,
     .standard = "5", .changes_result = true, .help = "drop documents with fewer terms"},
    {DPL__OPTION(CHOICE, "direction", dpl_vectors_options, direction), .value = "WHICH",
     .choice = direction, .changes_result = true,
     .help = "set the direction of the lexicon (source uses p(e|f), target p(f|e), "
             "where f are the words of the collection; a lexicon in text has one of "
             "them)"},
    {DPL__OPTION(TEXT, "into", dpl_vectors_options, into), .value = "LANG",
     .standard = "the other language of the lexicon", .changes_result = true,
     .help = "set the language to project into"},
    {DPL__OPTION(FOLDER, "temp", dpl_vectors_options, temp), .value = "DIR",
     .standard = "beside the output", .help = "folder for temporary files"},
};
DPL__OPTION_TABLE(vectors, dpl_vectors_options, options)
