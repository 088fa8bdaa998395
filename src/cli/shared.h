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

#include "doppel/mine.h"

#include "cli/arguments.h"

/* clang-format off */

/* ---- files -------------------------------------------------------------------------- */

#define CLI_OUTPUT_OPTION(place, otherwise, about) \
    {.name = "output", .letter = 'o', .value = "FILE", .text = place, .complete = CLI_FILES, \
     .is_output = true, .is_common = true, \
     .standard = otherwise, .help = about}

#define CLI_FOLDER_OPTION(place, about, ...) \
    {.name = "output", .letter = 'o', .value = "DIR", .text = place, .complete = CLI_FOLDERS, \
     .is_output = true, __VA_ARGS__ .help = about}

#define CLI_TEMP_STANDARD "$TMPDIR or /tmp" /* program.c sees to it */
#define CLI_TEMP_OPTION(place) \
    {.name = "temp", .value = "DIR", .text = place, .complete = CLI_FOLDERS, \
     .standard = CLI_TEMP_STANDARD, .help = "folder for temporary files"}

/* ---- languages ---------------------------------------------------------------------- */

/* place: const char *[2] */
#define CLI_LANGS_OPTION(pair, otherwise, about) \
    {.name = "langs", .value = "L,R", .parse = cli_parse_langs, .place = pair, \
     .standard = otherwise, .is_common = true, .help = about}
/* The same, of documents: collections have their languages. */
#define CLI_RAW_LANGS_OPTION(pair, otherwise, ...) \
    {.name = "langs", .value = "L,R", .parse = cli_parse_langs, .place = pair, \
     .standard = otherwise, .is_common = true, .is_raw = true, .help = __VA_ARGS__}

/* "de,en" -> de and en; ",en": the left one is not said; "de": both, if the option takes one. */
bool cli_parse_langs(const cli_option *o, void *place, const char *value);

/* ---- lexicons ----------------------------------------------------------------------- */

#define CLI_LEXICON_OPTION(place, use) \
    {.name = "lexicon", .letter = 'l', .value = "FILE", .text = place, .complete = CLI_FILES, \
     .is_common = true, \
     .help = use ": a .dpl made by 'doppel lexicon', or text with the columns source, target " \
             "and p(target|source), compressed or not"}

#define CLI_LEXICON_LANGS_OPTION(place, otherwise, with) \
    {.name = "lexicon-langs", .value = "X,Y", .text = place, .standard = otherwise, \
     .only_with = with, \
     .help = "languages of the columns of a lexicon in text, such as de,en"}

/* Names of fields or columns, into a dpl_reader_options. */
bool cli_parse_fields(const cli_option *o, void *place, const char *value);

#define CLI_FROM_OPTION(r) CLI_OPTION(reader, &(r), "from", .is_common = true, .is_raw = true)

#define CLI_ON_ERROR_OPTION(r) CLI_OPTION(reader, &(r), "on-error", .is_read = true)

/* How documents are read, but for their format and what to do with bad ones; r is a
 * dpl_reader_options. */
#define CLI_READER_OPTIONS(r) \
    {.name = "fields", .value = "LIST", .parse = cli_parse_fields, .place = &(r), \
     .standard = "fields named id, lang, title and text; tsv: id,text; docenc: text; csv: its " \
                 "first record", \
     .only_with = "from=auto,jsonl,json,csv,tsv,docenc", .is_raw = true, \
     .help = "which fields hold id, lang, title and text: id=url,text=body (jsonl, json, csv; " \
             "in JSON a path such as page.id leads into objects; an empty id numbers the " \
             "lines), or the names of all columns in their order (tsv, docenc, csv; other " \
             "names are kept with the document, - drops a column)"}, \
    CLI_OPTION(reader, &(r), "with-title", .is_read = true), \
    CLI_OPTION(reader, &(r), "wrapped", .is_raw = true), \
    CLI_OPTION(reader, &(r), "side", .is_raw = true), \
    CLI_OPTION(reader, &(r), "chapters", .is_raw = true), \
    CLI_OPTION(reader, &(r), "encoding", .is_raw = true), \
    CLI_OPTION(reader, &(r), "boilerplate", .is_raw = true), \
    CLI_OPTION(reader, &(r), "max-record", .is_read = true), \
    CLI_OPTION(reader, &(r), "min-chars", .is_raw = true), \
    CLI_OPTION(reader, &(r), "all-pages", .is_raw = true), \
    CLI_OPTION(reader, &(r), "wiki-fields", .is_raw = true), \
    CLI_OPTION(reader, &(r), "fields-in-text", .is_raw = true), \
    CLI_OPTION(reader, &(r), "follow-links", .is_raw = true)

/* All of it. */
#define CLI_ALL_READER_OPTIONS(r) \
    CLI_FROM_OPTION(r), \
    CLI_OPTION(reader, &(r), "lang", .is_common = true, .is_read = true), \
    CLI_OPTION(reader, &(r), "only-lang", .is_read = true), \
    CLI_ON_ERROR_OPTION(r), \
    CLI_READER_OPTIONS(r)

/* What mining starts from; o is a dpl_mine_options, dictionaries a cli_texts. */
#define CLI_MINE_OPTIONS(o, dictionaries) \
    CLI_OPTION(mine, &(o), "lexicon", .letter = 'l', .is_common = true, \
               .help = "start with this lexicon instead of words of similar spelling"), \
    {.name = "dictionary", .value = "FILE", .texts = &(dictionaries), .complete = CLI_FILES, \
     .only_with = "!lexicon", .is_common = true, \
     .help = "start with a dictionary in any format that 'doppel lexicon import' reads; " \
             "several are mixed"}, \
    CLI_OPTION(mine, &(o), "known", .is_common = true), \
    CLI_OPTION(mine, &(o), "rounds"), \
    CLI_OPTION(mine, &(o), "no-stem", .is_raw = true)

/* clang-format on */

static inline void cli_set_dictionaries(dpl_mine_options *o, const cli_texts *dictionaries)
{
    o->dictionary = dictionaries->n ? dictionaries->at[0] : NULL;
    o->more_dictionaries = dictionaries->at + 1;
    o->n_more_dictionaries = dictionaries->n ? dictionaries->n - 1 : 0;
}

#endif
