/*
 * ngram_params.c - the table of params.h.
 */
#include "pairs/ngram/ngram_params.h"

DPL__PARAMS_DEFINE(ngram, DPL__NGRAM_PARAMS)
