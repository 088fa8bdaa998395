/*
 * translate_params.c - the table of params.h.
 */
#include "translate/translate_params.h"

DPL__PARAMS_DEFINE(translate, DPL__TRANSLATE_PARAMS)
