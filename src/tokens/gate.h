/*
 * gate.h - finds, by their words, documents that share no shingle with some others (items),
 * while they are tokenized. Frozen once made.
 *
 * A shingle of an item has words of items only, so most documents have few runs of words whose
 * shingles must be looked up at all.
 */
#ifndef DPL_TOKENS_GATE_H
#define DPL_TOKENS_GATE_H

#include "doppel/tokens.h"

#include "tokens/key_filter.h"
#include "tokens/shingles.h"

typedef struct dpl__gate {
    dpl_ctx *ctx;
    unsigned w; /* words of a shingle */
    dpl__key_filter words, may_have;
    dpl__shingle_set shingles; /* behind may_have */
    size_t n_inputs;           /* of an import: the first ones go through it */
    bool drops_text;   /* of documents that do not pass; else only their tokens are dropped */
    char langs[2][12]; /* documents in these pass as they are; "": none */
} dpl__gate;

/* A gate from the items' shingles of w words. Zeroed memory may be cleared. */
dpl_status dpl__gate_init(dpl__gate *gate, dpl_ctx *ctx, const dpl_collection *items,
                          unsigned w, dpl_error *err);
void dpl__gate_clear(dpl__gate *gate);

/* The key of a term, or 0 if items do not have it. */
uint64_t dpl__gate_word(const dpl__gate *gate, dpl_str term);

/* Has a document one of the shingles? Its words are n keys of dpl__gate_word. A document
 * without words passes. */
bool dpl__gate_passes(const dpl__gate *gate, const uint64_t *words, size_t n);

#endif
