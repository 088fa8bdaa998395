/*
 * mappings.c - the list of mappings, and how many pages of files are resident.
 */
#define _GNU_SOURCE /* madvise */
#include "base/mappings.h"

#include "base/ctx.h"

#include <math.h>

#ifdef __linux__
#include <fcntl.h>
#include <malloc.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>
#endif

/* Mappings below a part of the limit are let alone, and so many pages may always be resident:
 * without them a run that has allocated all that it may would drop pages that it needs. */
enum { SMALL_PART = 8, CODE_PART = 4, SMALL_BYTES = 32 << 20 };
static const double LOOK_SECONDS = 0.002, TRIM_SECONDS = 0.05;
/* Pages of a file in the system's cache come 16 at a time, in 1.5 to 3 microseconds. */
static const double MAPPED_PER_SECOND = 40e9;

static dpl_ctx *root_of(dpl_ctx *ctx)
{
    while (ctx->parent)
        ctx = ctx->parent;
    return ctx;
}

/* Resident bytes of the whole process; 0: not known. */
typedef struct resident {
    uint64_t files, others;
} resident;

static resident look(void)
{
    resident r = {0};
#ifdef __linux__
    char text[128] = "", *at = text;
    const int fd = open("/proc/self/statm", O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return r;
    const ssize_t n = read(fd, text, sizeof text - 1);
    close(fd);
    if (n <= 0)
        return r;
    const uint64_t page = (uint64_t)sysconf(_SC_PAGESIZE);
    (void)strtoull(at, &at, 10); /* addresses */
    const uint64_t all = strtoull(at, &at, 10) * page;
    r.files = dpl__min(strtoull(at, &at, 10) * page, all);
    r.others = all - r.files;
#endif
    return r;
}

void dpl__mappings_init(dpl_ctx *ctx)
{
    pthread_mutex_init(&ctx->maps.lock, NULL);
    ctx->maps.callers = look().others;
}

void dpl__mappings_add(dpl_ctx *ctx, dpl__mapping *map, const void *data, size_t n_bytes)
{
    assert(data && n_bytes);
    dpl__mappings *m = &root_of(ctx)->maps;
    *map = (dpl__mapping){.data = (void *)(uintptr_t)data, .n_bytes = n_bytes};
    pthread_mutex_lock(&m->lock);
    if (!m->first)
        m->code = look().files;
    map->next = m->first;
    if (m->first)
        m->first->previous = map;
    m->first = map;
    atomic_fetch_add_explicit(&m->n_bytes, n_bytes, memory_order_relaxed);
    pthread_mutex_unlock(&m->lock);
}

void dpl__mappings_remove(dpl_ctx *ctx, dpl__mapping *map)
{
    dpl__mappings *m = &root_of(ctx)->maps;
    if (!map->data)
        return;
    assert(map->n_bytes <= atomic_load_explicit(&m->n_bytes, memory_order_relaxed));
    pthread_mutex_lock(&m->lock);
    if (map->next)
        map->next->previous = map->previous;
    if (map->previous)
        map->previous->next = map->next;
    else
        m->first = map->next;
    atomic_fetch_sub_explicit(&m->n_bytes, map->n_bytes, memory_order_relaxed);
    pthread_mutex_unlock(&m->lock);
    *map = (dpl__mapping){0};
}

/* What the context's work has in memory that is no file: what is allocated through it, or what
 * is resident beyond what the caller had when the context was made (libraries, free memory that
 * was not given back, stacks of threads). */
static uint64_t in_use(dpl_ctx *ctx, uint64_t others)
{
    const uint64_t used = dpl__ctx_used(ctx), callers = ctx->maps.callers;
    return dpl__max(used, others > callers ? others - callers : 0);
}

/* Memory that was freed, and that the C library keeps for each thread. */
static void give_back_freed(void)
{
#ifdef __GLIBC__
    malloc_trim(0);
#endif
}

/* Under the lock. What is resident afterwards is code and files of others, and what other
 * threads have read in the meantime: only a part of `least` more than before is believed. */
static void forget_all(dpl__mappings *m, uint64_t least)
{
#ifdef __linux__
    for (const dpl__mapping *map = m->first; map; map = map->next)
        (void)madvise(map->data, map->n_bytes, MADV_DONTNEED);
#endif
    m->code = dpl__min(look().files, m->code + least / CODE_PART);
}

/* Whether the caller has the lock. Where little memory is left, threads wait for the one that
 * looks: should the system stop it meanwhile, the others would read whole files. */
static bool enter(dpl__mappings *m, bool must_wait)
{
    if (!must_wait)
        return pthread_mutex_trylock(&m->lock) == 0;
    pthread_mutex_lock(&m->lock);
    return true;
}

void dpl__mappings_ease(dpl_ctx *ctx)
{
    ctx = root_of(ctx);
    dpl__mappings *m = &ctx->maps;
    const uint64_t least = ctx->memory / SMALL_PART;
    if (atomic_load_explicit(&m->n_bytes, memory_order_relaxed) <= least)
        return;
    if (!enter(m, least < SMALL_BYTES))
        return;
    const double now = dpl__now();
    if (now - m->looked >= fmin(LOOK_SECONDS, (double)least / MAPPED_PER_SECOND)) {
        resident r = look();
        const uint64_t limit = ctx->memory - least; /* more comes before the next look */
        if (r.files + in_use(ctx, r.others) > limit &&
            in_use(ctx, r.others) > dpl__ctx_used(ctx) + least &&
            now - m->trimmed >= TRIM_SECONDS) {
            give_back_freed();
            r = look();
            m->trimmed = now;
        }
        const uint64_t used = in_use(ctx, r.others), room = used < limit ? limit - used : 0;
        if (r.files > dpl__max(room, m->code + least))
            forget_all(m, least);
        m->looked = now;
    }
    pthread_mutex_unlock(&m->lock);
}

void dpl__mappings_give_back(dpl_ctx *ctx)
{
    ctx = root_of(ctx);
    dpl__mappings *m = &ctx->maps;
    give_back_freed();
    pthread_mutex_lock(&m->lock);
    forget_all(m, ctx->memory / SMALL_PART);
    pthread_mutex_unlock(&m->lock);
}
