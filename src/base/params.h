/*
 * params.h - constants that decide results, each with unit, source and sensitivity.
 *
 * A stage lists them once, in its own params.h:
 *
 *     #define DPL__MINE_PARAMS(PARAM)                                                  \
 *         PARAM(mine, most_changed, 0.002, "share of pairs",                           \
 *               "Rounds end when less than this share of the pairs changed. Compared")
 *     DPL__PARAMS_DECLARE(DPL__MINE_PARAMS)
 *
 * The code reads DPL__P(mine, most_changed), a double that the compiler knows. The first
 * sentence of a note says what the constant does (docs/reference/params.md prints it), the rest
 * where it comes from and how sensitive results are.
 *
 * A build with DOPPEL_TUNABLE reads them from variables instead (tables/tunable.c), which the
 * environment sets: DOPPEL_PARAMS="mine.most_changed=0.004,lexicon.x=2". bench/params perturbs
 * each one that way.
 */
#ifndef DPL_BASE_PARAMS_H
#define DPL_BASE_PARAMS_H

#include "base/base.h"

#define DPL__P(stage, name) dpl__##stage##_param_##name

#ifdef DPL_TUNABLE

#define DPL__PARAM_EXTERN(stage, name, value, unit, note) extern double DPL__P(stage, name);
#define DPL__PARAMS_DECLARE(LIST) LIST(DPL__PARAM_EXTERN)
#else

#define DPL__PARAM_CONST(stage, name, value, unit, note)                                       \
    static const double DPL__P(stage, name) = (value);
#define DPL__PARAMS_DECLARE(LIST) LIST(DPL__PARAM_CONST)
#endif

#endif
