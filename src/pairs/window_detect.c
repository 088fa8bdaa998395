/*
 * window_detect.c - which rows of a stretch of a table are alike.
 *
 * A chunk's rows are gathered, left and right apart, each with its place. Those of one side are
 * documents, those of the other queries; within one set all rows are both. The documents that a
 * query is compared with are a range, and the ranges of all queries a band along the diagonal,
 * which window_band.c compares. The queue compares one row after the other, as the paper's
 * first figure does.
 */
#include "pairs/window_detect.h"

#include "pairs/radix.h"

enum { DOCS = DPL__DETECT_DOCS, HITS = DPL__DETECT_HITS, ALIGN = 64, AHEAD = 16 };

/* ---- the object --------------------------------------------------------------------- */

size_t dpl__detector_row_bytes(const dpl__table_rows *rows)
{
    return rows->n_words * sizeof(uint64_t) + 2 * sizeof(uint32_t) + sizeof(dpl__detect_range);
}

static size_t turned_bytes(const dpl__detector *d)
{
    return d->n_turned * dpl__hamming_turned(d->n_words) + ALIGN;
}

static size_t scratch_bytes(const dpl__detector *d)
{
    return dpl__hamming_scratch(d->n_words) + ALIGN;
}

static size_t words_bytes(const dpl__detector *d)
{
    return d->n_most * d->n_words * sizeof *d->words + ALIGN;
}

static void *aligned(void *p)
{
    return (void *)(((uintptr_t)p + ALIGN - 1) / ALIGN * ALIGN);
}

static dpl_status allocate(dpl__detector *d, dpl_error *err)
{
    d->memory[2] = dpl__alloc(d->ctx, words_bytes(d));
    d->words = aligned(d->memory[2]);
    d->left_before = dpl__alloc(d->ctx, (d->n_most + 1) * sizeof *d->left_before);
    d->numbers = dpl__alloc(d->ctx, d->n_most * sizeof *d->numbers);
    d->ranges = dpl__alloc(d->ctx, d->n_most * sizeof *d->ranges);
    d->mask = dpl__alloc(d->ctx, DPL__DETECT_QUERIES * DOCS / 8);
    d->turned_blocks = dpl__alloc(d->ctx, d->n_turned * sizeof *d->turned_blocks);
    d->memory[0] = dpl__alloc(d->ctx, turned_bytes(d));
    d->memory[1] = dpl__alloc(d->ctx, scratch_bytes(d));
    d->turned = aligned(d->memory[0]);
    d->scratch = aligned(d->memory[1]);
    bool has_all = d->memory[2] && d->left_before && d->numbers && d->ranges && d->mask &&
                   d->turned_blocks && d->memory[0] && d->memory[1];
    return dpl__need(has_all, err);
}

dpl_status dpl__detector_new(dpl__detector **out, dpl_ctx *ctx, const dpl__detector_options *o,
                             dpl_error *err)
{
    const dpl__cuts *cuts = o->cuts;
    *out = NULL;
    dpl__detector *d = dpl__calloc(ctx, 1, sizeof *d);
    DPL_TRY(dpl__need(d, err));
    d->ctx = ctx;
    d->rows = o->rows;
    d->cuts = *cuts;
    d->n_words = cuts->first_words ? cuts->first_words : o->rows->n_words;
    d->cut = cuts->first_words ? cuts->first_cut : cuts->cut;
    d->window = o->window;
    d->n_most = o->n_most;
    /* All that a query can be compared with, and the next one. */
    d->n_turned = dpl__min(2 * (size_t)o->window / DOCS + 3, o->n_most / DOCS + 1);
    d->seen = o->seen;
    d->found = o->found;
    dpl_status status = allocate(d, err);
    if (status != DPL_OK) {
        dpl__detector_free(d);
        return status;
    }
    *out = d;
    return DPL_OK;
}

dpl_status dpl__detector_rise(dpl__detector *d, dpl__rising *rising, unsigned worker,
                              dpl_error *err)
{
    assert(!d->cuts.first_words);
    d->rising = rising;
    d->worker = worker;
    d->near = dpl__alloc(d->ctx, HITS * sizeof *d->near);
    d->spare = dpl__alloc(d->ctx, HITS * sizeof *d->spare);
    return dpl__need(d->near && d->spare, err);
}

void dpl__detector_free(dpl__detector *d)
{
    if (!d)
        return;
    dpl__free(d->ctx, d->spare, d->near, d->memory[1], d->memory[0], d->turned_blocks, d->mask,
              d->ranges, d->numbers);
    dpl__free(d->ctx, d->left_before, d->memory[2], d);
}

/* ---- what was found ----------------------------------------------------------------- */

static uint32_t cut_of(const dpl__detector *d, uint32_t number)
{
    uint32_t n_left = d->rows->left->n_rows;
    return number < n_left ? dpl__rising_cut(d->rising, DPL__SIDE_LEFT, number)
                           : dpl__rising_cut(d->rising, DPL__SIDE_RIGHT, number - n_left);
}

static unsigned distance_of(const dpl__detector *d, uint32_t a, uint32_t b)
{
    return d->ctx->kernels->hamming(dpl__table_row(d->rows, a), dpl__table_row(d->rows, b),
                                    d->rows->n_words);
}

/* By left row, with their distances. */
static dpl_status give_hits(dpl__detector *d, size_t n, dpl_error *err)
{
    dpl__radix_sort(d->hits, d->spare, n);
    for (size_t i = 0; i < n; i++) {
        uint32_t left = (uint32_t)(d->hits[i] >> 32), right = (uint32_t)d->hits[i];
        uint32_t number = d->rows->right ? right + d->rows->left->n_rows : right;
        d->near[i] = (dpl_near_pair){left, right, distance_of(d, left, number)};
    }
    return dpl__rising_take(d->rising, d->worker, d->near, n, err);
}

dpl_status dpl__detector_flush(dpl__detector *d, dpl_error *err)
{
    size_t n = d->n_hits;
    d->n_hits = 0;
    return d->rising ? give_hits(d, n, err) : dpl__candidates_add(d->found, d->hits, n, err);
}

/* Whether the pair passes what the kernel has not tested. */
static bool passes(const dpl__detector *d, uint32_t a, uint32_t b)
{
    if (d->rising) {
        uint32_t first = cut_of(d, a), second = cut_of(d, b);
        return distance_of(d, a, b) <= (first > second ? first : second);
    }
    return !d->cuts.first_words || distance_of(d, a, b) <= d->cuts.cut;
}

dpl_status dpl__detector_try(dpl__detector *d, uint32_t a, uint32_t b, dpl_error *err)
{
    const dpl__table_rows *rows = d->rows;
    if (!passes(d, a, b))
        return DPL_OK;
    if (d->seen && dpl__seen_has(d->seen, d->table, d->window, a, b))
        return DPL_OK;
    uint32_t left = a < b ? a : b, right = a < b ? b : a;
    if (rows->right)
        right -= rows->left->n_rows;
    d->hits[d->n_hits++] = (uint64_t)left << 32 | right;
    return d->n_hits == HITS ? dpl__detector_flush(d, err) : DPL_OK;
}

static bool is_right(const dpl__detector *d, uint32_t number)
{
    return number >= d->rows->left->n_rows;
}

/* ---- a chunk ------------------------------------------------------------------------ */

/* Left rows stand before right rows, within each the order is the table's. Which side a row is
 * of cannot be foreseen: nothing branches on it. */
static void split(dpl__detector *d, const dpl__chunk *chunk)
{
    const uint32_t *numbers = chunk->numbers, n_left_rows = d->rows->left->n_rows;
    uint32_t *before = d->left_before;
    before[0] = 0;
    for (size_t i = 0; i < chunk->n; i++)
        before[i + 1] = before[i] + (numbers[i] < n_left_rows);
    for (size_t i = 0; i < chunk->n; i++) {
        size_t of_left = before[i], of_right = before[chunk->n] + i - of_left;
        size_t is_left = before[i + 1] - of_left;
        d->numbers[of_right + is_left * (of_left - of_right)] = numbers[i];
    }
}

/* Rows lie anywhere in memory. */
static void copy_rows(const dpl__detector *d, const dpl__detect_side *s)
{
    const size_t n_words = d->n_words;
    for (size_t i = 0; i < s->n; i++) {
        size_t ahead = dpl__min(i + AHEAD, s->n - 1);
        for (size_t w = 0; w < n_words; w += ALIGN / sizeof(uint64_t))
            DPL_PREFETCH(dpl__bits_row(s->bits, s->numbers[ahead] - s->first) + w);
        memcpy(s->words + i * n_words, dpl__bits_row(s->bits, s->numbers[i] - s->first),
               n_words * sizeof(uint64_t));
    }
}

static void gather(dpl__detector *d, const dpl__chunk *chunk)
{
    split(d, chunk);
    const dpl__bits *left = d->rows->left, *right = d->rows->right;
    const size_t n_left = d->left_before[chunk->n], n_right = chunk->n - n_left;
    dpl__detect_side sides[] = {
        {left, 0, d->words, d->numbers, n_left},
        {right, left->n_rows, d->words + n_left * d->n_words, d->numbers + n_left, n_right}};
    copy_rows(d, &sides[0]);
    copy_rows(d, &sides[1]);
    /* Documents are of the side that has more: their blocks are shorter stretches. */
    d->docs = sides[n_right > n_left];
    d->queries = sides[right && n_right <= n_left];
}

/* How many documents stand before a place of the chunk. */
static uint32_t docs_before(const dpl__detector *d, size_t place)
{
    uint32_t n_left = d->left_before[place];
    return d->docs.first ? (uint32_t)place - n_left : n_left;
}

/* Which documents each query is compared with; returns how many comparisons those are. Rows
 * that are both of the chunk before are not compared again: such a query's range begins with
 * the first new document. */
static uint64_t make_ranges(dpl__detector *d, size_t n, size_t n_old)
{
    const bool is_self = !d->rows->right;
    const uint32_t first_new = docs_before(d, n_old);
    uint64_t n_compared = 0;
    for (size_t place = 0, q = 0; place < n && q < d->queries.n; place++) {
        size_t begin = place > d->window ? place - d->window : 0,
               end = is_self ? place : dpl__min(place + d->window + 1, n);
        uint32_t low = docs_before(d, begin);
        low = place < n_old && low < first_new ? first_new : low;
        uint32_t high = docs_before(d, end);
        d->ranges[q] = (dpl__detect_range){low, high < low ? low : high};
        uint32_t is_query = is_self || docs_before(d, place) == docs_before(d, place + 1);
        n_compared += is_query * (d->ranges[q].high - low);
        q += is_query;
    }
    return n_compared;
}

/* The largest of the rows' cuts is the kernels'. */
static void lower_cut(dpl__detector *d, const dpl__chunk *chunk)
{
    d->cut = 0;
    for (size_t i = 0; i < chunk->n; i++) {
        uint32_t cut = cut_of(d, chunk->numbers[i]);
        d->cut = cut > d->cut ? cut : d->cut;
    }
}

dpl_status dpl__detect_chunk(dpl__detector *d, const dpl__chunk *chunk, uint64_t *n_compared,
                             dpl_error *err)
{
    assert(chunk->n <= d->n_most && chunk->n_old <= chunk->n);
    gather(d, chunk);
    if (d->rising)
        lower_cut(d, chunk);
    for (size_t i = 0; i < d->n_turned; i++)
        d->turned_blocks[i] = SIZE_MAX;
    d->table = chunk->table;
    *n_compared += make_ranges(d, chunk->n, chunk->n_old);
    size_t n_old = d->rows->right ? chunk->n_old - docs_before(d, chunk->n_old) : chunk->n_old;
    DPL_TRY(dpl__detect_band(d, 0, n_old, err));
    DPL_TRY(dpl__detect_band(d, n_old, d->queries.n, err));
    return dpl__detector_flush(d, err);
}

/* ---- the queue ---------------------------------------------------------------------- */

void dpl__queue_reset(dpl__detector *d)
{
    d->queue_at = d->n_queue = 0;
}

dpl_status dpl__queue_add(dpl__detector *d, uint32_t number, uint64_t *n_compared,
                          dpl_error *err)
{
    assert(d->n_queue <= d->window && d->queue_at < d->window);
    size_t n_words = d->n_words;
    const uint64_t *row = dpl__table_row(d->rows, number);
    for (size_t i = 0; i < d->n_queue; i++) {
        if (d->rows->right && is_right(d, d->numbers[i]) == is_right(d, number))
            continue;
        const uint64_t *other = d->words + i * n_words;
        ++*n_compared;
        if (d->ctx->kernels->hamming(row, other, n_words) <= d->cut)
            DPL_TRY(dpl__detector_try(d, number, d->numbers[i], err));
    }
    /* The oldest one makes room. */
    memcpy(d->words + d->queue_at * n_words, row, n_words * sizeof *row);
    d->numbers[d->queue_at] = number;
    d->queue_at = (d->queue_at + 1) % d->window;
    d->n_queue = dpl__min(d->n_queue + 1, d->window);
    return DPL_OK;
}
