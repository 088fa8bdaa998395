/*
 * bound_index.h - an inverted index of rare terms in 16 bits, with bounds of the frequent ones.
 *
 * Right rows are divided into blocks whose sums fit into the first cache. Of each block there
 * is an inverted index of the tail terms (exact_plan.c), four bytes a posting: row in the
 * block, weight in 16 bits. The head's terms are divided into DPL__GROUPS groups, whose norms
 * give a tighter bound for what is left by that of the whole head. exact_bound.c has the
 * bounds.
 */
#ifndef DPL_PAIRS_BOUND_INDEX_H
#define DPL_PAIRS_BOUND_INDEX_H

#include "pairs/exact.h"

#include "kernels/kernels.h"

enum {
    DPL__BOUND_UNITS = 65535,
    DPL__BOUND_ROWS = 20480,      /* of a block, about: 40 KiB of sums */
    DPL__BOUND_LARGE_ROWS = 5120, /* in large searches (a plan with groups): postings stay in
                                     the second cache for many queries */
    DPL__BOUND_SELF_ROWS = 4096   /* within one set: rows before a query are passed over */
};

typedef struct dpl__bound_block {
    uint32_t first, n_rows; /* among the indexed rows */
    uint32_t *offsets;      /* of each tail term's postings; n_tail + 1 */
    uint16_t *postings;     /* of each term: numbers of rows in the block, then weights */
    size_t n_postings;      /* 16-bit numbers */
    uint16_t *norms;        /* of the rows' heads */
    int8_t *groups;    /* where the plan has groups, norms of those: DPL__GROUPS of a row */
    double group_unit; /* of them */
    double norm;       /* Y: none of the rows has a larger one */
} dpl__bound_block;

/* Frozen once it is built. */
typedef struct dpl__bound_index {
    dpl_ctx *ctx;
    const dpl__join *join;
    const dpl__term_plan *plan;
    int32_t *left_ranks;        /* the plan's ranks by the numbers of left's terms ... */
    unsigned char *left_groups; /* ... and its groups */
    uint32_t block_rows;
    DPL_VEC(dpl__bound_block) blocks;
} dpl__bound_index;

/* Join and plan are borrowed. False, and nothing to clear, when there is no memory. */
bool dpl__bound_index_init(dpl__bound_index *b, dpl_ctx *ctx, const dpl__join *join,
                           const dpl__term_plan *plan);
void dpl__bound_index_clear(dpl__bound_index *b);
/* Bytes of such an index: of all rows, or of a shard that is as large as memory allows. */
double dpl__bound_index_bytes(dpl_ctx *ctx, const dpl__join *join, const dpl__term_plan *plan);
/* Where a shard of indexed rows should end, as in dpl__finder. */
uint32_t dpl__bound_index_fit(const dpl__bound_index *b, uint32_t first, uint64_t n_bytes);
/* Indexes these rows in place of earlier ones, on all threads. */
dpl_status dpl__bound_index_build(dpl__bound_index *b, uint32_t first, uint32_t end,
                                  dpl_error *err);

/* A left row, made ready. */
typedef struct dpl__bound_query {
    uint32_t row;
    uint32_t first, n; /* of its tail terms among those of all queries */
    uint16_t head;     /* norm of its head, in units, rounded up */
    double norm;       /* X; 0: no pair can be found */
    double group_unit; /* of its groups' norms */
} dpl__bound_query;

/* Zeroed memory is an empty one. Owned. */
typedef struct dpl__bound_queries {
    DPL_VEC(dpl__bound_query) all;
    DPL_VEC(uint32_t) ranks;
    DPL_VEC(uint16_t) weights;
    DPL_VEC(int8_t) groups;       /* DPL__GROUPS of each query, where the plan has any */
    DPL_VEC(dpl__postings) lists; /* of one query in one block */
} dpl__bound_queries;

void dpl__bound_queries_reset(dpl__bound_queries *q);
void dpl__bound_queries_clear(dpl__bound_queries *q, dpl_ctx *ctx);
/* norm: X in which its weights are measured; 0: its own. */
bool dpl__bound_queries_add(dpl__bound_queries *q, const dpl__bound_index *b, uint32_t row,
                            double norm);
/* The postings of the query's terms, from starts on, in q->lists; returns how many lists, or
 * SIZE_MAX when there is no memory. */
size_t dpl__bound_queries_lists(dpl__bound_queries *q, dpl_ctx *ctx, size_t query,
                                const dpl__bound_block *k, const uint32_t *starts);

#endif
