/*
 * mutual_pairs.h - the nearest documents of the other side, both ways, and the pairs among
 * them.
 */
#ifndef DPL_MINE_MUTUAL_PAIRS_H
#define DPL_MINE_MUTUAL_PAIRS_H

#include "doppel/pairs.h"

#include "base/vec.h"
#include "lexicon/encoded.h"

#define DPL__NO_ROW UINT32_MAX

enum {
    DPL__NEAREST = 8, /* of each row */
    DPL__AROUND = 4   /* of these, what a margin is measured by */
};

typedef dpl_scored_row dpl__near; /* row DPL__NO_ROW: there are no more */

/* Frozen. Zeroed memory with a context may be cleared. */
typedef struct dpl__neighbours {
    dpl_ctx *ctx;
    uint32_t n[2];                 /* rows */
    const dpl__near *near[2];      /* DPL__NEAREST of each row, best first */
    dpl__near *own[2];             /* the same, where they are allocated; else NULL */
    dpl_neighbours *found;         /* whose they are else */
    uint64_t *keys[2];             /* of each row: what ties and roles go by */
    uint32_t *groups[2];           /* of each row: that of its near-copies with the lowest key,
                                      or itself; NULL: no row has any */
    double threshold;              /* cosines below it are not here */
    dpl_recall_check recall_check; /* of the search for the left rows */
} dpl__neighbours;

/* What is known of the documents that rows stand for. */
typedef struct dpl__row_docs {
    const uint64_t *keys[2];   /* doc_key.h */
    const uint32_t *groups[2]; /* copies.h; NULL: none */
    const dpl_collection *collections[2];
} dpl__row_docs;

/* Adds a row to a list, unless all that are there are before it: by score, then by key. */
void dpl__near_add(dpl__near *near, const uint64_t *keys, dpl__near one);

/* Without lists, which the caller allocates. */
dpl_status dpl__neighbours_new(dpl__neighbours *out, dpl_ctx *ctx, dpl_vectors *const v[2],
                               const dpl__row_docs *docs, dpl_error *err);
dpl_status dpl__neighbours_find(dpl__neighbours *out, dpl_ctx *ctx, dpl_vectors *const v[2],
                                const dpl__row_docs *docs, const dpl_pairs_options *options,
                                dpl_error *err);
void dpl__neighbours_clear(dpl__neighbours *c);

/* Two rows of which each is the other's best by margin. */
typedef struct dpl__match {
    uint32_t row[2];
    float score;   /* the cosine */
    float margin;  /* divided by the mean of what is around both (doppel/pairs.h) */
    float lead[2]; /* divided by the second best of either side */
    /* For a decoy: the matches that were taken away from its rows; DPL__NO_ROW: none. */
    uint32_t taken[2];
} dpl__match;

typedef DPL_VEC(dpl__match) dpl__matches;

/* A near-copy of a row's best match is no competitor of it: margin and lead are about others.
 * By left row. Rows with absent[side][row] are left out, as if they did not exist; NULL: all
 * are there. In a second turn those that were not matched are matched with each other. */
dpl_status dpl__matches_find(dpl__matches *out, const dpl__neighbours *c,
                             const uint8_t *const absent[2], unsigned turns, dpl_error *err);

/* A match is before all other pairs of its two rows. A decoy of rank two is behind one of them,
 * and before all others: two rows of which one is the other's best, and the other one's second
 * best. Margin and leads are those without the pair before it. If that pair is right, a decoy
 * is how a wrong match of these rows would look; if it is wrong, the decoy is the second of
 * wrong ones, and raised by one rank (decoy_rates.h). */
typedef struct dpl__rank_decoy {
    dpl__match is, raised;
    uint32_t above; /* number of the match before it; DPL__NO_ROW: none is */
} dpl__rank_decoy;

typedef DPL_VEC(dpl__rank_decoy) dpl__rank_decoys;

/* Beside the matches of dpl__matches_find in one turn. */
dpl_status dpl__rank_decoys_find(dpl__rank_decoys *out, const dpl__neighbours *c,
                                 dpl_error *err);

/* What would be chosen for rows whose counterpart does not exist: matches that are wrong for
 * certain, if `matches` are right. In three rounds a third of the matched right rows is left
 * out, another third of the left ones, so that there is both to choose from, rows with and
 * without a counterpart, and each row is without it once. Which third is decided by keys, and
 * such that swapping the sides swaps the roles. Near-copies go with the row that they are
 * copies of: where it is left out, so are they. */
dpl_status dpl__decoys_find(dpl__matches *out, const dpl__neighbours *c,
                            const dpl__matches *matches, unsigned turns, dpl_error *err);

#endif
