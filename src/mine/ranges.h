/*
 * ranges.h - which parts of two documents are translations of each other, from their beads.
 *
 * Beads that were kept count for a part, the words of all others against it; the parts with the
 * largest sums are the ranges (Ruzzo and Tompa 1999). None runs over the beginning of a section
 * of either document.
 */
#ifndef DPL_MINE_RANGES_H
#define DPL_MINE_RANGES_H

#include "doppel/mine.h"

#include "base/vec.h"

typedef struct dpl__segment {
    size_t begin, end;    /* beads */
    double before, after; /* sums of all beads up to begin, up to end */
    size_t n_kept;
    bool is_in_match; /* the beads around it, up to the next sections, have a positive sum */
} dpl__segment;

/* Ranges of the last document pair; zeroed memory: no pair yet. Owned. */
typedef struct dpl__ranges {
    DPL_VEC(dpl__segment) segments; /* in the order of the beads */
    DPL_VEC(dpl_bead) beads;
    DPL_VEC(dpl_mine_range) ranges;
    size_t n_words[2];    /* of each document */
    size_t n_parallel[2]; /* of these, in ranges */
    double share[2];      /* n_parallel / n_words */
    uint64_t n_outside;   /* kept beads that are in none; of dpl__ranges_mark */
} dpl__ranges;

void dpl__ranges_clear(dpl__ranges *r, dpl_ctx *ctx);
/* Fills in what is above; beads become those within ranges. */
dpl_status dpl__ranges_find(dpl__ranges *r, dpl_ctx *ctx, const dpl_collection *const c[2],
                            const dpl_aligned_docs *docs, dpl_error *err);
/* The same, and beads become all of them; those that were kept, but lie outside of the ranges,
 * have the verdict DPL_VERDICT_OUTSIDE. */
dpl_status dpl__ranges_mark(dpl__ranges *r, dpl_ctx *ctx, const dpl_collection *const c[2],
                            const dpl_aligned_docs *docs, dpl_error *err);

#endif
