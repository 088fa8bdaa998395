/*
 * params.c - the table of params.h.
 */
#include "hash/params.h"

DPL__PARAMS_DEFINE(hash, DPL__HASH_PARAMS)
