/*
 * ctx.c - accounting allocator and progress; the context is put together in par/context.c.
 */
#include "base/ctx.h"

#include <stdarg.h>
#include <stdio.h>
#include <time.h>

static void account_one(dpl_ctx *ctx, size_t old_bytes, size_t new_bytes)
{
    if (new_bytes <= old_bytes) {
        const uint64_t before =
            atomic_fetch_sub_explicit(&ctx->used, old_bytes - new_bytes, memory_order_relaxed);
        assert(before >= old_bytes - new_bytes); /* freed with the size it was taken with */
        (void)before;
        return;
    }
    uint64_t more = new_bytes - old_bytes;
    uint64_t used = atomic_fetch_add_explicit(&ctx->used, more, memory_order_relaxed) + more;
    uint64_t peak = atomic_load_explicit(&ctx->peak, memory_order_relaxed);
    while (used > peak &&
           !atomic_compare_exchange_weak_explicit(&ctx->peak, &peak, used, memory_order_relaxed,
                                                  memory_order_relaxed))
        continue;
}

/* A job's bytes are its context's, too. */
static void account(dpl_ctx *ctx, size_t old_bytes, size_t new_bytes)
{
    for (; ctx; ctx = ctx->parent)
        account_one(ctx, old_bytes, new_bytes);
}

/* A block begins with its size. */
enum { HEAD = 16 };

static size_t size_of(const void *p)
{
    size_t n = 0;
    if (p)
        memcpy(&n, (const char *)p - HEAD, sizeof n);
    return n;
}

void *dpl__resize(dpl_ctx *ctx, void *p, size_t n)
{
    const size_t n_old = size_of(p);
    char *head = p ? (char *)p - HEAD : NULL;
    if (n == 0) {
        dpl__free(ctx, p);
        return NULL;
    }
    if (n > SIZE_MAX - HEAD)
        return NULL;
    head = ctx->allocator.resize(ctx->allocator.user, head, p ? n_old + HEAD : 0, n + HEAD);
    if (!head)
        return NULL;
    memcpy(head, &n, sizeof n);
    account(ctx, n_old, n);
    return head + HEAD;
}

void *dpl__alloc(dpl_ctx *ctx, size_t n)
{
    return n ? dpl__resize(ctx, NULL, n) : NULL;
}

void *dpl__calloc(dpl_ctx *ctx, size_t n, size_t size)
{
    if (size && n > SIZE_MAX / size)
        return NULL;
    void *p = dpl__alloc(ctx, n * size);
    if (p)
        memset(p, 0, n * size);
    return p;
}

void dpl__free_each(dpl_ctx *ctx, void *const *p, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        const size_t n_bytes = size_of(p[i]);
        if (!p[i])
            continue;
        ctx->allocator.resize(ctx->allocator.user, (char *)p[i] - HEAD, n_bytes + HEAD, 0);
        account(ctx, n_bytes, 0);
    }
}

uint64_t dpl__ctx_used(const dpl_ctx *ctx)
{
    return atomic_load_explicit(&ctx->used, memory_order_relaxed);
}

double dpl__now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

bool dpl__is_cancelled(const dpl_ctx *ctx)
{
    for (; ctx; ctx = ctx->parent)
        if (atomic_load_explicit(&ctx->is_cancelled, memory_order_relaxed))
            return true;
    return false;
}

static dpl_status report(dpl_ctx *ctx, const dpl_progress *progress, dpl_error *err)
{
    if (ctx->progress && ctx->progress(ctx->progress_user, progress) != 0)
        return dpl__fail(err, DPL_E_STOPPED, "stopped");
    return DPL_OK;
}

dpl_status dpl__progress_again(dpl_ctx *ctx, dpl_error *err)
{
    if (dpl__is_cancelled(ctx))
        return dpl__fail(err, DPL_E_STOPPED, "stopped");
    pthread_mutex_lock(&ctx->progress_lock);
    dpl_progress now = ctx->progress_now;
    ctx->progress_last = dpl__now();
    pthread_mutex_unlock(&ctx->progress_lock);
    return report(ctx, &now, err);
}

_Thread_local bool dpl__is_helper_thread;

dpl_status dpl__progress(dpl_ctx *ctx, const dpl_progress *progress, dpl_error *err)
{
    if (dpl__is_cancelled(ctx))
        return dpl__fail(err, DPL_E_STOPPED, "stopped");
    if (!ctx->progress || dpl__is_helper_thread)
        return DPL_OK;
    bool is_last = progress->total && progress->done == progress->total;
    double now = dpl__now();
    pthread_mutex_lock(&ctx->progress_lock);
    ctx->progress_now = *progress;
    bool is_due = is_last || now - ctx->progress_last >= 0.1;
    if (is_due)
        ctx->progress_last = now;
    pthread_mutex_unlock(&ctx->progress_lock);
    return is_due ? report(ctx, progress, err) : DPL_OK;
}

void dpl__note(const dpl_ctx *ctx, const char *fmt, ...)
{
    char text[1000];
    va_list ap;
    if (!ctx->note)
        return;
    va_start(ap, fmt);
    vsnprintf(text, sizeof text, fmt, ap);
    va_end(ap);
    ctx->note(ctx->note_user, text);
}
