/*
 * mirror.h - a trained model with its sides swapped.
 */
#ifndef DPL_LEXICON_MIRROR_H
#define DPL_LEXICON_MIRROR_H

#include "lexicon/train_model.h"

/* Swaps the sides in place. */
dpl_status dpl__wordmodel_mirror(dpl__wordmodel *model, dpl_error *err);

#endif
