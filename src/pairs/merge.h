/*
 * merge.h - k sorted runs in memory become one.
 */
#ifndef DPL_PAIRS_MERGE_H
#define DPL_PAIRS_MERGE_H

#include "base/base.h"

typedef struct dpl__run {
    const char *at, *end; /* elements, in order */
} dpl__run;

/* Calls take for every element in order, of equal ones in the order of the runs. The runs are
 * used up; heap has room for n_runs. */
typedef struct dpl__merge {
    dpl__run *runs, **heap;
    size_t n_runs;
    size_t n_bytes; /* of an element */
    int (*compare)(const void *a, const void *b);
    void (*take)(void *user, const void *element);
    void *user;
} dpl__merge;

void dpl__merge_runs(const dpl__merge *m);

#endif
