/*
 * exact_run.c - the frame around the algorithms that find pairs: threads, shards, order.
 *
 * Right rows are indexed in shards that fit into memory. Left rows go through all threads in
 * chunks and come out in order; with one shard straight into the sink, with several each
 * shard's pairs become a run in a temporary file, and the runs are merged in the end.
 */
#include "pairs/exact.h"

#include "base/ctx.h"
#include "io/external_sort.h"
#include "par/pool.h"

enum {
    CHUNK_ROWS = 2048,   /* left rows of a slot, at the most */
    SHORT_CHUNK = 512,   /* where right rows are many: it must be possible to stop */
    MANY_ROWS = 1 << 17, /* right ones */
    SLOTS_PER_THREAD = 3,
    FEWEST_PAIRS = 4096,    /* that a slot may hold */
    CACHED_PAIRS = 1 << 16, /* that stay in the cache until they are taken */
    OUTLET_PAIRS = 4096,    /* given to the sink at a time, about */
};

typedef struct chunk {
    uint32_t *rows;
    size_t n_rows, at; /* rows, and how many of them are done */
    dpl__found found;
} chunk;

typedef struct search {
    dpl_ctx *ctx;
    dpl__finder finder;
    const uint32_t *rows; /* NULL: 0, 1, 2 ... */
    size_t n_rows, next;
    uint32_t n_indexed;
    const dpl__pair_sink *sink;
    dpl__runs *runs; /* of each shard, in place of the sink; NULL: there is one shard */
    size_t shard, n_shards;
    chunk *slots;
    size_t n_slots;
    size_t most_rows;           /* of a slot */
    size_t most;                /* pairs of one, about */
    uint64_t n_out, n_out_rows; /* pairs given away, rows they came from */
} search;

/* ---- one shard ---------------------------------------------------------------------- */

static dpl_status produce(void *user, size_t index, dpl_error *err)
{
    search *s = user;
    chunk *c = &s->slots[index];
    if (s->next == s->n_rows)
        return DPL_END;
    /* fewer where many pairs come of each row, as all may at first */
    const double of_row =
        s->n_out_rows ? (double)s->n_out / (double)s->n_out_rows : s->n_indexed;
    size_t n = dpl__min(s->most_rows, s->n_rows - s->next);
    if (of_row > 1)
        n = dpl__min(n, 1 + (size_t)((double)(s->most / 2) / of_row));
    for (size_t i = 0; i < n; i++)
        c->rows[i] = s->rows ? s->rows[s->next + i] : (uint32_t)(s->next + i);
    c->n_rows = n;
    c->at = 0;
    dpl_progress progress = {"exact", "documents",
                             (s->shard * s->n_rows + s->next) / s->n_shards, s->n_rows};
    s->next += n;
    return dpl__progress(s->ctx, &progress, err);
}

/* Pairs of the slot's next rows, as many as it may hold. */
static dpl_status map(void *user, size_t index, unsigned worker, dpl_error *err)
{
    search *s = user;
    chunk *c = &s->slots[index];
    c->found.n = 0;
    do {
        size_t n_done = 0;
        const dpl__find_rows wanted = {c->rows + c->at, c->n_rows - c->at, s->most};
        DPL_TRY(s->finder.find(s->finder.self, &c->found, &n_done, &wanted, worker, err));
        assert(n_done > 0);
        c->at += n_done;
    } while (c->at < c->n_rows && c->found.n < s->most);
    return DPL_OK;
}

static dpl_status commit(void *user, size_t index, dpl_error *err)
{
    search *s = user;
    chunk *c = &s->slots[index];
    for (;;) {
        s->n_out += c->found.n;
        if (s->runs)
            DPL_TRY(dpl__runs_append(s->runs, c->found.data, c->found.n, err));
        else if (c->found.n)
            DPL_TRY(s->sink->take(s->sink->user, c->found.data, c->found.n, err));
        if (c->at == c->n_rows)
            break;
        DPL_TRY(map(s, index, 0, err)); /* there was no room for all; this thread is free */
    }
    s->n_out_rows += c->n_rows;
    return DPL_OK;
}

static dpl_status search_shard(search *s, uint32_t first, uint32_t end, dpl_error *err)
{
    DPL_TRY(s->finder.begin(s->finder.self, first, end, err));
    s->next = 0;
    dpl__pipeline p = {s, s->n_slots, produce, map, commit};
    return dpl__pipeline_run(s->ctx, &p, err);
}

static void clear_slots(search *s)
{
    for (size_t i = 0; s->slots && i < s->n_slots; i++) {
        dpl__free(s->ctx, s->slots[i].rows);
        dpl__vec_clear(s->ctx, &s->slots[i].found);
    }
    dpl__free(s->ctx, s->slots);
    s->slots = NULL;
}

static dpl_status make_slots(search *s, dpl_error *err)
{
    s->n_slots = SLOTS_PER_THREAD * (size_t)s->ctx->n_threads;
    s->most_rows = dpl__min(s->n_indexed < MANY_ROWS ? CHUNK_ROWS : SHORT_CHUNK,
                            1 + s->n_rows / (2 * s->n_slots));
    const uint64_t share = s->ctx->memory / 8 / s->n_slots / sizeof(dpl_pair);
    s->most = dpl__max(FEWEST_PAIRS, (size_t)dpl__min(share, CACHED_PAIRS));
    s->slots = dpl__calloc(s->ctx, s->n_slots, sizeof *s->slots);
    for (size_t i = 0; s->slots && i < s->n_slots; i++) {
        s->slots[i].rows = dpl__alloc(s->ctx, s->most_rows * sizeof *s->slots->rows);
        if (!s->slots[i].rows)
            clear_slots(s);
    }
    return dpl__need(s->slots, err);
}

/* ---- pairs that come one by one ----------------------------------------------------- */

dpl_status dpl__outlet_flush(dpl__outlet *o, dpl_error *err)
{
    size_t n = o->pairs.n;
    o->pairs.n = 0;
    return n ? o->sink->take(o->sink->user, o->pairs.data, n, err) : DPL_OK;
}

dpl_status dpl__outlet_put(dpl__outlet *o, dpl_pair pair, dpl_error *err)
{
    if (o->pairs.n >= OUTLET_PAIRS && o->pairs.data[o->pairs.n - 1].left != pair.left)
        DPL_TRY(dpl__outlet_flush(o, err));
    return dpl__need(dpl__vec_push(o->ctx, &o->pairs, pair), err);
}

/* ---- several shards ----------------------------------------------------------------- */

static bool is_before(const dpl_pair *a, const dpl_pair *b)
{
    return a->left < b->left;
}

DPL_RUNS(shards, dpl_pair, is_before, DPL_KEEP_ALL);

/* Rows one after the other, each from all shards in their order. */
static dpl_status merge_shards(search *s, dpl_error *err)
{
    dpl__outlet o = {.ctx = s->ctx, .sink = s->sink};
    dpl_pair pair;
    dpl_status status;
    DPL__STEP(shards_open(s->runs, NULL, 0, err));
    while ((status = shards_next(s->runs, &pair, err)) == DPL_OK)
        DPL__STEP(dpl__outlet_put(&o, pair, err));
    if (status == DPL_END)
        status = dpl__outlet_flush(&o, err);
done:
    dpl__vec_clear(s->ctx, &o.pairs);
    return status;
}

static dpl_status search_shards(search *s, dpl__spill *spill, dpl_error *err)
{
    const size_t share = (s->n_shards + 1) * OUTLET_PAIRS * sizeof(dpl_pair);
    dpl__runs runs;
    dpl_status status;
    uint32_t first = 0;
    dpl__runs_init(&runs, spill, sizeof(dpl_pair), dpl__min(share, s->ctx->memory / 8));
    s->runs = &runs;
    for (s->shard = 0; s->shard < s->n_shards; s->shard++) {
        const uint32_t end = s->finder.fit(s->finder.self, first, s->ctx->memory / 2);
        DPL__STEP(search_shard(s, first, end, err));
        DPL__STEP(dpl__runs_end_run(&runs, err));
        first = end;
    }
    status = merge_shards(s, err);
done:
    dpl__runs_clear(&runs);
    return status;
}

/* ---- all of it ---------------------------------------------------------------------- */

dpl_status dpl__exact_run(dpl_ctx *ctx, const dpl__join *f, dpl__finder finder,
                          dpl__spill *spill, const dpl__pair_sink *sink, dpl_error *err)
{
    search s = {.ctx = ctx,
                .finder = finder,
                .rows = f->queries,
                .n_rows = f->n_queries,
                .n_indexed = f->n_indexed,
                .sink = sink};
    for (uint32_t first = 0; first < f->n_indexed; s.n_shards++)
        first = finder.fit(finder.self, first, ctx->memory / 2);
    DPL_TRY(make_slots(&s, err));
    dpl_status status = s.n_shards == 1 ? search_shard(&s, 0, f->n_indexed, err)
                                        : search_shards(&s, spill, err);
    clear_slots(&s);
    return status;
}
