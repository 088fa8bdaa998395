/*
 * synth_options.c - the options of synthetic collections.
 */
#include "base/options.h"
#include "lab/lab_option_tables.h"

#include "doppel-lab/synth.h"

DPL__NAMES(dpl_synth_format_name, "jsonl", "npy", "fvecs", "sparse")

static const dpl_option options[] = {
    {DPL__OPTION(CHOICE, "to", dpl_synth_options, to), .value = "FORMAT",
     .choice = dpl_synth_format_name, .changes_result = true,
     .help = "make documents (jsonl), dense vectors (npy, fvecs) or sparse vectors (sparse, "
             "written as .dpl)"},
    {DPL__OPTION(COUNT, "left", dpl_synth_options, left), .value = "N", .min = 1,
     .max = UINT32_MAX - 1, .standard = "10000", .changes_result = true,
     .help = "documents or rows of the left side"},
    {DPL__OPTION(COUNT, "right", dpl_synth_options, right), .value = "N", .min = 1,
     .max = UINT32_MAX - 1, .standard = "10000", .changes_result = true,
     .help = "documents or rows of the right side"},
    {DPL__OPTION(REAL, "paired", dpl_synth_options, paired), .value = "SHARE", .most = 1,
     .has_zero = true, .standard = "0.5", .changes_result = true,
     .help = "share of the smaller side that has a counterpart on the other"},
    {DPL__OPTION(REAL, "translated", dpl_synth_options, translated), .value = "SHARE",
     .least = 0.01, .most = 1, .standard = "1", .changes_result = true, .only_with = "to=jsonl",
     .help = "share of the sentences of a counterpart that are translations, in one "
             "piece; at least one is"},
    {DPL__OPTION(REAL, "translated-to", dpl_synth_options, translated_to), .value = "SHARE",
     .least = 0.01, .most = 1, .standard = "the same for all", .changes_result = true,
     .only_with = "to=jsonl",
     .help = "draw that share for each pair, from the one of translated to this"},
    {DPL__OPTION(REAL, "noise", dpl_synth_options, noise), .value = "SHARE", .most = 1,
     .has_zero = true, .standard = "0.05", .changes_result = true, .only_with = "to=jsonl",
     .help = "share of the content words of a translation that are replaced by "
             "others"},
    {DPL__OPTION(REAL, "same", dpl_synth_options, same), .value = "SHARE", .most = 1,
     .has_zero = true, .standard = "0.1", .changes_result = true, .only_with = "to=jsonl",
     .help = "share of the words that are names, spelled alike in both languages"},
    {DPL__OPTION(COUNT, "words", dpl_synth_options, words), .value = "N", .min = 2,
     .max = 100000, .standard = "200", .changes_result = true, .only_with = "to=jsonl",
     .help = "mean number of words"},
    {DPL__OPTION(COUNT, "topics", dpl_synth_options, topics), .value = "N", .min = 1,
     .max = 1000000, .standard = "100", .changes_result = true, .only_with = "to=jsonl",
     .help = "number of topics; those of one share rare words"},
    {DPL__OPTION(FILE_IN, "like", dpl_synth_options, like), .value = "C.dpl",
     .changes_result = true, .only_with = "to=jsonl,sparse",
     .help = "take frequencies of words, growth of the vocabulary, lengths "
             "and repetitions from a collection made by import"},
    {DPL__OPTION(REAL, "cosine", dpl_synth_options, cosine), .value = "C", .least = -1,
     .most = 1, .standard = "0.7", .changes_result = true, .only_with = "to=npy,fvecs,sparse",
     .help = "cosine of the planted pairs; 0 means the default"},
    {DPL__OPTION(REAL, "cosine-to", dpl_synth_options, cosine_to), .value = "C", .least = -1,
     .most = 1, .standard = "the same for all", .changes_result = true,
     .only_with = "to=npy,fvecs,sparse",
     .help = "draw it for each pair, from the one of cosine to this"},
    {DPL__OPTION(COUNT, "dims", dpl_synth_options, dims), .value = "N", .min = 2, .max = 65536,
     .standard = "256", .changes_result = true, .only_with = "to=npy,fvecs",
     .help = "numbers in a row"},
    {DPL__OPTION(COUNT, "entries", dpl_synth_options, entries), .value = "N", .min = 3,
     .max = 100000, .standard = "120", .changes_result = true, .only_with = "to=sparse",
     .help = "mean number of entries in a row"},
    {DPL__OPTION(COUNT, "terms", dpl_synth_options, terms), .value = "N", .min = 1000,
     .max = 100000000, .standard = "100000", .changes_result = true, .only_with = "to=sparse",
     .help = "vocabulary; at least 16 for each entry"},
};
DPL__OPTION_TABLE(synth, dpl_synth_options, options)
