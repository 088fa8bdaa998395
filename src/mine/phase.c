/*
 * phase.c - a progress function around the caller's.
 */
#include "mine/phase.h"

#include "base/ctx.h"

#include <stdarg.h>
#include <stdio.h>

static int tell(void *user, const dpl_progress *progress)
{
    const dpl__phase *phase = user;
    dpl_progress p = *progress;
    if (*phase->name)
        p.stage = phase->name;
    return phase->told(phase->told_user, &p);
}

void dpl__phase_begin(dpl__phase *phase, dpl_ctx *ctx)
{
    *phase = (dpl__phase){.ctx = ctx, .told = ctx->progress, .told_user = ctx->progress_user};
    if (phase->told) {
        ctx->progress = tell;
        ctx->progress_user = phase;
    }
}

void dpl__phase_end(dpl__phase *phase)
{
    phase->ctx->progress = phase->told;
    phase->ctx->progress_user = phase->told_user;
}

void dpl__phase_set(dpl__phase *phase, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(phase->name, sizeof phase->name, fmt, ap);
    va_end(ap);
}
