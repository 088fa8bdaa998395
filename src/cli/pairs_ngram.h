/*
 * pairs_ngram.h - doppel pairs --method ngram.
 */
#ifndef CLI_PAIRS_NGRAM_H
#define CLI_PAIRS_NGRAM_H

#include "cli/side.h"

#include "doppel/ngram.h"

typedef struct cli_ngram_request {
    dpl_ngram_options *options; /* receives the lexicon */
    cli_side_request *side;
    const char *output;
    bool has_header;
    const dpl_part *part; /* NULL: the whole search */
} cli_ngram_request;

/* clang-format off */
/* Entries of an option table; o is a dpl_ngram_options, of says what they are for. */
#define CLI_NGRAM_OPTIONS(o, of) \
    CLI_OPTION(ngram, &(o), "matching", \
               .help = of "words of a matching n-gram: documents that share a rare one are " \
                       "compared"), \
    CLI_OPTION(ngram, &(o), "scoring", \
               .help = of "words of a scoring n-gram: the score is the cosine of those"), \
    CLI_OPTION(ngram, &(o), "max-matching", \
               .help = of "ignore matching n-grams that occur in more documents"), \
    CLI_OPTION(ngram, &(o), "max-scoring", \
               .help = of "ignore scoring n-grams that occur in more documents"), \
    CLI_OPTION(ngram, &(o), "sample-bits", \
               .help = of "keep one matching n-gram in 2^B, by bits of its fingerprint; for " \
                       "books"), \
    CLI_OPTION(ngram, &(o), "max-per-doc", \
               .help = of "keep at most so many matching n-grams of a document, those with " \
                       "the lowest fingerprints"), \
    CLI_OPTION(ngram, &(o), "max-candidates", \
               .help = of "score at most so many candidates of a document, those that " \
                       "share the most matching n-grams with it"), \
    CLI_OPTION(ngram, &(o), "max-disorder", \
               .help = of "drop pairs whose shared n-grams are in another order: largest " \
                       "share of them that would have to be moved; 0: no filter"), \
    CLI_OPTION(ngram, &(o), "symmetrize", \
               .help = of "set which pairs stay: plain, each document is among the best of " \
                       "the other; near, or nearly so, best pair first; one, one of them is; " \
                       "all"), \
    CLI_OPTION(ngram, &(o), "near-ratio", \
               .help = of "--symmetrize=near: lowest score of a pair as a share of the best " \
                       "score of either document"), \
    CLI_OPTION(ngram, &(o), "by-language", \
               .help = of "find pairs between the languages of the documents, not between " \
                       "LEFT and RIGHT")
/* clang-format on */

/* Finds and writes the pairs, and says what was counted. Returns the exit code. */
int cli_pairs_by_ngram(dpl_ctx *ctx, char **args, size_t n_args, cli_ngram_request *request);

#endif
