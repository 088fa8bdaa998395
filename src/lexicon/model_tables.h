/*
 * model_tables.h - a model becomes the tables of a lexicon.
 */
#ifndef DPL_LEXICON_MODEL_TABLES_H
#define DPL_LEXICON_MODEL_TABLES_H

#include "lexicon/wordmodel.h"
#include "lexicon/write_lexicon.h"

/* out[DPL__LEFT] is p(right|left), out[DPL__RIGHT] p(left|right), pruned; words that are marks,
 * without a letter or digit, have no entries. To be cleared with dpl__table_clear, also after
 * failure. */
dpl_status dpl__model_tables(dpl__table out[2], const dpl__wordmodel *model,
                             const dpl__strings words[2], const dpl_prune *prune,
                             dpl_error *err);

#endif
