/*
 * tokens_params.c - the table of tokens_params.h.
 */
#include "tokens/tokens_params.h"

DPL__PARAMS_DEFINE(tokens, DPL__TOKENS_PARAMS)
