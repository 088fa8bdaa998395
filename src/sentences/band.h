/*
 * band.h - which nodes of a document pair are worth a look.
 *
 * Of short documents all. Of longer ones those near the way from anchor to anchor, and all
 * between two anchors, as far as these are not far apart; there, what is near the way that the
 * lengths suggest.
 */
#ifndef DPL_SENTENCES_BAND_H
#define DPL_SENTENCES_BAND_H

#include "sentences/anchors.h"

/* Of row i, with i left sentences behind it, the nodes low[i] .. high[i]; neither ever falls,
 * and each row overlaps the one before it. Memory is the bags'. Owned. */
typedef struct dpl__band {
    dpl__anchors anchors;
    dpl__bow *bow;
    uint32_t *low, *high;     /* left sentences + 1 */
    uint64_t *lengths[2];     /* characters before each sentence, and of all */
    DPL_VEC(dpl__area) areas; /* anchors, and what lies between; none when all is looked at */
} dpl__band;

void dpl__band_init(dpl__band *band, dpl_ctx *ctx);
void dpl__band_clear(dpl__band *band);
/* All of it when there are no more than max_cells sentence pairs. */
dpl_status dpl__band_find(dpl__band *band, dpl__bow *bow, size_t max_cells, dpl_error *err);
/* Of the rows of an area no nodes outside it, and its first and last node. */
void dpl__band_clip(dpl__band *band, dpl__area area);
/* The same with so many more nodes around those that there were. */
void dpl__band_widen(dpl__band *band, dpl__area area, uint32_t by);

#endif
