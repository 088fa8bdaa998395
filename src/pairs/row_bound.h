/*
 * row_bound.h - upper bounds of the scores of one right row and the left rows of a block.
 *
 * The right row's weights are added up in a table of DPL__BOUND_PLACES, by term modulo its
 * size; a left row walks through its terms' places. Weights are not negative, so terms that
 * share a place only add. The table stays in the first cache and the block, four bytes an
 * entry with weights rounded up, in the second; nothing waits for the sum so far. A bound takes
 * a fraction of a score's time, and for rows that are not near it is enough.
 */
#ifndef DPL_PAIRS_ROW_BOUND_H
#define DPL_PAIRS_ROW_BOUND_H

#include "pairs/searches.h"

enum { DPL__BOUND_ROWS = 512 }; /* left rows of a block; blocks begin at multiples */

/* Owned. */
typedef struct dpl__bounder {
    dpl_ctx *ctx;
    const dpl__sides *sides;
    float *table;
    uint32_t right;                       /* the row that is there */
    uint32_t first;                       /* left row of the block */
    uint32_t starts[DPL__BOUND_ROWS + 1]; /* of each left row in: */
    uint16_t *places, *weights;           /* of the block */
    size_t n_entries;                     /* room */
} dpl__bounder;

/* Zeroed: none. False when there is no memory. */
bool dpl__bounder_init(dpl__bounder *b, dpl_ctx *ctx, const dpl__sides *sides);
void dpl__bounder_clear(dpl__bounder *b);
/* Makes left_row's block the one at hand. False when there is no memory. */
bool dpl__bounder_set_block(dpl__bounder *b, uint32_t left_row);
/* next_row: one that is set soon, and fetched meanwhile. */
void dpl__bounder_set(dpl__bounder *b, uint32_t right_row, uint32_t next_row);
/* A row of the block: no score of the pair is larger. */
float dpl__bound(const dpl__bounder *b, uint32_t left_row);

#endif
