/*
 * word_parts.h - words and their beginnings as terms of documents.
 *
 * Inflected words are rare, and a few pairs say nothing about them: a language that has twenty
 * forms of a verb shows each of them once. What they begin with is as frequent as the verb.
 */
#ifndef DPL_MINE_WORD_PARTS_H
#define DPL_MINE_WORD_PARTS_H

#include "base/vec.h"
#include "mine/round.h"

/* Terms of one side: first the words, with the numbers that the collection gives them, then
 * beginnings that two words or more have. Frozen. Zeroed memory may be cleared. */
typedef struct dpl__word_parts {
    dpl_ctx *ctx;
    uint32_t n_docs, n_terms;
    uint64_t *begin;       /* of each document, n_docs + 1 */
    DPL_VEC(uint32_t) ids; /* terms of each document, rising */
    uint32_t *df;          /* of each term: documents */
} dpl__word_parts;

dpl_status dpl__word_parts_find(dpl__word_parts *out, const dpl__comparable *corpus, int side,
                                bool has_parts, dpl_error *err);
void dpl__word_parts_clear(dpl__word_parts *parts);

#endif
