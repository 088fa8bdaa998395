/*
 * stage.h - names the stages of a long run in its progress: "de-en round 2: training".
 *
 *     DPL_TRY(dpl__stage_open(&stage, ctx, "de-en ", err));
 *     dpl__stage_set(&stage, "round %zu: training", 2);
 *     ... on stage.job ...
 *     dpl__stage_close(&stage);
 *
 * Progress of the job goes on to the context's function under the name that was set last.
 *
 * Beside it, a clock: dpl__stage_time says what is being done from now on, and seconds are
 * added up for each such thing.
 */
#ifndef DPL_MINE_STAGE_H
#define DPL_MINE_STAGE_H

#include "doppel/mine.h"

#include "base/base.h"

enum { DPL__STAGE_TIMES = 16 };

/* Owned; stays where it is until it is closed. Zeroed memory may be closed. */
typedef struct dpl__stage {
    dpl_ctx *job;
    dpl_progress_fn progress; /* the context's */
    void *user;
    char prefix[32], name[64];
    dpl_mine_stage times[DPL__STAGE_TIMES];
    size_t n_times, at; /* at: the one that runs */
    double since, core_since;
} dpl__stage;

/* Why a stage gives nothing: a result, not an error. Empty: it gives something. */
typedef struct dpl__reason {
    char text[256];
    const char *code; /* of the error that a caller who needs a result gets; NULL: none */
} dpl__reason;

void dpl__reason_set(dpl__reason *why, const char *code, const char *fmt, ...) DPL_PRINTF(3, 4);

static inline bool dpl__is_nothing(const dpl__reason *why)
{
    return *why->text != '\0';
}

/* prefix NULL: none. */
dpl_status dpl__stage_open(dpl__stage *stage, dpl_ctx *ctx, const char *prefix, dpl_error *err);
void dpl__stage_close(dpl__stage *stage);
/* An empty name leaves the operations their own. */
void dpl__stage_set(dpl__stage *stage, const char *fmt, ...) DPL_PRINTF(2, 3);
/* From now on seconds count for `what`, which must stay valid; NULL: for no stage. Only the
 * first DPL__STAGE_TIMES stages are counted. */
void dpl__stage_time(dpl__stage *stage, const char *what);

#endif
