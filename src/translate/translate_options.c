/*
 * translate_options.c - the options of phrase models and translators.
 */
#include "base/options.h"

#include "doppel/translate.h"

DPL__NAMES_IN(symmetry, dpl_symmetry_info, dpl_symmetry_get_info, name)

static const dpl_option phrases_options[] = {
    {DPL__OPTION(GROUP, "read", dpl_phrases_options, read), .group = dpl__bitext_option_table,
     .changes_result = true, .help = "how the parallel text is read"},
    {DPL__OPTION(OTHER, "lexicon", dpl_phrases_options, lexicon), .changes_result = true,
     .help = "the lexicon that aligns the words"},
    {DPL__OPTION(FLAG, "to-left", dpl_phrases_options, to_left), .changes_result = true,
     .help = "translate from the right language into the left one"},
    {DPL__OPTION(CHOICE, "symmetrize", dpl_phrases_options, symmetrize), .value = "HOW",
     .choice = symmetry, .changes_result = true,
     .help = "set how the alignments of both directions are combined"},
    {DPL__OPTION(COUNT, "max-phrase", dpl_phrases_options, max_phrase), .value = "N", .min = 1,
     .max = 8, .standard = "4", .changes_result = true,
     .help = "most words on a side of a phrase pair"},
    {DPL__OPTION(COUNT, "top", dpl_phrases_options, top), .value = "N", .min = 1, .max = 100,
     .standard = "10", .changes_result = true,
     .help = "maximum number of translations of a phrase"},
    {DPL__OPTION(OTHER, "pivot", dpl_phrases_options, pivot), .changes_result = true,
     .help = "more text for the language model"},
    {DPL__OPTION(OTHER, "n-pivot", dpl_phrases_options, n_pivot), .changes_result = true,
     .help = "how many inputs of it"},
    {DPL__OPTION(FOLDER, "temp", dpl_phrases_options, temp), .value = "DIR", .standard = "/tmp",
     .help = "write temporary files to DIR"},
};
DPL__OPTION_TABLE(phrases, dpl_phrases_options, phrases_options)

static const dpl_option translator_options[] = {
    {DPL__OPTION(COUNT, "beam", dpl_translator_options, beam), .value = "N", .min = 1,
     .max = 1000, .standard = "8", .changes_result = true,
     .help = "partial translations kept at each step of the search"},
    {DPL__OPTION(COUNT, "reordering", dpl_translator_options, reordering), .value = "N",
     .max = 8, .standard = "0", .changes_result = true,
     .help = "words that may be jumped over; 0 keeps the order of phrases"},
    {DPL__OPTION(REAL, "timeout", dpl_translator_options, timeout), .value = "SECONDS",
     .least = 0.1, .most = 86400, .standard = "60",
     .help = "seconds that a translator has for an answer"},
    {DPL__OPTION(FOLDER, "cache", dpl_translator_options, cache), .value = "DIR",
     .help = "keep the answers of a translator in DIR and do not ask again"},
};
DPL__OPTION_TABLE(translator, dpl_translator_options, translator_options)
