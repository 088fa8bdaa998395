/*
 * unicode_params.c - the table of unicode_params.h.
 */
#include "unicode/unicode_params.h"

DPL__PARAMS_DEFINE(unicode, DPL__UNICODE_PARAMS)
