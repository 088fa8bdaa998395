/*
 * lexicon_file.h - what commands that write a lexicon share: which entries stay, and where they
 * go.
 */
#ifndef CLI_LEXICON_FILE_H
#define CLI_LEXICON_FILE_H

#include "cli/outfile.h"
#include "cli/shared.h"

#include "doppel/json.h"
#include "doppel/lexicon.h"

/* Entries of an option table; p is a dpl_prune. */
/* clang-format off */
#define CLI_PRUNE_OPTIONS(p) \
    CLI_OPTION(prune, &(p), "top", .letter = 'n'), \
    CLI_OPTION(prune, &(p), "cumulative"), \
    CLI_OPTION(prune, &(p), "threshold", .letter = 't')
/* clang-format on */

/* ---- either language ---------------------------------------------------------------- */

/* What the library has for sources and for targets, with p(target|source) or p(source|target).
 */
const char *cli_lexicon_lang(const dpl_lexicon *l, bool is_target);
uint32_t cli_lexicon_n_words(const dpl_lexicon *l, bool is_target);
const uint32_t *cli_lexicon_row(const dpl_lexicon *l, bool is_target, uint32_t word,
                                const float **p, size_t *n);

/* ---- where it goes ------------------------------------------------------------------ */

/* Zero it first; the option fills in the path. */
typedef struct cli_lexicon_output {
    const char *path;
    char lang[2][12]; /* of the lexicon made */
} cli_lexicon_output;

/* Entry of an option table; o is a cli_lexicon_output. */
#define CLI_LEXICON_OUTPUT_OPTION(o)                                                           \
    CLI_OUTPUT_OPTION(&(o).path, NULL, "write the lexicon to FILE; - is standard output")

/* make(user, path) writes the lexicon and returns an exit code. Returns the exit code. */
int cli_lexicon_make(cli_lexicon_output *o, dpl_ctx *ctx,
                     int (*make)(void *user, const char *path), void *user);

/* Writes source, target, p(target|source) a line with tabs between, or with `is_back` target,
 * source, p(source|target); the most probable first. Numbers read back are the same. Entries
 * below min_p are left out. *n_entries counts what was written. Returns the exit code; out
 * stays open. */
int cli_lexicon_write(uint64_t *n_entries, cli_output *out, const dpl_lexicon *lexicon,
                      bool is_back, float min_p);

#endif
