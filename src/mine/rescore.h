/*
 * rescore.h - cosines of given pairs of documents.
 */
#ifndef DPL_MINE_RESCORE_H
#define DPL_MINE_RESCORE_H

#include "mine/round.h"

/* out[i] of docs[i]; 0 where a document has too few words. */
dpl_status dpl__rescore(float *out, const dpl__comparable *corpus, const dpl_doc_pair *docs,
                        size_t n, const dpl_lexicon *lexicon, dpl_error *err);

#endif
