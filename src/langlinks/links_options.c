/*
 * links_options.c - the options of reading known links.
 */
#include "base/options.h"

#include "doppel/links.h"

static const dpl_option options[] = {
    {DPL__OPTION(TEXT, "left-lang", dpl_links_options, langs[0]), .value = "LANG",
     .standard = "detected from the text", .changes_result = true,
     .help = "set the language of the left collection"},
    {DPL__OPTION(TEXT, "right-lang", dpl_links_options, langs[1]), .value = "LANG",
     .standard = "detected from the text", .changes_result = true,
     .help = "set the language of the right collection"},
};
DPL__OPTION_TABLE(links, dpl_links_options, options)
