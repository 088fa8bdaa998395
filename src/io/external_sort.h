/*
 * external_sort.h - sorts records of one size, in temporary files when they do not fit. Owned.
 *
 *     typedef struct word_count { uint64_t word, n; } word_count;
 *
 *     static bool is_before(const word_count *a, const word_count *b) { ... }
 *     static bool join(word_count *a, const word_count *b) { ... }
 *
 *     DPL_EXTERNAL_SORT(word_sort, word_count, is_before, join);
 *
 *     word_sort s;
 *     word_sort_init(&s, spill, share);
 *     while (...)
 *         DPL_TRY(word_sort_add(&s, &record, err));
 *     DPL_TRY(word_sort_end(&s, err));
 *     while ((status = word_sort_next(&s, &record, err)) == DPL_OK)
 *         ...
 *     word_sort_clear(&s);
 *
 * Records gather in a buffer of half the share; the other half is for sorting it, and for
 * reading runs. A full buffer is sorted on all threads and goes to a temporary file as a run,
 * unless joining equal records halved it. DPL__MOST_RUNS runs are merged into one, so that the
 * file stays within a few times of what is different. In the end runs and buffer are merged
 * through a heap. Cost: O(n log n) comparisons, each record written once or twice.
 *
 * Equal records come in the order they were added; where there is a join, the first one takes
 * the others in. Records of differing sizes: dpl__sorter (spill.h). Runs that are made in
 * another way are merged by DPL_RUNS alone.
 */
#ifndef DPL_IO_EXTERNAL_SORT_H
#define DPL_IO_EXTERNAL_SORT_H

#include "io/merge.h"
#include "par/sort.h"

enum { DPL__LEAST_RECORDS = 1 << 10, DPL__MOST_RUNS = 64 };

/* ---- sorted runs ---------------------------------------------------------------------- */

/* Runs of records of one size in one file. Zeroed memory may be cleared. */
typedef struct dpl__runs {
    dpl__spill *spill;
    size_t n_record, share; /* bytes: of a record, of all windows together */
    dpl__spool file;
    DPL_VEC(uint64_t) ends; /* of each run, in the file */
    dpl__run *sources;      /* the runs, and what is in memory */
    size_t n_sources;
    dpl__merge merge;
    char *windows;
} dpl__runs;

void dpl__runs_init(dpl__runs *r, dpl__spill *spill, size_t n_record, size_t share);
void dpl__runs_clear(dpl__runs *r);
/* Appends n records to the run that is being written. */
dpl_status dpl__runs_append(dpl__runs *r, const void *records, size_t n, dpl_error *err);
/* What was appended since the last one is a run. */
dpl_status dpl__runs_end_run(dpl__runs *r, dpl_error *err);
/* Opens all runs and `held`, n records in memory that are in order and come last among equal
 * ones, for merging; borrowed meanwhile. dpl__merge_begin follows. Again: from the first one.
 */
dpl_status dpl__runs_open(dpl__runs *r, const void *held, size_t n, dpl_error *err);
void dpl__runs_close(dpl__runs *r);

/* For JOIN: all records are given back. */
#define DPL_KEEP_ALL(a, b) ((void)(a), (void)(b), false)

/* Defines the merge of runs of a type. IS_BEFORE(a, b): whether *a comes before *b. JOIN(a, b):
 * whether *b, which follows, is equal to *a and is part of it now. */
#define DPL_RUNS(NAME, RECORD, IS_BEFORE, JOIN)                                                \
    DPL_MAYBE_UNUSED static inline const RECORD *NAME##_head(const void *run)                  \
    {                                                                                          \
        return (const void *)((const dpl__run *)run)->at;                                      \
    }                                                                                          \
                                                                                               \
    DPL_MAYBE_UNUSED static inline bool NAME##_is_before(const void *user, const void *a,      \
                                                         const void *b)                        \
    {                                                                                          \
        (void)user;                                                                            \
        return IS_BEFORE(NAME##_head(a), NAME##_head(b)) ||                                    \
               (a < b && !IS_BEFORE(NAME##_head(b), NAME##_head(a)));                          \
    }                                                                                          \
                                                                                               \
    /* As dpl__runs_open; NAME_next follows. */                                                \
    DPL_MAYBE_UNUSED static inline dpl_status NAME##_open(dpl__runs *r, const RECORD *held,    \
                                                          size_t n, dpl_error *err)            \
    {                                                                                          \
        assert(r->n_record == sizeof(RECORD));                                                 \
        DPL_TRY(dpl__runs_open(r, held, n, err));                                              \
        dpl__merge_begin(&r->merge, NAME##_is_before, NULL);                                   \
        return DPL_OK;                                                                         \
    }                                                                                          \
                                                                                               \
    /* DPL_END after the last one. */                                                          \
    DPL_MAYBE_UNUSED static inline dpl_status NAME##_next(dpl__runs *r, RECORD *out,           \
                                                          dpl_error *err)                      \
    {                                                                                          \
        dpl__merge *m = &r->merge;                                                             \
        if (!m->n)                                                                             \
            return DPL_END;                                                                    \
        *out = *NAME##_head(m->heap[0]);                                                       \
        do {                                                                                   \
            dpl__run *first = m->heap[0];                                                      \
            DPL_TRY(dpl__run_next(first, sizeof(RECORD), err));                                \
            dpl__merge_next(m, dpl__run_has_one(first), NAME##_is_before, NULL);               \
        } while (m->n && JOIN(out, NAME##_head(m->heap[0])));                                  \
        return DPL_OK;                                                                         \
    }                                                                                          \
                                                                                               \
    DPL_MAYBE_UNUSED static inline dpl_status NAME##_copy(dpl__runs *r, dpl__runs *to,         \
                                                          dpl_error *err)                      \
    {                                                                                          \
        RECORD next;                                                                           \
        dpl_status status;                                                                     \
        DPL_TRY(NAME##_open(r, NULL, 0, err));                                                 \
        while ((status = NAME##_next(r, &next, err)) == DPL_OK)                                \
            DPL_TRY(dpl__runs_append(to, &next, 1, err));                                      \
        return status == DPL_END ? dpl__runs_end_run(to, err) : status;                        \
    }                                                                                          \
                                                                                               \
    /* What was appended is a run; if there are DPL__MOST_RUNS, they become one. */            \
    DPL_MAYBE_UNUSED static inline dpl_status NAME##_end_run(dpl__runs *r, dpl_error *err)     \
    {                                                                                          \
        dpl__runs joined;                                                                      \
        DPL_TRY(dpl__runs_end_run(r, err));                                                    \
        if (r->ends.n < DPL__MOST_RUNS)                                                        \
            return DPL_OK;                                                                     \
        dpl__runs_init(&joined, r->spill, sizeof(RECORD), r->share);                           \
        dpl_status status = NAME##_copy(r, &joined, err);                                      \
        dpl__runs_clear(status == DPL_OK ? r : &joined);                                       \
        if (status == DPL_OK)                                                                  \
            *r = joined;                                                                       \
        return status;                                                                         \
    }                                                                                          \
    struct NAME##_runs /* a semicolon follows */

/* ---- the sort ------------------------------------------------------------------------- */

/* Defines the type NAME and its functions. IS_BEFORE and JOIN as above. */
#define DPL_EXTERNAL_SORT(NAME, RECORD, IS_BEFORE, JOIN)                                       \
    DPL_MAYBE_UNUSED static inline int NAME##_compare(const void *a, const void *b)            \
    {                                                                                          \
        const RECORD *x = a, *y = b;                                                           \
        return IS_BEFORE(x, y) ? -1 : IS_BEFORE(y, x);                                         \
    }                                                                                          \
                                                                                               \
    DPL_MAYBE_UNUSED static inline dpl_status NAME##_sort_records(dpl_ctx *ctx, RECORD *all,   \
                                                                  size_t n, dpl_error *err)    \
    {                                                                                          \
        return dpl__parallel_sort(ctx, all, n, sizeof(RECORD), NAME##_compare, err);           \
    }                                                                                          \
    DPL_EXTERNAL_SORT_BY(NAME, RECORD, IS_BEFORE, JOIN, NAME##_sort_records)

/* The same where SORT(ctx, records, n, err), which is stable, puts the buffer in order. */
#define DPL_EXTERNAL_SORT_BY(NAME, RECORD, IS_BEFORE, JOIN, SORT)                              \
    DPL_RUNS(NAME##_runs, RECORD, IS_BEFORE, JOIN);                                            \
                                                                                               \
    typedef struct NAME {                                                                      \
        dpl__runs runs;                                                                        \
        DPL_VEC(RECORD) buffer;                                                                \
        size_t most; /* records in the buffer */                                               \
        bool is_sorted;                                                                        \
    } NAME;                                                                                    \
                                                                                               \
    DPL_MAYBE_UNUSED static inline void NAME##_init(NAME *s, dpl__spill *spill, size_t share)  \
    {                                                                                          \
        *s = (NAME){.most = dpl__max(share / 2 / sizeof(RECORD), DPL__LEAST_RECORDS)};         \
        dpl__runs_init(&s->runs, spill, sizeof(RECORD), share / 2);                            \
    }                                                                                          \
                                                                                               \
    DPL_MAYBE_UNUSED static inline void NAME##_clear(NAME *s)                                  \
    {                                                                                          \
        if (!s->runs.spill)                                                                    \
            return;                                                                            \
        dpl__vec_clear(s->runs.spill->ctx, &s->buffer);                                        \
        dpl__runs_clear(&s->runs);                                                             \
    }                                                                                          \
                                                                                               \
    DPL_MAYBE_UNUSED static inline dpl_status NAME##_sort_buffer(NAME *s, dpl_error *err)      \
    {                                                                                          \
        size_t n = 0;                                                                          \
        DPL_TRY(SORT(s->runs.spill->ctx, s->buffer.data, s->buffer.n, err));                   \
        for (size_t i = 0; i < s->buffer.n; i++)                                               \
            if (!n || !JOIN(&s->buffer.data[n - 1], &s->buffer.data[i]))                       \
                s->buffer.data[n++] = s->buffer.data[i];                                       \
        s->buffer.n = n;                                                                       \
        return DPL_OK;                                                                         \
    }                                                                                          \
                                                                                               \
    DPL_MAYBE_UNUSED static inline dpl_status NAME##_spill(NAME *s, dpl_error *err)            \
    {                                                                                          \
        DPL_TRY(NAME##_sort_buffer(s, err));                                                   \
        if (s->buffer.n <= s->most / 2)                                                        \
            return DPL_OK;                                                                     \
        DPL_TRY(dpl__runs_append(&s->runs, s->buffer.data, s->buffer.n, err));                 \
        s->buffer.n = 0;                                                                       \
        return NAME##_runs_end_run(&s->runs, err);                                             \
    }                                                                                          \
                                                                                               \
    DPL_MAYBE_UNUSED static inline dpl_status NAME##_add_all(NAME *s, const RECORD *added,     \
                                                             size_t n, dpl_error *err)         \
    {                                                                                          \
        assert(!s->is_sorted);                                                                 \
        while (n) {                                                                            \
            if (s->buffer.n == s->most)                                                        \
                DPL_TRY(NAME##_spill(s, err));                                                 \
            const size_t some = dpl__min(n, s->most - s->buffer.n);                            \
            if (!dpl__vec_append(s->runs.spill->ctx, &s->buffer, added, some))                 \
                return dpl__fail_nomem(err);                                                   \
            added += some;                                                                     \
            n -= some;                                                                         \
        }                                                                                      \
        return DPL_OK;                                                                         \
    }                                                                                          \
                                                                                               \
    DPL_MAYBE_UNUSED static inline dpl_status NAME##_add(NAME *s, const RECORD *added,         \
                                                         dpl_error *err)                       \
    {                                                                                          \
        assert(!s->is_sorted);                                                                 \
        if (s->buffer.n == s->most)                                                            \
            DPL_TRY(NAME##_spill(s, err));                                                     \
        return dpl__vec_push(s->runs.spill->ctx, &s->buffer, *added) ? DPL_OK                  \
                                                                     : dpl__fail_nomem(err);   \
    }                                                                                          \
                                                                                               \
    /* Ends adding. On the caller's thread: sorts on all of them. */                           \
    DPL_MAYBE_UNUSED static inline dpl_status NAME##_end(NAME *s, dpl_error *err)              \
    {                                                                                          \
        assert(!s->is_sorted);                                                                 \
        s->is_sorted = true;                                                                   \
        DPL_TRY(NAME##_sort_buffer(s, err));                                                   \
        return NAME##_runs_open(&s->runs, s->buffer.data, s->buffer.n, err);                   \
    }                                                                                          \
                                                                                               \
    /* DPL_END after the last one. */                                                          \
    DPL_MAYBE_UNUSED static inline dpl_status NAME##_next(NAME *s, RECORD *out,                \
                                                          dpl_error *err)                      \
    {                                                                                          \
        return NAME##_runs_next(&s->runs, out, err);                                           \
    }                                                                                          \
    struct NAME /* a semicolon follows */

#endif
