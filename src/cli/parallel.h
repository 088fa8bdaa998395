/*
 * parallel.h - what commands that read parallel text share: their options, and the
 * languages that the text looks like.
 */
#ifndef CLI_PARALLEL_H
#define CLI_PARALLEL_H

#include "cli/shared.h"

#include "doppel/text.h"

/* Zero it first; the options fill it in. */
typedef struct cli_bitext {
    const char *columns;     /* "4,3" */
    dpl_bitext_options read; /* the rest of it: cli_bitext_ready */
    bool is_told[2];         /* the language of that side was detected from the text */
    char lang[2][12];        /* then: what it is */
} cli_bitext;

/* Entries of an option table; b is a cli_bitext. */
/* clang-format off */
#define CLI_BITEXT_OPTIONS(b, lang_standard) \
    CLI_OPTION(bitext, &(b).read, "from", .is_common = true), \
    {.name = "fields", .value = "L,R", .text = &(b).columns, \
     .standard = "1,2; keyed: 2,2", .only_with = "from=auto,tsv,keyed", \
     .help = "columns of the left and the right side, counted from 1"}, \
    CLI_LANGS_OPTION(&(b).read.left_lang, lang_standard, \
                     "languages of the left and the right side, as codes such as de,en"), \
    CLI_OPTION(bitext, &(b).read, "on-error"), \
    CLI_OPTION(bitext, &(b).read, "max-record")
/* clang-format on */

/* What the formats are, for the page of a command. */
#define CLI_BITEXT_ABOUT                                                                       \
    "Parallel text is two files with corresponding lines (moses: LEFT RIGHT, several pairs "   \
    "of "                                                                                      \
    "files in a row), tab-separated columns of which --fields names two (tsv), two files "     \
    "with key, tab, text on each line that share keys, such as verses (keyed), a translation " \
    "memory (tmx), XLIFF, or gettext catalogues (.mo, .po). The format is detected from the "  \
    "names "                                                                                   \
    "and the first bytes; set it with --from. - is standard input. Files compressed with "     \
    "gzip, zstd, bzip2 or xz are read as they are."

/* Completes read. CLI_DONE, or CLI_USAGE when the columns are none, which it has printed then.
 */
int cli_bitext_ready(cli_bitext *b);
/* Fills in languages that were not given with what the first rows look like. Only of regular
 * files: a pipe cannot be read twice. */
void cli_bitext_identify(cli_bitext *b, dpl_ctx *ctx, char **paths, size_t n_paths);

#endif
