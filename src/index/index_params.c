/*
 * index_params.c - the table of params.h.
 */
#include "index/index_params.h"

DPL__PARAMS_DEFINE(index, DPL__INDEX_PARAMS)
