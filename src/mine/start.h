/*
 * start.h - first pairs where spelling finds few: documents that share names, and what grows
 * from them.
 */
#ifndef DPL_MINE_START_H
#define DPL_MINE_START_H

#include "mine/round.h"

/* Owned. Zeroed memory may be cleared. */
typedef struct dpl__start {
    dpl__doc_pairs pairs; /* in the order of left documents; none: too little is shared */
    uint64_t n_links;     /* names of both sides that are taken for the same */
    uint64_t n_seeds;     /* pairs that share such names */
    uint64_t n_spelled;   /* pairs by spelling that growth began with beside them */
    uint64_t n_shapes;    /* pairs by shapes that it began with for lack of others */
} dpl__start;

/* Whether the pairs that spelling found are so few that other signs are looked at. */
bool dpl__start_is_weak(const dpl__round_input *in, size_t n_pairs);

/* Whether documents of few sentences are better ranked by word alignment, as single sentences
 * are: where languages have little spelling in common. Searches by spelling. */
dpl_status dpl__start_prefers_sentences(bool *out, const dpl__comparable *corpus,
                                        dpl_error *err);

/* spelled: candidates by spelling, of which the likely ones count, too. */
dpl_status dpl__start_by_names(dpl__start *out, const dpl__round_input *in,
                               const dpl__doc_candidate_vec *spelled, dpl_error *err);
void dpl__start_clear(dpl__start *start, dpl_ctx *ctx);

#endif
