/*
 * renumber.h - a copy of a model without its weak links, with other numbers of words.
 */
#ifndef DPL_LEXICON_RENUMBER_H
#define DPL_LEXICON_RENUMBER_H

#include "lexicon/wordmodel.h"

/* A copy of the model, without the links that were aligned less often (expected) than `least`.
 * Word w of a side becomes rank[side][w], a permutation; NULL: it stays w. */
dpl_status dpl__wordmodel_renumber(dpl__wordmodel *out, const dpl__wordmodel *model,
                                   const uint32_t *const rank[2], double least, dpl_error *err);

#endif
