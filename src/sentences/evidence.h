/*
 * evidence.h - what speaks for a bead, whatever stands around it.
 */
#ifndef DPL_SRC_EVIDENCE_H
#define DPL_SRC_EVIDENCE_H

#include "sentences/bags.h"

struct dpl__evidence {
    double words;       /* log of how much likelier its words are as a translation */
    double information; /* of a greedy alignment: each word once, best pairs first; or 0 */
    double expected;    /* the same, of a usual translation: mean of both sides */
};

typedef struct dpl__evidence_link {
    uint32_t left, right; /* entries, counted from the first of the bead */
    float p[2], information;
} dpl__evidence_link;

/* Owned. */
typedef struct dpl__witness {
    dpl_ctx *ctx;
    const dpl__bags *bags;
    uint32_t *chosen; /* by right word: its first entry in the bead + 1; zero between beads */
    DPL_VEC(dpl__evidence_link) links;
    DPL_VEC(double) sums[2]; /* of each entry: probabilities */
    DPL_VEC(bool) is_used[2];
    DPL_VEC(uint32_t) next; /* of each right entry: the next one of the same word + 1 */
} dpl__witness;

void dpl__witness_init(dpl__witness *w, dpl_ctx *ctx);
void dpl__witness_clear(dpl__witness *w);
/* Begins a document pair. Memory comes from the bags' arena. */
dpl_status dpl__witness_start(dpl__witness *w, dpl__bags *bags, dpl_error *err);
/* Of a bead with both sides. */
dpl_status dpl__witness_hear(dpl__witness *w, const dpl_bead *bead, dpl__evidence *out,
                             dpl_error *err);
/* out->information of the bead heard last, which takes a while. */
void dpl__witness_align(dpl__witness *w, dpl__evidence *out);

#endif
