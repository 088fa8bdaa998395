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
#include "io/shared_loop.h"
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
    _Atomic uint8_t *counts; /* NULL: */
    dpl__place_table table;  /* of a shared run */
    unsigned shift;          /* of keys, to their place in counts */
    size_t n_counts;
    _Atomic uint64_t *filter; /* bits of ranks that are probes; NULL: Jaccard */
    unsigned pass, n_passes;
    bool takes_all;
    bool is_cut;      /* rows of a large group were compared with some others only */
    entries *found;   /* [worker] */
    uint64_t **ranks; /* scratch of each worker */
} join;

/* ---- sizes and counts --------------------------------------------------------------- */

typedef struct sizing {
    const dpl__dedup_docs *docs;
    const dpl__sets *sets;
    uint32_t *n_set;
    entries *sampled; /* keys, of each thread */
    unsigned shift;   /* a key whose bits behind it are 0 is sampled */
} sizing;

static dpl_status report_rows(const dpl__dedup_docs *d, const char *stage, size_t job,
                              unsigned worker, dpl_error *err)
{
    const dpl_progress p = {stage, "documents", job * ROWS_PER_JOB, d->n_rows};
    return dpl__loop_progress(d->ctx, worker, &p, err);
}

static dpl_status size_rows(void *user, size_t job, unsigned worker, dpl_error *err)
{
    const sizing *s = user;
    DPL_TRY(report_rows(s->docs, "sizes", job, worker, err));
    const size_t end = dpl__min(s->docs->n_rows, (job + 1) * ROWS_PER_JOB);
    for (size_t row = job * ROWS_PER_JOB; row < end; row++) {
        size_t n;
        const uint64_t *keys =
            dpl__sets_distinct(s->sets, s->docs->rows[row].doc, &s->sets->scratch[worker], &n);
        s->n_set[row] = (uint32_t)n;
        for (size_t i = 0; i < n; i++)
            if (keys[i] << 2 >> s->shift == 0 &&
                !dpl__vec_push(s->docs->ctx, &s->sampled[worker], keys[i]))
                return dpl__fail_nomem(err);
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

static size_t n_jobs(const dpl__dedup_docs *d)
{
    return (d->n_rows + ROWS_PER_JOB - 1) / ROWS_PER_JOB;
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

/* Writes the sizes of the rows of some jobs, and the keys that all threads sampled. */
static dpl_status put_sizes(dpl__bytes *out, void *user, dpl__job_range range, dpl_error *err)
{
    const sizing *s = user;
    dpl_ctx *ctx = s->docs->ctx;
    const size_t end = dpl__min(s->docs->n_rows, range.end * ROWS_PER_JOB);
    bool has_room = true;
    for (size_t row = range.first * ROWS_PER_JOB; row < end; row++)
        has_room = has_room &&
                   dpl__vec_append(ctx, out, (const char *)&s->n_set[row], sizeof *s->n_set);
    return has_room ? put_entries(out, ctx, s->sampled, err) : dpl__fail_nomem(err);
}

static dpl_status take_sizes(void *user, dpl__job_range range, const char *data, size_t n,
                             dpl_error *err)
{
    const sizing *s = user;
    const size_t first = range.first * ROWS_PER_JOB,
                 n_sizes = dpl__min(s->docs->n_rows, range.end * ROWS_PER_JOB) - first,
                 n_bytes = n_sizes * sizeof *s->n_set;
    if (n < n_bytes)
        return dpl__fail(err, DPL_E_FORMAT, "sizes of other documents");
    memcpy(s->n_set + first, data, n_bytes);
    return take_entries(&s->sampled[0], s->docs->ctx, data + n_bytes, n - n_bytes, err);
}

dpl_status dpl__set_sizes(uint32_t **n_set, double *share, const dpl__dedup_docs *docs,
                          const dpl__sets *sets, dpl_error *err)
{
    enum { SAMPLE = 1 << 17 };
    dpl_ctx *ctx = docs->ctx;
    sizing s = {docs, sets, NULL, NULL, 63};
    uint64_t n_tokens = sets->n_tokens;
    for (; n_tokens > SAMPLE && s.shift > 8; n_tokens /= 2)
        s.shift--;
    s.n_set = *n_set = dpl__alloc(ctx, (docs->n_rows + 1) * sizeof **n_set);
    s.sampled = dpl__calloc(ctx, ctx->n_threads, sizeof *s.sampled);
    dpl_status status;
    DPL__STEP(dpl__need(s.n_set && s.sampled, err));
    const dpl__shared_loop loop = {.name = "sizes",
                                   .n = n_jobs(docs),
                                   .user = &s,
                                   .run = size_rows,
                                   .put = put_sizes,
                                   .take = take_sizes};
    DPL__STEP(dpl__shared_for(ctx, &loop, err));
    status = share_of_single(share, ctx, s.sampled, err);
done:
    for (unsigned i = 0; s.sampled && i < ctx->n_threads; i++)
        dpl__vec_clear(ctx, &s.sampled[i]);
    dpl__free(ctx, s.sampled);
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

static dpl_status count_rows(void *user, size_t job, unsigned worker, dpl_error *err)
{
    join *j = user;
    const dpl__dedup_docs *d = j->q->docs;
    DPL_TRY(report_rows(d, "count", job, worker, err));
    const size_t end = dpl__min(d->n_rows, (job + 1) * ROWS_PER_JOB);
    for (size_t row = job * ROWS_PER_JOB; row < end; row++) {
        size_t n;
        const uint64_t *keys =
            dpl__sets_distinct(j->q->sets, d->rows[row].doc, &j->q->sets->scratch[worker], &n);
        for (size_t i = 0; i < n; i++)
            DPL_PREFETCH((void *)(uintptr_t)&j->counts[keys[i] >> j->shift]);
        for (size_t i = 0; i < n; i++)
            count_key(j, keys[i]);
    }
    return DPL_OK;
}

/* Processes write down places of keys of some rows each, and count a range of places each. */
static dpl_status spread_rows(void *user, size_t job, unsigned worker, dpl__places *out,
                              dpl_error *err)
{
    join *j = user;
    const dpl__dedup_docs *d = j->q->docs;
    const size_t end = dpl__min(d->n_rows, (job + 1) * ROWS_PER_JOB);
    for (size_t row = job * ROWS_PER_JOB; row < end; row++) {
        size_t n;
        const uint64_t *keys =
            dpl__sets_distinct(j->q->sets, d->rows[row].doc, &j->q->sets->scratch[worker], &n);
        DPL_TRY(dpl__need(dpl__vec_reserve(j->ctx, out, n + 1), err));
        for (size_t i = 0; i < n; i++)
            out->data[out->n++] = (uint32_t)(keys[i] >> j->shift);
    }
    return DPL_OK;
}

static dpl_status count_all(join *j, dpl_error *err)
{
    const dpl__place_counts shared = {j->ctx, j->n_counts, n_jobs(j->q->docs), j, spread_rows};
    return j->counts ? dpl__parallel_for(j->ctx, n_jobs(j->q->docs), j, count_rows, err)
                     : dpl__places_count(&j->table, &shared, err);
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

static bool add_entry(join *j, unsigned worker, uint64_t rank, uint32_t row, bool probes)
{
    const uint64_t mixed = dpl__mix(rank);
    if (j->n_passes > 1 && mixed % j->n_passes != j->pass)
        return true;
    return dpl__vec_push(j->ctx, &j->found[worker], make_entry(mixed, probes, row));
}

static void prefetch_count(const join *j, uint64_t key)
{
    const size_t place = (size_t)(key >> j->shift);
    const void *at = j->counts ? (void *)(uintptr_t)&j->counts[place]
                               : (const void *)&j->table.bits[place / 64];
    DPL_PREFETCH(at);
}

/* 0 or 1: no other row has it. */
static uint64_t count_of(const join *j, uint64_t key)
{
    const size_t place = (size_t)(key >> j->shift);
    return j->counts ? atomic_load_explicit(&j->counts[place], memory_order_relaxed)
                     : dpl__place_table_get(&j->table, place);
}

/* Ranks of the row's shingles that other rows have, too: rare first. */
static size_t rank_shared(const join *j, uint32_t row, unsigned worker)
{
    size_t n, n_shared = 0;
    uint64_t *ranks = j->ranks[worker];
    const uint64_t *keys = dpl__sets_distinct(j->q->sets, j->q->docs->rows[row].doc,
                                              &j->q->sets->scratch[worker], &n);
    for (size_t i = 0; i < n; i++)
        prefetch_count(j, keys[i]);
    for (size_t i = 0; i < n; i++) {
        const uint64_t count = count_of(j, keys[i]);
        if (count > 1)
            ranks[n_shared++] = count << 56 | keys[i] >> 8;
    }
    return n_shared;
}

static bool choose(join *j, uint32_t row, unsigned worker)
{
    const size_t n_shared = rank_shared(j, row, worker),
                 needed = least_shared(j->q->least, j->q->n_set[row]);
    uint64_t *ranks = j->ranks[worker];
    size_t word, n_probes = n_shared < needed ? 0 : n_shared - needed + 1;
    if (j->takes_all) {
        for (size_t i = 0; i < n_shared; i++) {
            const uint64_t bit = filter_bit(j, ranks[i], &word);
            if ((atomic_load_explicit(&j->filter[word], memory_order_relaxed) & bit) &&
                !add_entry(j, worker, ranks[i], row, false))
                return false;
        }
        return true;
    }
    if (n_probes)
        select_smallest(ranks, n_shared, n_probes);
    for (size_t i = 0; i < n_probes; i++) {
        if (!add_entry(j, worker, ranks[i], row, true))
            return false;
        if (j->filter) {
            const uint64_t bit = filter_bit(j, ranks[i], &word);
            atomic_fetch_or_explicit(&j->filter[word], bit, memory_order_relaxed);
        }
    }
    return true;
}

static dpl_status choose_rows(void *user, size_t job, unsigned worker, dpl_error *err)
{
    join *j = user;
    DPL_TRY(report_rows(j->q->docs, "search", job, worker, err));
    const size_t end = dpl__min(j->q->docs->n_rows, (job + 1) * ROWS_PER_JOB);
    for (size_t row = job * ROWS_PER_JOB; row < end; row++)
        DPL_TRY(dpl__need(choose(j, (uint32_t)row, worker), err));
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
    for (unsigned w = 0; w < j->ctx->n_threads; w++) {
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
    for (unsigned w = 0; w < j->ctx->n_threads; w++) {
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
    const bool has_table = dpl__is_shared(j->ctx) && dpl__shared_n(j->ctx) > 1;
    j->counts = has_table ? NULL : dpl__calloc(j->ctx, j->n_counts, 1);
    j->filter = is_contained ? dpl__calloc(j->ctx, j->n_counts / 8, 8) : NULL;
    j->found = dpl__calloc(j->ctx, j->ctx->n_threads, sizeof *j->found);
    j->ranks = dpl__calloc(j->ctx, j->ctx->n_threads, sizeof *j->ranks);
    if ((!j->counts && !has_table) || (is_contained && !j->filter) || !j->found || !j->ranks)
        return dpl__fail_nomem(err);
    for (unsigned i = 0; i < j->ctx->n_threads; i++)
        DPL_TRY(dpl__need(
            (j->ranks[i] = dpl__alloc(j->ctx, (j->q->sets->longest + 1) * sizeof(uint64_t))),
            err));
    return DPL_OK;
}

static void tear_down(join *j)
{
    for (unsigned i = 0; i < j->ctx->n_threads; i++) {
        if (j->found)
            dpl__vec_clear(j->ctx, &j->found[i]);
        if (j->ranks)
            dpl__free(j->ctx, j->ranks[i]);
    }
    dpl__free(j->ctx, j->found, j->ranks, (void *)j->counts, (void *)j->filter);
    dpl__place_table_clear(&j->table, j->ctx);
}

static dpl_status put_chosen(dpl__bytes *out, void *user, dpl__job_range range, dpl_error *err)
{
    const join *j = user;
    (void)range;
    return put_entries(out, j->ctx, j->found, err);
}

static dpl_status take_chosen(void *user, dpl__job_range range, const char *data, size_t n,
                              dpl_error *err)
{
    const join *j = user;
    (void)range;
    return take_entries(&j->found[0], j->ctx, data, n, err);
}

/* Containment has a filter of all probes, which is not divided. */
static dpl_status run_pass(dpl__verifier *to, join *j, dpl_error *err)
{
    const size_t n = n_jobs(j->q->docs);
    const dpl__shared_loop loop = {.name = "choose",
                                   .key = dpl__fingerprint_number(j->n_counts, j->pass),
                                   .n = n,
                                   .user = j,
                                   .run = choose_rows,
                                   .put = put_chosen,
                                   .take = take_chosen};
    j->takes_all = false;
    if (!j->filter) {
        DPL_TRY(dpl__shared_for(j->ctx, &loop, err));
    } else {
        DPL_TRY(dpl__parallel_for(j->ctx, n, j, choose_rows, err));
        j->takes_all = true;
        DPL_TRY(dpl__parallel_for(j->ctx, n, j, choose_rows, err));
    }
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
