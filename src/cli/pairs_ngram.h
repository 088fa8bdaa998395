/*
 * pairs_ngram.h - doppel pairs --method ngram: its options, its sides and its lexicon.
 */
#ifndef CLI_PAIRS_NGRAM_H
#define CLI_PAIRS_NGRAM_H

#include "cli/side.h"

#include "doppel/ngram.h"

/* clang-format off */
/* Knobs of --method ngram; o is a dpl_ngram_options. */
#define CLI_NGRAM_KNOB(o, ...) \
    CLI_OPTION(ngram, &(o), __VA_ARGS__, .knob_of = "method", .knob_with = "ngram")
#define CLI_NGRAM_KNOBS(o) \
    CLI_NGRAM_KNOB(o, "matching"), \
    CLI_NGRAM_KNOB(o, "scoring"), \
    CLI_NGRAM_KNOB(o, "max-matching"), \
    CLI_NGRAM_KNOB(o, "max-scoring"), \
    CLI_NGRAM_KNOB(o, "max-candidates", .only_with = "!all-candidates"), \
    CLI_NGRAM_KNOB(o, "all-candidates"), \
    CLI_NGRAM_KNOB(o, "max-disorder"), \
    CLI_NGRAM_KNOB(o, "by-language", \
                   .help = "find pairs between the languages of the documents, not between " \
                           "LEFT and RIGHT")
/* clang-format on */

/* The collections of all paths, and the lexicon of the request, if it names one. Returns the
 * exit code; what was opened is to be closed in any case. */
int cli_ngram_open(dpl_lexicon **lexicon, cli_side sides[2], dpl_ctx *ctx, char **paths,
                   size_t n_paths, cli_side_request *request);

#endif
