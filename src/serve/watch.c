/*
 * watch.c - whether the files that are served are still those that were opened.
 */
#include "serve/watch.h"

#include "base/hash.h"

#include <stdio.h>

dpl_status dpl__watch_add(dpl__watch *w, dpl_ctx *ctx, const char *path, bool is_mapped,
                          dpl_error *err)
{
    struct stat st;
    if (stat(path, &st) != 0)
        return DPL_OK;
    DPL_TRY(dpl__need(dpl__vec_reserve(ctx, &w->files, 1), err));
    dpl__watched *f = &w->files.data[w->files.n++];
    snprintf(f->path, sizeof f->path, "%s", path);
    f->was = st;
    f->is_mapped = is_mapped;
    return DPL_OK;
}

void dpl__watch_clear(dpl__watch *w, dpl_ctx *ctx)
{
    dpl__vec_clear(ctx, &w->files);
}

static dpl__change compare(const dpl__watched *f, const struct stat *now)
{
    if (now->st_dev != f->was.st_dev || now->st_ino != f->was.st_ino)
        return DPL__REPLACED;
    if (now->st_size == f->was.st_size && now->st_mtim.tv_sec == f->was.st_mtim.tv_sec &&
        now->st_mtim.tv_nsec == f->was.st_mtim.tv_nsec)
        return DPL__UNCHANGED;
    return f->is_mapped ? DPL__OVERWRITTEN : DPL__REPLACED;
}

dpl__change dpl__watch_look(const dpl__watch *w, uint64_t *state)
{
    dpl__change worst = DPL__UNCHANGED;
    uint64_t sum = 1;
    for (size_t i = 0; i < w->files.n; i++) {
        struct stat now;
        if (stat(w->files.data[i].path, &now) != 0)
            continue;
        const dpl__change change = compare(&w->files.data[i], &now);
        worst = change > worst ? change : worst;
        const uint64_t parts[] = {i,
                                  (uint64_t)now.st_dev,
                                  (uint64_t)now.st_ino,
                                  (uint64_t)now.st_size,
                                  (uint64_t)now.st_mtim.tv_sec,
                                  (uint64_t)now.st_mtim.tv_nsec};
        sum = dpl__hash((const char *)parts, sizeof parts, sum);
    }
    if (state)
        *state = sum;
    return worst;
}
