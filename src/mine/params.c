/*
 * params.c - the table of params.h.
 */
#include "mine/params.h"

DPL__PARAMS_DEFINE(mine, DPL__MINE_PARAMS)
