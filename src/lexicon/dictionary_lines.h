/*
 * dictionary_lines.h - translations from dictionaries with one entry a line, and from lexicons.
 */
#ifndef DPL_LEXICON_DICTIONARY_LINES_H
#define DPL_LEXICON_DICTIONARY_LINES_H

#include "doppel/lexicon.h"

#include "lexicon/translations.h"

/* TSV, MOSES or DING; AUTO: detected from the first line, *format receives it. "-" is
 * standard input. */
dpl_status dpl__translations_add_lines(dpl__translations *g, const char *path,
                                       dpl_dictionary_format *format, bool skips,
                                       dpl_error *err);

/* Adds the entries and counts of a lexicon, without its model. */
dpl_status dpl__translations_add_lexicon(dpl__translations *g, const dpl_lexicon *l,
                                         dpl_error *err);

#endif
