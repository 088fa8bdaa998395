/*
 * pairs_settings.h - what the options of 'doppel pairs' set.
 */
#ifndef CLI_PAIRS_SETTINGS_H
#define CLI_PAIRS_SETTINGS_H

#include "cli/side.h"

#include "doppel/ngram.h"
#include "doppel/pairs.h"

typedef struct cli_pairs_settings {
    dpl_pairs_options set;
    dpl_ngram_options ngrams;
    dpl_hash_options hashing;
    dpl_docalign_options docalign; /* --to docalign */
    cli_side_request request;
    const char *output, *part_text;
    unsigned to, sample; /* of the choices; sample: cli_given says whether */
    bool wants_header, is_optimal;
    dpl_part part;
} cli_pairs_settings;

/* The summary of a search. */
void cli_pairs_say(const cli_pairs_settings *o, const dpl_pairs_summary *s,
                   const cli_side sides[2], size_t n_sides, const dpl_ctx *ctx);

/* --to docalign: reads both files, aligns their documents and writes line numbers, as
 * ParaCrawl's aligner does. Returns the exit code. */
int cli_docalign(const cli_pairs_settings *o, dpl_ctx *ctx, char **args);

#endif
