/*
 * assign.h - one-to-one with the largest sum.
 */
#ifndef DPL_PAIRS_ASSIGN_H
#define DPL_PAIRS_ASSIGN_H

#include "base/base.h"

typedef struct dpl__edge {
    uint32_t row; /* on the other side */
    uint32_t weight;
} dpl__edge;

/* For qsort: the heaviest first. */
int dpl__edges_by_weight(const void *a, const void *b);

/* Edges of left row l: edges[offsets[l]] to edges[offsets[l + 1] - 1], weights positive and
 * falling. */
typedef struct dpl__bipartite {
    uint32_t n_left, n_right; /* neither is 0 */
    const uint64_t *offsets;  /* n_left + 1 */
    const dpl__edge *edges;
} dpl__bipartite;

/* Stays alone. */
#define DPL__NO_MATE UINT32_MAX

/* mates[l] is the right row of left row l, DPL__NO_MATE for none; every right row at most
 * once. No other choice has a larger sum of weights. */
dpl_status dpl__assign(uint32_t *mates, dpl_ctx *ctx, const dpl__bipartite *graph,
                       dpl_error *err);

/* Bytes that it takes, about, beside the graph and the mates. */
uint64_t dpl__assign_bytes(uint32_t n_left, uint32_t n_right, uint64_t n_edges);

#endif
