/*
 * given_lexicon.h - a lexicon that a run starts with, whichever way round it is.
 */
#ifndef DPL_MINE_GIVEN_LEXICON_H
#define DPL_MINE_GIVEN_LEXICON_H

#include "mine/round.h"

/* A .dpl says its languages. The columns of a text are told by which of the two collections has
 * more of their words. */
dpl_status dpl__given_lexicon_open(dpl_lexicon **out, const dpl__comparable *corpus,
                                   const char *path, dpl_error *err);

#endif
