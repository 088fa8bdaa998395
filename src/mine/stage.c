/*
 * stage.c - a progress function around the caller's.
 */
#include "mine/stage.h"

#include "base/ctx.h"

#include <stdarg.h>
#include <stdio.h>

static int tell(void *user, const dpl_progress *progress)
{
    const dpl__stage *stage = user;
    dpl_progress p = *progress;
    if (*stage->name)
        p.stage = stage->name;
    return stage->told(stage->told_user, &p);
}

void dpl__stage_begin(dpl__stage *stage, dpl_ctx *ctx)
{
    *stage = (dpl__stage){.ctx = ctx, .told = ctx->progress, .told_user = ctx->progress_user};
    if (stage->told) {
        ctx->progress = tell;
        ctx->progress_user = stage;
    }
}

void dpl__stage_end(dpl__stage *stage)
{
    stage->ctx->progress = stage->told;
    stage->ctx->progress_user = stage->told_user;
}

void dpl__stage_set(dpl__stage *stage, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(stage->name, sizeof stage->name, fmt, ap);
    va_end(ap);
}
