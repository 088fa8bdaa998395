/*
 * band.h - the nodes of a document pair that dynamic programming visits.
 *
 * Of short documents all. Of longer ones those around anchors and all between two anchors that
 * are close; between distant ones those around the diagonal that the lengths suggest.
 */
#ifndef DPL_SENTENCES_BAND_H
#define DPL_SENTENCES_BAND_H

#include "sentences/anchors.h"

/* Row i, with i left sentences before it, has the nodes low[i] .. high[i]. Neither decreases,
 * and each row overlaps the previous one. Memory is that of the bag of words. Owned. */
typedef struct dpl__band {
    dpl__anchors anchors;
    dpl__bow *bow;
    uint32_t *low, *high; /* left sentences + 1 */
    uint64_t *lengths[2]; /* characters before each sentence, and of all */
    DPL_VEC(dpl__area)
    areas; /* anchors, and the areas between; none when all nodes are visited */
} dpl__band;

void dpl__band_init(dpl__band *band, dpl_ctx *ctx);
void dpl__band_clear(dpl__band *band);
/* All nodes when there are at most max_cells sentence pairs. */
dpl_status dpl__band_find(dpl__band *band, dpl__bow *bow, size_t max_cells, dpl_error *err);
/* Restricts the rows of an area to it, and includes its first and last node. */
void dpl__band_clip(dpl__band *band, dpl__area area);
/* The same, `by` nodes wider in each direction. */
void dpl__band_widen(dpl__band *band, dpl__area area, uint32_t by);

#endif
