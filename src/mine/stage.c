/*
 * stage.c - a job whose progress has other names.
 */
#include "mine/stage.h"

#include "base/ctx.h"

#include <stdarg.h>
#include <stdio.h>

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
