/*
 * shape_em.h - expected counts of beads by their shapes alone, over all alignments of a
 * document pair.
 */
#ifndef DPL_SENTENCES_SHAPE_EM_H
#define DPL_SENTENCES_SHAPE_EM_H

#include "base/vec.h"
#include "sentences/priors.h"
#include "sentences/shape_model.h"

/* Scratch of one worker. Zeroed memory is empty. Owned. */
typedef struct dpl__shape_em {
    /* For each node of the band, scaled by row: sums over all paths to it, and from it to the
     * end. */
    DPL_VEC(double) forward, backward;
    DPL_VEC(double) scale[2];    /* of each row: logarithms of the scales of both */
    DPL_VEC(float) weights;      /* of each node: of the beads that end there, by type */
    DPL_VEC(double) ways;        /* of each node of a row, by type: what is summed */
    DPL_VEC(uint32_t) low, high; /* of each row: right sentences behind its nodes */
    DPL_VEC(uint64_t) begin;     /* of each row: its first node; and one more */
} dpl__shape_em;

void dpl__shape_em_clear(dpl__shape_em *em, dpl_ctx *ctx);

/* Adds the expected counts of the documents, or of the first sentences of long ones. */
dpl_status dpl__shape_em_count(dpl__shape_em *em, dpl_ctx *ctx, const dpl__shape_model *shape,
                               const dpl__bead_doc docs[2], dpl__prior_counts *sums,
                               dpl_error *err);

#endif
