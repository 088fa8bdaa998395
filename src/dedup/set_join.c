/*
 * set_join.c - all pairs of similar sets, by prefix filtering.
 *
 * A pair of at least the similarity t shares at least t n of the n shingles of either set (of
 * the smaller one, for containment). So of any n - t n + 1 of them it shares at least one, when
 * both sides choose by one order of all shingles (Chaudhuri et al. 2006; Bayardo et al. 2007).
 * The order is: rare shingles first. How many rows have a shingle is counted in a table of
 * bytes without keys, in which two shingles may share a place: a count is never too low, so one
 * that was counted once is in one row only and cannot make a pair. A row with less than t n
 * shingles that were counted twice is done: in text without duplicates, that is nearly all.
 *
 * Containment is not symmetric: a row's rare shingles are looked for among all shingles of
 * larger rows, those that a filter of the former lets pass.
 *
 * Cost: two passes over the shingles, a random access each; memory: an eighth for the counts, a
 * quarter for the chosen shingles, which are divided into passes when there are more.
 */
#include "dedup/set_search.h"

#include "base/ctx.h"
#include "base/hash.h"
#include "dedup/dedup_params.h"
#include "dedup/place_counts.h"
#include "io/parts.h"
#include "io/shared_run.h"
#include "pairs/radix.h"
#include "par/pool.h"

#include <stdatomic.h>

enum { ROWS_PER_JOB = 64, N_BUCKETS = 1 << 10, MOST_COUNTS = 1 << 28 };

/* A chosen shingle of a row, as a number: 31 bits of a hash of its rank; one that says that it
 * is a probe (of the set that may be contained, for containment); and the row. Two shingles
 * with the same bits make candidates that verification drops. */
typedef uint64_t entry;

static entry make_entry(uint64_t mixed, bool is_probe, uint32_t row)
{
    return mixed >> 33 << 33 | (uint64_t)is_probe << 32 | row;
}

static bool is_probe(entry e)
{
    return e >> 32 & 1;
}

static bool are_of_one_shingle(entry a, entry b)
{
    return (a ^ b) >> 33 == 0;
}

typedef DPL_VEC(entry) entries;

typedef struct join {
    dpl_ctx *ctx;
    const dpl__set_query *q;
    _Atomic uint8_t *counts;   /* NULL: */
    dpl__place_counts places;  /* of a shared run */
    dpl__place_reader *reader; /* of the rows that are searched */
    dpl__item_range rows;      /* these */
    unsigned shift;            /* of keys, to their place in counts */
    size_t n_counts;
    _Atomic uint64_t *filter; /* bits of ranks that are probes; NULL: Jaccard */
    unsigned pass, n_passes;
    bool takes_all;
    bool is_cut;                 /* rows of a large group were compared with some others only */
    entries *found;              /* [worker]; and those of a shared run, */
    entries *probed;             /* where each worker notes ranks of probes */
    uint64_t **ranks;            /* scratch of each worker */
    dpl__place_cursor **cursors; /* the same */
} join;

/* ---- sizes and counts --------------------------------------------------------------- */

static bool is_divided(const dpl_ctx *ctx)
{
    return dpl__is_shared(ctx) && dpl__shared_n(ctx) > 1;
}

/* Of a shared run: rows in the order of their documents, in files of some memory each. */
static dpl__place_counts places_of(const dpl__dedup_docs *d, const dpl__sets *sets)
{
    enum { FILES = 3, FILE_TOKENS = 1 << 24 }; /* for each process; in each */
    const size_t n = dpl__max(FILES * (size_t)dpl__shared_n(d->ctx),
                              (size_t)(sets->n_tokens / FILE_TOKENS) + 1);
    return (dpl__place_counts){d->ctx, d->n_rows, dpl__min(n, (size_t)d->n_rows + 1)};
}

/* Keys of a row, in one of the lists of places. */
typedef struct named {
    unsigned worker;
    size_t first;
} named;

typedef struct sizing {
    const dpl__dedup_docs *docs;
    const dpl__sets *sets;
    uint32_t *n_set;
    entries *sampled; /* keys, of each thread */
    unsigned shift;   /* a key whose bits behind it are 0 is sampled */
    /* Of a file of a shared run: */
    dpl__place_counts places;
    dpl__item_range rows;
    dpl__places *lists; /* of each thread; NULL: not wanted */
    named *named;       /* of each row */
} sizing;

static dpl_status report_rows(const dpl__dedup_docs *d, const char *stage, size_t job,
                              unsigned worker, dpl_error *err)
{
    const dpl_progress p = {stage, "documents", job * ROWS_PER_JOB, d->n_rows};
    return dpl__loop_progress(d->ctx, worker, &p, err);
}

/* Rows of a job, as they are read. */
static dpl__item_range rows_of(dpl__item_range all, size_t job)
{
    const size_t first = all.first + job * ROWS_PER_JOB;
    return (dpl__item_range){first, dpl__min(all.end, first + ROWS_PER_JOB)};
}

static size_t n_jobs(dpl__item_range rows)
{
    return (rows.end - rows.first + ROWS_PER_JOB - 1) / ROWS_PER_JOB;
}

static const uint64_t *keys_of(const dpl__dedup_docs *d, const dpl__sets *sets, uint32_t row,
                               unsigned worker, size_t *n)
{
    return dpl__sets_distinct(sets, d->rows[row].doc, &sets->scratch[worker], n);
}

static bool name_places(const sizing *s, size_t i, const uint64_t *keys, size_t n,
                        unsigned worker)
{
    dpl__places *list = &s->lists[worker];
    s->named[i - s->rows.first] = (named){worker, list->n};
    if (!dpl__vec_reserve(s->docs->ctx, list, n + 1))
        return false;
    for (size_t k = 0; k < n; k++)
        list->data[list->n++] = (uint32_t)(keys[k] >> DPL__PLACE_BITS);
    return true;
}

static dpl_status size_rows(void *user, size_t job, unsigned worker, dpl_error *err)
{
    const sizing *s = user;
    const dpl__item_range rows = rows_of(s->rows, job);
    DPL_TRY(report_rows(s->docs, "sizes", job, worker, err));
    for (size_t i = rows.first; i < rows.end; i++) {
        size_t n;
        const uint32_t row = s->docs->in_order[i];
        const uint64_t *keys = keys_of(s->docs, s->sets, row, worker, &n);
        s->n_set[row] = (uint32_t)n;
        for (size_t k = 0; k < n; k++)
            if (keys[k] << 2 >> s->shift == 0 &&
                !dpl__vec_push(s->docs->ctx, &s->sampled[worker], keys[k]))
                return dpl__fail_nomem(err);
        if (s->lists)
            DPL_TRY(dpl__need(name_places(s, i, keys, n, worker), err));
    }
    return DPL_OK;
}

/* What all threads found, as bytes, and back. */
static dpl_status put_entries(dpl__bytes *out, dpl_ctx *ctx, entries *of, dpl_error *err)
{
    for (unsigned i = 0; i < ctx->n_threads; i++) {
        DPL_TRY(dpl__need(
            dpl__vec_append(ctx, out, (const char *)of[i].data, of[i].n * sizeof(entry)), err));
        of[i].n = 0;
    }
    return DPL_OK;
}

static dpl_status take_entries(entries *to, dpl_ctx *ctx, const char *data, size_t n,
                               dpl_error *err)
{
    const size_t n_entries = n / sizeof(entry);
    DPL_TRY(dpl__need(dpl__vec_reserve(ctx, to, n_entries + 1), err));
    if (n_entries)
        memcpy(to->data + to->n, data, n_entries * sizeof(entry));
    to->n += n_entries;
    return DPL_OK;
}

/* Share of the sampled keys that stand there once. */
static dpl_status share_of_single(double *share, dpl_ctx *ctx, const entries *sampled,
                                  dpl_error *err)
{
    entries all = {0}, scratch = {0};
    size_t n_single = 0;
    bool has_room = true;
    for (unsigned i = 0; i < ctx->n_threads; i++)
        has_room = has_room && dpl__vec_append(ctx, &all, sampled[i].data, sampled[i].n);
    has_room = has_room && dpl__vec_reserve(ctx, &scratch, all.n + 1);
    if (has_room && all.n)
        dpl__radix_sort(all.data, scratch.data, all.n);
    for (size_t i = 0; has_room && i < all.n; i++)
        n_single += !(i > 0 && all.data[i] == all.data[i - 1]) &&
                    !(i + 1 < all.n && all.data[i] == all.data[i + 1]);
    *share = all.n ? (double)n_single / (double)all.n : 1;
    dpl__vec_clear(ctx, &scratch, &all);
    return dpl__need(has_room, err);
}

static dpl_status write_places(const sizing *s, size_t file, dpl_error *err)
{
    dpl_ctx *ctx = s->docs->ctx;
    const size_t n = s->rows.end - s->rows.first;
    dpl__named_places *items = dpl__alloc(ctx, (n + 1) * sizeof *items);
    DPL_TRY(dpl__need(items, err));
    for (size_t i = 0; i < n; i++)
        items[i] = (dpl__named_places){s->lists[s->named[i].worker].data + s->named[i].first,
                                       s->n_set[s->docs->in_order[s->rows.first + i]]};
    const dpl_status status = dpl__places_write(&s->places, file, items, err);
    dpl__free(ctx, items);
    for (unsigned i = 0; i < ctx->n_threads; i++)
        s->lists[i].n = 0;
    return status;
}

/* Writes the sizes of the rows of a file, and the keys that all threads sampled. The file is
 * there before them. */
static dpl_status make_sizes(dpl__bytes *out, void *user, size_t file, dpl_error *err)
{
    sizing *s = user;
    dpl_ctx *ctx = s->docs->ctx;
    bool has_room = true;
    s->rows = dpl__places_items(&s->places, file);
    if (s->lists) {
        dpl__free(ctx, s->named);
        s->named = dpl__alloc(ctx, (s->rows.end - s->rows.first + 1) * sizeof *s->named);
        DPL_TRY(dpl__need(s->named, err));
    }
    DPL_TRY(dpl__parallel_for(ctx, n_jobs(s->rows), s, size_rows, err));
    if (s->lists)
        DPL_TRY(write_places(s, file, err));
    for (size_t i = s->rows.first; i < s->rows.end && has_room; i++)
        has_room = dpl__vec_append(ctx, out, (const char *)&s->n_set[s->docs->in_order[i]],
                                   sizeof *s->n_set);
    return has_room ? put_entries(out, ctx, s->sampled, err) : dpl__fail_nomem(err);
}

static dpl_status take_sizes(void *user, size_t file, const char *data, size_t n,
                             dpl_error *err)
{
    const sizing *s = user;
    const dpl__item_range rows = dpl__places_items(&s->places, file);
    const size_t n_bytes = (rows.end - rows.first) * sizeof *s->n_set;
    if (n < n_bytes)
        return dpl__fail(err, DPL_E_FORMAT, "sizes of other documents");
    for (size_t i = rows.first; i < rows.end; i++, data += sizeof *s->n_set)
        memcpy(&s->n_set[s->docs->in_order[i]], data, sizeof *s->n_set);
    return take_entries(&s->sampled[0], s->docs->ctx, data, n - n_bytes, err);
}

static dpl_status size_all(sizing *s, bool for_join, dpl_error *err)
{
    dpl_ctx *ctx = s->docs->ctx;
    s->rows = (dpl__item_range){0, s->docs->n_rows};
    if (!is_divided(ctx))
        return dpl__parallel_for(ctx, n_jobs(s->rows), s, size_rows, err);
    s->places = places_of(s->docs, s->sets);
    s->lists = for_join ? dpl__calloc(ctx, ctx->n_threads, sizeof *s->lists) : NULL;
    DPL_TRY(dpl__need(s->lists || !for_join, err));
    const dpl__shared_work work = {.name = "sizes",
                                   .key = s->places.n_items,
                                   .n = s->places.n_files,
                                   .user = s,
                                   .make = make_sizes,
                                   .take = take_sizes,
                                   .is_for_all = true};
    return dpl__shared_work_run(ctx, &work, err);
}

dpl_status dpl__set_sizes(uint32_t **n_set, double *share, const dpl__dedup_docs *docs,
                          const dpl__sets *sets, bool for_join, dpl_error *err)
{
    enum { SAMPLE = 1 << 17 };
    dpl_ctx *ctx = docs->ctx;
    sizing s = {.docs = docs, .sets = sets, .shift = 63};
    uint64_t n_tokens = sets->n_tokens;
    for (; n_tokens > SAMPLE && s.shift > 8; n_tokens /= 2)
        s.shift--;
    s.n_set = *n_set = dpl__alloc(ctx, (docs->n_rows + 1) * sizeof **n_set);
    s.sampled = dpl__calloc(ctx, ctx->n_threads, sizeof *s.sampled);
    dpl_status status;
    DPL__STEP(dpl__need(s.n_set && s.sampled, err));
    DPL__STEP(size_all(&s, for_join, err));
    status = share_of_single(share, ctx, s.sampled, err);
done:
    for (unsigned i = 0; s.sampled && i < ctx->n_threads; i++)
        dpl__vec_clear(ctx, &s.sampled[i]);
    for (unsigned i = 0; s.lists && i < ctx->n_threads; i++)
        dpl__vec_clear(ctx, &s.lists[i]);
    dpl__free(ctx, s.sampled, s.lists, s.named);
    return status;
}

static void count_key(join *j, uint64_t key)
{
    _Atomic uint8_t *at = &j->counts[key >> j->shift];
    uint8_t n = atomic_load_explicit(at, memory_order_relaxed);
    while (n < UINT8_MAX &&
           !atomic_compare_exchange_weak_explicit(at, &n, (uint8_t)(n + 1),
                                                  memory_order_relaxed, memory_order_relaxed))
        ;
}

static dpl__item_range all_rows(const join *j)
{
    return (dpl__item_range){0, j->q->docs->n_rows};
}

static dpl_status count_rows(void *user, size_t job, unsigned worker, dpl_error *err)
{
    join *j = user;
    const dpl__dedup_docs *d = j->q->docs;
    const dpl__item_range rows = rows_of(all_rows(j), job);
    DPL_TRY(report_rows(d, "count", job, worker, err));
    for (size_t i = rows.first; i < rows.end; i++) {
        size_t n;
        const uint64_t *keys = keys_of(d, j->q->sets, d->in_order[i], worker, &n);
        for (size_t k = 0; k < n; k++)
            DPL_PREFETCH((void *)(uintptr_t)&j->counts[keys[k] >> j->shift]);
        for (size_t k = 0; k < n; k++)
            count_key(j, keys[k]);
    }
    return DPL_OK;
}

static dpl_status count_all(join *j, dpl_error *err)
{
    return j->counts ? dpl__parallel_for(j->ctx, n_jobs(all_rows(j)), j, count_rows, err)
                     : dpl__places_count(&j->places, 64 - j->shift, err);
}

/* ---- choosing shingles -------------------------------------------------------------- */

/* The k smallest of n numbers to the front, in any order (Hoare's selection). */
static void select_smallest(uint64_t *a, size_t n, size_t k)
{
    size_t low = 0, high = n;
    while (k < n && high - low > 1) {
        const uint64_t pivot = a[low + (high - low) / 2];
        size_t i = low, z = high - 1;
        for (;;) {
            while (a[i] < pivot)
                i++;
            while (a[z] > pivot)
                z--;
            if (i >= z)
                break;
            const uint64_t t = a[i];
            a[i++] = a[z];
            a[z--] = t;
        }
        const size_t cut = z + 1; /* [low, cut) <= pivot <= [cut, high) */
        if (k <= cut - (cut == high))
            high = cut - (cut == high);
        else
            low = cut;
    }
}

/* Least number of shared shingles of a set of n in a pair. */
static size_t least_shared(double least, size_t n)
{
    const double x = least * (double)n - 1e-9;
    size_t k = (size_t)x;
    k += (double)k < x;
    return k ? k : 1;
}

static uint64_t filter_bit(const join *j, uint64_t rank, size_t *word)
{
    const uint64_t place = dpl__mix(rank ^ DPL__K2) >> (j->shift - 3);
    *word = (size_t)(place >> 6);
    return (uint64_t)1 << (place & 63);
}

static void add_to_filter(const join *j, uint64_t rank)
{
    size_t word;
    const uint64_t bit = filter_bit(j, rank, &word);
    atomic_fetch_or_explicit(&j->filter[word], bit, memory_order_relaxed);
}

static bool passes_filter(const join *j, uint64_t rank)
{
    size_t word;
    const uint64_t bit = filter_bit(j, rank, &word);
    return atomic_load_explicit(&j->filter[word], memory_order_relaxed) & bit;
}

/* A probe for the filter, which other processes have, too. */
static bool note_probe(join *j, unsigned worker, uint64_t rank)
{
    if (!j->counts)
        return dpl__vec_push(j->ctx, &j->probed[worker], rank);
    add_to_filter(j, rank);
    return true;
}

static bool add_entry(join *j, unsigned worker, uint64_t rank, uint32_t row, bool probes)
{
    const uint64_t mixed = dpl__mix(rank);
    if (j->n_passes > 1 && mixed % j->n_passes != j->pass)
        return true;
    return dpl__vec_push(j->ctx, &j->found[worker], make_entry(mixed, probes, row));
}

static uint64_t rank_of(uint64_t count, uint64_t key)
{
    return count << 56 | key >> 8;
}

/* Ranks of the row's shingles that other rows have, too: rare first. */
static size_t rank_shared(const join *j, uint32_t row, unsigned worker)
{
    size_t n, n_shared = 0;
    uint64_t *ranks = j->ranks[worker];
    const uint64_t *keys = keys_of(j->q->docs, j->q->sets, row, worker, &n);
    for (size_t i = 0; i < n; i++)
        DPL_PREFETCH((void *)(uintptr_t)&j->counts[keys[i] >> j->shift]);
    for (size_t i = 0; i < n; i++) {
        const uint64_t count =
            atomic_load_explicit(&j->counts[keys[i] >> j->shift], memory_order_relaxed);
        if (count > 1)
            ranks[n_shared++] = rank_of(count, keys[i]);
    }
    return n_shared;
}

/* The same where other processes have counted. */
static size_t rank_told(const join *j, uint32_t row, unsigned worker)
{
    size_t n, n_shared = 0;
    uint64_t *ranks = j->ranks[worker];
    const uint64_t *keys = keys_of(j->q->docs, j->q->sets, row, worker, &n);
    for (size_t i = 0; i < n; i++) {
        const uint64_t count = dpl__place_item_next(j->cursors[worker], j->reader,
                                                    (uint32_t)(keys[i] >> DPL__PLACE_BITS));
        if (count > 1)
            ranks[n_shared++] = rank_of(count, keys[i]);
    }
    return n_shared;
}

static size_t needed_of(const join *j, uint32_t row)
{
    return j->takes_all ? 1 : least_shared(j->q->least, j->q->n_set[row]);
}

static bool choose(join *j, uint32_t row, size_t n_shared, unsigned worker)
{
    const size_t needed = needed_of(j, row);
    uint64_t *ranks = j->ranks[worker];
    size_t n = n_shared < needed ? 0 : n_shared - needed + 1;
    if (n && !j->takes_all)
        select_smallest(ranks, n_shared, n);
    for (size_t i = 0; i < n; i++) {
        if (j->takes_all && !passes_filter(j, ranks[i]))
            continue;
        if (!add_entry(j, worker, ranks[i], row, !j->takes_all) ||
            (j->filter && !j->takes_all && !note_probe(j, worker, ranks[i])))
            return false;
    }
    return true;
}

static dpl_status choose_rows(void *user, size_t job, unsigned worker, dpl_error *err)
{
    join *j = user;
    const dpl__dedup_docs *d = j->q->docs;
    const dpl__item_range rows = rows_of(all_rows(j), job);
    DPL_TRY(report_rows(d, "search", job, worker, err));
    for (size_t i = rows.first; i < rows.end; i++) {
        const uint32_t row = d->in_order[i];
        DPL_TRY(dpl__need(choose(j, row, rank_shared(j, row, worker), worker), err));
    }
    return DPL_OK;
}

/* Keys of a row are needed again only where enough of them are in other rows. */
static dpl_status choose_told(void *user, size_t job, unsigned worker, dpl_error *err)
{
    join *j = user;
    const dpl__dedup_docs *d = j->q->docs;
    dpl__place_cursor *cursors = j->cursors[worker];
    const dpl__item_range rows = rows_of(j->rows, job);
    DPL_TRY(report_rows(d, "search", job, worker, err));
    dpl__place_block_begin(cursors, j->reader, job);
    for (size_t i = rows.first; i < rows.end; i++) {
        const uint32_t row = d->in_order[i];
        if (dpl__place_item_begin(cursors, j->reader) >= needed_of(j, row))
            DPL_TRY(dpl__need(choose(j, row, rank_told(j, row, worker), worker), err));
        else
            dpl__place_item_end(cursors, j->reader);
    }
    return DPL_OK;
}

/* ---- groups of rows with a shingle in common ---------------------------------------- */

/* Entries divided by their first bits. */
typedef struct buckets {
    entry *all, *scratch;
    size_t begin[N_BUCKETS + 1];
} buckets;

static size_t bucket_of(entry e)
{
    return (size_t)(e >> 54);
}

static dpl_status fill_buckets(buckets *b, join *j, dpl_error *err)
{
    size_t at[N_BUCKETS], n = 0;
    memset(b->begin, 0, sizeof b->begin);
    for (unsigned w = 0; w <= j->ctx->n_threads; w++) {
        n += j->found[w].n;
        for (size_t i = 0; i < j->found[w].n; i++)
            b->begin[bucket_of(j->found[w].data[i]) + 1]++;
    }
    for (size_t i = 0; i < N_BUCKETS; i++)
        b->begin[i + 1] += b->begin[i];
    memcpy(at, b->begin, sizeof at);
    b->all = dpl__alloc(j->ctx, (n + 1) * sizeof *b->all);
    b->scratch = dpl__alloc(j->ctx, (n + 1) * sizeof *b->scratch);
    DPL_TRY(dpl__need(b->all && b->scratch, err));
    for (unsigned w = 0; w <= j->ctx->n_threads; w++) {
        for (size_t i = 0; i < j->found[w].n; i++)
            b->all[at[bucket_of(j->found[w].data[i])]++] = j->found[w].data[i];
        dpl__vec_clear(j->ctx, &j->found[w]);
    }
    return DPL_OK;
}

static void sort_bucket(void *user, size_t i)
{
    buckets *b = user;
    const size_t begin = b->begin[i], n = b->begin[i + 1] - begin;
    if (n > 1)
        dpl__radix_sort(b->all + begin, b->scratch + begin, n);
}

/* Can sets of these sizes be similar enough? */
static bool sizes_allow(const dpl__set_query *q, entry a, entry b)
{
    const double n = q->n_set[(uint32_t)a], m = q->n_set[(uint32_t)b];
    if (q->measure == DPL_DEDUP_CONTAINMENT)
        return (is_probe(a) && n <= m) || (is_probe(b) && m <= n);
    return (n < m ? n / m : m / n) >= q->least - 1e-9;
}

/* Rows with one shingle: all pairs, or of each row those with some before it. */
static dpl_status add_group(dpl__verifier *to, const dpl__set_query *q, const entry *group,
                            size_t n, dpl_error *err)
{
    const size_t most = (size_t)DPL__P(dedup, most_in_group);
    for (size_t i = 1; i < n; i++)
        for (size_t k = i > most ? i - most : 0; k < i; k++)
            if (sizes_allow(q, group[k], group[i]))
                DPL_TRY(dpl__verifier_add(to, (uint32_t)group[k], (uint32_t)group[i], err));
    return DPL_OK;
}

static size_t group_end(const buckets *b, size_t begin)
{
    const size_t n = b->begin[N_BUCKETS];
    size_t end = begin + 1;
    while (end < n && are_of_one_shingle(b->all[begin], b->all[end]))
        end++;
    return end;
}

static dpl_status add_groups(dpl__verifier *to, join *j, dpl_error *err)
{
    buckets b = {0};
    dpl_status status = fill_buckets(&b, j, err);
    if (status == DPL_OK)
        status = dpl__parallel_each(j->ctx, N_BUCKETS, &b, sort_bucket, err);
    const size_t n = b.begin[N_BUCKETS];
    for (size_t i = 0, end; status == DPL_OK && i < n; i = end) {
        end = group_end(&b, i);
        if (end - i == 1)
            continue;
        j->is_cut = j->is_cut || (double)(end - i) > DPL__P(dedup, most_in_group) + 1;
        status = add_group(to, j->q, b.all + i, end - i, err);
    }
    dpl__free(j->ctx, b.all, b.scratch);
    return status;
}

/* ---- all of it ---------------------------------------------------------------------- */

static dpl_status set_up(join *j, dpl_error *err)
{
    const dpl__dedup_docs *d = j->q->docs;
    const bool is_contained = j->q->measure == DPL_DEDUP_CONTAINMENT;
    uint64_t n_keys = 0, n_chosen = 0;
    for (uint32_t row = 0; row < d->n_rows; row++) {
        const uint32_t n = j->q->n_set[row];
        assert(least_shared(j->q->least, n) <= n);
        n_keys += n;
        n_chosen += is_contained ? n : n - least_shared(j->q->least, n) + 1;
    }
    j->n_counts = 1 << 16;
    j->shift = 48;
    while (j->n_counts < 2 * n_keys && j->n_counts < MOST_COUNTS &&
           j->n_counts < j->ctx->memory / 16) {
        j->n_counts *= 2;
        j->shift--;
    }
    j->n_passes = 1 + (unsigned)(n_chosen * sizeof(entry) / (j->ctx->memory / 8 + 1));
    const bool is_told = is_divided(j->ctx);
    if (is_told)
        j->places = places_of(d, j->q->sets);
    j->counts = is_told ? NULL : dpl__calloc(j->ctx, j->n_counts, 1);
    j->filter = is_contained ? dpl__calloc(j->ctx, j->n_counts / 8, 8) : NULL;
    j->found = dpl__calloc(j->ctx, j->ctx->n_threads + 1, sizeof *j->found);
    j->probed = dpl__calloc(j->ctx, j->ctx->n_threads, sizeof *j->probed);
    j->ranks = dpl__calloc(j->ctx, j->ctx->n_threads, sizeof *j->ranks);
    j->cursors = dpl__calloc(j->ctx, j->ctx->n_threads, sizeof *j->cursors);
    bool has_room = (j->counts || is_told) && (j->filter || !is_contained) && j->found &&
                    j->probed && j->ranks && j->cursors;
    for (unsigned i = 0; i < j->ctx->n_threads && has_room; i++) {
        j->ranks[i] = dpl__alloc(j->ctx, (j->q->sets->longest + 1) * sizeof **j->ranks);
        if (is_told)
            j->cursors[i] =
                dpl__alloc(j->ctx, dpl__place_reader_ranges(&j->places) * sizeof **j->cursors);
        has_room = j->ranks[i] && (j->cursors[i] || !is_told);
    }
    return dpl__need(has_room, err);
}

static void tear_down(join *j)
{
    for (unsigned i = 0; j->found && i <= j->ctx->n_threads; i++)
        dpl__vec_clear(j->ctx, &j->found[i]);
    for (unsigned i = 0; i < j->ctx->n_threads; i++) {
        if (j->probed)
            dpl__vec_clear(j->ctx, &j->probed[i]);
        if (j->ranks)
            dpl__free(j->ctx, j->ranks[i]);
        if (j->cursors)
            dpl__free(j->ctx, j->cursors[i]);
    }
    dpl__free(j->ctx, j->found, j->probed, j->ranks, j->cursors, (void *)j->counts,
              (void *)j->filter);
}

/* How many entries; these; ranks of probes. */
static dpl_status make_chosen(dpl__bytes *out, void *user, size_t file, dpl_error *err)
{
    join *j = user;
    uint64_t n = 0;
    DPL_TRY(dpl__place_reader_open(&j->reader, &j->places, file, err));
    j->rows = dpl__places_items(&j->places, file);
    const dpl_status status = dpl__parallel_for(j->ctx, n_jobs(j->rows), j, choose_told, err);
    dpl__place_reader_close(j->reader);
    j->reader = NULL;
    DPL_TRY(status);
    for (unsigned i = 0; i < j->ctx->n_threads; i++)
        n += j->found[i].n;
    DPL_TRY(dpl__need(dpl__vec_append(j->ctx, out, (const char *)&n, sizeof n), err));
    DPL_TRY(put_entries(out, j->ctx, j->found, err));
    return put_entries(out, j->ctx, j->probed, err);
}

static dpl_status take_chosen(void *user, size_t file, const char *data, size_t n,
                              dpl_error *err)
{
    const join *j = user;
    uint64_t n_entries = 0, rank;
    (void)file;
    if (n >= sizeof n_entries)
        memcpy(&n_entries, data, sizeof n_entries);
    if (n / sizeof(entry) < 1 + n_entries || n % sizeof(entry))
        return dpl__fail(err, DPL_E_FORMAT, "shingles of another number");
    const char *ranks = data + (1 + n_entries) * sizeof(entry);
    for (; j->filter && ranks < data + n; ranks += sizeof rank) {
        memcpy(&rank, ranks, sizeof rank);
        add_to_filter(j, rank);
    }
    return take_entries(&j->found[j->ctx->n_threads], j->ctx, data + sizeof n_entries,
                        (size_t)n_entries * sizeof(entry), err);
}

static dpl_status choose_all(join *j, dpl_error *err)
{
    const dpl__shared_work work = {.name = j->takes_all ? "contain" : "choose",
                                   .key = dpl__fingerprint_number(j->n_counts, j->pass),
                                   .n = j->places.n_files,
                                   .user = j,
                                   .make = make_chosen,
                                   .take = take_chosen,
                                   .is_for_all = true};
    return j->counts ? dpl__parallel_for(j->ctx, n_jobs(all_rows(j)), j, choose_rows, err)
                     : dpl__shared_work_run(j->ctx, &work, err);
}

/* Probes; for containment, then what passes a filter of all of them. */
static dpl_status run_pass(dpl__verifier *to, join *j, dpl_error *err)
{
    j->takes_all = false;
    DPL_TRY(choose_all(j, err));
    j->takes_all = j->filter;
    if (j->takes_all)
        DPL_TRY(choose_all(j, err));
    return add_groups(to, j, err);
}

dpl_status dpl__set_join(bool *is_cut, dpl__verifier *to, const dpl__set_query *q,
                         dpl_error *err)
{
    join j = {.ctx = q->docs->ctx, .q = q};
    dpl_status status;
    DPL__STEP(set_up(&j, err));
    DPL__STEP(count_all(&j, err));
    for (; j.pass < j.n_passes; j.pass++)
        DPL__STEP(run_pass(to, &j, err));
done:
    *is_cut = j.is_cut;
    tear_down(&j);
    return status;
}

/* ---- scores ------------------------------------------------------------------------- */

dpl_status dpl__set_scorer_init(dpl__set_scorer *s, const dpl__set_query *q, dpl_error *err)
{
    dpl_ctx *ctx = q->docs->ctx;
    *s = (dpl__set_scorer){.query = q};
    s->scratch = dpl__calloc(ctx, 2 * ctx->n_threads, sizeof *s->scratch);
    s->loaded = dpl__alloc(ctx, ctx->n_threads * sizeof *s->loaded);
    DPL_TRY(dpl__need(s->scratch && s->loaded, err));
    for (unsigned i = 0; i < 2 * ctx->n_threads; i++) {
        s->loaded[i / 2] = UINT32_MAX;
        DPL_TRY(dpl__set_scratch_init(&s->scratch[i], ctx, q->sets->longest, err));
    }
    return DPL_OK;
}

void dpl__set_scorer_clear(dpl__set_scorer *s)
{
    if (!s->query)
        return;
    dpl_ctx *ctx = s->query->docs->ctx;
    for (unsigned i = 0; s->scratch && i < 2 * ctx->n_threads; i++)
        dpl__set_scratch_clear(&s->scratch[i], ctx);
    dpl__free(ctx, s->scratch, s->loaded);
    *s = (dpl__set_scorer){0};
}

double dpl__set_scorer_score(void *user, uint32_t left, uint32_t right, unsigned worker)
{
    dpl__set_scorer *s = user;
    const dpl__set_query *q = s->query;
    dpl__set_scratch *table = &s->scratch[2 * worker];
    size_t n;
    if (s->loaded[worker] != left) {
        dpl__sets_load(q->sets, q->docs->rows[left].doc, table, &n);
        s->loaded[worker] = left;
    }
    const size_t both = dpl__sets_overlap(q->sets, table, q->docs->rows[right].doc, table + 1);
    return dpl__dedup_score(q->measure, q->n_set[left], q->n_set[right], both);
}
