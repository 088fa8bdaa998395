/*
 * hash_params.h - the constants of similarity hash functions that decide results
 * (base/params.h).
 */
#ifndef DPL_SIGNATURES_HASH_PARAMS_H
#define DPL_SIGNATURES_HASH_PARAMS_H

#include "base/params.h"

/* clang-format off */
#define DPL__HASH_PARAMS(PARAM) \
    PARAM(hash, prefix, 3, "characters", "Characters of a prefix. Not tuned") \
    PARAM(hash, fuzzy_rows, 50000, "rows", \
          "Rows of the reference that classes are computed from") \
    PARAM(hash, fuzzy_sample, 5000, "rows", \
          "Rows of the reference that intervals are computed from")
/* clang-format on */

DPL__PARAMS_DECLARE(DPL__HASH_PARAMS)

#endif
