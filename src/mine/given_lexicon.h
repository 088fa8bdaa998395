/*
 * given_lexicon.h - a lexicon that a run starts with, whichever way round it is.
 */
#ifndef DPL_MINE_GIVEN_LEXICON_H
#define DPL_MINE_GIVEN_LEXICON_H

#include "mine/round.h"

/* A .dpl says its languages. The languages of the columns of a text are those of the
 * collections that have more of their words. */
dpl_status dpl__given_lexicon_open(dpl_lexicon **out, const dpl__comparable *corpus,
                                   const char *path, dpl_error *err);

/* Writes the dictionaries of the options as one lexicon; what cannot be read is skipped. */
dpl_status dpl__given_dictionaries_import(dpl_ctx *ctx, const char *path,
                                          const dpl_mine_options *options,
                                          const dpl_lexicon_import_options *import,
                                          dpl_error *err);

#endif
