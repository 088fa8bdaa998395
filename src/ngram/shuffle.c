/*
 * shuffle.c - external sort of postings by n-gram; postings of one n-gram keep their order.
 *
 * Fingerprints are evenly spread: the first byte deals the postings into 256 parts, which
 * threads sort by the next four bytes; what agrees in these forty bits and is not the same
 * n-gram (one pair in a million) is put in order by insertion. Parts of the buffer together are
 * a run; when the share is used up, it goes to a temporary file, and runs are merged in the
 * end. Cost: six passes over the memory, every posting written at most once.
 */
#include "ngram/shuffle.h"

#include "base/ctx.h"
#include "io/merge.h"
#include "par/pool.h"

enum { N_PARTS = 256, LEAST = 1 << 12, MOST_RUNS = 256, RECORD = sizeof(dpl_ngram_posting) };

typedef DPL_VEC(dpl_ngram_posting) postings;

typedef struct run {
    uint64_t begin, end; /* in bytes */
} run;

struct dpl__shuffle {
    dpl_ctx *ctx;
    dpl__spill *spill;
    size_t most; /* postings in the buffer */
    uint64_t n_added;
    postings buffer;
    dpl_ngram_posting *sorted; /* where the buffer is sorted to */
    size_t n_sorted;           /* room */
    size_t begin[N_PARTS + 1];
    dpl__spool file;
    DPL_VEC(run) runs;
    /* taking them out */
    dpl__run sources[MOST_RUNS + 1];
    void *heap[MOST_RUNS + 1];
    dpl__merge merge;
    char *windows;
    size_t n_windows; /* bytes */
    postings list;    /* of the n-gram given last */
};

dpl_status dpl__shuffle_new(dpl__shuffle **out, dpl__spill *spill, size_t share, dpl_error *err)
{
    *out = NULL;
    dpl__shuffle *s = dpl__calloc(spill->ctx, 1, sizeof *s);
    if (!s)
        return dpl__fail_nomem(err);
    s->ctx = spill->ctx;
    s->spill = spill;
    s->most = dpl__max(share / 2 / RECORD, LEAST); /* half is for the sorted ones */
    dpl__spool_init(&s->file, spill, 0);
    *out = s;
    return DPL_OK;
}

static void free_sorted(dpl__shuffle *s)
{
    dpl__free(s->ctx, s->sorted, s->n_sorted * RECORD);
    s->sorted = NULL;
    s->n_sorted = 0;
}

void dpl__shuffle_free(dpl__shuffle *s)
{
    if (!s)
        return;
    dpl__vec_clear(s->ctx, &s->list);
    dpl__free(s->ctx, s->windows, s->n_windows);
    dpl__vec_clear(s->ctx, &s->runs);
    dpl__spool_clear(&s->file);
    free_sorted(s);
    dpl__vec_clear(s->ctx, &s->buffer);
    dpl__free(s->ctx, s, sizeof *s);
}

/* ---- sorting the buffer --------------------------------------------------------------- */

static void deal(dpl__shuffle *s)
{
    size_t counts[N_PARTS] = {0}, at = 0;
    for (size_t i = 0; i < s->buffer.n; i++)
        counts[s->buffer.data[i].ngram >> 56]++;
    for (size_t b = 0; b < N_PARTS; b++) {
        s->begin[b] = at;
        at += counts[b];
        counts[b] = s->begin[b];
    }
    s->begin[N_PARTS] = at;
    for (size_t i = 0; i < s->buffer.n; i++)
        s->sorted[counts[s->buffer.data[i].ngram >> 56]++] = s->buffer.data[i];
}

static void pass(dpl_ngram_posting *to, const dpl_ngram_posting *from, size_t n, unsigned shift)
{
    size_t counts[256] = {0}, at = 0;
    for (size_t i = 0; i < n; i++)
        counts[from[i].ngram >> shift & 255]++;
    for (size_t b = 0; b < 256; b++) {
        size_t count = counts[b];
        counts[b] = at;
        at += count;
    }
    for (size_t i = 0; i < n; i++)
        to[counts[from[i].ngram >> shift & 255]++] = from[i];
}

static void finish(dpl_ngram_posting *p, size_t n)
{
    for (size_t i = 1; i < n; i++) {
        dpl_ngram_posting x = p[i];
        size_t j = i;
        for (; j > 0 && p[j - 1].ngram > x.ngram; j--)
            p[j] = p[j - 1];
        p[j] = x;
    }
}

/* The buffer was dealt to s->sorted, so its own memory is free for the passes: four of them
 * lead back to s->sorted. */
static dpl_status sort_part(void *user, size_t part, unsigned worker, dpl_error *err)
{
    (void)worker, (void)err;
    dpl__shuffle *s = user;
    size_t begin = s->begin[part], n = s->begin[part + 1] - begin;
    dpl_ngram_posting *a = s->sorted + begin, *b = s->buffer.data + begin;
    if (n > 32) {
        pass(b, a, n, 24);
        pass(a, b, n, 32);
        pass(b, a, n, 40);
        pass(a, b, n, 48);
    }
    finish(a, n);
    return DPL_OK;
}

static dpl_status sort_buffer(dpl__shuffle *s, dpl_error *err)
{
    if (s->buffer.n > s->n_sorted) {
        free_sorted(s);
        s->sorted = dpl__alloc(s->ctx, s->buffer.n * RECORD);
        if (!s->sorted)
            return dpl__fail_nomem(err);
        s->n_sorted = s->buffer.n;
    }
    if (!s->buffer.n)
        return DPL_OK;
    deal(s);
    return dpl__parallel_for(s->ctx, N_PARTS, s, sort_part, err);
}

/* ---- runs ----------------------------------------------------------------------------- */

static bool is_before(const void *user, const void *a, const void *b)
{
    (void)user;
    const dpl_ngram_posting *x = (const void *)((const dpl__run *)a)->at;
    const dpl_ngram_posting *y = (const void *)((const dpl__run *)b)->at;
    return x->ngram != y->ngram ? x->ngram < y->ngram : a < b; /* earlier runs first */
}

static dpl_status begin_merge(dpl__shuffle *s, dpl_error *err)
{
    size_t n = s->runs.n, window = s->most / (n + 1) * RECORD;
    window = dpl__max(window, RECORD);
    if (n) {
        s->windows = dpl__alloc(s->ctx, n * window);
        if (!s->windows)
            return dpl__fail_nomem(err);
        s->n_windows = n * window;
    }
    for (size_t i = 0; i < n; i++)
        s->sources[i] = (dpl__run){.file = &s->file,
                                   .file_at = s->runs.data[i].begin,
                                   .file_end = s->runs.data[i].end,
                                   .window = s->windows + i * window,
                                   .n_window = window};
    const char *at = (const char *)s->sorted;
    s->sources[n] = (dpl__run){.at = at, .end = at ? at + s->buffer.n * RECORD : at};
    s->merge = (dpl__merge){.heap = s->heap};
    for (size_t i = 0; i <= n; i++) {
        DPL_TRY(dpl__run_fill(&s->sources[i], err));
        dpl__merge_add(&s->merge, &s->sources[i], dpl__run_has_one(&s->sources[i]));
    }
    dpl__merge_begin(&s->merge, is_before, NULL);
    return DPL_OK;
}

static dpl_status next_posting(dpl__shuffle *s, dpl_error *err)
{
    dpl__run *first = s->merge.heap[0];
    DPL_TRY(dpl__run_next(first, RECORD, err));
    dpl__merge_next(&s->merge, dpl__run_has_one(first), is_before, NULL);
    return DPL_OK;
}

static const dpl_ngram_posting *head(const dpl__shuffle *s)
{
    return s->merge.n ? (const void *)((const dpl__run *)s->merge.heap[0])->at : NULL;
}

/* All runs of the file become one behind them. */
static dpl_status join_runs(dpl__shuffle *s, dpl_error *err)
{
    size_t held = s->buffer.n;
    s->buffer.n = 0;
    run joined = {dpl__spool_size(&s->file), 0};
    DPL_TRY(begin_merge(s, err));
    postings out = {0};
    dpl_status status = DPL_OK;
    while (status == DPL_OK && s->merge.n) {
        if (!dpl__vec_push(s->ctx, &out, *head(s)))
            status = dpl__fail_nomem(err);
        else if (out.n == LEAST) {
            status = dpl__spool_append(&s->file, out.data, out.n * RECORD, err);
            out.n = 0;
        }
        if (status == DPL_OK)
            status = next_posting(s, err);
    }
    if (status == DPL_OK)
        status = dpl__spool_append(&s->file, out.data, out.n * RECORD, err);
    dpl__vec_clear(s->ctx, &out);
    dpl__free(s->ctx, s->windows, s->n_windows);
    s->windows = NULL;
    s->n_windows = 0;
    joined.end = dpl__spool_size(&s->file);
    s->runs.data[0] = joined;
    s->runs.n = 1;
    s->buffer.n = held;
    return status;
}

static dpl_status write_run(dpl__shuffle *s, dpl_error *err)
{
    DPL_TRY(sort_buffer(s, err));
    run made = {dpl__spool_size(&s->file), 0};
    DPL_TRY(dpl__spool_append(&s->file, s->sorted, s->buffer.n * RECORD, err));
    made.end = dpl__spool_size(&s->file);
    s->buffer.n = 0;
    if (!dpl__vec_push(s->ctx, &s->runs, made))
        return dpl__fail_nomem(err);
    return s->runs.n < MOST_RUNS ? DPL_OK : join_runs(s, err);
}

/* ---- in and out ------------------------------------------------------------------------ */

dpl_status dpl__shuffle_add(dpl__shuffle *s, const dpl_ngram_posting *p, size_t n,
                            dpl_error *err)
{
    s->n_added += n;
    while (n) {
        if (s->buffer.n == s->most)
            DPL_TRY(write_run(s, err));
        size_t some = dpl__min(n, s->most - s->buffer.n);
        /* The last doubling would take more than the share. */
        if (s->buffer.cap - s->buffer.n < some && s->buffer.cap > s->most / 2 &&
            s->buffer.cap < s->most) {
            dpl_ngram_posting *all =
                dpl__resize(s->ctx, s->buffer.data, s->buffer.cap * RECORD, s->most * RECORD);
            if (!all)
                return dpl__fail_nomem(err);
            s->buffer.data = all;
            s->buffer.cap = s->most;
        }
        if (!dpl__vec_append(s->ctx, &s->buffer, p, some))
            return dpl__fail_nomem(err);
        p += some;
        n -= some;
    }
    return DPL_OK;
}

uint64_t dpl__shuffle_size(const dpl__shuffle *s)
{
    return s->n_added;
}

dpl_status dpl__shuffle_sort(dpl__shuffle *s, dpl_error *err)
{
    DPL_TRY(sort_buffer(s, err));
    /* Sorted ones are in s->sorted; the number of them stays in buffer.n. */
    size_t n = s->buffer.n;
    dpl__vec_clear(s->ctx, &s->buffer);
    s->buffer.n = n;
    dpl_status status = begin_merge(s, err);
    s->buffer.n = 0;
    return status;
}

/* Without runs in the file the list is where it is. */
static dpl_status next_in_memory(dpl__shuffle *s, const dpl_ngram_posting **list,
                                 uint64_t *n_all)
{
    dpl__run *all = s->merge.heap[0];
    const dpl_ngram_posting *first = (const void *)all->at, *end = (const void *)all->end;
    const dpl_ngram_posting *at = first + 1;
    while (at < end && at->ngram == first->ngram)
        at++;
    *list = first;
    *n_all = (uint64_t)(at - first);
    all->at = (const void *)at;
    if (at == end)
        s->merge.n = 0;
    return DPL_OK;
}

dpl_status dpl__shuffle_next(dpl__shuffle *s, const dpl_ngram_posting **list, uint64_t *n_all,
                             size_t n_most, dpl_error *err)
{
    if (!s->merge.n)
        return DPL_END;
    if (!s->runs.n)
        return next_in_memory(s, list, n_all);
    s->list.n = 0;
    *n_all = 0;
    uint64_t ngram = head(s)->ngram;
    for (const dpl_ngram_posting *p; (p = head(s)) != NULL && p->ngram == ngram; ++*n_all) {
        if (s->list.n < n_most && !dpl__vec_push(s->ctx, &s->list, *p))
            return dpl__fail_nomem(err);
        DPL_TRY(next_posting(s, err));
    }
    *list = s->list.data;
    return DPL_OK;
}
