/*
 * mine_params.c - the table of params.h.
 */
#include "mine/mine_params.h"

DPL__PARAMS_DEFINE(mine, DPL__MINE_PARAMS)
