/*
 * symmetrize.h - combines the alignments of a row in both directions.
 */
#ifndef DPL_LEXICON_SYMMETRIZE_H
#define DPL_LEXICON_SYMMETRIZE_H

#include "base/base.h"

typedef enum dpl__symmetry {
    DPL__SYMMETRY_INTERSECTION,
    DPL__SYMMETRY_UNION,
    DPL__SYMMETRY_GROW_DIAG,
    DPL__SYMMETRY_GROW_DIAG_FINAL_AND
} dpl__symmetry;

/* In place of a word's number: the word is not aligned. */
#define DPL__UNALIGNED UINT32_MAX

/* The alignments of both directions: left_of[j] is the left word that right word j is aligned
 * with, right_of[i] the right word of left word i, or DPL__UNALIGNED. */
typedef struct dpl__directions {
    const uint32_t *left_of;
    size_t n_right;
    const uint32_t *right_of;
    size_t n_left;
} dpl__directions;

/* matrix[i * n_right + j] becomes 1 where left word i and right word j are aligned, 0
 * elsewhere; taken is scratch of n_left + n_right. */
void dpl__symmetrize(uint8_t *matrix, uint8_t *taken, dpl__symmetry how,
                     const dpl__directions *both);

#endif
