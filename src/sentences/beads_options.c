/*
 * beads_options.c - the options of writing beads.
 */
#include "base/options.h"
#include "sentences/beads_writer.h"

#include "doppel/sentences.h"

static const dpl_option options[] = {
    {DPL__OPTION(CHOICE, "format", dpl_beads_options, format), .value = "FORMAT",
     .choice = dpl__beads_format_name, .changes_result = true,
     .help = "set the format of the output"},
    {DPL__OPTION(FLAG, "all", dpl_beads_options, has_all), .changes_result = true,
     .only_with = "format=tsv,jsonl",
     .help = "also write the beads that the filter drops, with the reason"},
    {DPL__OPTION(FLAG, "one-per-line", dpl_beads_options, is_one_per_line),
     .changes_result = true, .help = "number the lines of the text: every line is a sentence"},
    {DPL__OPTION(FLAG, "folder", dpl_beads_options, is_folder), .changes_result = true,
     .help = "ladder, vecalign: write a folder with a file for each document pair"},
    {DPL__OPTION(OTHER, "langs", dpl_beads_options, lang),
     .help = "languages of the two sides: endings of moses' files, languages in TMX"},
    {DPL__OPTION(OTHER, "put", dpl_beads_options, put),
     .help = "a function that takes the text, instead of files"},
    {DPL__OPTION(OTHER, "user", dpl_beads_options, user),
     .help = "first argument of that function"},
    {DPL__OPTION(FLAG, "with-langs", dpl_beads_options, has_langs), .changes_result = true,
     .only_with = "format=tsv,jsonl",
     .help = "also write the languages of both documents, in tsv as the last two "
             "columns"},
};
DPL__OPTION_TABLE(beads, dpl_beads_options, options)
