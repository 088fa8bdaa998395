/*
 * sorter.c - external merge sort of variable-length records.
 *
 * Records gather in one buffer; when the share is used up, the buffer is sorted (in parts, on
 * all threads) and its parts are merged into a run in one temporary file. At the end, runs and
 * the last buffer's parts are merged through a heap. Entries carry the first eight bytes of the
 * key as a number, so most comparisons touch no record. Cost: O(n log n) comparisons, every
 * record written at most once.
 */
#include "base/ctx.h"
#include "base/hash.h"
#include "base/merge_sort.h"
#include "io/merge.h"
#include "io/temporary.h"
#include "par/pool.h"

#include <unistd.h>

enum { HEADER = 8, RUN_BUFFER = 1 << 18, SMALLEST_PART = 1 << 12, MOST_RUNS = 512, AHEAD = 8 };

/* In the buffer, a record is: key bytes (u32), value bytes (u32), key, value. */
typedef struct entry {
    uint64_t prefix; /* of the key, as a big-endian number */
    const char *record;
} entry;

/* A sorted sequence: a part of the buffer, or a run in the file. */
typedef struct source {
    const entry *at, *end; /* part */
    uint64_t file_at, file_end;
    char *buffer; /* run: a window of the file, RUN_BUFFER bytes unless a record is longer */
    size_t cap, n, used;
    entry head;
} source;

typedef struct block {
    char *data;
    size_t n, cap;
} block;

typedef struct run {
    uint64_t begin, end; /* in the file */
} run;

struct dpl__sorter {
    dpl__spill *spill;
    dpl_ctx *ctx;
    size_t share;
    /* Blocks rather than one growing array: records must not move. */
    DPL_VEC(block) blocks;
    size_t n_bytes;
    DPL_VEC(entry) entries;
    entry *scratch;
    size_t n_scratch;
    int fd;
    uint64_t n_file;
    DPL_VEC(run) runs;
    DPL_VEC(source) sources;
    dpl__merge merge;
    size_t n_heap; /* room in the heap */
    source *given; /* whose head was handed out last */
};

static uint32_t key_bytes(const char *record)
{
    return dpl__load32(record);
}

static uint32_t value_bytes(const char *record)
{
    return dpl__load32(record + 4);
}

static size_t record_bytes(const char *record)
{
    return HEADER + (size_t)key_bytes(record) + value_bytes(record);
}

static dpl_str key_of(const char *record)
{
    return (dpl_str){record + HEADER, key_bytes(record)};
}

static uint64_t prefix_of(dpl_str key)
{
    uint64_t p = 0;
    for (size_t i = 0; i < 8; i++)
        p = p << 8 | (i < key.n ? (unsigned char)key.data[i] : 0);
    return p;
}

static bool is_before(const entry *a, const entry *b)
{
    if (a->prefix != b->prefix)
        return a->prefix < b->prefix;
    return dpl__str_cmp(key_of(a->record), key_of(b->record)) < 0;
}

dpl_status dpl__sorter_new(dpl__sorter **out, dpl__spill *spill, size_t share, dpl_error *err)
{
    *out = NULL;
    dpl__sorter *s = dpl__calloc(spill->ctx, 1, sizeof *s);
    DPL_TRY(dpl__need(s, err));
    s->spill = spill;
    s->ctx = spill->ctx;
    s->share = share;
    s->fd = -1;
    *out = s;
    return DPL_OK;
}

static void free_blocks(dpl__sorter *s)
{
    for (size_t i = 0; i < s->blocks.n; i++)
        dpl__free(s->ctx, s->blocks.data[i].data);
    s->blocks.n = 0;
    s->n_bytes = 0;
    s->entries.n = 0;
}

static void free_sources(dpl__sorter *s)
{
    for (size_t i = 0; i < s->sources.n; i++)
        dpl__free(s->ctx, s->sources.data[i].buffer);
    s->sources.n = s->merge.n = 0;
}

static void free_scratch(dpl__sorter *s)
{
    dpl__free(s->ctx, s->scratch);
    s->scratch = NULL;
    s->n_scratch = 0;
}

void dpl__sorter_free(dpl__sorter *s)
{
    if (!s)
        return;
    free_sources(s);
    free_blocks(s);
    free_scratch(s);
    dpl__free(s->ctx, s->merge.heap);
    dpl__vec_clear(s->ctx, &s->sources, &s->runs, &s->entries, &s->blocks);
    if (s->fd >= 0)
        close(s->fd);
    dpl__free(s->ctx, s);
}

/* ---- sorting the buffer ------------------------------------------------------------- */

DPL_MERGE_SORT(sort_entries, entry, is_before);

static size_t part_size(const dpl__sorter *s)
{
    size_t n = (s->entries.n + s->ctx->n_threads - 1) / s->ctx->n_threads;
    return dpl__max(n, SMALLEST_PART);
}

static void sort_part(void *user, size_t i)
{
    dpl__sorter *s = user;
    size_t size = part_size(s), begin = i * size;
    sort_entries(s->entries.data + begin, s->scratch + begin,
                 dpl__min(size, s->entries.n - begin));
}

/* Sorts the buffer in parts and makes each one a source. */
static dpl_status sort_buffer(dpl__sorter *s, dpl_error *err)
{
    size_t n = s->entries.n, size = part_size(s), n_parts = (n + size - 1) / size;
    if (n > s->n_scratch) {
        free_scratch(s);
        s->scratch = dpl__alloc(s->ctx, n * sizeof *s->scratch);
        DPL_TRY(dpl__need(s->scratch, err));
        s->n_scratch = n;
    }
    DPL_TRY(dpl__parallel_each(s->ctx, n_parts, s, sort_part, err));
    for (size_t i = 0; i < n_parts; i++) {
        source part = {.at = s->entries.data + i * size,
                       .end = s->entries.data + dpl__min((i + 1) * size, n)};
        DPL_TRY(dpl__need(dpl__vec_push(s->ctx, &s->sources, part), err));
    }
    return DPL_OK;
}

/* ---- merging ------------------------------------------------------------------------ */

/* Moves the source's next record to its head; *has_one is false at its end. */
static dpl_status advance(dpl__sorter *s, source *src, bool *has_one, dpl_error *err)
{
    if (!src->cap) {
        *has_one = src->at < src->end;
        if (src->end - src->at > AHEAD) /* records lie anywhere in memory */
            DPL_PREFETCH(src->at[AHEAD].record);
        if (*has_one)
            src->head = *src->at++;
        return DPL_OK;
    }
    for (;;) {
        size_t have = src->n - src->used;
        size_t need = have < HEADER ? HEADER : record_bytes(src->buffer + src->used);
        if (have >= need && have >= HEADER) {
            const char *record = src->buffer + src->used;
            src->head = (entry){prefix_of(key_of(record)), record};
            src->used += need;
            *has_one = true;
            return DPL_OK;
        }
        uint64_t left = src->file_end - src->file_at;
        if (left == 0) {
            *has_one = false;
            return DPL_OK;
        }
        memmove(src->buffer, src->buffer + src->used, have);
        src->n = have;
        src->used = 0;
        if (need > src->cap) {
            char *larger = dpl__resize(s->ctx, src->buffer, need);
            DPL_TRY(dpl__need(larger, err));
            src->buffer = larger;
            src->cap = need;
        }
        size_t more = src->cap - have;
        if (more > left)
            more = (size_t)left;
        DPL_TRY(
            dpl__temporary_read(s->fd, s->spill, src->buffer + have, more, src->file_at, err));
        src->n += more;
        src->file_at += more;
    }
}

/* Equal keys: the older source first, which keeps the sort stable. */
static inline bool source_before(const void *user, const void *x, const void *y)
{
    (void)user;
    const source *a = x, *b = y;
    if (DPL_LIKELY(a->head.prefix != b->head.prefix))
        return a->head.prefix < b->head.prefix;
    int order = dpl__str_cmp(key_of(a->head.record), key_of(b->head.record));
    return order < 0 || (order == 0 && a < b);
}

static bool make_heap(dpl__sorter *s)
{
    size_t n = s->sources.n;
    if (n > s->n_heap) {
        void **larger = dpl__resize(s->ctx, s->merge.heap, n * sizeof *larger);
        if (!larger)
            return false;
        s->merge.heap = larger;
        s->n_heap = n;
    }
    s->merge.n = 0;
    return true;
}

static dpl_status start_merge(dpl__sorter *s, dpl_error *err)
{
    s->given = NULL;
    DPL_TRY(dpl__need(make_heap(s), err));
    for (size_t i = 0; i < s->sources.n; i++) {
        bool has_one = false;
        DPL_TRY(advance(s, &s->sources.data[i], &has_one, err));
        dpl__merge_add(&s->merge, &s->sources.data[i], has_one);
    }
    dpl__merge_begin(&s->merge, source_before, NULL);
    return DPL_OK;
}

/* The record last given goes away only now, because the caller was reading it. */
static dpl_status next_record(dpl__sorter *s, const char **record, dpl_error *err)
{
    if (s->given) {
        bool has_one = false;
        DPL_TRY(advance(s, s->given, &has_one, err));
        dpl__merge_next(&s->merge, has_one, source_before, NULL);
    }
    if (!s->merge.n) {
        s->given = NULL;
        return DPL_END;
    }
    s->given = s->merge.heap[0];
    *record = s->given->head.record;
    return DPL_OK;
}

static dpl_status open_runs(dpl__sorter *s, dpl_error *err)
{
    for (size_t i = 0; i < s->runs.n; i++) {
        source src = {.file_at = s->runs.data[i].begin,
                      .file_end = s->runs.data[i].end,
                      .buffer = dpl__alloc(s->ctx, RUN_BUFFER),
                      .cap = RUN_BUFFER};
        DPL_TRY(dpl__need(src.buffer, err));
        if (!dpl__vec_push(s->ctx, &s->sources, src)) {
            dpl__free(s->ctx, src.buffer);
            return dpl__fail_nomem(err);
        }
    }
    return DPL_OK;
}

/* Merges what the sources hold into one new run at the end of the file. */
static dpl_status write_run(dpl__sorter *s, dpl_error *err)
{
    if (s->fd < 0)
        DPL_TRY(dpl__temporary_open(&s->fd, s->spill, err));
    run made = {s->n_file, s->n_file};
    dpl__bytes out = {0};
    const char *record = NULL;
    dpl_status status = start_merge(s, err);
    while (status == DPL_OK && (status = next_record(s, &record, err)) == DPL_OK) {
        if (!dpl__vec_append(s->ctx, &out, record, record_bytes(record)))
            status = dpl__fail_nomem(err);
        if (status == DPL_OK && out.n >= 1 << 20) {
            status = dpl__temporary_write(s->fd, s->spill, out.data, out.n, made.end, err);
            made.end += out.n;
            out.n = 0;
        }
    }
    if (status == DPL_END)
        status = dpl__temporary_write(s->fd, s->spill, out.data, out.n, made.end, err);
    made.end += out.n;
    dpl__vec_clear(s->ctx, &out);
    DPL_TRY(status);
    s->n_file = made.end;
    free_sources(s);
    return dpl__need(dpl__vec_push(s->ctx, &s->runs, made), err);
}

/* Too many runs for one merge: make them one. */
static dpl_status merge_runs(dpl__sorter *s, dpl_error *err)
{
    DPL_TRY(open_runs(s, err));
    s->runs.n = 0;
    return write_run(s, err);
}

static dpl_status spill_buffer(dpl__sorter *s, dpl_error *err)
{
    DPL_TRY(sort_buffer(s, err));
    DPL_TRY(write_run(s, err));
    free_blocks(s);
    return s->runs.n >= MOST_RUNS ? merge_runs(s, err) : DPL_OK;
}

/* ---- in and out --------------------------------------------------------------------- */

static char *room_for(dpl__sorter *s, size_t n)
{
    block *last = s->blocks.n ? &s->blocks.data[s->blocks.n - 1] : NULL;
    if (!last || last->cap - last->n < n) {
        size_t cap = last ? dpl__min(2 * last->cap, 1 << 22) : 1 << 14;
        block b = {.cap = dpl__max(cap, n)};
        b.data = dpl__alloc(s->ctx, b.cap);
        if (!b.data)
            return NULL;
        if (!dpl__vec_push(s->ctx, &s->blocks, b)) {
            dpl__free(s->ctx, b.data);
            return NULL;
        }
        last = &s->blocks.data[s->blocks.n - 1];
    }
    char *p = last->data + last->n;
    last->n += n;
    return p;
}

dpl_status dpl__sorter_add(dpl__sorter *s, dpl_str key, dpl_str value, dpl_error *err)
{
    assert(key.n <= INT32_MAX && value.n <= INT32_MAX);
    size_t n = HEADER + key.n + value.n;
    /* Two entries per record: one in the array, one in the scratch of the sort. */
    size_t cost = n + 2 * sizeof(entry);
    if (s->n_bytes + cost > s->share && s->entries.n)
        DPL_TRY(spill_buffer(s, err));
    char *p = room_for(s, n);
    DPL_TRY(dpl__need(p, err));
    s->n_bytes += cost;
    uint32_t sizes[2] = {(uint32_t)key.n, (uint32_t)value.n};
    memcpy(p, sizes, HEADER);
    if (key.n)
        memcpy(p + HEADER, key.data, key.n);
    if (value.n)
        memcpy(p + HEADER + key.n, value.data, value.n);
    entry e = {prefix_of(key), p};
    return dpl__need(dpl__vec_push(s->ctx, &s->entries, e), err);
}

dpl_status dpl__sorter_sort(dpl__sorter *s, dpl_error *err)
{
    assert(!s->sources.n); /* sorted once */
    DPL_TRY(open_runs(s, err));
    DPL_TRY(sort_buffer(s, err));
    free_scratch(s);
    return start_merge(s, err);
}

dpl_status dpl__sorter_next(dpl__sorter *s, dpl_str *key, dpl_str *value, dpl_error *err)
{
    const char *record = NULL;
    DPL_TRY(next_record(s, &record, err));
    *key = key_of(record);
    *value = (dpl_str){key->data + key->n, value_bytes(record)};
    return DPL_OK;
}
