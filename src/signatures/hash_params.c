/*
 * hash_params.c - the table of params.h.
 */
#include "signatures/hash_params.h"

DPL__PARAMS_DEFINE(hash, DPL__HASH_PARAMS)
