/*
 * side.h - LEFT and RIGHT of a command: raw documents, a collection, vectors or signatures,
 * made into what the search takes.
 */
#ifndef CLI_SIDE_H
#define CLI_SIDE_H

#include "cli/arguments.h"
#include "cli/outfile.h"

#include "doppel/pairs.h"

/* Entries of an option table; v is a dpl_vectors_options, what says what they are for: "" or
 * "collections: "; with is a condition of all of them. */
/* clang-format off */
#define CLI_VECTORS_OPTIONS(v, what, with) \
    CLI_OPTION(vectors, &(v), "direction", .only_with = "lexicon " with), \
    CLI_OPTION(vectors, &(v), "ngrams", .only_with = with, .is_words = true, \
               .help = what "use the character n-grams of each term in Latin script instead of " \
                       "the term; 4 finds names and cognates across languages without a " \
                       "lexicon"), \
    CLI_OPTION(vectors, &(v), "weighting", .only_with = with, .is_words = true, \
               .help = what "set the weighting of terms"), \
    CLI_OPTION(vectors, &(v), "k1", .knob_of = "weighting", .knob_with = "bm25", \
               .only_with = ""), \
    CLI_OPTION(vectors, &(v), "b", .knob_of = "weighting", .knob_with = "bm25", \
               .only_with = "")
/* clang-format on */

/* How raw documents become collections, and these vectors. Start with CLI_SIDE_REQUEST_INIT. */
typedef struct cli_side_request {
    dpl_reader_options read;   /* raw documents; lang is set from the next */
    const char *lang[2];       /* raw documents: of LEFT, of RIGHT; NULL: detected */
    dpl_tokens_options tokens; /* raw documents */
    const char *lexicon, *lexicon_langs;
    unsigned project; /* CLI_PROJECT_... */
    dpl_vectors_options vectors;
    cli_folder folder; /* for what is made on the way */
} cli_side_request;

/* clang-format off */
#define CLI_SIDE_REQUEST_INIT \
    {.read = DPL_INIT(dpl_reader_options), .tokens = DPL_INIT(dpl_tokens_options), \
     .vectors = DPL_INIT(dpl_vectors_options)}
/* clang-format on */

enum { CLI_PROJECT_LEFT, CLI_PROJECT_RIGHT };

typedef struct cli_side {
    dpl_vectors *vectors;
    dpl_signatures *signatures;
    dpl_collection *collection; /* of a method that searches documents */
    uint32_t n_dropped;         /* documents with too few terms */
} cli_side;

/* The sides of paths[0] and, when n_paths is 2, paths[1]. Returns the exit code; when it is not
 * 0 the reason has been printed. Close them in any case. */
int cli_sides_open(cli_side sides[2], dpl_ctx *ctx, char **paths, size_t n_paths,
                   cli_side_request *request);
void cli_sides_close(cli_side sides[2], cli_side_request *request);

/* LEFT (number 0) or RIGHT (1) as a collection: imported, or one made before. What is made on
 * the way stays in the request' folder until that is removed. Returns the exit code. */
int cli_collection_open(dpl_collection **out, dpl_ctx *ctx, const char *path, unsigned number,
                        cli_side_request *request);

/* False, and the error printed, when an option was given that has no effect on the files of the
 * command: all of them are ours, and it is for raw documents; or vectors, and it is for words;
 * or signatures, and it says how to make them. */
bool cli_check_raw(const struct cli_command *command, char **args, size_t n_args);

/* A lexicon whose columns are in the languages "de-en" (NULL: not said); `skips` drops lines
 * that cannot be read. Returns the exit code. */
int cli_lexicon_open(dpl_lexicon **out, dpl_ctx *ctx, const char *path, const char *langs,
                     bool skips);

#endif
