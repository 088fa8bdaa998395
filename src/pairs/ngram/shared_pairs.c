/*
 * shared_pairs.c - one occurrence of a pair for each n-gram it shares becomes a pair and a
 * number; and which of them are worth scoring.
 *
 * Occurrences gather in one buffer. When it is full it is sorted, equal ones are counted, and
 * the counts go to a temporary file as a sorted run. Runs and buffer are merged through a heap,
 * twice: to count the candidates of each document, and to take those that are scored.
 *
 * The cap: where sentences recur, a document has candidates that share one of them, and the
 * more documents there are the more such candidates. A translation shares many n-grams. Scored
 * are the candidates of a document that share the most with it, and no less than an eighth of
 * what the best one does: levels of 1, 2, 3-4, 5-8 ... shared n-grams are taken from the top
 * until there are max; of a level that has more than are wanted, some by hash. A pair that
 * either document wants is scored. So the number of scores is linear in that of documents. The
 * paper scores all of them: all_candidates, a cap of 0.
 */
#include "pairs/ngram/shared_pairs.h"

#include "base/hash.h"
#include "io/external_sort.h"
#include "pairs/radix.h"

enum { LEAST = 1 << 10, BLOCK = 512, LEVELS = 3 };
enum { RECORD = sizeof(dpl__ngram_shared) };

#define IS_LOWER(a, b) ((a)->pair < (b)->pair)

static bool add_shared(dpl__ngram_shared *a, const dpl__ngram_shared *b)
{
    if (a->pair != b->pair)
        return false;
    a->n_shared += b->n_shared;
    return true;
}

DPL_RUNS(shared_runs, dpl__ngram_shared, IS_LOWER, add_shared);

struct dpl__shared_pairs {
    dpl_ctx *ctx;
    size_t most;                /* occurrences in the buffer */
    DPL_VEC(uint64_t) buffer;   /* sorted once adding is over */
    dpl__ngram_shared *counted; /* what is left in memory then */
    size_t n_counted;
    bool is_sorted;
    dpl__runs runs;
};

dpl_status dpl__shared_pairs_new(dpl__shared_pairs **out, dpl__spill *spill, size_t share,
                                 dpl_error *err)
{
    *out = NULL;
    dpl__shared_pairs *p = dpl__calloc(spill->ctx, 1, sizeof *p);
    DPL_TRY(dpl__need(p, err));
    p->ctx = spill->ctx;
    p->most = dpl__max(share / 2 / sizeof(uint64_t), LEAST); /* half is for sorting */
    dpl__runs_init(&p->runs, spill, RECORD, share / 4);
    *out = p;
    return DPL_OK;
}

void dpl__shared_pairs_free(dpl__shared_pairs *p)
{
    if (!p)
        return;
    dpl__runs_clear(&p->runs);
    dpl__free(p->ctx, p->counted);
    dpl__vec_clear(p->ctx, &p->buffer);
    dpl__free(p->ctx, p);
}

dpl_status dpl__shared_pairs_next(dpl__shared_pairs *p, dpl__ngram_shared *out, size_t *n,
                                  size_t n_most, dpl_error *err)
{
    dpl_status status = DPL_OK;
    for (*n = 0; *n < n_most && status == DPL_OK; *n += status == DPL_OK)
        status = shared_runs_next(&p->runs, &out[*n], err);
    return status == DPL_END ? DPL_OK : status;
}

/* ---- filling --------------------------------------------------------------------------- */

static dpl_status sort_buffer(dpl__shared_pairs *p, dpl_error *err)
{
    size_t n = p->buffer.n;
    if (n < 2)
        return DPL_OK;
    uint64_t *scratch = dpl__alloc(p->ctx, n * sizeof *scratch);
    DPL_TRY(dpl__need(scratch, err));
    dpl__radix_sort(p->buffer.data, scratch, n);
    dpl__free(p->ctx, scratch);
    return DPL_OK;
}

/* The pair that stands at *at of the sorted buffer; moves behind its occurrences. */
static dpl__ngram_shared count_at(const dpl__shared_pairs *p, size_t *at)
{
    assert(*at < p->buffer.n);
    dpl__ngram_shared made = {p->buffer.data[*at], 0, 0};
    for (; *at < p->buffer.n && p->buffer.data[*at] == made.pair; ++*at)
        made.n_shared++;
    return made;
}

static dpl_status write_run(dpl__shared_pairs *p, dpl_error *err)
{
    dpl__ngram_shared some[BLOCK];
    DPL_TRY(sort_buffer(p, err));
    for (size_t at = 0; at < p->buffer.n;) {
        size_t n = 0;
        while (n < BLOCK && at < p->buffer.n)
            some[n++] = count_at(p, &at);
        DPL_TRY(dpl__runs_append(&p->runs, some, n, err));
    }
    p->buffer.n = 0;
    return shared_runs_end_run(&p->runs, err);
}

dpl_status dpl__shared_pairs_add(dpl__shared_pairs *p, const uint64_t *pairs, size_t n,
                                 dpl_error *err)
{
    assert(!p->is_sorted);
    while (n) {
        if (p->buffer.n == p->most)
            DPL_TRY(write_run(p, err));
        size_t part = dpl__min(n, p->most - p->buffer.n);
        DPL_TRY(dpl__need(dpl__vec_append(p->ctx, &p->buffer, pairs, part), err));
        pairs += part;
        n -= part;
    }
    return DPL_OK;
}

static dpl_status count_buffer(dpl__shared_pairs *p, dpl_error *err)
{
    DPL_TRY(sort_buffer(p, err));
    size_t n = 0;
    for (size_t at = 0; at < p->buffer.n; n++)
        count_at(p, &at);
    if (n) {
        p->counted = dpl__alloc(p->ctx, n * RECORD);
        DPL_TRY(dpl__need(p->counted, err));
        p->n_counted = n;
    }
    for (size_t at = 0, i = 0; at < p->buffer.n; i++)
        p->counted[i] = count_at(p, &at);
    dpl__vec_clear(p->ctx, &p->buffer);
    p->is_sorted = true;
    return DPL_OK;
}

/* Ends adding, and begins at the first pair; may be called again. */
static dpl_status begin_reading(dpl__shared_pairs *p, dpl_error *err)
{
    /* Where the buffer's counts would be larger than the share, they are a run, too. */
    if (!p->is_sorted && p->runs.ends.n && p->buffer.n > p->most / 2)
        DPL_TRY(write_run(p, err));
    if (!p->is_sorted)
        DPL_TRY(count_buffer(p, err));
    return shared_runs_open(&p->runs, p->counted, p->n_counted, err);
}

/* ---- the cap --------------------------------------------------------------------------- */

static unsigned level_of(uint32_t n_shared)
{
    unsigned level = 0;
    assert(n_shared > 0);
    for (uint32_t n = n_shared - 1; n && level < DPL__SHARED_LEVELS - 1; n >>= 1)
        level++;
    return level;
}

dpl_status dpl__shared_cap_init(dpl__shared_cap *c, dpl_ctx *ctx,
                                const dpl__ngram_groups *groups, unsigned max, dpl_error *err)
{
    uint64_t all = (uint64_t)max * dpl__max(groups->n_groups, 2) - max;
    *c =
        (dpl__shared_cap){.max = (uint32_t)dpl__min(all, UINT32_MAX), .n_docs = groups->n_docs};
    c->counts = dpl__calloc(ctx, dpl__max(c->n_docs, 1), sizeof *c->counts);
    return dpl__need(c->counts, err);
}

void dpl__shared_cap_clear(dpl__shared_cap *c, dpl_ctx *ctx)
{
    if (c->counts)
        dpl__free(ctx, c->counts);
    *c = (dpl__shared_cap){0};
}

void dpl__shared_cap_count(dpl__shared_cap *c, const dpl__ngram_shared *pairs, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        assert((uint32_t)pairs[i].pair < c->n_docs && pairs[i].pair >> 32 < c->n_docs);
        unsigned level = level_of(pairs[i].n_shared);
        c->counts[pairs[i].pair >> 32].n[level]++;
        c->counts[(uint32_t)pairs[i].pair].n[level]++;
    }
}

dpl_status dpl__shared_cap_fill(dpl__shared_cap *c, dpl__shared_pairs *pairs, dpl_error *err)
{
    dpl__ngram_shared some[BLOCK];
    size_t n;
    DPL_TRY(begin_reading(pairs, err));
    do {
        DPL_TRY(dpl__shared_pairs_next(pairs, some, &n, BLOCK, err));
        dpl__shared_cap_count(c, some, n);
    } while (n);
    return begin_reading(pairs, err);
}

static uint64_t hash_pair(const dpl__shared_cap *c, uint64_t pair)
{
    if (!c->keys)
        return dpl__mix(pair);
    return dpl__mix(dpl__mix(c->keys[pair >> 32]) + dpl__mix(c->keys[(uint32_t)pair]));
}

/* LEVELS below the best candidate's: no less than an eighth of the n-grams. */
static bool is_wanted(const dpl__shared_cap *c, uint32_t doc, const dpl__ngram_shared *pair)
{
    const uint32_t *n = c->counts[doc].n;
    unsigned level = level_of(pair->n_shared);
    assert(n[level] > 0); /* all are counted, this one too */
    uint64_t n_above = 0;
    for (unsigned i = level + 1; i < DPL__SHARED_LEVELS; i++) {
        n_above += n[i];
        if (n[i] && i > level + LEVELS)
            return false;
    }
    if (n_above >= c->max)
        return false;
    uint64_t room = c->max - n_above;
    return n[level] <= room || hash_pair(c, pair->pair) % n[level] < room;
}

bool dpl__shared_cap_keeps(const dpl__shared_cap *c, const dpl__ngram_shared *pair)
{
    return !c->max || is_wanted(c, (uint32_t)(pair->pair >> 32), pair) ||
           is_wanted(c, (uint32_t)pair->pair, pair);
}
