/*
 * copies.h - near-copies of documents within one side: most of the word sequences of another
 * one.
 */
#ifndef DPL_MINE_COPIES_H
#define DPL_MINE_COPIES_H

#include "doppel/tokens.h"

#include "base/base.h"

#define DPL__NO_DOC UINT32_MAX

typedef struct dpl__copies_input {
    const dpl_collection *c;
    const uint8_t *skip;  /* documents that do not take part */
    const uint64_t *keys; /* of each document (doc_key.h) */
} dpl__copies_input;

/* groups[side]: for each document the one of its near-copies with the lowest key, itself
 * included; DPL__NO_DOC: it has none. NULL when no document has any. n_docs numbers, the
 * caller's to free. n_copies[side]: documents with near-copies, less the number of groups. */
dpl_status dpl__copies_find(uint32_t *groups[2], uint32_t n_copies[2], dpl_ctx *ctx,
                            const dpl__copies_input in[2], dpl_error *err);

#endif
