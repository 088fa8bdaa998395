/*
 * doc_counts.c - counts n-grams by sorting.
 *
 * Fingerprints wait until there are two million; then they are dealt to 256 parts by their
 * first byte, which threads sort and merge into the counts so far. What is held is the distinct
 * n-grams, 12 bytes each, not their occurrences; beyond the share they go to a temporary file
 * as a sorted run, and runs are merged in the end. Fingerprints are evenly spread, so that in
 * the end a table of their first bits finds each with about one comparison.
 */
#include "pairs/ngram/doc_counts.h"

#include "pairs/radix.h"
#include "par/pool.h"

enum { LEAST_WAITING = 1 << 12, MOST_WAITING = 1 << 21, BLOCK = 1 << 12 };

/* A count in the file. */
typedef struct counted {
    uint64_t ngram;
    uint64_t count;
} counted;

void dpl__doc_counts_init(dpl__doc_counts *c, dpl__spill *spill, size_t share)
{
    size_t waiting = share / 4 / sizeof(uint64_t);
    *c = (dpl__doc_counts){.ctx = spill->ctx, .spill = spill, .share = share};
    c->most_waiting = waiting < LEAST_WAITING  ? LEAST_WAITING
                      : waiting > MOST_WAITING ? MOST_WAITING
                                               : waiting;
    dpl__runs_init(&c->runs, spill, sizeof(counted), share / 2);
}

static void free_part(dpl__doc_counts *c, dpl__count_part *p)
{
    dpl__free(c->ctx, p->ngrams, p->counts);
    *p = (dpl__count_part){0};
}

static void free_waiting(dpl__doc_counts *c)
{
    dpl__free(c->ctx, c->dealt);
    c->dealt = NULL;
    c->n_dealt = 0;
    dpl__vec_clear(c->ctx, &c->waiting);
}

void dpl__doc_counts_clear(dpl__doc_counts *c)
{
    if (!c->ctx)
        return;
    for (size_t i = 0; i < DPL__COUNT_PARTS; i++)
        free_part(c, &c->parts[i]);
    free_waiting(c);
    dpl__runs_clear(&c->runs);
    for (size_t i = 0; i < DPL_LEN(c->table); i++)
        dpl__scratch_clear(&c->table[i]);
    *c = (dpl__doc_counts){0};
}

/* ---- counting ------------------------------------------------------------------------- */

static void deal(dpl__doc_counts *c)
{
    size_t counts[DPL__COUNT_PARTS] = {0}, at = 0;
    for (size_t i = 0; i < c->waiting.n; i++)
        counts[c->waiting.data[i] >> 56]++;
    for (size_t b = 0; b < DPL__COUNT_PARTS; b++) {
        c->begin[b] = at;
        at += counts[b];
        counts[b] = c->begin[b];
    }
    c->begin[DPL__COUNT_PARTS] = at;
    for (size_t i = 0; i < c->waiting.n; i++)
        c->dealt[counts[c->waiting.data[i] >> 56]++] = c->waiting.data[i];
}

/* Sorts fingerprints of one first byte: by the next two, which leaves few in disorder. Both
 * arrays are changed, one of them is returned. */
static const uint64_t *sort_part(uint64_t *ngrams, uint64_t *scratch, size_t n)
{
    uint64_t *sorted = dpl__radix_sort_bytes(ngrams, scratch, n, 5, 7);
    for (size_t i = 1; i < n; i++) {
        const uint64_t x = sorted[i];
        size_t k = i;
        for (; k > 0 && sorted[k - 1] > x; k--)
            sorted[k] = sorted[k - 1];
        sorted[k] = x;
    }
    return sorted;
}

/* Merges the counts so far with new fingerprints, sorted; with no output, how many there will
 * be. */
static size_t merge(const dpl__count_part *old, const uint64_t *new, size_t n_new,
                    dpl__count_part *out)
{
    size_t n = 0, i = 0, k = 0;
    while (i < old->n || k < n_new) {
        uint64_t x =
            k == n_new || (i < old->n && old->ngrams[i] < new[k]) ? old->ngrams[i] : new[k];
        uint32_t count = 0;
        if (i < old->n && old->ngrams[i] == x)
            count = old->counts[i++];
        for (; k < n_new && new[k] == x; k++)
            count++;
        if (out) {
            out->ngrams[n] = x;
            out->counts[n] = count;
        }
        n++;
    }
    return n;
}

static dpl_status count_part(void *user, size_t i, unsigned worker, dpl_error *err)
{
    (void)worker;
    dpl__doc_counts *c = user;
    dpl__count_part *old = &c->parts[i], made = {0};
    size_t n_new = c->begin[i + 1] - c->begin[i];
    if (!n_new)
        return DPL_OK;
    const uint64_t *new = /* what waited is dealt: free as scratch */
        sort_part(c->dealt + c->begin[i], c->waiting.data + c->begin[i], n_new);
    made.n = merge(old, new, n_new, NULL);
    made.ngrams = dpl__alloc(c->ctx, made.n * sizeof *made.ngrams);
    made.counts = dpl__alloc(c->ctx, made.n * sizeof *made.counts);
    if (!made.ngrams || !made.counts) {
        free_part(c, &made);
        return dpl__fail_nomem(err);
    }
    merge(old, new, n_new, &made);
    free_part(c, old);
    *old = made;
    return DPL_OK;
}

/* The counts so far become a run in the file. */
static dpl_status write_run(dpl__doc_counts *c, dpl_error *err)
{
    counted *block = dpl__alloc(c->ctx, BLOCK * sizeof *block);
    DPL_TRY(dpl__need(block, err));
    dpl_status status = DPL_OK;
    for (size_t i = 0; i < DPL__COUNT_PARTS; i++) {
        dpl__count_part *p = &c->parts[i];
        for (size_t at = 0; status == DPL_OK && at < p->n;) {
            size_t n = dpl__min(p->n - at, BLOCK);
            for (size_t k = 0; k < n; k++)
                block[k] = (counted){p->ngrams[at + k], p->counts[at + k]};
            status = dpl__runs_append(&c->runs, block, n, err);
            at += n;
        }
        free_part(c, p);
    }
    dpl__free(c->ctx, block);
    return status == DPL_OK ? dpl__runs_end_run(&c->runs, err) : status;
}

static dpl_status count_waiting(dpl__doc_counts *c, dpl_error *err)
{
    if (!c->waiting.n)
        return DPL_OK;
    if (c->waiting.n > c->n_dealt) {
        dpl__free(c->ctx, c->dealt);
        c->n_dealt = 0;
        c->dealt = dpl__alloc(c->ctx, c->waiting.n * sizeof *c->dealt);
        DPL_TRY(dpl__need(c->dealt, err));
        c->n_dealt = c->waiting.n;
    }
    deal(c);
    DPL_TRY(dpl__parallel_for(c->ctx, DPL__COUNT_PARTS, c, count_part, err));
    c->waiting.n = 0;
    size_t n_held = 0;
    for (size_t i = 0; i < DPL__COUNT_PARTS; i++)
        n_held += c->parts[i].n;
    return n_held > c->share / 12 ? write_run(c, err) : DPL_OK;
}

dpl_status dpl__doc_counts_add(dpl__doc_counts *c, const uint64_t *ngrams, size_t n,
                               dpl_error *err)
{
    c->n_entries += n;
    while (n) {
        size_t some = dpl__min(n, c->most_waiting - c->waiting.n);
        DPL_TRY(dpl__need(dpl__vec_append(c->ctx, &c->waiting, ngrams, some), err));
        ngrams += some;
        n -= some;
        if (c->waiting.n == c->most_waiting)
            DPL_TRY(count_waiting(c, err));
    }
    return DPL_OK;
}

/* ---- runs and parts, n-gram by n-gram --------------------------------------------------- */

static bool is_before(const counted *a, const counted *b)
{
    return a->ngram < b->ngram;
}

static bool join(counted *a, const counted *b)
{
    if (a->ngram != b->ngram)
        return false;
    a->count += b->count;
    return true;
}

DPL_RUNS(count_runs, counted, is_before, join);

/* In the parts, where there are no runs. */
typedef struct place {
    size_t part, at;
} place;

static dpl_status next_ngram(dpl__doc_counts *c, place *next, counted *out, dpl_error *err)
{
    if (c->runs.ends.n)
        return count_runs_next(&c->runs, out, err);
    while (next->part < DPL__COUNT_PARTS && next->at == c->parts[next->part].n)
        *next = (place){next->part + 1, 0};
    if (next->part == DPL__COUNT_PARTS)
        return DPL_END;
    const dpl__count_part *p = &c->parts[next->part];
    *out = (counted){p->ngrams[next->at], p->counts[next->at]};
    next->at++;
    return DPL_OK;
}

/* ---- the table ------------------------------------------------------------------------ */

static dpl_status make_table(dpl__doc_counts *c, dpl_error *err)
{
    unsigned bits = 8;
    while (bits < 30 && ((size_t)1 << bits) < c->n)
        bits++;
    c->shift = 64 - bits;
    DPL_TRY(dpl__scratch_init(&c->table[0], c->spill, 2 * c->n, c->share / 2, err));
    DPL_TRY(dpl__scratch_init(&c->table[1], c->spill, c->n, c->share / 4, err));
    return dpl__scratch_init(&c->table[2], c->spill, ((size_t)1 << bits) + 1, c->share / 2,
                             err);
}

/* Without a table: how many are kept. */
static dpl_status fill(dpl__doc_counts *c, unsigned min_count, bool has_table, dpl_error *err)
{
    uint64_t *ngrams = (uint64_t *)(void *)c->table[0].data;
    uint32_t *counts = c->table[1].data, *starts = c->table[2].data;
    place next = {0};
    counted x;
    uint64_t n_all = 0, n = 0;
    dpl_status status = c->runs.ends.n ? count_runs_open(&c->runs, NULL, 0, err) : DPL_OK;
    while (status == DPL_OK && (status = next_ngram(c, &next, &x, err)) == DPL_OK) {
        n_all++;
        if (x.count < min_count)
            continue;
        if (has_table) {
            ngrams[n] = x.ngram;
            counts[n] = (uint32_t)x.count;
            starts[(x.ngram >> c->shift) + 1]++;
        }
        n++;
    }
    dpl__runs_close(&c->runs);
    if (status != DPL_END)
        return status;
    if (n >= UINT32_MAX)
        return dpl__fail(err, DPL_E_LIMIT, "more than %u different n-grams", UINT32_MAX - 1);
    c->n = (size_t)n;
    c->n_ngrams = n_all;
    return DPL_OK;
}

dpl_status dpl__doc_counts_end(dpl__doc_counts *c, unsigned min_count, dpl_error *err)
{
    DPL_TRY(count_waiting(c, err));
    free_waiting(c);
    if (c->runs.ends.n)
        DPL_TRY(write_run(c, err));
    DPL_TRY(fill(c, min_count, false, err));
    DPL_TRY(make_table(c, err));
    DPL_TRY(fill(c, min_count, true, err));
    for (size_t i = 0; i < DPL__COUNT_PARTS; i++)
        free_part(c, &c->parts[i]);
    dpl__runs_clear(&c->runs);
    uint32_t *starts = c->table[2].data;
    for (size_t i = 0; i < (size_t)1 << (64 - c->shift); i++)
        starts[i + 1] += starts[i];
    c->ngrams = (const uint64_t *)(const void *)c->table[0].data;
    c->counts = c->table[1].data;
    c->starts = starts;
    c->n_rare = c->n_ngrams - c->n;
    return DPL_OK;
}
