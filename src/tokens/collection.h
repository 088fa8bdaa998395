/*
 * collection.h - what our other stages may see of a collection beyond doppel/tokens.h.
 */
#ifndef DPL_SRC_COLLECTION_H
#define DPL_SRC_COLLECTION_H

#include "doppel/file.h"
#include "doppel/tokens.h"

/* The file it was opened from: for its name, and for sections that have no call of their own.
 * Borrowed until the collection is closed. */
const dpl_file *dpl__collection_file(const dpl_collection *c);

#endif
