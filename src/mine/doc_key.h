/*
 * doc_key.h - what stands for a document where things are put in an order or drawn at random: a
 * hash of its content, so that nothing depends on the order of documents.
 */
#ifndef DPL_MINE_DOC_KEY_H
#define DPL_MINE_DOC_KEY_H

#include "doppel/tokens.h"

#include "base/hash.h"

/* Hash of the words in their order: equal for duplicates, of which only one takes part. */
static inline uint64_t dpl__doc_key(const dpl_collection *c, uint32_t doc)
{
    size_t n_tokens;
    const uint32_t *tokens = dpl_collection_tokens(c, doc, &n_tokens);
    return dpl__hash(tokens, n_tokens * sizeof *tokens, n_tokens);
}

/* Something with a number, ordered by a hash of its content. */
typedef struct dpl__keyed {
    uint64_t key;
    uint64_t number;
} dpl__keyed;

/* For qsort: by key, then number. Elements are dpl__keyed or begin with one. */
static inline int dpl__by_key(const void *a, const void *b)
{
    const dpl__keyed *x = a, *y = b;
    if (x->key != y->key)
        return x->key < y->key ? -1 : 1;
    return (x->number > y->number) - (x->number < y->number);
}

/* Something with a number, the likeliest first; of equally likely ones by a hash. */
typedef struct dpl__ranked {
    double confidence;
    uint64_t key;
    size_t number;
} dpl__ranked;

/* For qsort. */
static inline int dpl__by_rank(const void *a, const void *b)
{
    const dpl__ranked *x = a, *y = b;
    if (x->confidence < y->confidence || x->confidence > y->confidence)
        return x->confidence > y->confidence ? -1 : 1;
    return x->key < y->key ? -1 : x->key > y->key;
}

#endif
