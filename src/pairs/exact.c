/*
 * exact.c - every pair of at least the threshold: the frame around the ways to find them.
 *
 * Right rows are indexed in shards that fit into memory. Left rows go through all threads in
 * chunks and come out in order; with one shard straight into the sink, with several each
 * shard's pairs into a spool, and at the end row by row from all spools. Which way is used, how
 * large shards and chunks are, changes the time it takes and nothing else: every way ends in
 * the canonical sums.
 */
#include "pairs/exact.h"

#include "base/ctx.h"
#include "par/pool.h"

enum {
    CHUNK_ROWS = 2048, /* left rows of a slot, at the most */
    SLOTS_PER_THREAD = 3,
    FEWEST_PAIRS = 4096, /* that a slot may hold */
    MERGE_PAIRS = 4096,  /* read from a spool at a time; given to the sink, about */
};

typedef struct chunk {
    uint32_t *rows;
    size_t n_rows, at; /* rows, and how many of them are done */
    dpl__found found;
} chunk;

typedef struct search {
    dpl_ctx *ctx;
    dpl__way way;
    const uint32_t *rows; /* NULL: 0, 1, 2 ... */
    size_t n_rows, next;
    const dpl__pair_sink *sink;
    dpl__spool *spool; /* in place of the sink; NULL: there is one shard */
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
    size_t n = s->most_rows; /* fewer where many pairs come of each row */
    if (s->n_out > s->n_out_rows)
        n = dpl__min(
            n, 1 + (size_t)((double)s->n_out_rows / (double)s->n_out * (double)(s->most / 2)));
    n = dpl__min(n, s->n_rows - s->next);
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
    size_t n_done = 0;
    DPL_TRY(s->way.find(s->way.self, &c->found, &n_done, c->rows + c->at, c->n_rows - c->at,
                        s->most, worker, err));
    assert(n_done > 0);
    c->at += n_done;
    return DPL_OK;
}

static dpl_status commit(void *user, size_t index, dpl_error *err)
{
    search *s = user;
    chunk *c = &s->slots[index];
    for (;;) {
        s->n_out += c->found.n;
        if (s->spool)
            DPL_TRY(dpl__spool_append(s->spool, c->found.data,
                                      c->found.n * sizeof *c->found.data, err));
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
    DPL_TRY(s->way.begin(s->way.self, first, end, err));
    s->next = 0;
    dpl__pipeline p = {s, s->n_slots, produce, map, commit};
    return dpl__pipeline_run(s->ctx, &p, err);
}

static void clear_slots(search *s)
{
    for (size_t i = 0; s->slots && i < s->n_slots; i++) {
        dpl__free(s->ctx, s->slots[i].rows, s->most_rows * sizeof *s->slots->rows);
        dpl__vec_clear(s->ctx, &s->slots[i].found);
    }
    dpl__free(s->ctx, s->slots, s->n_slots * sizeof *s->slots);
    s->slots = NULL;
}

static dpl_status make_slots(search *s, dpl_error *err)
{
    s->n_slots = SLOTS_PER_THREAD * (size_t)s->ctx->n_threads;
    s->most_rows = dpl__min(CHUNK_ROWS, 1 + s->n_rows / (2 * s->n_slots));
    s->most =
        dpl__max(FEWEST_PAIRS, (size_t)(s->ctx->memory / 8 / s->n_slots / sizeof(dpl_pair)));
    s->slots = dpl__calloc(s->ctx, s->n_slots, sizeof *s->slots);
    for (size_t i = 0; s->slots && i < s->n_slots; i++) {
        s->slots[i].rows = dpl__alloc(s->ctx, s->most_rows * sizeof *s->slots->rows);
        if (!s->slots[i].rows)
            clear_slots(s);
    }
    return s->slots ? DPL_OK : dpl__fail_nomem(err);
}

/* ---- several shards ----------------------------------------------------------------- */

/* The pairs of one shard, read again. */
typedef struct reader {
    const dpl__spool *spool;
    uint64_t offset;
    size_t at, n;
    dpl_pair *pairs;
} reader;

/* The next pair, NULL at the end. */
static dpl_status peek(reader *r, size_t most, const dpl_pair **pair, dpl_error *err)
{
    if (r->at == r->n) {
        r->n =
            dpl__min(most, (size_t)(dpl__spool_size(r->spool) - r->offset) / sizeof *r->pairs);
        r->at = 0;
        DPL_TRY(dpl__spool_read(r->spool, r->offset, r->pairs, r->n * sizeof *r->pairs, err));
        r->offset += r->n * sizeof *r->pairs;
    }
    *pair = r->n ? &r->pairs[r->at] : NULL;
    return DPL_OK;
}

/* The least left row among those that come next; DPL__NO_ROW at the end. */
static dpl_status least_left(reader *readers, size_t n, size_t most, uint32_t *left,
                             dpl_error *err)
{
    *left = DPL__NO_ROW;
    for (size_t i = 0; i < n; i++) {
        const dpl_pair *pair;
        DPL_TRY(peek(&readers[i], most, &pair, err));
        if (pair && pair->left < *left)
            *left = pair->left;
    }
    return DPL_OK;
}

static dpl_status take_row(search *s, reader *r, size_t most, uint32_t left, dpl__found *out,
                           dpl_error *err)
{
    const dpl_pair *pair;
    DPL_TRY(peek(r, most, &pair, err));
    while (pair && pair->left == left) {
        if (!dpl__vec_push(s->ctx, out, *pair))
            return dpl__fail_nomem(err);
        r->at++;
        DPL_TRY(peek(r, most, &pair, err));
    }
    return DPL_OK;
}

/* Rows one after the other, each from all shards in their order. */
static dpl_status merge(search *s, reader *readers, size_t most, dpl_error *err)
{
    dpl__found out = {0};
    dpl_status status = DPL_OK;
    for (;;) {
        uint32_t left;
        status = least_left(readers, s->n_shards, most, &left, err);
        if (status == DPL_OK && out.n && (left == DPL__NO_ROW || out.n >= MERGE_PAIRS)) {
            status = s->sink->take(s->sink->user, out.data, out.n, err);
            out.n = 0;
        }
        if (status != DPL_OK || left == DPL__NO_ROW)
            break;
        for (size_t i = 0; i < s->n_shards && status == DPL_OK; i++)
            status = take_row(s, &readers[i], most, left, &out, err);
        if (status != DPL_OK)
            break;
    }
    dpl__vec_clear(s->ctx, &out);
    return status;
}

static dpl_status merge_shards(search *s, const dpl__spool *spools, dpl_error *err)
{
    size_t most = dpl__max(64, dpl__min(MERGE_PAIRS, (size_t)(s->ctx->memory / 8 / s->n_shards /
                                                              sizeof(dpl_pair))));
    dpl_status status = DPL_OK;
    reader *readers = dpl__calloc(s->ctx, s->n_shards, sizeof *readers);
    dpl_pair *pairs = dpl__alloc(s->ctx, s->n_shards * most * sizeof *pairs);
    if (!readers || !pairs) {
        status = dpl__fail_nomem(err);
    } else {
        for (size_t i = 0; i < s->n_shards; i++)
            readers[i] = (reader){.spool = &spools[i], .pairs = pairs + i * most};
        status = merge(s, readers, most, err);
    }
    dpl__free(s->ctx, pairs, s->n_shards * most * sizeof *pairs);
    dpl__free(s->ctx, readers, s->n_shards * sizeof *readers);
    return status;
}

static dpl_status search_shards(search *s, dpl__spill *spill, dpl_error *err)
{
    uint64_t half = s->ctx->memory / 2;
    dpl__spool *spools = dpl__calloc(s->ctx, s->n_shards, sizeof *spools);
    if (!spools)
        return dpl__fail_nomem(err);
    dpl_status status = DPL_OK;
    uint32_t first = 0;
    for (s->shard = 0; s->shard < s->n_shards && status == DPL_OK; s->shard++) {
        uint32_t end = s->way.fit(s->way.self, first, half);
        s->spool = &spools[s->shard];
        dpl__spool_init(s->spool, spill, (size_t)(s->ctx->memory / 8 / s->n_shards));
        status = search_shard(s, first, end, err);
        first = end;
    }
    if (status == DPL_OK)
        status = merge_shards(s, spools, err);
    for (size_t i = 0; i < s->n_shards; i++)
        dpl__spool_clear(&spools[i]);
    dpl__free(s->ctx, spools, s->n_shards * sizeof *spools);
    return status;
}

/* ---- all of it ---------------------------------------------------------------------- */

static dpl_status search_with(search *s, dpl__way way, uint32_t n_right, dpl__spill *spill,
                              dpl_error *err)
{
    s->way = way;
    s->n_shards = 0;
    for (uint32_t first = 0; first < n_right; s->n_shards++)
        first = way.fit(way.self, first, s->ctx->memory / 2);
    DPL_TRY(make_slots(s, err));
    dpl_status status =
        s->n_shards == 1 ? search_shard(s, 0, n_right, err) : search_shards(s, spill, err);
    clear_slots(s);
    return status;
}

/* Multiply-adds that take all products of weights. */
static dpl_status count_products(uint64_t *n, dpl_ctx *ctx, const dpl__sides *sides,
                                 const uint32_t *rows, size_t n_rows, dpl_error *err)
{
    const dpl__rows *left = &sides->left->rows, *right = &sides->right->rows;
    *n = 0;
    if (sides->left->sizes.dim) {
        for (size_t i = 0; i < n_rows; i++)
            *n += sides->is_self ? sides->left->dense.n_rows - 1 - (rows ? rows[i] : i)
                                 : sides->right->dense.n_rows;
        *n *= sides->left->sizes.dim;
        return DPL_OK;
    }
    /* How often each term occurs in the rows to come. */
    uint32_t *counts = dpl__calloc(ctx, (size_t)right->n_terms + 1, sizeof *counts);
    if (!counts)
        return dpl__fail_nomem(err);
    for (uint64_t i = 0; i < right->offsets[right->n_rows]; i++)
        counts[right->terms[i]]++;
    uint64_t behind = 0; /* entries that come not after the row */
    for (size_t k = 0; k < n_rows; k++) {
        size_t row = rows ? rows[k] : k;
        for (; sides->is_self && behind < right->offsets[row + 1]; behind++)
            counts[right->terms[behind]]--;
        for (uint64_t i = left->offsets[row]; i < left->offsets[row + 1]; i++) {
            uint32_t term = dpl__right_term(sides, left->terms[i]);
            *n += term == DPL__NO_TERM ? 0 : counts[term];
        }
    }
    dpl__free(ctx, counts, ((size_t)right->n_terms + 1) * sizeof *counts);
    return DPL_OK;
}

dpl_status dpl__exact(dpl_ctx *ctx, const dpl__sides *sides, double threshold,
                      const uint32_t *rows, size_t n_rows, dpl__spill *spill,
                      const dpl__pair_sink *sink, uint64_t *n_multiplied, dpl_error *err)
{
    uint32_t n_right = sides->right->sizes.n_rows;
    if (!rows)
        n_rows = sides->left->sizes.n_rows;
    if (n_multiplied)
        DPL_TRY(count_products(n_multiplied, ctx, sides, rows, n_rows, err));
    if (n_rows == 0 || n_right == 0)
        return DPL_OK;
    dpl__field field = {.sides = sides,
                        .threshold = threshold,
                        .queries = rows,
                        .n_queries = (uint32_t)n_rows,
                        .n_indexed = n_right};
    search s = {.ctx = ctx, .rows = rows, .n_rows = n_rows, .sink = sink};
    dpl_status status;
    dpl__term_plan plan = {0};
    if (sides->left->sizes.dim) {
        dpl__all_dense *dense;
        DPL_TRY(dpl__all_dense_new(&dense, ctx, sides, threshold, err));
        status = search_with(&s, dpl__all_dense_way(dense), n_right, spill, err);
        dpl__all_dense_free(dense);
        return status;
    }
    DPL_TRY(dpl__term_plan_make(&plan, ctx, &field, err));
    if (plan.is_plain) {
        dpl__plain *plain = NULL;
        status = dpl__plain_new(&plain, ctx, sides, threshold, err);
        if (status == DPL_OK)
            status = search_with(&s, dpl__plain_way(plain), n_right, spill, err);
        dpl__plain_free(plain);
    } else {
        dpl__bounded *bounded = NULL;
        status = dpl__bounded_new(&bounded, ctx, &field, &plan, err);
        if (status == DPL_OK)
            status = search_with(&s, dpl__bounded_way(bounded), n_right, spill, err);
        dpl__bounded_free(bounded);
    }
    dpl__term_plan_clear(&plan, ctx);
    return status;
}
