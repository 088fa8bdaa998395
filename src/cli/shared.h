/*
 * shared.h - options that several commands have: entries for their tables.
 *
 *     static const cli_option options[] = {
 *         CLI_OUTPUT_OPTION(&output, NULL, "the vectors to write; - is standard output"),
 *         CLI_TEMP_OPTION(&folder.base),
 *         {0},
 *     };
 *
 * `place` is where the value goes, `otherwise` the default in words or NULL, `about` the
 * help text, and `with` the condition (only_with). Options that set a field of a library struct
 * are named with CLI_OPTION (arguments.h). Options with a state of their own are in parallel.h,
 * lexicon_file.h and side.h.
 */
#ifndef CLI_SHARED_H
#define CLI_SHARED_H

#include "cli/arguments.h"

/* clang-format off */

/* ---- files -------------------------------------------------------------------------- */

#define CLI_OUTPUT_OPTION(place, otherwise, about) \
    {.name = "output", .letter = 'o', .value = "FILE", .text = place, .complete = CLI_FILES, \
     .is_output = true, \
     .standard = otherwise, .help = about}

#define CLI_TEMP_STANDARD "$TMPDIR or /tmp" /* program.c sees to it */
#define CLI_TEMP_OPTION(place) \
    {.name = "temp", .value = "DIR", .text = place, .complete = CLI_FOLDERS, \
     .standard = CLI_TEMP_STANDARD, .help = "folder for temporary files"}

/* ---- languages ---------------------------------------------------------------------- */

#define CLI_LANG_OPTIONS(left_place, right_place, otherwise, left_about, right_about) \
    {.name = "left-lang", .value = "LANG", .text = left_place, .standard = otherwise, \
     .help = left_about}, \
    {.name = "right-lang", .value = "LANG", .text = right_place, .standard = "the same", \
     .help = right_about}

/* ---- lexicons ----------------------------------------------------------------------- */

#define CLI_LEXICON_OPTION(place, use) \
    {.name = "lexicon", .letter = 'l', .value = "FILE", .text = place, .complete = CLI_FILES, \
     .help = use ": a .dpl made by 'doppel lexicon', or text with the columns source, target " \
             "and p(target|source), compressed or not"}

#define CLI_LEXICON_LANGS_OPTION(place, otherwise, with) \
    {.name = "lexicon-langs", .value = "X-Y", .text = place, .standard = otherwise, \
     .only_with = with, \
     .help = "languages of the columns of a lexicon in text, such as de-en"}

/* For the page of a command. */
#define CLI_LEXICON_ABOUT \
    "LEXICON is a .dpl made by 'doppel lexicon train' or 'doppel lexicon import', or text with " \
    "three tab-separated columns: source word, target word, and the probability of the target " \
    "given the source; compressed or not."

/* How documents are read, but for their format and what to do with bad ones; r is a
 * dpl_reader_options. */
#define CLI_READER_OPTIONS(r) \
    CLI_OPTION(reader, &(r), "id-key"), \
    CLI_OPTION(reader, &(r), "lang-key"), \
    CLI_OPTION(reader, &(r), "title-key"), \
    CLI_OPTION(reader, &(r), "text-key"), \
    CLI_OPTION(reader, &(r), "columns"), \
    CLI_OPTION(reader, &(r), "with-title"), \
    CLI_OPTION(reader, &(r), "wrapped"), \
    CLI_OPTION(reader, &(r), "side"), \
    CLI_OPTION(reader, &(r), "chapters"), \
    CLI_OPTION(reader, &(r), "encoding"), \
    CLI_OPTION(reader, &(r), "boilerplate"), \
    CLI_OPTION(reader, &(r), "max-record"), \
    CLI_OPTION(reader, &(r), "min-chars"), \
    CLI_OPTION(reader, &(r), "all-pages"), \
    CLI_OPTION(reader, &(r), "wiki-fields"), \
    CLI_OPTION(reader, &(r), "fields-in-text"), \
    CLI_OPTION(reader, &(r), "follow-links")

/* All of it. */
#define CLI_ALL_READER_OPTIONS(r) \
    CLI_OPTION(reader, &(r), "format"), \
    CLI_OPTION(reader, &(r), "lang"), \
    CLI_OPTION(reader, &(r), "only"), \
    CLI_OPTION(reader, &(r), "on-error"), \
    CLI_READER_OPTIONS(r)

/* What mining starts from; o is a dpl_mine_options. */
#define CLI_MINE_OPTIONS(o) \
    CLI_OPTION(mine, &(o), "lexicon", .letter = 'l', \
               .help = "start with this lexicon instead of words of similar spelling"), \
    CLI_OPTION(mine, &(o), "dictionary", \
               .help = "start with a dictionary in any format that 'doppel lexicon import' " \
                       "reads"), \
    CLI_OPTION(mine, &(o), "gold"), \
    CLI_OPTION(mine, &(o), "rounds"), \
    CLI_OPTION(mine, &(o), "no-stem")

/* clang-format on */

#endif
