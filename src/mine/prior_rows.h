/*
 * prior_rows.h - a lexicon that was given, as rows to train on.
 */
#ifndef DPL_MINE_PRIOR_ROWS_H
#define DPL_MINE_PRIOR_ROWS_H

#include "mine/training_rows.h"

/* Adds a row of two words for the likely entries of the lexicon, more often for more likely
 * ones. Rows of collections in other languages than the lexicon's get none. */
dpl_status dpl__prior_rows_add(dpl__training_rows *rows, const dpl_lexicon *prior,
                               dpl_error *err);

#endif
