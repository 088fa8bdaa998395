/*
 * dictionary_lines.h - translations from dictionaries with one entry a line, and from lexicons.
 */
#ifndef DPL_LEXICON_DICTIONARY_LINES_H
#define DPL_LEXICON_DICTIONARY_LINES_H

#include "doppel/lexicon.h"

#include "base/arena.h"

#include "lexicon/dictionary_format.h"

/* A dictionary that is text. Owned; zeroed memory may be closed.
 *
 *     DPL_TRY(dpl__dictionary_lines_open(&l, g, path, format, err));    finds format, languages
 *     DPL_TRY(dpl__translations_languages(g, ...));
 *     DPL_TRY(dpl__dictionary_lines_read(&l, &synsets, skips, err));
 */
typedef struct dpl__dictionary_lines {
    dpl__dictionary_text text;
    const char *path;
    dpl_dictionary_format asked, format; /* AUTO: an empty file */
    char lang[2][12];                    /* as the format or the first line says; "" */
    char title[200];                     /* of XML; "" */
    dpl_str first;                       /* line with an entry */
    bool has_first;
    bool is_stdin;
    dpl__bytes stdin_bytes; /* all of standard input, which is read twice */
    dpl__arena converted;   /* the current line, where it was not UTF-8 */
} dpl__dictionary_lines;

/* "-" is standard input. Close it after a failure, too. */
dpl_status dpl__dictionary_lines_open(dpl__dictionary_lines *l, dpl__translations *g,
                                      const char *path, dpl_dictionary_format format,
                                      dpl_error *err);
dpl_status dpl__dictionary_lines_read(dpl__dictionary_lines *l, dpl__synsets *synsets,
                                      bool skips, dpl_error *err);
void dpl__dictionary_lines_close(dpl__dictionary_lines *l);

/* Adds the entries and counts of a lexicon, without its model. */
dpl_status dpl__translations_add_lexicon(dpl__translations *g, const dpl_lexicon *l,
                                         dpl_error *err);

#endif
