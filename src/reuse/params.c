/*
 * params.c - the parameters of text reuse.
 */
#include "reuse/params.h"

DPL__PARAMS_DEFINE(reuse, DPL__REUSE_PARAMS)
