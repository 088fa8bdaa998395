/*
 * floor.h - the cosine below which the neighbours of a large collection are not looked for.
 */
#ifndef DPL_MINE_FLOOR_H
#define DPL_MINE_FLOOR_H

#include "mine/round.h"

/* The last neighbour on the list of a typical document: the median of a sample, by content. */
dpl_status dpl__floor_of_rows(double *out, const dpl__comparable *corpus,
                              dpl_vectors *const v[2], dpl_error *err);
/* For the last search, from what a search with a sample found: half of the decoys and nearly
 * all pairs are above it. */
dpl_status dpl__floor_of_found(double *out, const dpl__doc_candidates *found, dpl_ctx *ctx,
                               dpl_error *err);

#endif
