/*
 * cache.h - answers of a translator, kept in a file: sentence, tab, answer. Owned.
 */
#ifndef DPL_TRANSLATE_CACHE_H
#define DPL_TRANSLATE_CACHE_H

#include "tokens/terms.h"

typedef struct dpl__cache {
    dpl_ctx *ctx;
    dpl__terms sentences;
    DPL_VEC(dpl_str) answers; /* of each; in the arena */
    dpl__arena arena;
    int fd; /* -1: nothing is kept */
} dpl__cache;

/* folder may be NULL: nothing is kept. Each command has a file of its own. */
dpl_status dpl__cache_open(dpl__cache *c, dpl_ctx *ctx, const char *folder, const char *command,
                           dpl_error *err);
void dpl__cache_close(dpl__cache *c);
/* NULL: not there. Borrowed until something is added. */
const dpl_str *dpl__cache_find(dpl__cache *c, dpl_str sentence);
dpl_status dpl__cache_add(dpl__cache *c, dpl_str sentence, dpl_str answer, dpl_error *err);

#endif
