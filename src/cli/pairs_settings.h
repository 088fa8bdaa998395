/*
 * pairs_settings.h - what the options of 'doppel pairs' set.
 */
#ifndef CLI_PAIRS_SETTINGS_H
#define CLI_PAIRS_SETTINGS_H

#include "cli/figure_lines.h"
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

/* What the summary of a search is about. */
typedef struct cli_pairs_said {
    const dpl_pairs_summary *s;
    bool no_verify;
    unsigned select, margin;
    const char *output;
    cli_machine machine;
    /* Set by who knows the sides: */
    bool is_self; /* pairs within one side */
    uint32_t n_dropped[2];
} cli_pairs_said;

extern const dpl_summary_table cli_pairs_figures;
/* All pairs to path, one a line. Returns the exit code. */
int cli_write_pairs(const char *path, dpl_ctx *ctx, dpl_pairs *pairs, bool has_header);
cli_pairs_said cli_pairs_said_of(const dpl_pairs *pairs, const char *output,
                                 const dpl_ctx *ctx);

/* --to docalign: reads both files, aligns their documents and writes line numbers, as
 * ParaCrawl's aligner does. Returns the exit code. */
int cli_docalign(const cli_pairs_settings *o, dpl_ctx *ctx, char **args);

#endif
