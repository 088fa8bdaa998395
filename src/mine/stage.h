/*
 * stage.h - what a user is told that a long run is doing: "round 2: training".
 *
 *     dpl__stage_begin(&stage, ctx);
 *     dpl__stage_set(&stage, "round %zu: training", 2);
 *     ...
 *     dpl__stage_end(&stage);
 *
 * In between, progress goes on to the caller's function under the name of the stage instead of
 * the stage's own.
 */
#ifndef DPL_MINE_STAGE_H
#define DPL_MINE_STAGE_H

#include "base/base.h"

/* Owned; stays where it is between begin and end. */
typedef struct dpl__stage {
    dpl_ctx *ctx;
    dpl_progress_fn told;
    void *told_user;
    char name[32];
} dpl__stage;

void dpl__stage_begin(dpl__stage *stage, dpl_ctx *ctx);
void dpl__stage_end(dpl__stage *stage);
/* An empty name leaves the stages their own. */
void dpl__stage_set(dpl__stage *stage, const char *fmt, ...) DPL_PRINTF(2, 3);

#endif
