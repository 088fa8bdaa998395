/*
 * shared.h - options that several commands have: entries for their tables.
 *
 *     static const cli_option options[] = {
 *         CLI_OUTPUT_OPTION(&output, NULL, "the vectors to write; - is standard output"),
 *         CLI_SPILL_OPTION(&set.spill_dir),
 *         {0},
 *     };
 *
 * `place` is where the value goes, `otherwise` the default in words or NULL, and `about` what
 * is said about it. Options with a state of their own are in bitext.h, lexicon.h and side.h.
 */
#ifndef CLI_SHARED_H
#define CLI_SHARED_H

#include "cli/options.h"

/* clang-format off */

/* ---- files -------------------------------------------------------------------------- */

#define CLI_OUTPUT_OPTION(place, otherwise, about) \
    {.name = "output", .letter = 'o', .value = "FILE", .text = place, .complete = CLI_FILES, \
     .is_output = true, \
     .standard = otherwise, .help = about}

#define CLI_TEMP_OPTION(place) \
    {.name = "temp", .value = "DIR", .text = place, .complete = CLI_FOLDERS, \
     .standard = "$TMPDIR or /tmp", .help = "folder for temporary files"}

#define CLI_SPILL_OPTION(place) \
    {.name = "temp", .value = "DIR", .text = place, .complete = CLI_FOLDERS, \
     .standard = "beside the output", .help = "folder for what does not fit into --memory"}

/* ---- reading ------------------------------------------------------------------------ */

extern const char *const cli_formats[];          /* of documents: a dpl_format */
extern const char *const cli_policies[];         /* for what cannot be read: a dpl_on_error */
extern const char *const cli_lexicon_policies[]; /* of lexicons: 0 is fail, 1 is skip */

#define CLI_FORMAT_OPTION(place, list, about) \
    {.name = "format", .value = "FORMAT", .choice = place, .choices = list, .help = about}

#define CLI_ON_ERROR_OPTION(place, list, about) \
    {.name = "on-error", .value = "WHAT", .choice = place, .choices = list, \
     .help = "what to do with " about}

#define CLI_LANG_OPTIONS(left_place, right_place, otherwise, left_about, right_about) \
    {.name = "left-lang", .value = "LANG", .text = left_place, .standard = otherwise, \
     .help = left_about}, \
    {.name = "right-lang", .value = "LANG", .text = right_place, .standard = "the same", \
     .help = right_about}

/* of: what is stemmed, "raw documents: ", or "". */
#define CLI_STEM_OPTION(place, of) \
    {.name = "stem", .flag = place, \
     .help = of "reduce words to their stems, in the languages that have a stemmer"}

/* ---- lexicons ----------------------------------------------------------------------- */

#define CLI_LEXICON_OPTION(place, use) \
    {.name = "lexicon", .letter = 'l', .value = "FILE", .text = place, .complete = CLI_FILES, \
     .help = use ": made by 'doppel lexicon', or source, target and p(target|source), with " \
             "tabs between, compressed or not"}

#define CLI_LEXICON_LANGS_OPTION(place, otherwise) \
    {.name = "lexicon-langs", .value = "X-Y", .text = place, .standard = otherwise, \
     .help = "languages of the columns of a lexicon in text, such as de-en"}

/* For the page of a command. */
#define CLI_LEXICON_ABOUT \
    "LEXICON is a .dpl of 'doppel lexicon train' or 'doppel lexicon import', or text: source, " \
    "target, and the probability of the target given the source, with tabs between; " \
    "compressed or not."

/* What mining starts from; o is a dpl_mine_options. */
#define CLI_MINE_OPTIONS(o) \
    CLI_LEXICON_OPTION(&(o).lexicon, "begin with this lexicon instead of spelling"), \
    {.name = "dictionary", .value = "FILE", .text = &(o).dictionary, .complete = CLI_FILES, \
     .help = "begin with a dictionary of any kind that 'doppel lexicon import' reads"}, \
    {.name = "rounds", .value = "N", .count = &(o).rounds, .min = 1, \
     .max = DPL_MINE_MOST_ROUNDS, .standard = "5", \
     .help = "rounds of learning at most; it ends before when nothing changes"}, \
    {.name = "no-stem", .flag = &(o).has_no_stems, .help = "take words as they stand"}

/* ---- searching ---------------------------------------------------------------------- */

#define CLI_BITS_OPTION(place, otherwise, about) \
    {.name = "bits", .value = "D", .count = place, .min = 1, .max = 65536, \
     .standard = otherwise, .help = about}

#define CLI_SEARCH_OPTIONS(threshold_place, recall_place) \
    {.name = "threshold", .value = "T", .real = threshold_place, .least = 0, .most = 1, \
     .standard = "0.3", .help = "least cosine of a pair"}, \
    {.name = "recall", .value = "R", .real = recall_place, .least = 0.01, .most = 0.9999, \
     .standard = "0.99", \
     .help = "share of the pairs above the threshold that must be found"}

/* w is a dpl_window. */
#define CLI_WINDOW_OPTIONS(w, otherwise) \
    {.name = "tables", .value = "Q", .count = &(w).n_tables, .min = 1, .max = 1000000, \
     .standard = otherwise, .help = "window: sorted tables"}, \
    {.name = "window", .value = "B", .count = &(w).size, .min = 1, .max = 1000000000, \
     .standard = otherwise, .help = "window: places that two signatures may stand apart"}

/* clang-format on */

#endif
