/*
 * dictionary_xml.h - the entries of dictionaries in XML, one at a time.
 *
 * Lines are collected from "<entry" to "</entry>"; an entry that is broken is skipped like a
 * line, and the next one is read. Entities that a document declares are left out: they are
 * grammar.
 */
#ifndef DPL_LEXICON_DICTIONARY_XML_H
#define DPL_LEXICON_DICTIONARY_XML_H

#include "lexicon/dictionary_format.h"

/* What is next in an entry. */
typedef struct dpl__xml_piece {
    enum { DPL__XML_START, DPL__XML_END, DPL__XML_TEXT } kind;
    dpl_str name;       /* of an element */
    dpl_str attributes; /* of a start, as written */
    dpl_str text;
} dpl__xml_piece;

/* False at the end. */
bool dpl__xml_next(dpl_str *rest, dpl__xml_piece *out);
/* The value as written; no bytes: not there. */
dpl_str dpl__xml_value(dpl_str attributes, const char *name);
/* Appends text with its entities replaced. False: no memory. */
bool dpl__xml_decode(dpl__bytes *out, dpl_ctx *ctx, dpl_str text);

/* Reads one entry, of "<entry ...>" to "</entry>", into the article. DPL_END: it has nothing.
 */
typedef dpl_status dpl__entry_fn(dpl__dictionary_text *d, dpl_str entry, dpl_error *err);
/* Takes the next line; calls `read` for every entry that is complete. */
dpl_status dpl__read_entries(dpl__dictionary_text *d, dpl_str line, dpl__entry_fn *read,
                             dpl_error *err);
/* After the last line: an entry that does not end is a bad line. */
dpl_status dpl__finish_entries(dpl__dictionary_text *d, dpl_error *err);

#endif
