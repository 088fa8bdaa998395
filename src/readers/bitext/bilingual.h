/*
 * bilingual.h - files that hold texts and their translations as documents: which side is read.
 */
#ifndef DPL_READERS_BITEXT_BILINGUAL_H
#define DPL_READERS_BITEXT_BILINGUAL_H

#include "readers/reader.h"

/* Both sides of one document. Owned. */
typedef struct dpl__bilingual {
    dpl__batch *batch;
    const dpl__chunk *chunk;
    const char *langs[2]; /* source, target; "" when unknown */
    dpl__bytes texts[2];
} dpl__bilingual;

/* Adds a paragraph to a side; blanks and line breaks in it become single blanks. */
dpl_status dpl__bilingual_add(dpl__bilingual *b, int side, dpl_str text, bool is_new_paragraph,
                              dpl_error *err);
/* Adds the document with the text of the side that the options ask for, and empties both.
 * DPL_END when the policy dropped it. */
dpl_status dpl__bilingual_give(dpl__bilingual *b, dpl_str id, dpl_error *err);
void dpl__bilingual_clear(dpl__bilingual *b);

#endif
