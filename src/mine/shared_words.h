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

/* out[i] of docs[i], for which evidence[i] has the terms; on all threads. */
dpl_status dpl__shared_words_find(dpl__shared_words *out, const dpl__pair_run *run,
                                  const dpl_doc_pair *docs, const dpl__evidence *evidence,
                                  size_t n, dpl_error *err);

#endif
