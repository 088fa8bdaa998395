/*
 * tokens_options.c - the options of the tokenizer and of import.
 */
#include "base/options.h"

#include "doppel/tokens.h"

static const dpl_option tokens_options[] = {
    {DPL__OPTION(FLAG, "stem", dpl_tokens_options, stem), .changes_result = true,
     .only_with = "!ngrams",
     .help = "reduce words to their stems, in the languages that have a stemmer"},
    {DPL__OPTION(FLAG, "stop-words", dpl_tokens_options, stop_words), .changes_result = true,
     .only_with = "!ngrams",
     .help = "drop stop words (frequent function words), in the languages that have "
             "a list"},
    {DPL__OPTION(FILE_IN, "stop-file", dpl_tokens_options, stop_file), .value = "FILE",
     .changes_result = true, .only_with = "!ngrams",
     .help = "drop the words in this file too, one word per line, in every language"},
    {DPL__OPTION(COUNT, "ngrams", dpl_tokens_options, ngrams), .value = "N", .min = 1, .max = 8,
     .standard = "words", .changes_result = true,
     .help = "use character n-grams of this length instead of words"},
    {DPL__OPTION(COUNT, "max-token", dpl_tokens_options, max_token), .value = "N", .min = 1,
     .max = 1000, .standard = "40", .changes_result = true, .only_with = "!ngrams",
     .help = "cut tokens after this many characters"},
    {DPL__OPTION(TEXT, "sentence-langs", dpl_tokens_options, sentence_langs), .value = "LANGS",
     .changes_result = true, .only_with = "!ngrams",
     .help = "stem a sentence that is in one of these languages in it, whatever language its "
             "document is in"},
};
DPL__OPTION_TABLE(tokens, dpl_tokens_options, tokens_options)

static const dpl_option import_options[] = {
    {DPL__OPTION(GROUP, "read", dpl_import_options, read), .group = dpl__reader_option_table,
     .changes_result = true, .help = "how the documents are read"},
    {DPL__OPTION(GROUP, "tokens", dpl_import_options, tokens),
     .group = dpl__tokens_option_table, .changes_result = true,
     .help = "how text becomes tokens"},
    {DPL__OPTION(FOLDER, "temp", dpl_import_options, temp), .value = "DIR",
     .standard = "beside the output", .help = "folder for temporary files"},
    {DPL__OPTION(FLAG, "number-inputs", dpl_import_options, number_inputs),
     .changes_result = true,
     .help = "begin each id with the number of its input, from 0, and a colon"},
    {DPL__OPTION(FLAG, "needs-docs", dpl_import_options, needs_docs),
     .help = "fail when there are no documents"},
    {DPL__OPTION(FILE_IN, "update", dpl_import_options, update), .value = "OLD.dpl",
     .help = "take the tokens of documents that did not change from this collection, made with "
             "the same options; the result is that of a fresh import"},
    {DPL__OPTION(FLAG, "tell-inputs", dpl_import_options, tell_inputs), .changes_result = true,
     .help = "begin each id that several inputs have with the name of its input and a colon"},
};
DPL__OPTION_TABLE(import, dpl_import_options, import_options)
