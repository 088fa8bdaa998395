/*
 * item_search.c - which shingles of old documents each new document has (only_against).
 *
 * The distinct shingles of the old rows are sorted by their keys. Every new row looks its own
 * up among them, behind a filter of bits, and counts how many it has of each old row: the
 * counts are exact, and so is the similarity. Most new documents have none and cost one look
 * into the filter for each of their words. Containment is that of the old document in the new
 * one, which may be longer: a short document is not removed because a test item happens to
 * contain it.
 *
 * Cost: one pass over the new documents for each part of the old ones; their shingles take a
 * quarter of the memory at most, 32 bytes each while they are sorted, in as many parts as that
 * needs.
 */
#include "dedup/set_search.h"

#include "base/ctx.h"
#include "base/order.h"
#include "par/pool.h"
#include "par/sort.h"
#include "tokens/key_filter.h"

enum { ROWS_PER_JOB = 64 };

/* A shingle of an old row. */
typedef struct posting {
    uint64_t key;
    uint32_t item; /* its row, as a number within the part */
} posting;

/* What a thread counts with. */
typedef struct counter {
    uint32_t *counts;        /* of each item: shingles that the new row has */
    DPL_VEC(uint32_t) items; /* with counts above 0 */
    dpl__edges edges;
    uint64_t n_candidates;
} counter;

typedef struct part {
    dpl_ctx *ctx;
    const dpl__set_query *q;
    DPL_VEC(posting) postings; /* by key */
    DPL_VEC(uint32_t) rows;    /* old rows of the part */
    DPL_VEC(uint32_t) n_set;   /* their distinct shingles */
    size_t *starts;            /* of keys by their first bits; one more for the end */
    unsigned shift;
    dpl__key_filter filter;
    counter *counters; /* one for each thread */
} part;

/* ---- old rows ----------------------------------------------------------------------- */

DPL__ORDER(by_key, posting, DPL__RISING(key) DPL__RISING(item))

/* Shingles of old rows from *row on, until there are enough. */
static dpl_status take_rows(part *p, uint32_t *row, dpl_error *err)
{
    const dpl__dedup_docs *d = p->q->docs;
    const size_t most = p->ctx->memory / 8 / sizeof(posting);
    for (; *row < d->n_rows && p->postings.n < most; ++*row) {
        size_t n;
        if (!d->rows[*row].has_old)
            continue;
        const uint64_t *keys =
            dpl__sets_distinct(p->q->sets, d->rows[*row].doc, &p->q->sets->scratch[0], &n);
        const uint32_t item = (uint32_t)p->rows.n;
        DPL_TRY(dpl__need(dpl__vec_push(p->ctx, &p->rows, *row) &&
                              dpl__vec_push(p->ctx, &p->n_set, (uint32_t)n),
                          err));
        for (size_t i = 0; i < n; i++)
            DPL_TRY(dpl__need(dpl__vec_push(p->ctx, &p->postings, ((posting){keys[i], item})),
                              err));
    }
    return DPL_OK;
}

static dpl_status index_rows(part *p, dpl_error *err)
{
    const size_t n = p->postings.n;
    p->shift = 64 - 8;
    while (p->shift > 32 && (size_t)1 << (64 - p->shift) < n)
        p->shift--;
    const size_t n_starts = ((size_t)1 << (64 - p->shift)) + 1;
    p->starts = dpl__calloc(p->ctx, n_starts, sizeof *p->starts);
    DPL_TRY(dpl__need(p->starts && dpl__key_filter_init(&p->filter, p->ctx, n), err));
    if (n)
        DPL_TRY(dpl__parallel_sort(p->ctx, p->postings.data, n, sizeof *p->postings.data,
                                   by_key, err));
    for (size_t i = 0; i < n; i++) {
        dpl__key_filter_add(&p->filter, p->postings.data[i].key);
        p->starts[(p->postings.data[i].key >> p->shift) + 1]++;
    }
    for (size_t i = 1; i < n_starts; i++)
        p->starts[i] += p->starts[i - 1];
    p->counters = dpl__calloc(p->ctx, p->ctx->n_threads, sizeof *p->counters);
    DPL_TRY(dpl__need(p->counters, err));
    for (unsigned i = 0; i < p->ctx->n_threads; i++)
        DPL_TRY(dpl__need((p->counters[i].counts = dpl__calloc(p->ctx, p->rows.n + 1,
                                                               sizeof *p->counters[i].counts)),
                          err));
    return DPL_OK;
}

static void part_clear(part *p)
{
    for (unsigned i = 0; p->counters && i < p->ctx->n_threads; i++) {
        counter *c = &p->counters[i];
        dpl__free(p->ctx, c->counts);
        dpl__vec_clear(p->ctx, &c->items, &c->edges);
    }
    dpl__free(p->ctx, p->counters);
    if (p->starts)
        dpl__free(p->ctx, p->starts);
    if (p->filter.bits)
        dpl__key_filter_clear(&p->filter, p->ctx);
    dpl__vec_clear(p->ctx, &p->postings, &p->rows, &p->n_set);
}

/* ---- new rows ----------------------------------------------------------------------- */

static bool count_key(const part *p, counter *c, uint64_t key)
{
    if (!dpl__key_filter_may_have(&p->filter, key))
        return true;
    const size_t bucket = (size_t)(key >> p->shift), end = p->starts[bucket + 1];
    for (size_t i = p->starts[bucket]; i < end && p->postings.data[i].key <= key; i++) {
        const posting *at = &p->postings.data[i];
        if (at->key == key && c->counts[at->item]++ == 0 &&
            !dpl__vec_push(p->ctx, &c->items, at->item))
            return false;
    }
    return true;
}

/* Pairs of the row that are similar enough; the counts are 0 again. */
static bool take_pairs(const part *p, counter *c, uint32_t row, size_t n)
{
    bool is_ok = true;
    for (size_t i = 0; i < c->items.n; i++) {
        const uint32_t item = c->items.data[i], old = p->rows.data[item];
        const size_t both = c->counts[item], n_old = p->n_set.data[item];
        const double score = p->q->measure == DPL_DEDUP_CONTAINMENT
                                 ? (double)both / (double)n_old
                                 : dpl__dedup_score(p->q->measure, n, n_old, both);
        c->counts[item] = 0;
        if (old == row)
            continue;
        c->n_candidates++;
        if ((float)score < (float)p->q->least)
            continue;
        const dpl_dedup_edge edge = {row < old ? row : old, row < old ? old : row, (float)score,
                                     DPL_EDGE_NEAR};
        is_ok = is_ok && dpl__vec_push(p->ctx, &c->edges, edge);
    }
    c->items.n = 0;
    return is_ok;
}

static bool has_any(const part *p, const uint64_t *keys, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (dpl__key_filter_may_have(&p->filter, keys[i]))
            return true;
    return false;
}

static dpl_status search_rows(void *user, size_t job, unsigned worker, dpl_error *err)
{
    part *p = user;
    counter *c = &p->counters[worker];
    const dpl__dedup_docs *d = p->q->docs;
    dpl__set_scratch *scratch = &p->q->sets->scratch[worker];
    const uint32_t end = (uint32_t)dpl__min(d->n_rows, (job + 1) * ROWS_PER_JOB);
    for (uint32_t row = (uint32_t)(job * ROWS_PER_JOB); row < end; row++) {
        size_t n;
        if (!d->rows[row].has_new)
            continue;
        const uint64_t *keys = dpl__sets_shingles(p->q->sets, d->rows[row].doc, scratch, &n);
        if (!has_any(p, keys, n))
            continue;
        keys = dpl__sets_distinct(p->q->sets, d->rows[row].doc, scratch, &n);
        for (size_t i = 0; i < n; i++)
            DPL_TRY(dpl__need(count_key(p, c, keys[i]), err));
        DPL_TRY(dpl__need(take_pairs(p, c, row, n), err));
    }
    return DPL_OK;
}

/* ---- the search --------------------------------------------------------------------- */

static dpl_status search_part(dpl__edges *edges, uint64_t *n_candidates, part *p, uint32_t *row,
                              dpl_error *err)
{
    DPL_TRY(take_rows(p, row, err));
    DPL_TRY(index_rows(p, err));
    const size_t n_jobs = (p->q->docs->n_rows + ROWS_PER_JOB - 1) / ROWS_PER_JOB;
    DPL_TRY(dpl__parallel_for(p->ctx, n_jobs, p, search_rows, err));
    for (unsigned i = 0; i < p->ctx->n_threads; i++) {
        *n_candidates += p->counters[i].n_candidates;
        DPL_TRY(dpl__need(
            dpl__vec_append(p->ctx, edges, p->counters[i].edges.data, p->counters[i].edges.n),
            err));
    }
    return DPL_OK;
}

dpl_status dpl__item_search(dpl__edges *edges, uint64_t *n_candidates, const dpl__set_query *q,
                            dpl_error *err)
{
    const uint32_t n_rows = q->docs->n_rows;
    dpl_status status = DPL_OK;
    for (uint32_t row = 0; status == DPL_OK && row < n_rows;) {
        const dpl_progress progress = {"search", "documents", row, n_rows};
        part p = {.ctx = q->docs->ctx, .q = q};
        status = dpl__progress(p.ctx, &progress, err);
        if (status == DPL_OK)
            status = search_part(edges, n_candidates, &p, &row, err);
        part_clear(&p);
    }
    dpl__edges_sort(edges);
    return status;
}
