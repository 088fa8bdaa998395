/*
 * params.c - the table of params.h.
 */
#include "index/params.h"

DPL__PARAMS_DEFINE(index, DPL__INDEX_PARAMS)
