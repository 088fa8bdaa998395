/*
 * doc_labels.h - numbers before every document of one line: labels, not content.
 *
 * Verses or entries that were exported with a number each have numbers of no other edition; as
 * words that both sides have they would be links between documents that have nothing in common.
 */
#ifndef DPL_MINE_DOC_LABELS_H
#define DPL_MINE_DOC_LABELS_H

#include "doppel/tokens.h"

/* Nearly every document of both sides is a line that begins with a number of its own, and equal
 * numbers do not say which documents are counterparts: these would be of similar length. */
dpl_status dpl__have_other_labels(bool *out, dpl_ctx *ctx, const dpl_collection *const c[2],
                                  dpl_error *err);

#endif
