/*
 * cognates.h - words of two collections with equal or similar spelling.
 *
 * Words are spelled in Latin script and without marks. Two are cognates when the spellings are
 * equal, or have a long common prefix (Simard, Foster and Isabelle, TMI 1992) and no digits.
 */
#ifndef DPL_SENTENCES_COGNATES_H
#define DPL_SENTENCES_COGNATES_H

#include "lexicon/encoded.h"
#include "vectors/project.h"

/* What is compared, and who takes the result. Borrowed. */
typedef struct dpl__cognates {
    dpl_ctx *ctx;
    const dpl_collection *c[2];
    dpl__facts facts[2];
    /* A left and a right term with their similarity, above 0 and at most 1; false: no memory.
     */
    bool (*take)(void *user, uint32_t left, uint32_t right, float similarity);
    void *user;
} dpl__cognates;

/* In the order of the spelling. */
dpl_status dpl__cognates_find(const dpl__cognates *cognates, dpl_error *err);

#endif
