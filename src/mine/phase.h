/*
 * phase.h - what a user is told that a long run is doing: "round 2: training".
 *
 *     dpl__phase_begin(&phase, ctx);
 *     dpl__phase_set(&phase, "round %zu: training", 2);
 *     ...
 *     dpl__phase_end(&phase);
 *
 * In between, progress goes on to the caller's function under the name of the phase instead of
 * the stage's own.
 */
#ifndef DPL_SRC_PHASE_H
#define DPL_SRC_PHASE_H

#include "base/base.h"

/* Owned; stays where it is between begin and end. */
typedef struct dpl__phase {
    dpl_ctx *ctx;
    dpl_progress_fn told;
    void *told_user;
    char name[32];
} dpl__phase;

void dpl__phase_begin(dpl__phase *phase, dpl_ctx *ctx);
void dpl__phase_end(dpl__phase *phase);
/* An empty name leaves the stages their own. */
void dpl__phase_set(dpl__phase *phase, const char *fmt, ...) DPL_PRINTF(2, 3);

#endif
