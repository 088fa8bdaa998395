/*
 * recall.c - the recall check of clusters.
 *
 * A pair of documents that is at or above the threshold is found if both are in one cluster,
 * whether the search has seen this very pair or joined them through others: removal is about
 * clusters. The sampled sets go to one sorted list of shingles, against which the shingles of
 * all rows are held; that gives the exact overlap of each sampled row with every other one.
 * Cost: one pass over all shingles.
 */
#include "dedup/recall.h"

#include "base/ctx.h"
#include "base/lower_bound.h"
#include "base/order.h"
#include "io/shared_loop.h"
#include "pairs/recall_check.h"
#include "tokens/key_filter.h"

enum { ROWS_PER_JOB = 64 };

typedef struct posting {
    uint64_t key;
    uint32_t sample;
} posting;

typedef struct tally {
    uint64_t *truth, *found; /* of each sampled row */
    uint32_t *both;          /* shingles shared with the row at hand */
    uint32_t *touched;       /* samples that share any */
} tally;

typedef struct check {
    dpl_ctx *ctx;
    const dpl__dedup_docs *docs;
    const uint32_t *root;
    bool only_against;
    double least;
    uint32_t *rows; /* sampled */
    size_t n;
    tally *tallies; /* of each thread */
    const dpl__set_query *q;
    DPL_VEC(posting) postings; /* by key */
    dpl__key_filter filter;    /* of their keys */
} check;

/* ---- the sample --------------------------------------------------------------------- */

static uint64_t lot_of(const void *user, uint32_t row)
{
    const check *k = user;
    return dpl__mix(k->docs->rows[row].key ^ k->ctx->seed);
}

static dpl_status draw(check *k, size_t n, dpl_error *err)
{
    k->n = dpl__min(n, k->docs->n_rows);
    k->rows = dpl__alloc(k->ctx, (k->n + 1) * sizeof *k->rows);
    k->tallies = dpl__calloc(k->ctx, k->ctx->n_threads, sizeof *k->tallies);
    DPL_TRY(dpl__need(k->rows && k->tallies, err));
    dpl__draw_lowest(k->rows, k->n, (uint32_t)k->docs->n_rows, lot_of, k);
    for (unsigned i = 0; i < k->ctx->n_threads; i++) {
        tally *t = &k->tallies[i];
        t->truth = dpl__calloc(k->ctx, k->n + 1, sizeof *t->truth);
        t->found = dpl__calloc(k->ctx, k->n + 1, sizeof *t->found);
        t->both = dpl__calloc(k->ctx, k->n + 1, sizeof *t->both);
        t->touched = dpl__calloc(k->ctx, k->n + 1, sizeof *t->touched);
        DPL_TRY(dpl__need(t->truth && t->found && t->both && t->touched, err));
    }
    return DPL_OK;
}

static void clear(check *k)
{
    for (unsigned i = 0; k->tallies && i < k->ctx->n_threads; i++) {
        tally *t = &k->tallies[i];
        dpl__free(k->ctx, t->truth, t->found, t->both, t->touched);
    }
    dpl__free(k->ctx, k->tallies, k->rows);
    dpl__key_filter_clear(&k->filter, k->ctx);
    dpl__vec_clear(k->ctx, &k->postings);
}

static void count_pair(const check *k, tally *t, size_t sample, uint32_t row)
{
    t->truth[sample]++;
    t->found[sample] += k->root[k->rows[sample]] == k->root[row];
}

/* Counts for one sampled row; called by all threads. */
static void count_row(const void *user, size_t i, uint64_t *n_true, uint64_t *n_found)
{
    const check *k = user;
    *n_true = *n_found = 0;
    for (unsigned w = 0; w < k->ctx->n_threads; w++) {
        *n_true += k->tallies[w].truth[i];
        *n_found += k->tallies[w].found[i];
    }
}

/* ---- the check ------------------------------------------------------------------------ */

DPL__ORDER(by_key, posting, DPL__RISING(key) DPL__RISING(sample))

static dpl_status make_postings(check *k, dpl_error *err)
{
    for (size_t i = 0; i < k->n; i++) {
        size_t n;
        const uint64_t *keys = dpl__sets_distinct(k->q->sets, k->docs->rows[k->rows[i]].doc,
                                                  &k->q->sets->scratch[0], &n);
        for (size_t x = 0; x < n; x++) {
            const posting p = {keys[x], (uint32_t)i};
            DPL_TRY(dpl__need(dpl__vec_push(k->ctx, &k->postings, p), err));
        }
    }
    dpl__vec_sort(&k->postings, by_key);
    DPL_TRY(dpl__need(dpl__key_filter_init(&k->filter, k->ctx, k->postings.n), err));
    for (size_t i = 0; i < k->postings.n; i++)
        dpl__key_filter_add(&k->filter, k->postings.data[i].key);
    return DPL_OK;
}

/* The first posting of the key or of a later one. */
static size_t find(const check *k, uint64_t key)
{
    size_t at;
    DPL__LOWER_BOUND(at, k->postings.n, k->postings.data[at].key < key);
    return at;
}

static void check_row(const check *k, uint32_t row, unsigned worker)
{
    tally *t = &k->tallies[worker];
    size_t n, n_touched = 0;
    const uint64_t *keys = dpl__sets_distinct(k->q->sets, k->docs->rows[row].doc,
                                              &k->q->sets->scratch[worker], &n);
    for (size_t i = 0; i < n; i++) {
        if (!dpl__key_filter_may_have(&k->filter, keys[i]))
            continue;
        for (size_t p = find(k, keys[i]);
             p < k->postings.n && k->postings.data[p].key == keys[i]; p++) {
            const uint32_t sample = k->postings.data[p].sample;
            if (!t->both[sample]++)
                t->touched[n_touched++] = sample;
        }
    }
    for (size_t i = 0; i < n_touched; i++) {
        const uint32_t sample = t->touched[i], other = k->rows[sample];
        const double score =
            dpl__dedup_score(k->q->measure, n, k->q->n_set[other], t->both[sample]);
        if (other != row && score >= k->least &&
            dpl__dedup_wants(k->docs, k->only_against, row, other))
            count_pair(k, t, sample, row);
        t->both[sample] = 0;
    }
}

static dpl_status check_rows(void *user, size_t job, unsigned worker, dpl_error *err)
{
    (void)err;
    const check *k = user;
    const size_t end = dpl__min(k->docs->n_rows, (job + 1) * ROWS_PER_JOB);
    for (size_t row = job * ROWS_PER_JOB; row < end; row++)
        check_row(k, (uint32_t)row, worker);
    return DPL_OK;
}

/* What all threads counted so far, and back, as counts of the first one. */
static dpl_status put_tallies(dpl__bytes *out, void *user, dpl__job_range range, dpl_error *err)
{
    const check *k = user;
    (void)range;
    for (size_t i = 0; i < k->n; i++) {
        uint64_t counts[2];
        count_row(k, i, &counts[0], &counts[1]);
        DPL_TRY(
            dpl__need(dpl__vec_append(k->ctx, out, (const char *)counts, sizeof counts), err));
    }
    for (unsigned w = 0; w < k->ctx->n_threads; w++) {
        memset(k->tallies[w].truth, 0, k->n * sizeof *k->tallies[w].truth);
        memset(k->tallies[w].found, 0, k->n * sizeof *k->tallies[w].found);
    }
    return DPL_OK;
}

static dpl_status take_tallies(void *user, dpl__job_range range, const char *data, size_t n,
                               dpl_error *err)
{
    const check *k = user;
    (void)range;
    for (size_t i = 0; i < k->n && n >= 2 * sizeof(uint64_t); i++) {
        uint64_t counts[2];
        memcpy(counts, data + i * sizeof counts, sizeof counts);
        k->tallies[0].truth[i] += counts[0];
        k->tallies[0].found[i] += counts[1];
        n -= sizeof counts;
    }
    return n ? dpl__fail(err, DPL_E_FORMAT, "counts of another sample") : DPL_OK;
}

dpl_status dpl__set_recall(dpl_recall_check *out, const dpl__set_query *q, const uint32_t *root,
                           bool only_against, size_t n, dpl_error *err)
{
    double began = dpl__now();
    check k = {.ctx = q->docs->ctx,
               .docs = q->docs,
               .root = root,
               .only_against = only_against,
               .least = q->least,
               .q = q};
    *out = (dpl_recall_check){0};
    dpl_status status;
    DPL__STEP(draw(&k, n, err));
    DPL__STEP(make_postings(&k, err));
    const dpl__shared_loop loop = {.name = "recall",
                                   .n = (q->docs->n_rows + ROWS_PER_JOB - 1) / ROWS_PER_JOB,
                                   .user = &k,
                                   .run = check_rows,
                                   .put = put_tallies,
                                   .take = take_tallies};
    DPL__STEP(dpl__shared_for(k.ctx, &loop, err));
    dpl__recall_sum(out, &(dpl__recall_rows){k.n, q->docs->n_rows, count_row, &k});
done:
    clear(&k);
    out->seconds = dpl__now() - began;
    return status;
}
