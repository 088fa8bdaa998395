/*
 * merge.h - merges sorted runs.
 *
 * dpl__merge finds which of k runs has the element that comes next: a binary heap of pointers
 * to runs, log k comparisons for each element. A run is a struct of the caller's; dpl__run is
 * one for elements of a fixed size, in memory or in a spool that is read through a window:
 *
 *     for (i = 0; i < n_runs; i++) {
 *         DPL_TRY(dpl__run_fill(&runs[i], err));
 *         dpl__merge_add(&merge, &runs[i], dpl__run_has_one(&runs[i]));
 *     }
 *     dpl__merge_begin(&merge, is_before, user);
 *     while (merge.n) {
 *         dpl__run *first = merge.heap[0];
 *         take(first->at);
 *         DPL_TRY(dpl__run_next(first, sizeof(element), err));
 *         dpl__merge_next(&merge, dpl__run_has_one(first), is_before, user);
 *     }
 */
#ifndef DPL_IO_MERGE_H
#define DPL_IO_MERGE_H

#include "io/spill.h"

typedef struct dpl__merge {
    void *
        *heap; /* [0] is the run with the first element; the caller's, with room for all runs */
    size_t n;  /* runs that have an element left */
} dpl__merge;

/* Whether the next element of run a comes before that of run b. Where elements may be equal,
 * the addresses of the runs decide, or the order among equal elements is any. */
typedef bool dpl__merge_before(const void *user, const void *a, const void *b);

/* is_before is an argument of inline functions, not a field, so that it is inlined, too. */
static inline void dpl__merge_sift(dpl__merge *m, size_t i, dpl__merge_before *is_before,
                                   const void *user)
{
    assert(i < m->n);
    void **heap = m->heap, *moved = heap[i];
    size_t n = m->n;
    for (size_t child; (child = 2 * i + 1) < n; i = child) {
        if (child + 1 < n && is_before(user, heap[child + 1], heap[child]))
            child++;
        if (!is_before(user, heap[child], moved))
            break;
        heap[i] = heap[child];
    }
    heap[i] = moved;
}

/* Adds a run if it has an element. */
static inline void dpl__merge_add(dpl__merge *m, void *run, bool has_one)
{
    if (has_one)
        m->heap[m->n++] = run;
}

/* Once all runs are added. */
static inline void dpl__merge_begin(dpl__merge *m, dpl__merge_before *is_before,
                                    const void *user)
{
    for (size_t i = m->n / 2; i-- > 0;)
        dpl__merge_sift(m, i, is_before, user);
}

/* After heap[0] moved to its next element; has_one is false if there was none. */
static inline void dpl__merge_next(dpl__merge *m, bool has_one, dpl__merge_before *is_before,
                                   const void *user)
{
    assert(m->n > 0);
    if (!has_one)
        m->heap[0] = m->heap[--m->n];
    if (m->n)
        dpl__merge_sift(m, 0, is_before, user);
}

/* ---- runs of elements of a fixed size ----------------------------------------------- */

typedef struct dpl__run {
    const char *at, *end;       /* elements in memory; `at` is the next one */
    const dpl__spool *file;     /* NULL: no other elements */
    uint64_t file_at, file_end; /* bytes that were not read yet */
    void *window;
    size_t n_window; /* bytes; whole elements */
} dpl__run;

/* Reads the next window if no element is in memory. */
dpl_status dpl__run_fill(dpl__run *run, dpl_error *err);

static inline bool dpl__run_has_one(const dpl__run *run)
{
    return run->at < run->end;
}

/* Moves to the next element. */
static inline dpl_status dpl__run_next(dpl__run *run, size_t n_bytes, dpl_error *err)
{
    assert(run->at + n_bytes <= run->end);
    run->at += n_bytes;
    return run->at < run->end ? DPL_OK : dpl__run_fill(run, err);
}

#endif
