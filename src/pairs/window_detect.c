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
    d->places = dpl__alloc(d->ctx, d->n_most * sizeof *d->places);
    d->numbers = dpl__alloc(d->ctx, d->n_most * sizeof *d->numbers);
    d->ranges = dpl__alloc(d->ctx, d->n_most * sizeof *d->ranges);
    d->mask = dpl__alloc(d->ctx, DPL__DETECT_QUERIES * DOCS / 8);
    d->turned_blocks = dpl__alloc(d->ctx, d->n_turned * sizeof *d->turned_blocks);
    d->memory[0] = dpl__alloc(d->ctx, turned_bytes(d));
    d->memory[1] = dpl__alloc(d->ctx, scratch_bytes(d));
    d->turned = aligned(d->memory[0]);
    d->scratch = aligned(d->memory[1]);
    bool has_all = d->memory[2] && d->places && d->numbers && d->ranges && d->mask &&
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
    dpl__free(d->ctx, d->places, d->memory[2], d);
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

static void prefetch_row(const dpl__detector *d, uint32_t number)
{
    const uint64_t *row = dpl__table_row(d->rows, number);
    for (size_t w = 0; w < d->n_words; w += ALIGN / sizeof *row)
        DPL_PREFETCH(row + w);
}

/* Left rows stand before right rows, within each the order is the table's. */
static void gather(dpl__detector *d, const dpl__chunk *chunk)
{
    size_t n_words = d->n_words, n_left = 0;
    for (size_t i = 0; i < chunk->n; i++)
        n_left += !is_right(d, chunk->numbers[i]);
    dpl__detect_side sides[2];
    for (size_t k = 0; k < 2; k++)
        sides[k] = (dpl__detect_side){.words = d->words + k * n_left * n_words,
                                      .places = d->places + k * n_left,
                                      .numbers = d->numbers + k * n_left};
    for (size_t i = 0; i < chunk->n; i++) {
        uint32_t number = chunk->numbers[i];
        dpl__detect_side *s = &sides[is_right(d, number)];
        if (i + AHEAD < chunk->n) /* rows lie anywhere in memory */
            prefetch_row(d, chunk->numbers[i + AHEAD]);
        memcpy(s->words + s->n * n_words, dpl__table_row(d->rows, number),
               n_words * sizeof *s->words);
        s->places[s->n] = (uint32_t)i;
        s->numbers[s->n++] = number;
    }
    /* Documents are of the side that has more: their blocks are shorter stretches. */
    bool is_swapped = d->rows->right && sides[1].n > sides[0].n;
    d->docs = sides[is_swapped];
    d->queries = d->rows->right ? sides[!is_swapped] : d->docs;
}

/* Which documents each query is compared with; returns how many comparisons those are. Rows
 * that are both of the chunk before are not compared again: such a query's range begins with
 * the first new document. */
static uint64_t make_ranges(dpl__detector *d, size_t n_old)
{
    const dpl__detect_side *docs = &d->docs, *queries = &d->queries;
    size_t low = 0, high = 0, first_new = 0;
    uint64_t n = 0;
    while (first_new < docs->n && docs->places[first_new] < n_old)
        first_new++;
    for (size_t q = 0; q < queries->n; q++) {
        uint64_t place = queries->places[q];
        uint64_t end = d->rows->right ? place + d->window + 1 : place;
        while (low < docs->n && docs->places[low] + (uint64_t)d->window < place)
            low++;
        while (high < docs->n && docs->places[high] < end)
            high++;
        size_t from = place < n_old ? dpl__max(low, first_new) : low;
        d->ranges[q] = (dpl__detect_range){(uint32_t)from, (uint32_t)dpl__max(from, high)};
        n += d->ranges[q].high - from;
    }
    return n;
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
    *n_compared += make_ranges(d, chunk->n_old);
    size_t n_old = 0; /* queries */
    while (n_old < d->queries.n && d->queries.places[n_old] < chunk->n_old)
        n_old++;
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
