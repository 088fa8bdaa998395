/*
 * candidates.c - the same pair comes up in many tables; here each becomes one.
 *
 * Pairs gather in one buffer. When it is full it is sorted and made unique; if that did not
 * halve it, it goes to a temporary file as a sorted run. Many runs are merged into one, which
 * again drops what they share, so the file stays within a few times the size of the set. At the
 * end runs and buffer are merged through a heap. Cost: a radix sort of everything added, every
 * run written once or twice.
 */
#include "pairs/candidates.h"

#include "io/merge.h"
#include "pairs/radix.h"

#include <pthread.h>

enum { LEAST_PAIRS = 1 << 10, MOST_RUNS = 32, WORD = sizeof(uint64_t) };

typedef struct run {
    uint64_t begin, end; /* in bytes */
} run;

struct dpl__candidates {
    dpl_ctx *ctx;
    dpl__spill *spill;
    pthread_mutex_t lock;
    size_t most; /* pairs in the buffer */
    DPL_VEC(uint64_t) buffer;
    dpl__spool file;
    DPL_VEC(run) runs;
    /* merging */
    dpl__run sources[MOST_RUNS + 1]; /* the runs and the buffer */
    void *heap[MOST_RUNS + 1];
    dpl__merge merge;
    uint64_t *windows;
    size_t n_windows; /* pairs in all windows together */
    bool has_last;
    uint64_t last;
};

dpl_status dpl__candidates_new(dpl__candidates **out, dpl__spill *spill, size_t share,
                               dpl_error *err)
{
    *out = NULL;
    dpl__candidates *set = dpl__calloc(spill->ctx, 1, sizeof *set);
    if (!set)
        return dpl__fail_nomem(err);
    set->ctx = spill->ctx;
    set->spill = spill;
    /* The second half is for the scratch of the sort, or for windows. */
    set->most = dpl__max(share / 2 / WORD, LEAST_PAIRS);
    dpl__spool_init(&set->file, spill, 0);
    pthread_mutex_init(&set->lock, NULL);
    *out = set;
    return DPL_OK;
}

static void end_merge(dpl__candidates *set)
{
    dpl__free(set->ctx, set->windows, set->n_windows * WORD);
    set->windows = NULL;
    set->n_windows = set->merge.n = 0;
}

void dpl__candidates_free(dpl__candidates *set)
{
    if (!set)
        return;
    end_merge(set);
    dpl__vec_clear(set->ctx, &set->runs);
    dpl__spool_clear(&set->file);
    dpl__vec_clear(set->ctx, &set->buffer);
    pthread_mutex_destroy(&set->lock);
    dpl__free(set->ctx, set, sizeof *set);
}

/* ---- merging ------------------------------------------------------------------------ */

static uint64_t head(const dpl__run *from)
{
    return *(const uint64_t *)(const void *)from->at;
}

static bool is_before(const void *user, const void *a, const void *b)
{
    (void)user;
    return head(a) < head(b);
}

/* Over all runs and the buffer, which is sorted. */
static dpl_status begin_merge(dpl__candidates *set, dpl_error *err)
{
    size_t n_sources = set->runs.n + 1, window = dpl__max(set->most / n_sources, 1);
    if (set->runs.n) {
        set->windows = dpl__alloc(set->ctx, window * set->runs.n * WORD);
        if (!set->windows)
            return dpl__fail_nomem(err);
        set->n_windows = window * set->runs.n;
    }
    for (size_t i = 0; i < set->runs.n; i++)
        set->sources[i] = (dpl__run){.file = &set->file,
                                     .file_at = set->runs.data[i].begin,
                                     .file_end = set->runs.data[i].end,
                                     .window = set->windows + i * window,
                                     .n_window = window * WORD};
    const char *buffer = (const char *)set->buffer.data;
    set->sources[set->runs.n] =
        (dpl__run){.at = buffer, .end = set->buffer.n ? buffer + set->buffer.n * WORD : buffer};
    set->merge = (dpl__merge){.heap = set->heap};
    for (size_t i = 0; i < n_sources; i++) {
        DPL_TRY(dpl__run_fill(&set->sources[i], err));
        dpl__merge_add(&set->merge, &set->sources[i], dpl__run_has_one(&set->sources[i]));
    }
    dpl__merge_begin(&set->merge, is_before, NULL);
    set->has_last = false;
    return DPL_OK;
}

dpl_status dpl__candidates_next(dpl__candidates *set, uint64_t *pairs, size_t *n, size_t n_most,
                                dpl_error *err)
{
    *n = 0;
    while (*n < n_most && set->merge.n) {
        dpl__run *first = set->merge.heap[0];
        if (!set->has_last || head(first) != set->last)
            pairs[(*n)++] = set->last = head(first);
        set->has_last = true;
        DPL_TRY(dpl__run_next(first, WORD, err));
        dpl__merge_next(&set->merge, dpl__run_has_one(first), is_before, NULL);
    }
    return DPL_OK;
}

/* Makes one run of all there are, in a new file. */
static dpl_status merge_runs(dpl__candidates *set, dpl_error *err)
{
    dpl__spool merged;
    dpl__spool_init(&merged, set->spill, 0);
    uint64_t pairs[512];
    size_t n = 0;
    dpl_status status = begin_merge(set, err);
    while (status == DPL_OK &&
           (status = dpl__candidates_next(set, pairs, &n, DPL_LEN(pairs), err)) == DPL_OK && n)
        status = dpl__spool_append(&merged, pairs, n * WORD, err);
    end_merge(set);
    if (status != DPL_OK) {
        dpl__spool_clear(&merged);
        return status;
    }
    dpl__spool_clear(&set->file);
    set->file = merged;
    set->runs.n = 1;
    set->runs.data[0] = (run){0, dpl__spool_size(&merged)};
    return DPL_OK;
}

/* ---- filling ------------------------------------------------------------------------ */

static dpl_status sort_buffer(dpl__candidates *set, dpl_error *err)
{
    size_t n = set->buffer.n, n_kept = 0;
    if (n < 2)
        return DPL_OK;
    uint64_t *p = set->buffer.data, *scratch = dpl__alloc(set->ctx, n * WORD);
    if (!scratch)
        return dpl__fail_nomem(err);
    dpl__radix_sort(p, scratch, n);
    dpl__free(set->ctx, scratch, n * WORD);
    for (size_t i = 0; i < n; i++)
        if (i == 0 || p[i] != p[i - 1])
            p[n_kept++] = p[i];
    set->buffer.n = n_kept;
    return DPL_OK;
}

static dpl_status spill_buffer(dpl__candidates *set, dpl_error *err)
{
    uint64_t begin = dpl__spool_size(&set->file);
    DPL_TRY(dpl__spool_append(&set->file, set->buffer.data, set->buffer.n * WORD, err));
    run made = {begin, dpl__spool_size(&set->file)};
    if (!dpl__vec_push(set->ctx, &set->runs, made))
        return dpl__fail_nomem(err);
    set->buffer.n = 0;
    return set->runs.n == MOST_RUNS ? merge_runs(set, err) : DPL_OK;
}

static dpl_status add(dpl__candidates *set, const uint64_t *pairs, size_t n, dpl_error *err)
{
    while (n) {
        if (set->buffer.n == set->most) {
            DPL_TRY(sort_buffer(set, err));
            if (set->buffer.n > set->most / 2)
                DPL_TRY(spill_buffer(set, err));
        }
        size_t part = dpl__min(n, set->most - set->buffer.n);
        if (!dpl__vec_append(set->ctx, &set->buffer, pairs, part))
            return dpl__fail_nomem(err);
        pairs += part;
        n -= part;
    }
    return DPL_OK;
}

dpl_status dpl__candidates_add(dpl__candidates *set, const uint64_t *pairs, size_t n,
                               dpl_error *err)
{
    pthread_mutex_lock(&set->lock);
    dpl_status status = add(set, pairs, n, err);
    pthread_mutex_unlock(&set->lock);
    return status;
}

dpl_status dpl__candidates_sort(dpl__candidates *set, dpl_error *err)
{
    DPL_TRY(sort_buffer(set, err));
    return begin_merge(set, err);
}
