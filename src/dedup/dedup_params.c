/*
 * dedup_params.c - the parameters of duplicate removal.
 */
#include "dedup/dedup_params.h"

DPL__PARAMS_DEFINE(dedup, DPL__DEDUP_PARAMS)
