/*
 * line_labels.h - numbers before every line of a document: labels of an edition, not content.
 *
 * Lines, verses or paragraphs that are numbered in an edition have the numbers of no other
 * edition, and as equal words they would be links between lines that have nothing in common.
 * Owned; zeroed memory is of no document.
 */
#ifndef DPL_SENTENCES_LINE_LABELS_H
#define DPL_SENTENCES_LINE_LABELS_H

#include "base/vec.h"
#include "doppel/tokens.h"

typedef struct dpl__line_label {
    uint32_t n_bytes; /* with brackets and the blanks behind it; 0: none */
    uint32_t n_tokens;
    uint64_t number; /* chapter and verse as one */
} dpl__line_label;

typedef struct dpl__line_labels {
    DPL_VEC(dpl__line_label) all; /* of each sentence, while they are labels; else empty */
} dpl__line_labels;

/* Nearly every line begins with a number, and nearly every number is above the one before. */
dpl_status dpl__line_labels_find(dpl__line_labels *l, dpl_ctx *ctx, const dpl_collection *c,
                                 uint32_t doc, dpl_error *err);
/* Whether both sides have the same labels in the same order: then labels tell which lines
 * belong together. */
bool dpl__line_labels_agree(const dpl__line_labels *a, const dpl__line_labels *b);
void dpl__line_labels_clear(dpl__line_labels *l, dpl_ctx *ctx);

/* The label that a line begins with, without its tokens. */
dpl__line_label dpl__line_label_of(dpl_str line);

#endif
