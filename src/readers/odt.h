/*
 * odt.h - the text of OpenDocument XML, apart from the ZIP file around it: for .fodt.
 */
#ifndef DPL_READERS_ODT_H
#define DPL_READERS_ODT_H

#include "readers/flow.h"
#include "readers/xml.h"

#include "doppel/text.h"

/* What the parts of a document add up to. Owned. */
typedef struct dpl__odt {
    dpl_ctx *ctx;
    dpl__flow text;
    dpl__flow notes; /* of the paragraph at hand */
    dpl__bytes title, lang;
    char default_lang[24];
    dpl__bytes *field; /* of the metadata that text is for; NULL: none */
    unsigned depth;
    unsigned skipped;      /* depth of the element that is left out; 0: none */
    unsigned n_paragraphs; /* open ones: text boxes and notes are inside of others */
    unsigned note;         /* depth of the note; 0: outside */
    bool is_meta, is_body, is_default_style;
    dpl__arena *arena; /* for notes on their way */
} dpl__odt;

void dpl__odt_init(dpl__odt *o, dpl__arena *arena);
/* Callbacks that add a part: content.xml, meta.xml, styles.xml, or all in one file. */
dpl__xml dpl__odt_xml(dpl__odt *o);
/* Fills title, lang and text in the arena; frees the rest in any case. */
dpl_status dpl__odt_finish(dpl__odt *o, dpl_doc *doc, dpl_error *err);
void dpl__odt_clear(dpl__odt *o);

#endif
