/*
 * lists.h - dictionaries that are lines of text, and lexicons of ours, gathered.
 */
#ifndef DPL_SRC_LISTS_H
#define DPL_SRC_LISTS_H

#include "doppel/lexicon.h"

#include "lexicon/gather.h"

/* TSV, MOSES or DING; AUTO: by the first line, and *format is what it turned out to be. "-" is
 * standard input. */
dpl_status dpl__list_gather(dpl__gathered *g, const char *path, dpl_dictionary_format *format,
                            bool skips, dpl_error *err);

/* A lexicon with all it has but its model. */
dpl_status dpl__lexicon_gather(dpl__gathered *g, const dpl_lexicon *l, dpl_error *err);

#endif
