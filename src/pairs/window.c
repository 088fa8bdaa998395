/*
 * window.c - pairs of rows that stand close together in sorted tables of permuted signatures.
 *
 * The sliding window of Ture, Elsayed and Lin ("No Free Lunch", SIGIR 2011, section 4.3): for
 * each of Q permutations of the bits the rows of both sides are sorted by their permuted
 * signatures; rows at most B places apart are compared. Rows that are alike agree in many bits
 * and stand close together in some table. The basic form runs a queue of B rows over the whole
 * table, and tables are what threads work on; the improved one cuts a table into chunks that
 * overlap by B, and chunks are. Both find the same pairs.
 *
 * Cost: Q (n keys and their sort + n B comparisons). Memory: README.md.
 */
#include "pairs/window.h"

#include "base/ctx.h"
#include "kernels/kernels.h"
#include "par/pool.h"

enum {
    LEAST_MEMORY = 1 << 16,
    OUT_PAIRS = 1 << 14,
    LARGEST_CHUNK = 1 << 16,
    CACHED_CHUNK = 1 << 20, /* bytes: about half of a second-level cache */
    SEEN_TABLES = 16
};

/* What both forms need. */
typedef struct search {
    dpl_ctx *ctx;
    dpl__table_rows rows;
    const dpl__window *window;
    const dpl__cuts *cuts;
    struct dpl__rising *rising;
    uint64_t seed;
    dpl__spill *spill;
    size_t memory; /* bytes for everything below */
    dpl__candidates *found;
    dpl__detector **detectors; /* one for each thread */
    unsigned next_table, n_done;
    uint64_t n_compared;
    dpl__columns *columns; /* NULL when there is no memory for them */
    /* chunks */
    dpl__order *order;
    dpl__seen *seen;      /* NULL when there is no memory for it */
    size_t chunk, n_left; /* rows of a chunk; of the table that are not in a chunk yet */
    uint32_t *overlap;    /* the last B rows of the chunk before */
    size_t n_overlap;
    struct piece *slots;
    size_t n_slots;
    /* queues */
    dpl__order **orders; /* one for each thread */
} search;

/* What a slot of the pipeline holds: a chunk, or the number of a table. */
typedef struct piece {
    unsigned table;
    uint32_t *numbers; /* search->chunk */
    dpl__chunk chunk;
    bool is_last; /* of its table */
    uint64_t n_compared;
} piece;

static dpl_status report(search *s, dpl_error *err)
{
    dpl_progress p = {"window", "tables", s->n_done, s->window->n_tables};
    return dpl__progress(s->ctx, &p, err);
}

static dpl_status make_detectors(search *s, size_t n_most, dpl_error *err)
{
    s->detectors = dpl__calloc(s->ctx, s->ctx->n_threads, sizeof *s->detectors);
    DPL_TRY(dpl__need(s->detectors, err));
    const dpl__detector_options o = {&s->rows, s->cuts, s->window->size,
                                     n_most,   s->seen, s->found};
    for (unsigned i = 0; i < s->ctx->n_threads; i++) {
        DPL_TRY(dpl__detector_new(&s->detectors[i], s->ctx, &o, err));
        if (s->rising)
            DPL_TRY(dpl__detector_rise(s->detectors[i], s->rising, i, err));
    }
    return DPL_OK;
}

static void free_detectors(search *s)
{
    for (unsigned i = 0; s->detectors && i < s->ctx->n_threads; i++)
        dpl__detector_free(s->detectors[i]);
    dpl__free(s->ctx, s->detectors);
    s->detectors = NULL;
}

/* ---- the improved form: chunks ------------------------------------------------------ */

/* The next chunk of the table, or the first one of the next table. */
static dpl_status produce_chunk(void *user, size_t index, dpl_error *err)
{
    search *s = user;
    piece *p = &s->slots[index];
    if (s->n_left == 0) {
        if (s->next_table == s->window->n_tables)
            return DPL_END;
        DPL_TRY(
            dpl__order_sort(s->order, s->seed, s->window->first_table + s->next_table++, err));
        s->n_left = s->rows.n;
        s->n_overlap = 0;
    }
    size_t n_new = dpl__min(s->n_left, s->chunk - s->n_overlap), n = s->n_overlap + n_new;
    memcpy(p->numbers, s->overlap, s->n_overlap * sizeof *s->overlap);
    DPL_TRY(dpl__order_next(s->order, p->numbers + s->n_overlap, n_new, err));
    p->chunk = (dpl__chunk){s->next_table - 1, p->numbers, n, s->n_overlap};
    if (s->seen)
        dpl__seen_add(s->seen, p->chunk.table, s->rows.n - (uint32_t)s->n_left,
                      p->numbers + s->n_overlap, n_new);
    s->n_left -= n_new;
    p->is_last = s->n_left == 0;
    s->n_overlap = dpl__min(n, s->window->size);
    memcpy(s->overlap, p->numbers + n - s->n_overlap, s->n_overlap * sizeof *s->overlap);
    return DPL_OK;
}

static dpl_status detect_chunk(void *user, size_t index, unsigned worker, dpl_error *err)
{
    search *s = user;
    piece *p = &s->slots[index];
    p->n_compared = 0;
    return dpl__detect_chunk(s->detectors[worker], &p->chunk, &p->n_compared, err);
}

static dpl_status commit_chunk(void *user, size_t index, dpl_error *err)
{
    search *s = user;
    s->n_compared += s->slots[index].n_compared;
    s->n_done += s->slots[index].is_last;
    return report(s, err);
}

/* Large, because what a chunk begins with costs more; but rows should stay in the cache until
 * they are compared, so that chunks of narrow windows are smaller; each thread should have a
 * few, and their quarter of the memory is all there is. */
static size_t chunk_size(const search *s)
{
    size_t n_threads = s->ctx->n_threads, window = s->window->size;
    size_t row = dpl__detector_row_bytes(&s->rows) + 2 * sizeof(uint32_t);
    size_t cached = dpl__max(CACHED_CHUNK / row, 64 * window);
    size_t n = dpl__min(dpl__min(LARGEST_CHUNK, cached), s->rows.n / (4 * n_threads));
    n += 8 * window;
    n = dpl__min(n, s->memory / 4 / n_threads / row);
    n = dpl__max(n, window + DPL__HAMMING_DOCS);
    return n < s->window->chunk ? n : (size_t)s->window->chunk;
}

/* Of the quarter that is for columns, what they leave. */
static dpl_status make_seen(search *s, dpl_error *err)
{
    size_t bytes = s->columns ? dpl__columns_bytes(&s->rows) : 0;
    size_t n = (s->memory / 4 - bytes) / ((size_t)s->rows.n * sizeof(uint32_t));
    n = dpl__min(n, dpl__min(SEEN_TABLES, s->window->n_tables - 1));
    return n ? dpl__seen_new(&s->seen, s->ctx, s->rows.n, (unsigned)n, err) : DPL_OK;
}

static dpl_status begin_chunks(search *s, dpl_error *err)
{
    DPL_TRY(make_seen(s, err));
    s->chunk = dpl__min(chunk_size(s), s->rows.n);
    s->overlap = dpl__alloc(s->ctx, s->window->size * sizeof *s->overlap);
    s->n_slots = 2 * (size_t)s->ctx->n_threads;
    s->slots = dpl__calloc(s->ctx, s->n_slots, sizeof *s->slots);
    DPL_TRY(dpl__need(s->overlap && s->slots, err));
    for (size_t i = 0; i < s->n_slots; i++) {
        s->slots[i].numbers = dpl__alloc(s->ctx, s->chunk * sizeof(uint32_t));
        DPL_TRY(dpl__need(s->slots[i].numbers, err));
    }
    DPL_TRY(make_detectors(s, s->chunk, err));
    return dpl__order_new(&s->order, s->spill, &s->rows, s->memory / 4, false, err);
}

static void end_chunks(search *s)
{
    dpl__order_free(s->order);
    free_detectors(s);
    dpl__seen_free(s->seen);
    for (size_t i = 0; s->slots && i < s->n_slots; i++)
        dpl__free(s->ctx, s->slots[i].numbers);
    dpl__free(s->ctx, s->slots, s->overlap);
}

static dpl_status search_chunks(search *s, dpl_error *err)
{
    dpl_status status;
    DPL__STEP(begin_chunks(s, err));
    dpl__pipeline p = {s, s->n_slots, produce_chunk, detect_chunk, commit_chunk};
    DPL__STEP(dpl__pipeline_run(s->ctx, &p, err));
done:
    end_chunks(s);
    return status;
}

/* ---- the basic form: a queue for each table ----------------------------------------- */

static dpl_status produce_table(void *user, size_t index, dpl_error *err)
{
    (void)err;
    search *s = user;
    if (s->next_table == s->window->n_tables)
        return DPL_END;
    s->slots[index].table = s->next_table++;
    return DPL_OK;
}

static dpl_status run_queue(void *user, size_t index, unsigned worker, dpl_error *err)
{
    search *s = user;
    piece *p = &s->slots[index];
    dpl__order *order = s->orders[worker];
    dpl__detector *queue = s->detectors[worker];
    p->n_compared = 0;
    DPL_TRY(dpl__order_sort(order, s->seed, s->window->first_table + p->table, err));
    dpl__queue_reset(queue);
    for (size_t left = s->rows.n; left;) {
        uint32_t numbers[256];
        size_t n = dpl__min(left, DPL_LEN(numbers));
        DPL_TRY(dpl__order_next(order, numbers, n, err));
        for (size_t i = 0; i < n; i++)
            DPL_TRY(dpl__queue_add(queue, numbers[i], &p->n_compared, err));
        left -= n;
    }
    return dpl__detector_flush(queue, err);
}

static dpl_status commit_table(void *user, size_t index, dpl_error *err)
{
    search *s = user;
    s->n_compared += s->slots[index].n_compared;
    s->n_done++;
    return report(s, err);
}

static dpl_status begin_queues(search *s, dpl_error *err)
{
    size_t n_threads = s->ctx->n_threads;
    s->n_slots = 2 * n_threads;
    s->slots = dpl__calloc(s->ctx, s->n_slots, sizeof *s->slots);
    s->orders = dpl__calloc(s->ctx, n_threads, sizeof *s->orders);
    DPL_TRY(dpl__need(s->slots && s->orders, err));
    for (size_t i = 0; i < n_threads; i++)
        DPL_TRY(dpl__order_new(&s->orders[i], s->spill, &s->rows, s->memory / 4 / n_threads,
                               true, err));
    return make_detectors(s, s->window->size, err);
}

static void end_queues(search *s)
{
    free_detectors(s);
    for (size_t i = 0; s->orders && i < s->ctx->n_threads; i++)
        dpl__order_free(s->orders[i]);
    dpl__free(s->ctx, s->orders, s->slots);
}

static dpl_status search_queues(search *s, dpl_error *err)
{
    dpl_status status;
    DPL__STEP(begin_queues(s, err));
    dpl__pipeline p = {s, s->n_slots, produce_table, run_queue, commit_table};
    DPL__STEP(dpl__pipeline_run(s->ctx, &p, err));
done:
    end_queues(s);
    return status;
}

/* ---- giving back what was found ----------------------------------------------------- */

typedef struct output {
    const search *s;
    const dpl__candidate_sink *sink;
    uint64_t *pairs;
    size_t n_pairs;
    DPL_VEC(dpl__candidate) candidates;
} output;

static void measure(void *user, size_t part)
{
    enum { PART = 1024 };
    output *o = user;
    const dpl__table_rows *rows = &o->s->rows;
    const dpl__bits *right = rows->right ? rows->right : rows->left;
    dpl__candidate *at = o->candidates.data + o->candidates.n - o->n_pairs;
    for (size_t i = part * PART; i < dpl__min((part + 1) * PART, o->n_pairs); i++) {
        uint32_t left_row = (uint32_t)(o->pairs[i] >> 32), right_row = (uint32_t)o->pairs[i];
        unsigned distance =
            o->s->ctx->kernels->hamming(dpl__bits_row(rows->left, left_row),
                                        dpl__bits_row(right, right_row), rows->n_words);
        at[i] = (dpl__candidate){left_row, right_row, distance};
    }
}

/* All pairs of a left row come in one call: the last row waits for the next batch. */
static dpl_status give_batch(output *o, bool is_last, dpl_error *err)
{
    size_t n = o->candidates.n;
    if (!is_last)
        while (n &&
               o->candidates.data[n - 1].left == o->candidates.data[o->candidates.n - 1].left)
            n--;
    if (n)
        DPL_TRY(o->sink->take(o->sink->user, o->candidates.data, n, err));
    o->candidates.n -= n;
    memmove(o->candidates.data, o->candidates.data + n,
            o->candidates.n * sizeof *o->candidates.data);
    return DPL_OK;
}

static dpl_status give(output *o, dpl_error *err)
{
    dpl_ctx *ctx = o->s->ctx;
    for (;;) {
        DPL_TRY(dpl__candidates_next(o->s->found, o->pairs, &o->n_pairs, OUT_PAIRS, err));
        if (o->n_pairs == 0)
            break;
        DPL_TRY(dpl__need(dpl__vec_reserve(ctx, &o->candidates, o->n_pairs), err));
        o->candidates.n += o->n_pairs;
        DPL_TRY(dpl__parallel_each(ctx, (o->n_pairs + 1023) / 1024, o, measure, err));
        DPL_TRY(give_batch(o, false, err));
    }
    return o->candidates.n ? give_batch(o, true, err) : DPL_OK;
}

static dpl_status give_all(const search *s, const dpl__candidate_sink *sink, dpl_error *err)
{
    output o = {.s = s, .sink = sink, .pairs = dpl__alloc(s->ctx, OUT_PAIRS * sizeof *o.pairs)};
    DPL_TRY(dpl__need(o.pairs, err));
    dpl_status status;
    DPL__STEP(dpl__candidates_sort(s->found, err));
    DPL__STEP(give(&o, err));
done:
    dpl__vec_clear(s->ctx, &o.candidates);
    dpl__free(s->ctx, o.pairs);
    return status;
}

/* Of the memory, a quarter is for what is found, one for the sort, one for chunks, and one for
 * the columns if they fit. */
static dpl_status begin(search *s, dpl_error *err)
{
    DPL_TRY(dpl__candidates_new(&s->found, s->spill, s->memory / 4, err));
    if (dpl__columns_bytes(&s->rows) <= s->memory / 4)
        DPL_TRY(dpl__columns_new(&s->columns, s->ctx, &s->rows, err));
    s->rows.columns = s->columns;
    return DPL_OK;
}

dpl_status dpl__window_search(dpl_ctx *ctx, const dpl__bit_search *wanted,
                              const dpl__window *window, uint64_t seed, dpl__spill *spill,
                              dpl_error *err)
{
    const dpl__bits *left = wanted->left, *right = wanted->right;
    const bool is_self = wanted->is_self;
    uint64_t n = (uint64_t)left->n_rows + (is_self ? 0 : right->n_rows);
    assert(window->n_tables > 0 && window->size > 0 && window->size <= n);
    assert(window->chunk > window->size);
    assert(is_self || left->n_words == right->n_words);
    assert(wanted->cuts->first_words <= left->n_words);
    if (n > UINT32_MAX)
        return dpl__fail(err, DPL_E_LIMIT, "%llu rows are too many for the window method",
                         (unsigned long long)n);
    uint64_t used = dpl__ctx_used(ctx);
    search s = {.ctx = ctx,
                .rows = {left, is_self ? NULL : right, (uint32_t)n, left->n_words, NULL},
                .window = window,
                .cuts = wanted->cuts,
                .rising = wanted->rising,
                .seed = seed,
                .spill = spill,
                .memory = ctx->memory > used ? (size_t)(ctx->memory - used) : 0};
    s.memory = dpl__max(s.memory, LEAST_MEMORY);
    dpl_status status = begin(&s, err);
    if (status == DPL_OK)
        status = window->is_basic ? search_queues(&s, err) : search_chunks(&s, err);
    dpl__columns_free(s.columns);
    if (status == DPL_OK && !wanted->rising)
        status = give_all(&s, wanted->sink, err);
    dpl__candidates_free(s.found);
    if (wanted->n_compared)
        *wanted->n_compared = s.n_compared;
    return status;
}
