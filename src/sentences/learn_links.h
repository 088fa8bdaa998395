/*
 * learn_links.h - learn links between words from aligned beads.
 */
#ifndef DPL_SENTENCES_LEARN_LINKS_H
#define DPL_SENTENCES_LEARN_LINKS_H

#include "sentences/cooccurrence.h"
#include "sentences/term_links.h"

void dpl__bead_rows_clear(dpl__bead_rows *rows, dpl_ctx *ctx);
/* Rows behind others. False when there is no memory. */
bool dpl__bead_rows_append(dpl__bead_rows *to, dpl_ctx *ctx, const dpl__bead_rows *more);
/* Adds the beads with both sides. */
dpl_status dpl__bead_rows_add(dpl__bead_rows *rows, dpl_ctx *ctx, const dpl__bead_doc docs[2],
                              const dpl_bead *beads, size_t n, dpl_error *err);

/* Adds what the rows teach. Word pairs that co-occur once are ignored: they would only confirm
 * the beads that they come from. */
dpl_status dpl__term_links_learn(dpl__term_links *links, const dpl__bead_rows *rows,
                                 dpl_error *err);

#endif
