/*
 * readers_params.c - the table of readers_params.h.
 */
#include "readers/readers_params.h"

DPL__PARAMS_DEFINE(readers, DPL__READERS_PARAMS)
