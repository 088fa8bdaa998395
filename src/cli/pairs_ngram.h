/*
 * pairs_ngram.h - doppel pairs --method ngram: its options, its lexicon and what it counted.
 */
#ifndef CLI_PAIRS_NGRAM_H
#define CLI_PAIRS_NGRAM_H

#include "cli/side.h"

#include "doppel/ngram.h"

/* clang-format off */
/* Entries of an option table; o is a dpl_ngram_options, with is a condition of all. */
#define CLI_NGRAM_OPTIONS(o, with) \
    CLI_OPTION(ngram, &(o), "matching", .only_with = with, \
               .help = "words of a matching n-gram: documents that share a rare one are " \
                       "compared"), \
    CLI_OPTION(ngram, &(o), "scoring", .only_with = with, \
               .help = "words of a scoring n-gram: the score is the cosine of those"), \
    CLI_OPTION(ngram, &(o), "max-matching", .only_with = with, \
               .help = "ignore matching n-grams that occur in more documents"), \
    CLI_OPTION(ngram, &(o), "max-scoring", .only_with = with, \
               .help = "ignore scoring n-grams that occur in more documents"), \
    CLI_OPTION(ngram, &(o), "sample-bits", .only_with = with, \
               .help = "keep one matching n-gram in 2^B, by bits of its fingerprint; for " \
                       "books"), \
    CLI_OPTION(ngram, &(o), "max-per-doc", .only_with = with, \
               .help = "keep at most so many matching n-grams of a document, those with " \
                       "the lowest fingerprints"), \
    CLI_OPTION(ngram, &(o), "max-candidates", .only_with = with, \
               .help = "score at most so many candidates of a document, those that " \
                       "share the most matching n-grams with it"), \
    CLI_OPTION(ngram, &(o), "max-disorder", .only_with = with, \
               .help = "drop pairs whose shared n-grams are in another order: largest " \
                       "share of them that would have to be moved; 0: no filter"), \
    CLI_OPTION(ngram, &(o), "by-language", .only_with = with, \
               .help = "find pairs between the languages of the documents, not between " \
                       "LEFT and RIGHT")
/* clang-format on */

/* The collections of all paths, and the lexicon of the request, if it names one. Returns the
 * exit code; what was opened is to be closed in any case. */
int cli_ngram_open(dpl_lexicon **lexicon, cli_side sides[2], dpl_ctx *ctx, char **paths,
                   size_t n_paths, cli_side_request *request);
/* Appends what was counted to the summary. */
void cli_ngram_put(dpl_json *j, const dpl_pairs_summary *s);
/* The lines of the summary in front of the output's. */
void cli_ngram_note(const dpl_pairs_summary *s, dpl_select select);

#endif
