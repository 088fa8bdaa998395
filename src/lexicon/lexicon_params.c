/*
 * lexicon_params.c - the table of the parameters of params.h.
 */
#include "lexicon/lexicon_params.h"

DPL__PARAMS_DEFINE(lexicon, DPL__LEXICON_PARAMS)
