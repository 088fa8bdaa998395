/*
 * params.h - the constants of the index that decide results (base/params.h).
 */
#ifndef DPL_INDEX_PARAMS_H
#define DPL_INDEX_PARAMS_H

#include "base/params.h"

/* clang-format off */
#define DPL__INDEX_PARAMS(PARAM)                                                               \
    PARAM(index, part_keys, 100000, "keys", "of a part of the perfect hash function")          \
    PARAM(index, cells, 1.155, "cells of a key", "of its graph; with 1.13 most seeds fail")    \
    PARAM(index, k1, 1.2, "occurrences", "BM25: as vectors")                                   \
    PARAM(index, b, 0.75, "share", "BM25: as vectors")
/* clang-format on */

DPL__PARAMS_DECLARE(DPL__INDEX_PARAMS)

#endif
