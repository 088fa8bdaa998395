/*
 * units.h - a document cut into units, the sentences or lines that are aligned.
 */
#ifndef DPL_SENTENCES_UNITS_H
#define DPL_SENTENCES_UNITS_H

#include "base/vec.h"
#include "sentences/beads.h"
#include "sentences/line_labels.h"

/* Units of the last document loaded; zeroed memory: none yet. Owned. */
typedef struct dpl__units {
    DPL_VEC(uint32_t) first;     /* sentence of each unit; one more than units */
    DPL_VEC(uint32_t) begin;     /* token of each unit; one more than units */
    DPL_VEC(uint32_t) chars;     /* length of each unit, in characters */
    DPL_VEC(uint8_t) is_section; /* it begins one */
    DPL_VEC(dpl__signs) signs;   /* punctuation of each unit */
    DPL_VEC(uint32_t) tokens;    /* without labels, where there are some */
    dpl__line_labels labels;     /* left out of tokens, lengths and punctuation; set before */
    dpl__bead_doc doc;           /* the same for the aligner; borrowed */
} dpl__units;

/* is_one_per_line: units are paragraphs, else sentences. units->labels are of the document, or
 * none. */
dpl_status dpl__units_load(dpl__units *units, dpl_ctx *ctx, const dpl_collection *c,
                           uint32_t doc, bool is_one_per_line, dpl_error *err);
void dpl__units_clear(dpl__units *units, dpl_ctx *ctx);

#endif
