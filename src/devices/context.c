/*
 * context.c - puts the context together: allocator, kernels, threads, device.
 */
#define _GNU_SOURCE /* sched_getaffinity, madvise */
#include "base/ctx.h"
#include "base/mappings.h"
#include "base/sized.h"
#include "devices/device.h"
#include "kernels/kernels.h"
#include "par/pool.h"

#include <sched.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

enum { MOST_THREADS = 1024 };
static const uint64_t DEFAULT_SEED = 20110724; /* any fixed number will do */

/* Large blocks are tables that are read at random: pages of 2 MiB save most of the time that is
 * spent on finding pages, and most page faults. A wish only, and whole pages only. */
enum { HUGE_PAGE = 2 << 20, LARGE_BLOCK = HUGE_PAGE };

static void use_huge_pages(void *p, size_t n)
{
#ifdef MADV_HUGEPAGE
    const uintptr_t begin = ((uintptr_t)p + HUGE_PAGE - 1) / HUGE_PAGE * HUGE_PAGE,
                    end = ((uintptr_t)p + n) / HUGE_PAGE * HUGE_PAGE;
    if (end > begin)
        (void)madvise((char *)p + (begin - (uintptr_t)p), end - begin, MADV_HUGEPAGE);
#else
    (void)p, (void)n;
#endif
}

/* A larger block is a new one: huge pages are wished for before bytes are copied into them, and
 * realloc() would copy, too, since mremap() refuses memory of which a part has another wish. */
static void *libc_resize(void *user, void *p, size_t old_bytes, size_t new_bytes)
{
    (void)user;
    if (new_bytes == 0) {
        free(p);
        return NULL;
    }
    if (new_bytes < LARGE_BLOCK || (p && new_bytes <= old_bytes))
        return realloc(p, new_bytes);
    void *q = NULL;
    if (posix_memalign(&q, HUGE_PAGE, new_bytes))
        return NULL;
    use_huge_pages(q, new_bytes);
    if (p)
        memcpy(q, p, old_bytes);
    free(p);
    return q;
}

static unsigned usable_processors(void)
{
    long n = sysconf(_SC_NPROCESSORS_ONLN);
#ifdef __linux__
    cpu_set_t set;
    if (sched_getaffinity(0, sizeof set, &set) == 0)
        n = CPU_COUNT(&set);
#endif
    return n > 0 ? (unsigned)n : 1;
}

static uint64_t half_of_memory(void)
{
    long pages = sysconf(_SC_PHYS_PAGES), page = sysconf(_SC_PAGESIZE);
    return pages > 0 && page > 0 ? (uint64_t)pages * (uint64_t)page / 2 : (uint64_t)1 << 30;
}

dpl_status dpl_ctx_new(dpl_ctx **out, const dpl_ctx_options *options, dpl_error *err)
{
    *out = NULL;
    dpl_ctx_options o;
    DPL_TRY(DPL__TAKE(&o, options, err));
    if (!o.allocator.resize)
        o.allocator = (dpl_allocator){libc_resize, NULL};
    if (!o.n_threads)
        o.n_threads = usable_processors();
    if (o.n_threads > MOST_THREADS)
        return dpl__fail(err, DPL_E_USAGE, "%u threads are more than %d", o.n_threads,
                         MOST_THREADS);
    if (o.cpu == DPL_CPU_AUTO)
        o.cpu = dpl_cpu_best();
    if (!dpl_cpu_name(o.cpu) || o.cpu > dpl_cpu_best())
        return dpl__fail(err, DPL_E_UNSUPPORTED, "this machine has no '%s', its best is '%s'",
                         dpl_cpu_name(o.cpu) ? dpl_cpu_name(o.cpu) : "?",
                         dpl_cpu_name(dpl_cpu_best()));
    const dpl_device_table *device = NULL;
    if (o.device && strcmp(o.device, "auto") != 0)
        DPL_TRY(dpl__device_choose(&device, o.device, err));
    dpl_ctx *ctx = o.allocator.resize(o.allocator.user, NULL, 0, sizeof *ctx);
    DPL_TRY(dpl__need(ctx, err));
    *ctx = (dpl_ctx){
        .allocator = o.allocator,
        .memory = o.memory ? o.memory : half_of_memory(),
        .seed = o.seed ? o.seed : DEFAULT_SEED,
        .n_threads = o.n_threads,
        .cpu = o.cpu,
        .kernels = dpl__kernels_for(o.cpu),
        .device = device,
        .progress = o.progress,
        .progress_now = {.stage = "start", .unit = "bytes"},
        .progress_user = o.progress_user,
        .note = o.note,
        .note_user = o.note_user,
    };
    pthread_mutex_init(&ctx->progress_lock, NULL);
    dpl__mappings_init(ctx);
    dpl_status status = dpl__pool_new(&ctx->pool, ctx, o.n_threads - 1, err);
    if (status != DPL_OK) {
        dpl_ctx_free(ctx);
        return status;
    }
    *out = ctx;
    return DPL_OK;
}

dpl_status dpl_job_new(dpl_ctx **out, dpl_ctx *ctx, const dpl_job_options *options,
                       dpl_error *err)
{
    *out = NULL;
    dpl_job_options o;
    DPL_TRY(DPL__TAKE(&o, options, err));
    dpl_ctx *job = ctx->allocator.resize(ctx->allocator.user, NULL, 0, sizeof *job);
    DPL_TRY(dpl__need(job, err));
    *job = (dpl_ctx){
        .parent = ctx,
        .allocator = ctx->allocator,
        .memory = o.memory ? o.memory : ctx->memory,
        .seed = ctx->seed,
        .n_threads = ctx->n_threads,
        .cpu = ctx->cpu,
        .kernels = ctx->kernels,
        .device = ctx->device,
        .pool = ctx->pool,
        .shared = ctx->shared,
        .progress = o.progress ? o.progress : ctx->progress,
        .progress_now = {.stage = "start", .unit = "bytes"},
        .progress_user = o.progress ? o.progress_user : ctx->progress_user,
        .note = ctx->note,
        .note_user = ctx->note_user,
    };
    pthread_mutex_init(&job->progress_lock, NULL);
    pthread_mutex_init(&job->maps.lock, NULL);
    *out = job;
    return DPL_OK;
}

void dpl_job_cancel(dpl_ctx *job)
{
    atomic_store_explicit(&job->is_cancelled, true, memory_order_relaxed);
}

void dpl_ctx_free(dpl_ctx *ctx)
{
    if (!ctx)
        return;
    if (!ctx->parent)
        dpl__pool_free(ctx->pool);
    pthread_mutex_destroy(&ctx->maps.lock);
    pthread_mutex_destroy(&ctx->progress_lock);
    ctx->allocator.resize(ctx->allocator.user, ctx, sizeof *ctx, 0);
}

unsigned dpl_ctx_threads(const dpl_ctx *ctx)
{
    return ctx->n_threads;
}

uint64_t dpl_ctx_memory(const dpl_ctx *ctx)
{
    return ctx->memory;
}

uint64_t dpl_ctx_peak(const dpl_ctx *ctx)
{
    return atomic_load_explicit(&ctx->peak, memory_order_relaxed);
}

dpl_cpu dpl_ctx_cpu(const dpl_ctx *ctx)
{
    return ctx->cpu;
}
