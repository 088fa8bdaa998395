/*
 * tokens_options.c - the options of the tokenizer and of import.
 */
#include "base/options.h"

#include "doppel/tokens.h"

static const dpl_option tokens_options[] = {
    {.name = "stem",
     .type = DPL_OPTION_FLAG,
     DPL__FIELD(dpl_tokens_options, stem),
     .changes_result = true,
     .help = "reduce words to their stems, in the languages that have a stemmer"},
    {.name = "stop-words",
     .type = DPL_OPTION_FLAG,
     DPL__FIELD(dpl_tokens_options, stop),
     .changes_result = true,
     .help = "drop stop words (frequent function words), in the languages that have "
             "a list"},
    {.name = "stop-file",
     .type = DPL_OPTION_FILE_IN,
     DPL__FIELD(dpl_tokens_options, stop_file),
     .value = "FILE",
     .changes_result = true,
     .help = "drop the words in this file too, one word per line, in every language"},
    {.name = "ngrams",
     .type = DPL_OPTION_COUNT,
     DPL__FIELD(dpl_tokens_options, ngram),
     .value = "N",
     .min = 1,
     .max = 8,
     .standard = "words",
     .changes_result = true,
     .help = "use character n-grams of this length instead of words"},
    {.name = "max-token",
     .type = DPL_OPTION_COUNT,
     DPL__FIELD(dpl_tokens_options, max_token),
     .value = "N",
     .min = 1,
     .max = 1000,
     .standard = "40",
     .changes_result = true,
     .help = "cut tokens after this many characters"},
};
DPL__OPTION_TABLE(tokens, dpl_tokens_options, tokens_options)

static const dpl_option import_options[] = {
    {.name = "read",
     .type = DPL_OPTION_GROUP,
     DPL__FIELD(dpl_import_options, read),
     .group = dpl_reader_option_table,
     .changes_result = true,
     .help = "how the documents are read"},
    {.name = "tokens",
     .type = DPL_OPTION_GROUP,
     DPL__FIELD(dpl_import_options, tokens),
     .group = dpl_tokens_option_table,
     .changes_result = true,
     .help = "how text becomes tokens"},
    {.name = "temp",
     .type = DPL_OPTION_FOLDER,
     DPL__FIELD(dpl_import_options, spill_dir),
     .value = "DIR",
     .standard = "beside the output",
     .help = "folder for temporary files"},
    {.name = "number-inputs",
     .type = DPL_OPTION_FLAG,
     DPL__FIELD(dpl_import_options, number_inputs),
     .changes_result = true,
     .help = "begin each id with the number of its input, from 0, and a colon"},
    {.name = "needs-docs",
     .type = DPL_OPTION_FLAG,
     DPL__FIELD(dpl_import_options, needs_docs),
     .help = "fail when there are no documents"},
    {.name = "update",
     .type = DPL_OPTION_FILE_IN,
     DPL__FIELD(dpl_import_options, update),
     .value = "OLD.dpl",
     .help = "take the tokens of documents that did not change from this collection, made with "
             "the same options; the result is that of a fresh import"},
};
DPL__OPTION_TABLE(import, dpl_import_options, import_options)
