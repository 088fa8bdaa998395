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

/* A file that was just written becomes a collection, and is not checked. It is closed with the
 * collection, or here after a failure. */
dpl_status dpl__collection_from_file(dpl_collection **out, dpl_ctx *ctx, dpl_file *file,
                                     dpl_error *err);

/* A file of an import with no_rows, too. */
dpl_status dpl__collection_open_any(dpl_collection **out, dpl_ctx *ctx, const char *path,
                                    dpl_error *err);
/* File `number` of those that processes of a shared run make: one of them checks it, and the
 * others trust it. */
dpl_status dpl__collection_open_shared(dpl_collection **out, dpl_ctx *ctx, const char *path,
                                       size_t number, dpl_error *err);
bool dpl__collection_has_rows(const dpl_collection *c);
/* The sentence of the document that has the token; 0 before the first one. */
uint32_t dpl__collection_sentence_of(const dpl_collection *c, uint32_t doc, size_t token);

/* Other titles of documents (redirects of a wiki): lines of title, tab, title that it leads to.
 * Mostly empty. Bytes of the file, not checked: the target may not be there. A line without a
 * title is about the site, see below. */
dpl_str dpl__collection_aliases(const dpl_collection *c);
/* What stands before the title in the address of a page of a wiki, as its dump says
 * ("https://de.wikipedia.org/wiki/"); mostly empty. Characters that need no escape. */
dpl_str dpl__collection_site(const dpl_collection *c);

#endif
