/*
 * collection.h - what our other stages may see of a collection beyond doppel/tokens.h.
 */
#ifndef DPL_TOKENS_COLLECTION_H
#define DPL_TOKENS_COLLECTION_H

#include "doppel/file.h"
#include "doppel/tokens.h"

/* The file it was opened from: for its name, and for sections that have no call of their own.
 * Borrowed until the collection is closed. */
const dpl_file *dpl__collection_file(const dpl_collection *c);

/* A file that was just written becomes a collection; its checksums are not verified again. It
 * is closed with the collection, or here after a failure. */
dpl_status dpl__collection_from_file(dpl_collection **out, dpl_ctx *ctx, dpl_file *file,
                                     dpl_error *err);

#endif
