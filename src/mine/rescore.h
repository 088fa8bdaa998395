/*
 * rescore.h - cosines of given pairs of documents.
 */
#ifndef DPL_MINE_RESCORE_H
#define DPL_MINE_RESCORE_H

#include "mine/round.h"
#include "vectors/vectors.h"

/* Vectors of the documents of these pairs, left and right, and of no others; weights are those
 * of all documents. After a failure, what is there is still to be closed. */
dpl_status dpl__rescore_vectors(dpl_vectors *out[2], const dpl__comparable *corpus,
                                dpl__pair_list docs, const dpl_lexicon *lexicon,
                                dpl_error *err);
/* The row of a document; false: it has too few words. */
bool dpl__rescore_row(uint32_t *row, const dpl_vectors *vectors, uint32_t doc);

/* out[i] of docs.data[i]; 0 where a document has too few words. */
dpl_status dpl__rescore(float *out, const dpl__comparable *corpus, dpl__pair_list docs,
                        const dpl_lexicon *lexicon, dpl_error *err);

#endif
