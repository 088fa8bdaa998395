/*
 * doc_parts.h - documents of several collections in one order, as if they were one. Frozen.
 *
 * The parts of an import that processes share (import_merge.c): each has a vocabulary of its
 * own, so numbers of terms are those of the part. Who compares words by their text needs no
 * merged collection.
 */
#ifndef DPL_TOKENS_DOC_PARTS_H
#define DPL_TOKENS_DOC_PARTS_H

#include "doppel/tokens.h"

#include "base/base.h"

typedef struct dpl__doc_parts {
    dpl_ctx *ctx;
    const dpl_collection **all;
    uint32_t n;
    uint64_t *places; /* of each document: part << 32 | number in it; NULL: of one collection */
    uint32_t n_docs;
    bool is_owned; /* the collections */
} dpl__doc_parts;

/* One collection, borrowed. */
dpl_status dpl__doc_parts_of_one(dpl__doc_parts *out, dpl_ctx *ctx, const dpl_collection *c,
                                 dpl_error *err);
/* Zeroed memory may be cleared. */
void dpl__doc_parts_clear(dpl__doc_parts *d);

static inline uint32_t dpl__doc_part(const dpl__doc_parts *d, uint32_t doc)
{
    return d->places ? (uint32_t)(d->places[doc] >> 32) : 0;
}
static inline uint32_t dpl__doc_number(const dpl__doc_parts *d, uint32_t doc)
{
    return d->places ? (uint32_t)d->places[doc] : doc;
}

static inline dpl_doc dpl__doc_parts_doc(const dpl__doc_parts *d, uint32_t doc)
{
    return dpl_collection_doc(d->all[dpl__doc_part(d, doc)], dpl__doc_number(d, doc));
}
/* Numbers of terms of its part. */
static inline const uint32_t *dpl__doc_parts_tokens(const dpl__doc_parts *d, uint32_t doc,
                                                    size_t *n)
{
    return dpl_collection_tokens(d->all[dpl__doc_part(d, doc)], dpl__doc_number(d, doc), n);
}

/* The documents of the inputs, as parts that all processes of a shared run make and open.
 * DPL_END where that cannot be done, as with dpl__import_shared, or where an id is there twice:
 * an import by one process says what is to be said. */
struct dpl__importer;
dpl_status dpl__import_parts(dpl__doc_parts *out, dpl_import_summary *summary,
                             const struct dpl__importer *im, const dpl_import_options *options,
                             dpl_error *err);

#endif
