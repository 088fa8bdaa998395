/*
 * bilingual_book.h - what the forms of a bilingual book share: titles, languages, beads as
 * elements of XHTML.
 */
#ifndef DPL_SENTENCES_BILINGUAL_BOOK_H
#define DPL_SENTENCES_BILINGUAL_BOOK_H

#include "sentences/beads_writer.h"

/* A document pair. Slices of the collections. */
typedef struct dpl__book {
    const dpl_aligned_docs *docs;
    dpl_str title[2]; /* the id, where there is no title */
    dpl_str lang[2], text[2];
} dpl__book;

dpl__book dpl__book_of(const dpl_beads_writer *w, const dpl_aligned_docs *docs);

/* The text of one side of a bead; empty when it has none. */
dpl_str dpl__book_text(const dpl_beads_writer *w, const dpl__book *book, size_t bead, int side);

/* Whether its left side begins a paragraph of the document. */
bool dpl__book_begins_paragraph(const dpl_beads_writer *w, const dpl__book *book, size_t bead);

/* <div class="b"> with a paragraph for each side; class "n" where the left one begins a
 * paragraph of its text, "alone" for a side without counterpart. */
void dpl__book_put_bead(dpl_beads_writer *w, const dpl__book *book, size_t bead);

#endif
