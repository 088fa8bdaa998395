/*
 * beads_options.c - the options of writing beads.
 */
#include "base/options.h"
#include "sentences/beads_writer.h"

#include "doppel/sentences.h"

static const dpl_option options[] = {
    {DPL__OPTION(CHOICE, "to", dpl_beads_options, to), .value = "FORMAT",
     .choice = dpl__beads_format_name, .changes_result = true,
     .help = "set the format of the output"},
    {DPL__OPTION(FLAG, "all", dpl_beads_options, all), .changes_result = true,
     .only_with = "to=tsv,jsonl",
     .help = "also write the beads that the filter drops, with the reason"},
    {DPL__OPTION(FLAG, "one-per-line", dpl_beads_options, one_per_line), .changes_result = true,
     .help = "number the lines of the text: every line is a sentence"},
    {DPL__OPTION(FLAG, "folder", dpl_beads_options, folder), .changes_result = true,
     .help = "ladder, vecalign, html, epub: write a folder with a file for each document pair"},
    {DPL__OPTION(OTHER, "langs", dpl_beads_options, langs),
     .help = "languages of the two sides: endings of moses' files, languages in TMX and XLIFF"},
    {DPL__OPTION(OTHER, "put", dpl_beads_options, put),
     .help = "a function that takes the text, instead of files"},
    {DPL__OPTION(OTHER, "user", dpl_beads_options, user),
     .help = "first argument of that function"},
    {DPL__OPTION(FLAG, "with-langs", dpl_beads_options, with_langs), .changes_result = true,
     .only_with = "to=tsv,jsonl",
     .help = "also write the languages of both documents, in tsv as the last two "
             "columns"},
    {DPL__OPTION(FLAG, "keep-repeats", dpl_beads_options, keep_repeats), .changes_result = true,
     .only_with = "to=moses,tmx,xliff",
     .help = "also write sentence pairs that were written before"},
    {DPL__OPTION(REAL, "threshold", dpl_beads_options, threshold), .value = "T", .least = 0,
     .most = 1, .standard = "0.5 for moses, tmx and xliff, else 0", .has_zero = true,
     .changes_result = true, .help = "lowest score of a bead that is written"},
};
DPL__OPTION_TABLE(beads, dpl_beads_options, options)
