/*
 * dictionary_format.h - the formats of dictionaries that are text: a file and a row each.
 *
 * A format says whether a line looks like one of its lines, and reads them. To add one: its
 * file dictionary_<name>.c, its name in dictionary_formats.c, its value in doppel/lexicon.h.
 */
#ifndef DPL_LEXICON_DICTIONARY_FORMAT_H
#define DPL_LEXICON_DICTIONARY_FORMAT_H

#include "doppel/lexicon.h"

#include "io/lines.h"
#include "lexicon/bad_line.h"
#include "lexicon/synsets.h"
#include "lexicon/translations.h"

typedef struct dpl__dictionary_text dpl__dictionary_text;

/* Reads one line, valid UTF-8; DPL_END: it was skipped. */
typedef dpl_status dpl__dictionary_read(dpl__dictionary_text *d, dpl_str line, dpl_error *err);

typedef struct dpl__dictionary_format {
    dpl_dictionary_format_info info;
    bool (*looks_like)(dpl_str line); /* NULL: a line does not show the format */
    /* Stores the languages of source and target that a line names; may be NULL. */
    void (*find_languages)(char langs[2][12], dpl_str line);
    dpl__dictionary_read *read;
    bool is_table;            /* has probabilities */
    bool is_xml;              /* entries may begin far behind the first line */
    const char *source_lang;  /* of all dictionaries of this format; NULL: any */
    const char *target_lang;  /* the same */
    const char *usual_target; /* unless another one is asked for */
    const char *charset;      /* of lines that are not UTF-8; NULL: these are bad */
} dpl__dictionary_format;

/* NULL: out of range. */
const dpl__dictionary_format *dpl__dictionary_format_of(dpl_dictionary_format format);
/* The one whose line it is, in an XML file one of XML; AUTO: none. */
dpl_dictionary_format dpl__dictionary_detect(dpl_str line, bool is_xml);

/* Owned. */
struct dpl__dictionary_text {
    dpl__translations *g;
    dpl_ctx *ctx;
    dpl__lines lines;
    dpl__synsets *synsets; /* words of wordnets go here */
    bool skips;
    dpl__article article; /* of the current line */
    dpl__bytes last;      /* source of the line before */
    uint32_t n_last;      /* translations it had so far */
    dpl__bytes entry;     /* of XML: read so far */
    int columns[3];       /* of Wiktionary: word, translation, language; from 1, 0: none */
    char lang[12];        /* of words of a wordnet, as a line says; "" */
};

/* ---- for readers -------------------------------------------------------------------- */

/* The place of the current line, for errors. */
dpl__line_place dpl__dictionary_place(dpl__dictionary_text *d);
/* The first occurrence of s in the text; NULL: none. */
const char *dpl__find_text(dpl_str text, const char *s);
/* The text before the mark, which may be missing; *rest is the text behind it. */
dpl_str dpl__cut_text(dpl_str *rest, const char *mark);
/* Words between blanks and tabs, at most n of them stored; their number. */
size_t dpl__split_blanks(dpl_str line, dpl_str *fields, size_t n);
/* Columns between tabs, at most n of them stored; their number. */
size_t dpl__split_tabs(dpl_str line, dpl_str *fields, size_t n);
/* Appends wordings to one of the article's lists, with places that go on within a sense. */
bool dpl__dictionary_wordings(dpl__dictionary_text *d, dpl__wordings *to, dpl_str text,
                              const char *separators, uint32_t sense);
/* An article of one head and its translations, with these separators between wordings. */
dpl_status dpl__dictionary_add(dpl__dictionary_text *d, dpl_str head, dpl_str translation,
                               const char *separators, dpl_error *err);

#endif
