/*
 * watch.h - the files that are served, as they were when they were opened. Frozen once filled.
 *
 * A file that another has taken the place of (a rename, as our own writers do) is still there
 * for readers that have it mapped. One that is overwritten in place is not: what was read of it
 * before no longer fits to what is read now, and a page behind its new end cannot be read at
 * all (SIGBUS).
 */
#ifndef DPL_SERVE_WATCH_H
#define DPL_SERVE_WATCH_H

#include "base/vec.h"

#include <sys/stat.h>

typedef struct dpl__watched {
    char path[4200];
    struct stat was;
    bool is_mapped; /* read while it is served, not only when it is opened */
} dpl__watched;

typedef struct dpl__watch {
    DPL_VEC(dpl__watched) files;
} dpl__watch;

/* The most serious change of a file. One that was removed has not changed. */
typedef enum dpl__change { DPL__UNCHANGED = 0, DPL__REPLACED, DPL__OVERWRITTEN } dpl__change;

/* Before the file is opened; one that is not there is not watched. */
dpl_status dpl__watch_add(dpl__watch *w, dpl_ctx *ctx, const char *path, bool is_mapped,
                          dpl_error *err);
void dpl__watch_clear(dpl__watch *w, dpl_ctx *ctx);
/* *state, which may be NULL: a number that is the same while no file changes. */
dpl__change dpl__watch_look(const dpl__watch *w, uint64_t *state);

#endif
