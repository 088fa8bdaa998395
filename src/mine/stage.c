/*
 * stage.c - a job whose progress has other names, and what its stages take.
 */
#define _POSIX_C_SOURCE 200809L
#include "mine/stage.h"

#include "base/ctx.h"

#include <stdarg.h>
#include <stdio.h>
#include <time.h>

static int pass_on(void *user, const dpl_progress *progress)
{
    const dpl__stage *stage = user;
    char name[128];
    dpl_progress p = *progress;
    snprintf(name, sizeof name, "%s%s", stage->prefix,
             *stage->name ? stage->name : progress->stage);
    p.stage = name;
    return stage->progress(stage->user, &p);
}

dpl_status dpl__stage_open(dpl__stage *stage, dpl_ctx *ctx, const char *prefix, dpl_error *err)
{
    *stage = (dpl__stage){.progress = ctx->progress, .user = ctx->progress_user};
    snprintf(stage->prefix, sizeof stage->prefix, "%s", prefix ? prefix : "");
    dpl_job_options o = DPL_INIT(dpl_job_options);
    if (stage->progress) {
        o.progress = pass_on;
        o.progress_user = stage;
    }
    return dpl_job_new(&stage->job, ctx, &o, err);
}

void dpl__stage_close(dpl__stage *stage)
{
    if (stage->job)
        dpl_ctx_free(stage->job);
    stage->job = NULL;
}

void dpl__stage_set(dpl__stage *stage, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(stage->name, sizeof stage->name, fmt, ap);
    va_end(ap);
}

void dpl__reason_set(dpl__reason *why, const char *code, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(why->text, sizeof why->text, fmt, ap);
    va_end(ap);
    why->code = code;
    assert(dpl__is_nothing(why));
}

/* ---- seconds ------------------------------------------------------------------------ */

static double core_seconds(void)
{
    struct timespec t = {0};
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

/* The place of a name; DPL__STAGE_TIMES when there is none left. */
static size_t find_time(dpl__stage *stage, const char *what)
{
    size_t i = 0;
    while (i < stage->n_times && strcmp(stage->times[i].name, what) != 0)
        i++;
    if (i == stage->n_times && i < DPL__STAGE_TIMES)
        stage->times[stage->n_times++] = (dpl_mine_stage){.name = what};
    return i;
}

void dpl__stage_time(dpl__stage *stage, const char *what)
{
    double now = dpl__now(), core = core_seconds();
    if (stage->since > 0 && stage->at < DPL__STAGE_TIMES) {
        dpl_mine_stage *t = &stage->times[stage->at];
        t->seconds += now - stage->since;
        t->core_seconds += core - stage->core_since;
        t->peak_bytes = dpl_ctx_peak(stage->job);
    }
    stage->at = what ? find_time(stage, what) : DPL__STAGE_TIMES;
    stage->since = now;
    stage->core_since = core;
}
