/*
 * shape.h - lengths and kinds of beads, learnt from beads that were found.
 *
 * Nothing is fixed to a language: how much longer one side is, how far lengths scatter, how
 * often sentences are split, joined, or left out all come from the documents themselves.
 */
#ifndef DPL_SRC_SHAPE_H
#define DPL_SRC_SHAPE_H

#include "sentences/beads.h"

enum { DPL__SHAPE_BINS = 24 };

/* Sums over beads. Zeroed memory is of none. Sums are added in the order of the documents, so
 * that they do not depend on threads. */
typedef struct dpl__shape_sums {
    double beads[DPL__MAX_SIDE + 1][DPL__MAX_SIDE + 1];
    double logs;  /* of the ratio, beads weighted with their length */
    double chars; /* those weights */
    /* By the logarithm of the length: beads, squares of the ratio's logarithm, lengths. */
    double n[DPL__SHAPE_BINS], squares[DPL__SHAPE_BINS], lengths[DPL__SHAPE_BINS];
} dpl__shape_sums;

/* Adds the beads of one document pair; shape is the one they were found with. */
void dpl__shape_add(dpl__shape_sums *sums, const dpl__bead_shape *shape,
                    const dpl__bead_doc docs[2], const dpl_bead *beads, size_t n);
void dpl__shape_merge(dpl__shape_sums *sums, const dpl__shape_sums *more);
/* What is learnt counts by how many beads there were. */
void dpl__shape_learn(dpl__bead_shape *shape, const dpl__shape_sums *sums);

#endif
