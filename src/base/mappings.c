/*
 * mappings.c - the list of mappings, and how many pages of files are resident.
 */
#define _GNU_SOURCE /* madvise */
#include "base/mappings.h"

#include "base/ctx.h"

#ifdef __linux__
#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>
#endif

/* Mappings below a part of the limit are let alone, and so many pages may always be resident:
 * without them a run that has allocated all that it may would drop pages that it needs. */
enum { SMALL_PART = 8 };
static const double LOOK_SECONDS = 0.002;

static dpl_ctx *root_of(dpl_ctx *ctx)
{
    while (ctx->parent)
        ctx = ctx->parent;
    return ctx;
}

/* Resident bytes of files, of the whole process; 0: not known. */
static uint64_t resident_files(void)
{
#ifdef __linux__
    char text[128] = "", *at = text;
    const int fd = open("/proc/self/statm", O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return 0;
    const ssize_t n = read(fd, text, sizeof text - 1);
    close(fd);
    if (n <= 0)
        return 0;
    (void)strtoull(at, &at, 10); /* all */
    (void)strtoull(at, &at, 10); /* resident */
    return strtoull(at, &at, 10) * (uint64_t)sysconf(_SC_PAGESIZE);
#else
    return 0;
#endif
}

void dpl__mappings_add(dpl_ctx *ctx, dpl__mapping *map, const void *data, size_t n_bytes)
{
    dpl__mappings *m = &root_of(ctx)->maps;
    *map = (dpl__mapping){.data = (void *)(uintptr_t)data, .n_bytes = n_bytes};
    pthread_mutex_lock(&m->lock);
    if (!m->first)
        m->others = resident_files();
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

/* Under the lock. What is resident afterwards is code and files of others. */
static void forget_all(dpl__mappings *m)
{
#ifdef __linux__
    for (const dpl__mapping *map = m->first; map; map = map->next)
        (void)madvise(map->data, map->n_bytes, MADV_DONTNEED);
#endif
    m->others = resident_files();
}

void dpl__mappings_ease(dpl_ctx *ctx)
{
    ctx = root_of(ctx);
    dpl__mappings *m = &ctx->maps;
    const uint64_t least = ctx->memory / SMALL_PART;
    if (atomic_load_explicit(&m->n_bytes, memory_order_relaxed) <= least)
        return;
    if (pthread_mutex_trylock(&m->lock) != 0)
        return;
    const double now = dpl__now();
    if (now - m->looked >= LOOK_SECONDS) {
        const uint64_t used = dpl__ctx_used(ctx), files = resident_files();
        const uint64_t room = used < ctx->memory ? ctx->memory - used : 0;
        if (files > m->others + (room > least ? room : least))
            forget_all(m);
        m->looked = now;
    }
    pthread_mutex_unlock(&m->lock);
}
