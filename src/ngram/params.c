/*
 * params.c - the table of params.h.
 */
#include "ngram/params.h"

DPL__PARAMS_DEFINE(ngram, DPL__NGRAM_PARAMS)
