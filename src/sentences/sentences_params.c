/*
 * sentences_params.c - the parameters as a table.
 */
#include "sentences/sentences_params.h"

DPL__PARAMS_DEFINE(sentences, DPL__SENTENCES_PARAMS)
