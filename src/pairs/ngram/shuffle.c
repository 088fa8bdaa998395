/*
 * shuffle.c - external sort of postings by n-gram; postings of one n-gram keep their order.
 *
 * Fingerprints are evenly spread: the first byte deals the postings into 256 parts, which
 * threads sort by the next four bytes; what agrees in these forty bits and is not the same
 * n-gram (one pair in a million) is put in order by insertion. Parts of the buffer together are
 * a run; when the share is used up, it goes to a temporary file. In the end part by part is
 * read from all runs and sorted again, which takes a fifth of the time of merging runs through
 * a heap, and does not grow with their number. A part that does not fit, with the postings of
 * an n-gram that most documents have, is merged. Cost: twelve passes over the memory, every
 * posting written at most once.
 */
#include "pairs/ngram/shuffle.h"

#include "base/ctx.h"
#include "io/merge.h"
#include "par/pool.h"

enum { N_PARTS = 256, LEAST = 1 << 12, RECORD = sizeof(dpl__ngram_posting) };

typedef DPL_VEC(dpl__ngram_posting) postings;

typedef struct run {
    uint64_t begin[N_PARTS + 1]; /* of each part in the file, in bytes */
} run;

struct dpl__shuffle {
    dpl_ctx *ctx;
    size_t most; /* postings in the buffer */
    uint64_t n_added;
    postings buffer;
    dpl__ngram_posting *sorted; /* where the buffer is sorted to */
    size_t n_sorted;            /* room */
    size_t begin[N_PARTS + 1];
    dpl__spool file;
    DPL_VEC(run) runs;
    /* taking them out */
    dpl__run *sources; /* the part of each run, and of the buffer */
    void **heap;
    size_t n_sources;
    dpl__merge merge;
    char *windows;
    postings list;      /* of the n-gram given last */
    unsigned part;      /* the next one */
    bool is_merging;    /* the part at hand is merged, not in memory */
    postings pieces[2]; /* the part at hand, and room for sorting it */
    const dpl__ngram_posting *at, *end;
};

dpl_status dpl__shuffle_new(dpl__shuffle **out, dpl__spill *spill, size_t share, dpl_error *err)
{
    *out = NULL;
    dpl__shuffle *s = dpl__calloc(spill->ctx, 1, sizeof *s);
    DPL_TRY(dpl__need(s, err));
    s->ctx = spill->ctx;
    s->most = dpl__max(share / 2 / RECORD, LEAST); /* half is for the sorted ones */
    dpl__spool_init(&s->file, spill, 0);
    *out = s;
    return DPL_OK;
}

static void free_sorted(dpl__shuffle *s)
{
    dpl__free(s->ctx, s->sorted);
    s->sorted = NULL;
    s->n_sorted = 0;
}

void dpl__shuffle_free(dpl__shuffle *s)
{
    if (!s)
        return;
    dpl__vec_clear(s->ctx, &s->list, &s->pieces[0], &s->pieces[1]);
    dpl__free(s->ctx, s->windows, s->heap, s->sources);
    dpl__vec_clear(s->ctx, &s->runs);
    dpl__spool_clear(&s->file);
    free_sorted(s);
    dpl__vec_clear(s->ctx, &s->buffer);
    dpl__free(s->ctx, s);
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

static void pass(dpl__ngram_posting *to, const dpl__ngram_posting *from, size_t n,
                 unsigned shift)
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

static void finish(dpl__ngram_posting *p, size_t n)
{
    for (size_t i = 1; i < n; i++) {
        dpl__ngram_posting x = p[i];
        size_t j = i;
        for (; j > 0 && p[j - 1].ngram > x.ngram; j--)
            p[j] = p[j - 1];
        p[j] = x;
    }
}

/* Sorts a part, with room for as many in b. */
static void sort_postings(dpl__ngram_posting *a, dpl__ngram_posting *b, size_t n)
{
    if (n > 32) {
        pass(b, a, n, 24);
        pass(a, b, n, 32);
        pass(b, a, n, 40);
        pass(a, b, n, 48);
    }
    finish(a, n);
}

/* The buffer was dealt to s->sorted, so its own memory is free for the passes: four of them
 * lead back to s->sorted. */
static void sort_part(void *user, size_t part)
{
    dpl__shuffle *s = user;
    assert(s->begin[part] <= s->begin[part + 1] && s->begin[part + 1] <= s->buffer.n);
    size_t begin = s->begin[part], n = s->begin[part + 1] - begin;
    sort_postings(s->sorted + begin, s->buffer.data + begin, n);
}

static dpl_status sort_buffer(dpl__shuffle *s, dpl_error *err)
{
    if (s->buffer.n > s->n_sorted) {
        free_sorted(s);
        s->sorted = dpl__alloc(s->ctx, s->buffer.n * RECORD);
        DPL_TRY(dpl__need(s->sorted, err));
        s->n_sorted = s->buffer.n;
    }
    if (!s->buffer.n)
        return DPL_OK;
    deal(s);
    return dpl__parallel_each(s->ctx, N_PARTS, s, sort_part, err);
}

/* ---- runs ----------------------------------------------------------------------------- */

static bool is_before(const void *user, const void *a, const void *b)
{
    (void)user;
    const dpl__ngram_posting *x = (const void *)((const dpl__run *)a)->at;
    const dpl__ngram_posting *y = (const void *)((const dpl__run *)b)->at;
    return x->ngram != y->ngram ? x->ngram < y->ngram : a < b; /* earlier runs first */
}

/* Begins to merge one part of all runs and of the buffer. */
static dpl_status begin_merge(dpl__shuffle *s, unsigned part, dpl_error *err)
{
    size_t n = s->runs.n, window = s->most / (n + 1) * RECORD;
    window = dpl__max(window, RECORD);
    if (n > s->n_sources) {
        dpl__free(s->ctx, s->sources, s->heap, s->windows);
        s->n_sources = 0;
        s->windows = NULL;
        s->sources = dpl__calloc(s->ctx, n + 1, sizeof *s->sources);
        s->heap = dpl__calloc(s->ctx, n + 1, sizeof *s->heap);
        if (!s->sources || !s->heap) {
            dpl__free(s->ctx, s->sources, s->heap);
            s->sources = NULL;
            s->heap = NULL;
            return dpl__fail_nomem(err);
        }
        s->n_sources = n + 1;
    }
    if (!s->windows) {
        s->windows = dpl__alloc(s->ctx, n * window);
        DPL_TRY(dpl__need(s->windows, err));
    }
    for (size_t i = 0; i < n; i++)
        s->sources[i] = (dpl__run){.file = &s->file,
                                   .file_at = s->runs.data[i].begin[part],
                                   .file_end = s->runs.data[i].begin[part + 1],
                                   .window = s->windows + i * window,
                                   .n_window = window};
    const dpl__ngram_posting *held = s->sorted;
    s->sources[n] = (dpl__run){.at = held ? (const char *)(held + s->begin[part]) : NULL,
                               .end = held ? (const char *)(held + s->begin[part + 1]) : NULL};
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

static const dpl__ngram_posting *head(const dpl__shuffle *s)
{
    return s->merge.n ? (const void *)((const dpl__run *)s->merge.heap[0])->at : NULL;
}

static dpl_status write_run(dpl__shuffle *s, dpl_error *err)
{
    DPL_TRY(sort_buffer(s, err));
    uint64_t at = dpl__spool_size(&s->file);
    DPL_TRY(dpl__spool_append(&s->file, s->sorted, s->buffer.n * RECORD, err));
    run made;
    for (size_t i = 0; i <= N_PARTS; i++)
        made.begin[i] = at + s->begin[i] * RECORD;
    s->buffer.n = 0;
    return dpl__need(dpl__vec_push(s->ctx, &s->runs, made), err);
}

/* ---- in and out ------------------------------------------------------------------------ */

dpl_status dpl__shuffle_expect(dpl__shuffle *s, uint64_t n, dpl_error *err)
{
    n = n < s->most ? n : s->most;
    return dpl__need(dpl__vec_reserve(s->ctx, &s->buffer, (size_t)n), err);
}

dpl_status dpl__shuffle_add(dpl__shuffle *s, const dpl__ngram_posting *p, size_t n,
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
            dpl__ngram_posting *all = dpl__resize(s->ctx, s->buffer.data, s->most * RECORD);
            DPL_TRY(dpl__need(all, err));
            s->buffer.data = all;
            s->buffer.cap = s->most;
        }
        DPL_TRY(dpl__need(dpl__vec_append(s->ctx, &s->buffer, p, some), err));
        p += some;
        n -= some;
    }
    return DPL_OK;
}

uint64_t dpl__shuffle_size(const dpl__shuffle *s)
{
    return s->n_added;
}

void dpl__shuffle_follow(dpl__shuffle *s, dpl__shuffle *before, dpl__bytes *room)
{
    assert(!s->n_sorted && !s->buffer.cap);
    s->sorted = before->sorted;
    s->n_sorted = before->n_sorted;
    before->sorted = NULL;
    s->buffer = (postings){(dpl__ngram_posting *)(void *)room->data, 0, room->cap / RECORD};
    *room = (dpl__bytes){0};
    dpl__shuffle_free(before);
}

dpl_status dpl__shuffle_sort(dpl__shuffle *s, dpl__bytes *room, dpl_error *err)
{
    memset(s->begin, 0, sizeof s->begin);
    DPL_TRY(sort_buffer(s, err));
    if (room && !s->runs.n) {
        *room = (dpl__bytes){(char *)s->buffer.data, 0, s->buffer.cap * RECORD};
        s->buffer = (postings){0};
    }
    dpl__vec_clear(s->ctx, &s->buffer);
    s->at = s->end = NULL;
    s->part = 0;
    if (!s->runs.n) { /* all of them are in order */
        s->at = s->sorted;
        s->end = s->sorted ? s->sorted + s->begin[N_PARTS] : NULL;
        s->part = N_PARTS;
    }
    return DPL_OK;
}

bool dpl__shuffle_rewind(dpl__shuffle *s)
{
    if (s->runs.n)
        return false;
    s->at = s->sorted;
    return true;
}

/* Reads a part of all runs and the buffer, and sorts it. */
static dpl_status load_part(dpl__shuffle *s, unsigned part, size_t n, dpl_error *err)
{
    for (size_t i = 0; i < 2; i++) {
        s->pieces[i].n = 0;
        DPL_TRY(dpl__need(dpl__vec_reserve(s->ctx, &s->pieces[i], n + 1), err));
    }
    dpl__ngram_posting *all = s->pieces[0].data;
    for (size_t i = 0; i < s->runs.n; i++) {
        const uint64_t *begin = s->runs.data[i].begin + part;
        size_t n_bytes = (size_t)(begin[1] - begin[0]);
        if (n_bytes)
            DPL_TRY(dpl__spool_read(&s->file, begin[0], all, n_bytes, err));
        all += n_bytes / RECORD;
    }
    size_t n_held = s->begin[part + 1] - s->begin[part];
    if (n_held)
        memcpy(all, s->sorted + s->begin[part], n_held * RECORD);
    sort_postings(s->pieces[0].data, s->pieces[1].data, n);
    s->at = s->pieces[0].data;
    s->end = s->at + n;
    return DPL_OK;
}

/* Parts are held twice while they are sorted, beside the buffer. */
static dpl_status next_part(dpl__shuffle *s, dpl_error *err)
{
    unsigned part = s->part++;
    uint64_t n = s->begin[part + 1] - s->begin[part];
    for (size_t i = 0; i < s->runs.n; i++)
        n += (s->runs.data[i].begin[part + 1] - s->runs.data[i].begin[part]) / RECORD;
    s->is_merging = n > s->most / 2;
    return s->is_merging ? begin_merge(s, part, err) : load_part(s, part, (size_t)n, err);
}

/* The list is where it is. */
static void next_in_memory(dpl__shuffle *s, const dpl__ngram_posting **list, uint64_t *n_all)
{
    const dpl__ngram_posting *first = s->at;
    uint64_t ngram = first->ngram;
    while (s->at < s->end && s->at->ngram == ngram)
        s->at++;
    *list = first;
    *n_all = (uint64_t)(s->at - first);
}

static dpl_status next_merged(dpl__shuffle *s, const dpl__ngram_posting **list, uint64_t *n_all,
                              size_t n_most, dpl_error *err)
{
    s->list.n = 0;
    *n_all = 0;
    uint64_t ngram = head(s)->ngram;
    for (const dpl__ngram_posting *p; (p = head(s)) != NULL && p->ngram == ngram; ++*n_all) {
        if (s->list.n < n_most && !dpl__vec_push(s->ctx, &s->list, *p))
            return dpl__fail_nomem(err);
        DPL_TRY(next_posting(s, err));
    }
    *list = s->list.data;
    return DPL_OK;
}

dpl_status dpl__shuffle_next(dpl__shuffle *s, const dpl__ngram_posting **list, uint64_t *n_all,
                             size_t n_most, dpl_error *err)
{
    while (s->is_merging ? !s->merge.n : s->at == s->end) {
        if (s->part == N_PARTS)
            return DPL_END;
        DPL_TRY(next_part(s, err));
    }
    if (s->is_merging)
        return next_merged(s, list, n_all, n_most, err);
    next_in_memory(s, list, n_all);
    return DPL_OK;
}
