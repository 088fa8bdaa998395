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
 * and its params.c says DPL__PARAMS_DEFINE(mine, DPL__MINE_PARAMS). The code reads
 * DPL__P(mine, most_changed), a double that the compiler knows. The first sentence of a note
 * says what the constant does (docs/reference/params.md prints it), the rest where it comes
 * from and how sensitive results are.
 *
 * A build with DOPPEL_TUNABLE reads them from variables instead, which the environment sets:
 * DOPPEL_PARAMS="mine.most_changed=0.004,lexicon.x=2". bench/params perturbs each one that way.
 */
#ifndef DPL_BASE_PARAMS_H
#define DPL_BASE_PARAMS_H

#include "base/base.h"

typedef struct dpl__param {
    const char *stage, *name;
    double value;
    const char *unit, *note; /* note: what it does; source, and how sensitive results are */
} dpl__param;

#define DPL__P(stage, name) dpl__##stage##_param_##name

#define DPL__PARAM_ROW(stage, name, value, unit, note) {#stage, #name, (value), (unit), (note)},

#ifdef DPL_TUNABLE

#define DPL__PARAM_EXTERN(stage, name, value, unit, note) extern double DPL__P(stage, name);
#define DPL__PARAM_VARIABLE(stage, name, value, unit, note)                                    \
    double DPL__P(stage, name) = (value);
#define DPL__PARAM_PLACE(stage, name, value, unit, note) &DPL__P(stage, name),
#define DPL__PARAMS_DECLARE(LIST) LIST(DPL__PARAM_EXTERN)
#define DPL__PARAMS_DEFINE(stage, LIST)                                                        \
    LIST(DPL__PARAM_VARIABLE)                                                                  \
    const dpl__param dpl__##stage##_params[] = {LIST(DPL__PARAM_ROW){0}};                      \
    DPL_CONSTRUCTOR static void tune_##stage(void)                                             \
    {                                                                                          \
        double *const places[] = {LIST(DPL__PARAM_PLACE) NULL};                                \
        dpl__params_tune(dpl__##stage##_params, places);                                       \
    }

/* Sets those that DOPPEL_PARAMS names; a name that no stage has goes unnoticed. */
void dpl__params_tune(const dpl__param *params, double *const *places);

#else

#define DPL__PARAM_CONST(stage, name, value, unit, note)                                       \
    static const double DPL__P(stage, name) = (value);
#define DPL__PARAMS_DECLARE(LIST) LIST(DPL__PARAM_CONST)
#define DPL__PARAMS_DEFINE(stage, LIST)                                                        \
    const dpl__param dpl__##stage##_params[] = {LIST(DPL__PARAM_ROW){0}};

#endif

/* All of a stage; a row without a name ends them. */
extern const dpl__param dpl__mine_params[], dpl__sentences_params[], dpl__lexicon_params[],
    dpl__ngram_params[], dpl__translate_params[], dpl__hash_params[], dpl__dedup_params[],
    dpl__reuse_params[], dpl__index_params[], dpl__tokens_params[], dpl__readers_params[],
    dpl__unicode_params[];

#endif
