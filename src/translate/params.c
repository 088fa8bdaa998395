/*
 * params.c - the table of params.h.
 */
#include "translate/params.h"

DPL__PARAMS_DEFINE(translate, DPL__TRANSLATE_PARAMS)
