/*
 * shared_words.h - the words of two documents that shared terms stand for, as they are written.
 */
#ifndef DPL_MINE_SHARED_WORDS_H
#define DPL_MINE_SHARED_WORDS_H

#include "langlinks/link_view.h"
#include "mine/evidence.h"

/* Words of a document pair, the ones that count most first. Borrowed from the collections. */
typedef struct dpl__shared_words {
    dpl__shared_word words[DPL__EVIDENCE_TERMS];
    size_t n;
} dpl__shared_words;

/* Two collections, and what translates the terms of one into those of the other. */
typedef struct dpl__word_sides {
    dpl_ctx *ctx;
    const dpl_collection *c[2];
    const dpl_lexicon *lexicon; /* NULL: none */
    int pivot;                  /* the side that terms are of */
    bool is_stemmed;
} dpl__word_sides;

/* The words of both documents that a term of the pivot stands for, each as it is written where
 * it occurs first; both empty: one of them has none. */
dpl_status dpl__shared_word_find(dpl__shared_word *out, const dpl__word_sides *sides,
                                 dpl_tokens *tokens, const dpl_doc_pair *docs, dpl_str term,
                                 dpl_error *err);

/* out[i] of docs[i], for which evidence[i] has the terms; on all threads. */
dpl_status dpl__shared_words_find(dpl__shared_words *out, const dpl__pair_run *run,
                                  const dpl_doc_pair *docs, const dpl__evidence *evidence,
                                  size_t n, dpl_error *err);

#endif
