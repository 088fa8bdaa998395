/*
 * reuse_params.c - the parameters of text reuse.
 */
#include "reuse/reuse_params.h"

DPL__PARAMS_DEFINE(reuse, DPL__REUSE_PARAMS)
