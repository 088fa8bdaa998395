/*
 * neighbours_exact.c - the k nearest of every row and every column, in one pass over an
 * inverted index, with cuts that rise.
 *
 * A pair matters only if it is among the k best of its left or of its right row. For each left
 * row (query) and block of right rows the products of the tail terms are added up in 16 bits
 * (bound_index.h); each sum is a lower bound of its cosine, and with the bound of the head and
 * the rounding an upper one. Two cuts decide which pairs are scored: the k-th best lower bound
 * of the query so far, found strip by strip while the sums are swept, and the k-th best score
 * of each right row so far, copied without a lock once for each chunk of queries. Cuts
 * only rise and never pass what belongs to a list, so the lists do not depend on the number of
 * threads, the size of chunks or the order of the work; only how much is scored in vain does.
 *
 * Queries are the rows of the larger side: their cuts rise at once, those of the indexed rows
 * only as queries come by. Within one set every row is a query against all others, and there
 * are no cuts of indexed rows: each pair is looked at from both sides.
 *
 * Which terms are in the tail is decided as for a search with a threshold (exact_plan.c), at
 * the k-th best score of a typical row of a sample.
 *
 * Cost: one addition for each tail term that two rows share, a sweep of 2 bytes for each pair
 * of rows, a score for some ten pairs of each row. Memory: the index, in shards of half of what
 * there is, and the lists.
 */
#include "pairs/neighbour_lists.h"

#include "base/ctx.h"
#include "base/mappings.h"
#include "base/order.h"
#include "io/parts.h"
#include "io/shared_run.h"
#include "pairs/bound_index.h"
#include "par/pool.h"
#include "vectors/vectors.h"

#include <math.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

enum {
    CHUNK = 8,    /* queries of a task: cuts of right rows are renewed after each */
    STRIP = 1024, /* right rows swept at a time; the query's cut rises in between */
    CUTS = 4,     /* of a word */
    STRIPE = 64,  /* right rows of a lock, in turn: whole words */
    STRIPES = 256,
    RANGES = 16,         /* of chunks, for each process of a shared run, at most, */
    MOST_RANGES = 256,   /* and of all of them */
    SAMPLED = 16,        /* queries whose k-th best score is looked up beforehand */
    SAMPLED_ROWS = 8192, /* right rows of it */
    AHEAD = 2            /* rows fetched before they are scored */
};

/* The head is chosen for a search with this share of a typical row's k-th best score as its
 * threshold: rows with lower ones make most of the survivors. Package descriptions, spelling
 * and lexicon, in an earlier version: 0.4 to 0.8 took about the same time, 1 took 1.3 times as
 * long. Not measured on the present one. */
static const double PLANNED_SHARE = 0.6;

/* What it takes on top of a search with a threshold: cuts are copied and compared. */
static const double TIMES = 1.25, SWEEP_NS = 0.13;

/* A pair that may belong to a list: place in the block, lower and upper bound. */
typedef struct survivor {
    uint16_t place, lower, upper;
} survivor;

/* A worker's own. */
typedef struct scratch {
    dpl__bound_queries queries;
    dpl__scorer scorer;
    uint16_t *sums, *places; /* of the largest block */
    uint64_t *words;         /* its cuts as they were copied */
    const uint16_t *cuts;    /* in these */
    uint16_t *lows;          /* k best lower bounds of a query, best first */
    DPL_VEC(survivor) survivors;
    dpl__found found;
    uint64_t n_scored;
} scratch;

typedef struct search {
    dpl_ctx *ctx;
    dpl__neighbour_lists *lists;
    dpl__join join;
    bool is_self;
    dpl__bound_index index;
    double norm;            /* X: no left row has a larger one */
    _Atomic uint64_t *cuts; /* of each right row, in units of its block; four in a word */
    pthread_mutex_t locks[STRIPES]; /* of lists and cuts of right rows, to change them */
    scratch *scratch;
    size_t first, n_chunks; /* the first that is searched; all */
    size_t shard, n_shards;
    uint32_t shard_rows[2]; /* the indexed rows: first, end */
} search;

/* ---- cuts --------------------------------------------------------------------------- */

static double exact_units(const search *s, const dpl__bound_block *k, double score)
{
    const double all = s->norm * k->norm;
    return all > 0 ? score / all * DPL__BOUND_UNITS * (DPL__BOUND_UNITS / 65536.0)
                   : DPL__BOUND_UNITS;
}

/* Units that a pair of this score has at least, before the slack; at least 1. */
static uint16_t units_of(const search *s, const dpl__bound_block *k, double score)
{
    const double units = exact_units(s, k, score * (1 - 1e-6));
    return (uint16_t)(units < 1 ? 1 : units < DPL__BOUND_UNITS ? units : DPL__BOUND_UNITS);
}

static double least_score(const search *s, int side, uint32_t row)
{
    double cut = (double)dpl__neighbour_lists_cut(s->lists, side, row);
    return cut > s->join.threshold ? cut : s->join.threshold;
}

/* Units by which rounding may have lowered a sum of m products, and the head's (exact_bound.c
 * has the bound). */
static uint16_t slack_of(const dpl__bound_query *q)
{
    double m = q->n, slack = ceil(2 * sqrt(m) + m) + 4;
    return (uint16_t)(slack < DPL__BOUND_UNITS ? slack : DPL__BOUND_UNITS);
}

static uint16_t get_cut(const search *s, uint32_t row)
{
    uint16_t cuts[CUTS];
    const uint64_t word = atomic_load_explicit(&s->cuts[row / CUTS], memory_order_relaxed);
    memcpy(cuts, &word, sizeof word);
    return cuts[row % CUTS];
}

/* Under the row's lock, or by one thread. */
static void set_cut(search *s, uint32_t row, uint16_t cut)
{
    _Atomic uint64_t *at = &s->cuts[row / CUTS];
    uint16_t cuts[CUTS];
    uint64_t word = atomic_load_explicit(at, memory_order_relaxed);
    memcpy(cuts, &word, sizeof word);
    cuts[row % CUTS] = cut;
    memcpy(&word, cuts, sizeof word);
    atomic_store_explicit(at, word, memory_order_relaxed);
}

/* Sets the cuts of all indexed rows from their lists. */
static void set_cuts(search *s)
{
    for (size_t i = 0; i < s->index.blocks.n; i++) {
        const dpl__bound_block *k = &s->index.blocks.data[i];
        for (uint32_t row = k->first; row < k->first + k->n_rows; row++)
            set_cut(s, row,
                    s->is_self ? DPL__BOUND_UNITS
                               : units_of(s, k, least_score(s, DPL__SIDE_RIGHT, row)));
    }
}

/* Those of a block, in whole words; answers where its first one is. */
static const uint16_t *copy_cuts(const search *s, scratch *own, const dpl__bound_block *k)
{
    const size_t first = k->first / CUTS, end = (k->first + k->n_rows + CUTS - 1) / CUTS;
    for (size_t i = first; i < end; i++)
        own->words[i - first] = atomic_load_explicit(&s->cuts[i], memory_order_relaxed);
    return (const uint16_t *)own->words + k->first % CUTS;
}

/* ---- one query in one block --------------------------------------------------------- */

/* Adds a lower bound to the k best; returns the k-th. */
static uint16_t add_low(uint16_t *lows, unsigned k, uint16_t low)
{
    size_t at = k - 1;
    if (low <= lows[at])
        return lows[at];
    for (; at > 0 && low > lows[at - 1]; at--)
        lows[at] = lows[at - 1];
    lows[at] = low;
    return lows[k - 1];
}

/* Pairs of the query that may belong to its list or to one of a right row; leaves zeros. */
static bool sweep(search *s, scratch *own, const dpl__bound_block *k, const dpl__bound_query *q)
{
    const dpl__kernels *kernels = s->ctx->kernels;
    unsigned n_best = s->lists->k;
    dpl__pass pass = {.norm = q->head,
                      .slack = slack_of(q),
                      .least = units_of(s, k, least_score(s, DPL__SIDE_LEFT, q->row))};
    memset(own->lows, 0, n_best * sizeof *own->lows);
    own->survivors.n = 0;
    for (uint32_t at = 0; at < k->n_rows; at += STRIP) {
        size_t n = dpl__min(STRIP, k->n_rows - at);
        pass.norms = k->norms + at;
        pass.cuts = own->cuts + at;
        n = kernels->sparse_pass(own->places, own->sums + at, n, &pass);
        if (!dpl__vec_reserve(s->ctx, &own->survivors, n))
            return false;
        for (size_t i = 0; i < n; i++) {
            uint32_t place = at + own->places[i];
            if (s->is_self && k->first + place == q->row)
                continue;
            uint32_t sum = own->sums[place];
            uint32_t upper = sum + ((uint32_t)k->norms[place] * q->head >> 16) + pass.slack;
            own->survivors.data[own->survivors.n++] = (survivor){
                (uint16_t)place, (uint16_t)sum, (uint16_t)dpl__min(upper, DPL__BOUND_UNITS)};
            uint16_t low = add_low(own->lows, n_best, (uint16_t)sum);
            pass.least = low > pass.least ? low : pass.least;
        }
    }
    memset(own->sums, 0, k->n_rows * sizeof *own->sums);
    return true;
}

/* Scores those that may still belong to a list and have a lower bound of at least `lower`, and
 * keeps the others: pairs go to the query's list and wait for the right rows'. */
static bool score(search *s, scratch *own, const dpl__bound_block *k, uint32_t row,
                  uint16_t lower)
{
    uint16_t least = units_of(s, k, least_score(s, DPL__SIDE_LEFT, row));
    survivor *all = own->survivors.data;
    size_t n = 0, n_rest = 0;
    for (size_t i = 0; i < own->survivors.n; i++) {
        survivor v = all[i];
        if (v.upper < least && v.upper < own->cuts[v.place])
            continue;
        if (v.lower >= lower)
            own->places[n++] = v.place;
        else
            all[n_rest++] = v;
    }
    own->survivors.n = n_rest;
    own->n_scored += n;
    for (size_t i = 0; i < n; i++) {
        uint32_t right = k->first + own->places[i];
        uint32_t next = k->first + own->places[dpl__min(i + AHEAD, n - 1)];
        dpl__mappings_ease_in_loop(s->ctx, i);
        float cosine = dpl__score(&own->scorer, right, next);
        if (!dpl__is_pair(cosine, s->join.threshold))
            continue;
        dpl__neighbour_lists_offer(s->lists, DPL__SIDE_LEFT, row, right, cosine);
        if (!s->is_self &&
            !dpl__vec_push(s->ctx, &own->found, ((dpl_pair){row, right, cosine})))
            return false;
    }
    return true;
}

/* Scores the rows with the k best lower bounds first: their scores are the cut for the
 * others. */
static bool score_all(search *s, scratch *own, const dpl__bound_block *k, uint32_t row)
{
    if (own->survivors.n == 0)
        return true;
    dpl__scorer_set(&own->scorer, row);
    return score(s, own, k, row, own->lows[s->lists->k - 1]) && score(s, own, k, row, 0);
}

/* What the chunk has found goes to the lists of right rows, whose cuts rise. A cut of one says
 * nothing; a score below another one is too low for the list. */
static void offer_right(search *s, scratch *own, const dpl__bound_block *k)
{
    for (size_t i = 0; i < own->found.n; i++) {
        const dpl_pair *p = &own->found.data[i];
        const uint16_t cut = get_cut(s, p->right);
        if (cut > 1 && exact_units(s, k, (double)p->score) < cut)
            continue;
        pthread_mutex_t *lock = &s->locks[p->right / STRIPE % STRIPES];
        pthread_mutex_lock(lock);
        if (dpl__neighbour_lists_offer(s->lists, DPL__SIDE_RIGHT, p->right, p->left, p->score))
            set_cut(s, p->right, units_of(s, k, least_score(s, DPL__SIDE_RIGHT, p->right)));
        pthread_mutex_unlock(lock);
    }
    own->found.n = 0;
}

/* ---- a chunk ------------------------------------------------------------------------ */

static bool search_block(search *s, scratch *own, const dpl__bound_block *k)
{
    own->cuts = copy_cuts(s, own, k);
    for (size_t i = 0; i < own->queries.all.n; i++) {
        const dpl__bound_query *q = &own->queries.all.data[i];
        size_t n = dpl__bound_queries_lists(&own->queries, s->ctx, i, k, k->offsets);
        if (n == SIZE_MAX)
            return false;
        s->ctx->kernels->sparse_add(own->sums, own->queries.lists.data, n);
        if (!sweep(s, own, k, q) || !score_all(s, own, k, q->row))
            return false;
    }
    offer_right(s, own, k);
    return true;
}

static bool make_scratch(search *s, scratch *own)
{
    if (own->lows)
        return true;
    size_t n = s->index.block_rows;
    if (!own->sums) /* it may have failed before, half-way */
        own->sums = dpl__calloc(s->ctx, n, sizeof *own->sums);
    if (!own->places)
        own->places = dpl__alloc(s->ctx, n * sizeof *own->places);
    if (!own->words)
        own->words = dpl__alloc(s->ctx, (n / CUTS + 2) * sizeof *own->words);
    if (!own->sums || !own->places || !own->words ||
        (!own->scorer.sides && !dpl__scorer_init(&own->scorer, s->ctx, s->join.sides)))
        return false;
    own->lows = dpl__alloc(s->ctx, s->lists->k * sizeof *own->lows);
    return own->lows != NULL;
}

static dpl_status search_chunk(void *user, size_t i, unsigned worker, dpl_error *err)
{
    search *s = user;
    scratch *own = &s->scratch[worker];
    const size_t chunk = s->first + i;
    uint32_t row = (uint32_t)(chunk * CHUNK);
    uint32_t end = (uint32_t)dpl__min((uint64_t)row + CHUNK, s->join.n_queries);
    const dpl_progress progress = {"nearest", "documents",
                                   (s->shard * s->n_chunks + chunk + 1) / s->n_shards * CHUNK,
                                   s->n_chunks * CHUNK};
    DPL_TRY(dpl__loop_progress(s->ctx, worker, &progress, err));
    DPL_TRY(dpl__need(make_scratch(s, own), err));
    dpl__bound_queries_reset(&own->queries);
    for (; row < end; row++)
        DPL_TRY(dpl__need(dpl__bound_queries_add(&own->queries, &s->index, row, s->norm), err));
    for (size_t b = 0; b < s->index.blocks.n; b++)
        DPL_TRY(dpl__need(search_block(s, own, &s->index.blocks.data[b]), err));
    return DPL_OK;
}

static dpl_status search_chunks(search *s, size_t first, size_t end, dpl_error *err)
{
    s->first = first;
    return dpl__parallel_for(s->ctx, end - first, s, search_chunk, err);
}

/* ---- shared with other processes ------------------------------------------------------ */

/* A range of queries against the shard, in each process with the cuts of all ranges that are
 * searched when it begins. The first ranges of a process are small: until cuts have risen, most
 * pairs are scored. What belongs to a list in the end is in the list of whoever searched
 * its range, so it is among what a range hands on: all numbers in lists that come from its
 * queries. */

/* A number in the list of a row. */
typedef struct shared_entry {
    uint64_t number;
    uint32_t side, row;
} shared_entry;

static size_t ranges_of_process(const search *s)
{
    const size_t n = dpl__shared_n(s->ctx);
    const size_t most = dpl__min(RANGES, dpl__max(1, MOST_RANGES / n));
    return dpl__min(most, dpl__max(1, s->n_chunks / n));
}

/* The size of the first so many ranges of a process: 1, 2, 4, 8, 16, then 20 each. */
static size_t range_units(size_t n)
{
    return n < 5 ? ((size_t)1 << n) - 1 : 31 + 20 * (n - 5);
}

static size_t range_begin(const search *s, size_t range)
{
    const size_t each = ranges_of_process(s), n = dpl__shared_n(s->ctx), process = range / each;
    const size_t first = process * s->n_chunks / n;
    return first + ((process + 1) * s->n_chunks / n - first) * range_units(range % each) /
                       range_units(each);
}

/* Entries of lists [first, end) of a side whose partners are rows [low, high). */
static bool put_lists(dpl__bytes *out, const search *s, int side, const uint32_t rows[2],
                      uint32_t low, uint32_t high)
{
    const unsigned k = s->lists->k;
    for (uint32_t row = rows[0]; row < rows[1]; row++)
        for (unsigned i = 0; i < k; i++) {
            const dpl_scored_row near = dpl__neighbour_lists_get(s->lists, side, row, i);
            const shared_entry e = {s->lists->best[side][(size_t)row * k + i], (uint32_t)side,
                                    row};
            if (near.row == DPL__NO_ROW)
                break;
            if (near.row - low < high - low &&
                !dpl__vec_append(s->ctx, out, (const char *)&e, sizeof e))
                return false;
        }
    return true;
}

static dpl_status make_range(dpl__bytes *out, void *user, size_t range, dpl_error *err)
{
    search *s = user;
    const size_t first = range_begin(s, range), end = range_begin(s, range + 1);
    const uint32_t rows[2] = {(uint32_t)(first * CHUNK),
                              (uint32_t)dpl__min(end * CHUNK, s->join.n_queries)};
    set_cuts(s); /* from what other processes found, too */
    DPL_TRY(search_chunks(s, first, end, err));
    if (!put_lists(out, s, DPL__SIDE_LEFT, rows, s->shard_rows[0], s->shard_rows[1]) ||
        (!s->is_self && !put_lists(out, s, DPL__SIDE_RIGHT, s->shard_rows, rows[0], rows[1])))
        return dpl__fail_nomem(err);
    return DPL_OK;
}

static dpl_status take_range(void *user, size_t range, const char *data, size_t n,
                             dpl_error *err)
{
    search *s = user;
    (void)range;
    for (; n >= sizeof(shared_entry); n -= sizeof(shared_entry), data += sizeof(shared_entry)) {
        shared_entry e;
        memcpy(&e, data, sizeof e);
        if (e.side > 1 || e.row >= s->lists->n_rows[e.side] || !e.number ||
            dpl__partner_row(e.number) >= s->lists->n_rows[s->is_self ? 0 : !e.side])
            return dpl__fail(err, DPL_E_FORMAT, "neighbours of a row that is not there");
        dpl__neighbour_list_insert(s->lists->best[e.side] + (size_t)e.row * s->lists->k,
                                   s->lists->k, e.number);
    }
    return DPL_OK;
}

/* All that decides the lists. */
static uint64_t search_key(const search *s)
{
    const dpl__sides *sides = s->join.sides;
    uint64_t key = dpl__hash(dpl_version(), strlen(dpl_version()), 0);
    key = dpl__vectors_fingerprint(key, sides->left);
    key = dpl__vectors_fingerprint(key, sides->right);
    for (int side = 0; side < (s->is_self ? 1 : 2); side++)
        if (s->lists->ranks[side])
            key = dpl__fingerprint(key, s->ctx, s->lists->ranks[side],
                                   s->lists->n_rows[side] * sizeof *s->lists->ranks[side]);
    const uint64_t numbers[] = {s->lists->k, s->shard_rows[0], s->shard_rows[1],
                                s->is_self,  s->n_chunks,      dpl__shared_n(s->ctx)};
    key = dpl__fingerprint(key, s->ctx, numbers, sizeof numbers);
    return dpl__fingerprint(key, s->ctx, &s->join.threshold, sizeof s->join.threshold);
}

static dpl_status search_shared(search *s, uint32_t first, uint32_t end, dpl_error *err)
{
    s->shard_rows[0] = first;
    s->shard_rows[1] = end;
    const dpl__shared_work work = {.name = "nearest",
                                   .key = search_key(s),
                                   .n = ranges_of_process(s) * dpl__shared_n(s->ctx),
                                   .user = s,
                                   .make = make_range,
                                   .take = take_range,
                                   .is_taken_early = true};
    return dpl__shared_work_run(s->ctx, &work, err);
}

/* ---- the whole ---------------------------------------------------------------------- */

static dpl_status search_shard(search *s, uint32_t first, uint32_t end, dpl_error *err)
{
    DPL_TRY(dpl__bound_index_build(&s->index, first, end, err));
    set_cuts(s);
    if (dpl__is_shared(s->ctx))
        return search_shared(s, first, end, err);
    return search_chunks(s, 0, s->n_chunks, err);
}

static dpl_status search_shards(search *s, dpl_error *err)
{
    uint64_t half = s->ctx->memory / 2;
    for (uint32_t first = 0; first < s->join.n_indexed; s->n_shards++)
        first = dpl__bound_index_fit(&s->index, first, half);
    for (uint32_t first = 0, end; first < s->join.n_indexed; first = end, s->shard++) {
        end = dpl__bound_index_fit(&s->index, first, half);
        DPL_TRY(search_shard(s, first, end, err));
    }
    return DPL_OK;
}

typedef struct norms {
    const dpl__rows *rows;
    double *most; /* of each worker: the largest sum of squares */
} norms;

enum { NORM_ROWS = 512 }; /* of a block */

static dpl_status find_norms(void *user, size_t block, unsigned worker, dpl_error *err)
{
    const norms *n = user;
    const dpl__rows *rows = n->rows;
    const size_t end = dpl__min((block + 1) * NORM_ROWS, rows->n_rows);
    (void)err;
    for (size_t row = block * NORM_ROWS; row < end; row++) {
        double sum = 0;
        for (uint64_t i = rows->offsets[row]; i < rows->offsets[row + 1]; i++)
            sum += (double)rows->weights[i] * (double)rows->weights[i];
        n->most[worker] = fmax(n->most[worker], sum);
    }
    return DPL_OK;
}

static dpl_status largest_norm(double *out, dpl_ctx *ctx, const dpl__rows *rows, dpl_error *err)
{
    norms n = {rows, dpl__calloc(ctx, ctx->n_threads, sizeof *n.most)};
    DPL_TRY(dpl__need(n.most, err));
    const dpl_status status = dpl__parallel_for(
        ctx, ((size_t)rows->n_rows + NORM_ROWS - 1) / NORM_ROWS, &n, find_norms, err);
    double most = 0;
    for (unsigned i = 0; i < ctx->n_threads; i++)
        most = fmax(most, n.most[i]);
    *out = sqrt(most) * (1 + 1e-9);
    dpl__free(ctx, n.most);
    return status;
}

DPL__FALLING_NUMBERS(falling, float)

typedef struct typical_sample {
    const search *s;
    size_t n; /* queries */
    float kth[SAMPLED];
} typical_sample;

/* The k-th best score of one query of the sample, against every n-th right row. */
static dpl_status score_typical(void *user, size_t q, unsigned worker, dpl_error *err)
{
    (void)worker;
    typical_sample *t = user;
    const search *s = t->s;
    uint32_t n_left = s->join.n_queries, n_right = s->join.n_indexed;
    size_t step = 1 + n_right / SAMPLED_ROWS, n_rows = (n_right + step - 1) / step;
    size_t rank = (s->lists->k + step - 1) / step;
    dpl__scorer scorer = {0};
    float *scores = dpl__alloc(s->ctx, n_rows * sizeof *scores);
    if (!scores || !dpl__scorer_init(&scorer, s->ctx, s->join.sides)) {
        dpl__free(s->ctx, scores);
        return dpl__fail_nomem(err);
    }
    uint32_t row = (uint32_t)((2 * q + 1) * n_left / (2 * t->n));
    dpl__scorer_set(&scorer, row);
    for (size_t i = 0; i < n_rows; i++)
        scores[i] = s->is_self && i * step == row
                        ? 0
                        : dpl__score(&scorer, (uint32_t)(i * step),
                                     (uint32_t)(dpl__min(i + AHEAD, n_rows - 1) * step));
    qsort(scores, n_rows, sizeof *scores, falling);
    t->kth[q] = scores[dpl__min(rank, n_rows) - 1];
    dpl__scorer_clear(&scorer, s->ctx);
    dpl__free(s->ctx, scores);
    return DPL_OK;
}

/* The k-th best score of a typical left row: the median of a sample. */
static dpl_status typical_score(double *out, const search *s, dpl_error *err)
{
    typical_sample t = {.s = s, .n = dpl__min(SAMPLED, s->join.n_queries)};
    DPL_TRY(dpl__parallel_for(s->ctx, t.n, &t, score_typical, err));
    qsort(t.kth, t.n, sizeof *t.kth, falling);
    *out = (double)t.kth[t.n / 2];
    return DPL_OK;
}

static void clear(search *s)
{
    for (unsigned i = 0; s->scratch && i < s->ctx->n_threads; i++) {
        scratch *own = &s->scratch[i];
        dpl__bound_queries_clear(&own->queries, s->ctx);
        if (own->scorer.sides)
            dpl__scorer_clear(&own->scorer, s->ctx);
        dpl__free(s->ctx, own->sums, own->places, own->words, own->lows);
        dpl__vec_clear(s->ctx, &own->survivors, &own->found);
    }
    dpl__free(s->ctx, s->scratch, s->cuts);
    dpl__bound_index_clear(&s->index);
}

static dpl_status search_with(search *s, const dpl__term_plan *plan, uint64_t *n_scored,
                              dpl_error *err)
{
    dpl_ctx *ctx = s->ctx;
    s->n_chunks = ((size_t)s->join.n_queries + CHUNK - 1) / CHUNK;
    s->scratch = dpl__calloc(ctx, ctx->n_threads, sizeof *s->scratch);
    s->cuts = dpl__calloc(ctx, (size_t)s->join.n_indexed / CUTS + 1, sizeof *s->cuts);
    dpl_status status = DPL_OK;
    DPL__STEP(dpl__need(
        s->scratch && s->cuts && dpl__bound_index_init(&s->index, ctx, &s->join, plan), err));
    DPL__STEP(search_shards(s, err));
done:
    for (unsigned i = 0; s->scratch && i < ctx->n_threads; i++)
        *n_scored += s->scratch[i].n_scored;
    clear(s);
    return status;
}

/* Left rows are the queries. */
static dpl_status find(dpl__nearest_search *wanted, const dpl__term_plan *plan, dpl_error *err)
{
    dpl_ctx *ctx = wanted->lists->ctx;
    const dpl__sides *sides = wanted->sides;
    search s = {.ctx = ctx,
                .lists = wanted->lists,
                .is_self = sides->is_self,
                .join = {.sides = sides,
                         .threshold = wanted->threshold,
                         .n_queries = sides->left->sizes.n_rows,
                         .n_indexed = sides->right->sizes.n_rows}};
    wanted->n_scored = 0;
    if (s.join.n_queries == 0 || s.join.n_indexed == 0)
        return DPL_OK;
    DPL_TRY(largest_norm(&s.norm, ctx, &sides->left->rows, err));
    dpl__term_plan own = {0};
    const bool has_plan = plan && plan->ranks;
    if (!has_plan)
        DPL_TRY(dpl__neighbours_plan(&own, wanted, err));
    for (size_t i = 0; i < STRIPES; i++)
        pthread_mutex_init(&s.locks[i], NULL);
    dpl_status status = search_with(&s, has_plan ? plan : &own, &wanted->n_scored, err);
    for (size_t i = 0; i < STRIPES; i++)
        pthread_mutex_destroy(&s.locks[i]);
    dpl__term_plan_clear(&own, ctx);
    return status;
}

dpl_status dpl__neighbours_plan(dpl__term_plan *plan, const dpl__nearest_search *wanted,
                                dpl_error *err)
{
    dpl_ctx *ctx = wanted->lists->ctx;
    const dpl__sides *sides = wanted->sides;
    search s = {.ctx = ctx,
                .lists = wanted->lists,
                .is_self = sides->is_self,
                .join = {.sides = sides,
                         .n_queries = sides->left->sizes.n_rows,
                         .n_indexed = sides->right->sizes.n_rows,
                         .has_no_groups = true}};
    double score = 0;
    DPL_TRY(typical_score(&score, &s, err));
    s.join.threshold = fmax(wanted->threshold, PLANNED_SHARE * score);
    DPL_TRY(dpl__term_plan_make(plan, ctx, &s.join, err));
    plan->ns = TIMES * plan->ns + SWEEP_NS * s.join.n_queries * s.join.n_indexed;
    return DPL_OK;
}

/* Left and right exchanged; the lists are the same ones. */
static dpl_status find_turned(dpl__nearest_search *wanted, dpl_error *err)
{
    dpl_ctx *ctx = wanted->lists->ctx;
    dpl__neighbour_lists turned = *wanted->lists;
    dpl__sides sides;
    for (int side = 0; side < 2; side++) {
        turned.n_rows[side] = wanted->lists->n_rows[!side];
        turned.best[side] = wanted->lists->best[!side];
        turned.ranks[side] = wanted->lists->ranks[!side];
        turned.ranked[side] = wanted->lists->ranked[!side];
    }
    DPL_TRY(dpl__sides_init(&sides, ctx, wanted->sides->right, wanted->sides->left, err));
    dpl__nearest_search exchanged = *wanted;
    exchanged.lists = &turned;
    exchanged.sides = &sides;
    dpl_status status = find(&exchanged, NULL, err);
    wanted->n_scored = exchanged.n_scored;
    dpl__sides_clear(&sides, ctx);
    return status;
}

dpl_status dpl__neighbours_exact(dpl__nearest_search *wanted, const dpl__term_plan *plan,
                                 dpl_error *err)
{
    const dpl__sides *sides = wanted->sides;
    assert(!sides->left->sizes.dim);
    return sides->right->sizes.n_rows > sides->left->sizes.n_rows ? find_turned(wanted, err)
                                                                  : find(wanted, plan, err);
}
