/*
 * params.c - the table of the parameters of params.h.
 */
#include "lexicon/params.h"

DPL__PARAMS_DEFINE(lexicon, DPL__LEXICON_PARAMS)
