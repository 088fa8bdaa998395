/*
 * mirror.h - a trained model with its sides swapped.
 */
#ifndef DPL_LEXICON_MIRROR_H
#define DPL_LEXICON_MIRROR_H

#include "lexicon/train_model.h"

/* In place: what was left is right, and the summary says so, too. Summary may be NULL. */
dpl_status dpl__wordmodel_mirror(dpl__wordmodel *model, dpl__model_summary *summary,
                                 dpl_error *err);

#endif
