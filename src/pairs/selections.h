/*
 * selections.h - the table of selections: which of the pairs that were found are kept.
 */
#ifndef DPL_PAIRS_SELECTIONS_H
#define DPL_PAIRS_SELECTIONS_H

#include "doppel/pairs.h"

/* A selection as what select.c has to do for it. */
typedef struct dpl__selection {
    const char *name;
    bool is_limited;    /* the n best of each left row; within one set, of either row */
    bool is_mutual;     /* each row is the other's best */
    bool is_one_to_one; /* every row in at most one pair */
    bool is_near;       /* of pairs near the best of both rows; greedily */
} dpl__selection;

/* NULL past the last one. */
const dpl__selection *dpl__selection_of(dpl_select select);

#endif
