/*
 * part_language.h - the language of a side of which most is untranslated.
 */
#ifndef DPL_MINE_PART_LANGUAGE_H
#define DPL_MINE_PART_LANGUAGE_H

#include "doppel/tokens.h"

/* A language that sentences of one side are in and hardly any of the other side. */
typedef struct dpl__part_language {
    char code[12]; /* "": there is none */
    int side;
} dpl__part_language;

/* Looks for such a language where both sides are in one language as a whole. Swapped sides give
 * the same language. */
dpl_status dpl__part_language_find(dpl__part_language *out, dpl_ctx *ctx,
                                   const dpl_collection *const sides[2], dpl_error *err);

#endif
