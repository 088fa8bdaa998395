/*
 * cognates.h - words of two collections with equal or similar spelling.
 *
 * Words are spelled in Latin script and without marks. Two are cognates when the spellings are
 * equal, or have a long common prefix (Simard, Foster and Isabelle, TMI 1992) and no digits.
 */
#ifndef DPL_SENTENCES_COGNATES_H
#define DPL_SENTENCES_COGNATES_H

#include "base/vec.h"
#include "lexicon/encoded.h"
#include "vectors/project.h"

/* A left and a right term with their similarity, above 0 and at most 1. */
typedef struct dpl__cognate {
    uint32_t left, right;
    float similarity;
} dpl__cognate;
typedef DPL_VEC(dpl__cognate) dpl__cognate_list;

/* What is compared. Borrowed. */
typedef struct dpl__cognates {
    dpl_ctx *ctx;
    const dpl_collection *c[2];
    dpl__facts facts[2];
} dpl__cognates;

/* In the order of the spelling, without terms of the same text. After a failure the list must
 * still be cleared. */
dpl_status dpl__cognates_find(dpl__cognate_list *out, const dpl__cognates *cognates,
                              dpl_error *err);

#endif
