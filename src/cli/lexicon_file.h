/*
 * lexicon_file.h - what commands that write a lexicon share: which entries stay, and where they
 * go, as a file and as text.
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
    CLI_OPTION(prune, &(p), "max-entries"), \
    CLI_OPTION(prune, &(p), "cumulative"), \
    CLI_OPTION(prune, &(p), "min-prob")
/* clang-format on */

/* ---- either language ---------------------------------------------------------------- */

/* What the library has for sources and for targets, with p(target|source) or p(source|target).
 */
const char *cli_lexicon_lang(const dpl_lexicon *l, bool is_target);
uint32_t cli_lexicon_n_words(const dpl_lexicon *l, bool is_target);
dpl_str cli_lexicon_word(const dpl_lexicon *l, bool is_target, uint32_t word);
uint64_t cli_lexicon_count(const dpl_lexicon *l, bool is_target, uint32_t word);
const uint32_t *cli_lexicon_row(const dpl_lexicon *l, bool is_target, uint32_t word,
                                const float **p, size_t *n);

/* ---- where it goes ------------------------------------------------------------------ */

/* A lexicon and perhaps its table as text. Zero it first; the options fill in the paths. */
typedef struct cli_lexicon_output {
    const char *path, *tsv;
    cli_output table;
    char lang[2][12]; /* of the lexicon made */
} cli_lexicon_output;

/* Entries of an option table; o is a cli_lexicon_output. */
/* clang-format off */
#define CLI_LEXICON_OUTPUT_OPTIONS(o) \
    CLI_OUTPUT_OPTION(&(o).path, NULL, "write the lexicon to FILE; - is standard output"), \
    {.name = "tsv", .value = "FILE", .text = &(o).tsv, .complete = CLI_FILES, \
     .is_output = true, \
     .help = "also write the table as text: source, target and p(target|source), separated by " \
             "tabs"}
/* clang-format on */

/* As cli_check_output does it, for both. */
int cli_lexicon_check(const cli_lexicon_output *o, char **inputs, size_t n_inputs);
/* make(user, path) writes the lexicon and returns an exit code; then the table is written.
 * Returns the exit code. */
int cli_lexicon_make(cli_lexicon_output *o, dpl_ctx *ctx,
                     int (*make)(void *user, const char *path), void *user);
bool cli_lexicon_takes_stdout(const cli_lexicon_output *o);

/* Writes source, target, p(target|source) a line with tabs between, or with `is_back` target,
 * source, p(source|target); the most probable first. Numbers read back are the same. Entries
 * below min_p are left out. *n_entries counts what was written. Returns the exit code; out
 * stays open. */
int cli_lexicon_write(uint64_t *n_entries, cli_output *out, const dpl_lexicon *lexicon,
                      bool is_back, float min_p);

#endif
