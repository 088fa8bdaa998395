/*
 * derived_docs.h - documents that are made from those of a side: its sentences, say, or what is
 * left of each. A collection in work/, which is kept (io/kept_file.h).
 */
#ifndef DPL_MINE_DERIVED_DOCS_H
#define DPL_MINE_DERIVED_DOCS_H

#include "mine/round.h"

/* A walk through the documents of a collection, but those in one language. */
typedef struct dpl__doc_walk {
    const dpl_collection *c;
    const char *but; /* NULL: through all of them */
    uint32_t doc;
} dpl__doc_walk;

/* dpl_doc_source.next */
dpl_status dpl__doc_walk_next(void *walk, dpl_doc *out, dpl_error *err);

typedef struct dpl__derived_docs {
    int side;
    const char *what;      /* of the name: "clean" of work/left-clean.dpl */
    dpl_doc_source source; /* of the documents; not read when the collection is there */
    bool is_stemmed;
    /* Words are followed by their parts (tokens/morphs.h), which are learned from this
     * collection; NULL: they are not. */
    const dpl_collection *parts_of;
} dpl__derived_docs;

dpl_status dpl__derived_docs_open(dpl_collection **out, const dpl__comparable *corpus,
                                  const dpl__derived_docs *docs, dpl_error *err);

#endif
