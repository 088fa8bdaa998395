/*
 * dictionary_lines.h - dictionaries that are lines of text, and lexicons of ours, gathered.
 */
#ifndef DPL_LEXICON_DICTIONARY_LINES_H
#define DPL_LEXICON_DICTIONARY_LINES_H

#include "doppel/lexicon.h"

#include "lexicon/translations.h"

/* TSV, MOSES or DING; AUTO: by the first line, and *format is what it turned out to be. "-" is
 * standard input. */
dpl_status dpl__translations_add_lines(dpl__translations *g, const char *path,
                                       dpl_dictionary_format *format, bool skips,
                                       dpl_error *err);

/* A lexicon with all it has but its model. */
dpl_status dpl__translations_add_lexicon(dpl__translations *g, const dpl_lexicon *l,
                                         dpl_error *err);

#endif
