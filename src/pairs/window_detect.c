/*
 * window_detect.c - which rows of a stretch of a table are alike.
 *
 * A chunk's rows are gathered, left and right apart, each with its place. Blocks of 512 rows of
 * one side (or of all rows within one set) are compared with those of the other that can be
 * within the window of one of them; of the answers only the places within the window are looked
 * at. The queue compares one row after the other, as the paper's first figure does.
 *
 * Cost: a comparison for every pair within the window, and for each block of 512 a triangle
 * more at either end.
 */
#include "pairs/window.h"

#include "base/ctx.h"
#include "kernels/kernels.h"

enum { DOCS = DPL__HAMMING_DOCS, QUERIES = 4096, HITS = 1 << 13, ALIGN = 64, AHEAD = 16 };

/* Rows in table order. */
typedef struct side {
    uint64_t *words;
    uint32_t *places, *numbers;
    size_t n;
} side;

struct dpl__detector {
    dpl_ctx *ctx;
    const dpl__table_rows *rows;
    dpl__cuts cuts;
    unsigned window;
    size_t n_most;
    const dpl__seen *seen; /* may be NULL */
    dpl__candidates *found;
    side sides[2]; /* left and right behind it, or all; in the arrays below */
    uint64_t *words;
    uint32_t *places, *numbers;
    uint64_t *mask;
    void *scratch; /* of hamming_mask */
    unsigned table;
    size_t n_old; /* places that belong to the chunk before, too */
    size_t queue_at, n_queue;
    size_t n_hits;
    uint64_t hits[HITS];
};

size_t dpl__detector_row_bytes(const dpl__table_rows *rows)
{
    return rows->n_words * sizeof(uint64_t) + 2 * sizeof(uint32_t);
}

static size_t scratch_bytes(const dpl__table_rows *rows)
{
    return dpl__hamming_scratch(rows->n_words) + ALIGN;
}

static void *aligned(void *p)
{
    return (void *)(((uintptr_t)p + ALIGN - 1) / ALIGN * ALIGN);
}

dpl_status dpl__detector_new(dpl__detector **out, dpl_ctx *ctx, const dpl__table_rows *rows,
                             const dpl__cuts *cuts, unsigned window, size_t n_most,
                             const dpl__seen *seen, dpl__candidates *found, dpl_error *err)
{
    *out = NULL;
    dpl__detector *d = dpl__calloc(ctx, 1, sizeof *d);
    if (!d)
        return dpl__fail_nomem(err);
    d->ctx = ctx;
    d->rows = rows;
    d->cuts = *cuts;
    d->window = window;
    d->n_most = n_most;
    d->seen = seen;
    d->found = found;
    d->words = dpl__alloc(ctx, n_most * rows->n_words * sizeof *d->words);
    d->places = dpl__alloc(ctx, n_most * sizeof *d->places);
    d->numbers = dpl__alloc(ctx, n_most * sizeof *d->numbers);
    d->mask = dpl__alloc(ctx, QUERIES * DOCS / 8);
    d->scratch = dpl__alloc(ctx, scratch_bytes(rows));
    if (!d->words || !d->places || !d->numbers || !d->mask || !d->scratch) {
        dpl__detector_free(d);
        return dpl__fail_nomem(err);
    }
    *out = d;
    return DPL_OK;
}

void dpl__detector_free(dpl__detector *d)
{
    if (!d)
        return;
    dpl__free(d->ctx, d->scratch, scratch_bytes(d->rows));
    dpl__free(d->ctx, d->mask, QUERIES * DOCS / 8);
    dpl__free(d->ctx, d->numbers, d->n_most * sizeof *d->numbers);
    dpl__free(d->ctx, d->places, d->n_most * sizeof *d->places);
    dpl__free(d->ctx, d->words, d->n_most * d->rows->n_words * sizeof *d->words);
    dpl__free(d->ctx, d, sizeof *d);
}

dpl_status dpl__detector_flush(dpl__detector *d, dpl_error *err)
{
    size_t n = d->n_hits;
    d->n_hits = 0;
    return dpl__candidates_add(d->found, d->hits, n, err);
}

/* ---- a pair ------------------------------------------------------------------------- */

static bool is_right(const dpl__detector *d, uint32_t number)
{
    return number >= d->rows->left->n_rows;
}

/* Words of a row that are looked at first, and how many of their bits may differ. */
static unsigned first_words(const dpl__detector *d)
{
    return d->cuts.first_words ? d->cuts.first_words : d->rows->n_words;
}

static unsigned first_cut(const dpl__detector *d)
{
    return d->cuts.first_words ? d->cuts.first_cut : d->cuts.cut;
}

static bool passes_whole(const dpl__detector *d, const uint64_t *a, const uint64_t *b)
{
    return d->ctx->kernels->hamming(a, b, d->rows->n_words) <= d->cuts.cut;
}

static dpl_status push_hit(dpl__detector *d, uint32_t a, uint32_t b, dpl_error *err)
{
    if (d->seen && dpl__seen_has(d->seen, d->table, d->window, a, b))
        return DPL_OK;
    if (a > b) {
        uint32_t swap = a;
        a = b;
        b = swap;
    }
    if (d->rows->right)
        b -= d->rows->left->n_rows;
    d->hits[d->n_hits++] = (uint64_t)a << 32 | b;
    return d->n_hits == HITS ? dpl__detector_flush(d, err) : DPL_OK;
}

/* ---- a chunk ------------------------------------------------------------------------ */

/* Left rows stand before right rows, within each the order is the table's. */
static void gather(dpl__detector *d, const dpl__chunk *chunk)
{
    size_t n_words = d->rows->n_words, n_left = 0;
    for (size_t i = 0; i < chunk->n; i++)
        n_left += !is_right(d, chunk->numbers[i]);
    for (size_t k = 0; k < 2; k++) {
        size_t start = k ? n_left : 0;
        d->sides[k] = (side){.words = d->words + start * n_words,
                             .places = d->places + start,
                             .numbers = d->numbers + start};
    }
    for (size_t i = 0; i < chunk->n; i++) {
        uint32_t number = chunk->numbers[i];
        side *s = &d->sides[is_right(d, number)];
        if (i + AHEAD < chunk->n) { /* rows lie anywhere in memory */
            const uint64_t *ahead = dpl__table_row(d->rows, chunk->numbers[i + AHEAD]);
            for (size_t w = 0; w < n_words; w += ALIGN / sizeof *ahead)
                DPL_PREFETCH(ahead + w);
        }
        memcpy(s->words + s->n * n_words, dpl__table_row(d->rows, number),
               n_words * sizeof *s->words);
        s->places[s->n] = (uint32_t)i;
        s->numbers[s->n++] = number;
    }
}

/* The first index in [from, n) whose place is at least `place`. */
static size_t find_place(const side *s, size_t from, uint64_t place)
{
    size_t end = s->n;
    while (from < end) {
        size_t middle = from + (end - from) / 2;
        if (s->places[middle] < place)
            from = middle + 1;
        else
            end = middle;
    }
    return from;
}

/* Document and query at these indices passed the first cut. */
static dpl_status hit(dpl__detector *d, const side *docs, size_t doc, const side *queries,
                      size_t query, dpl_error *err)
{
    size_t n_words = d->rows->n_words;
    if (d->cuts.first_words &&
        !passes_whole(d, docs->words + doc * n_words, queries->words + query * n_words))
        return DPL_OK;
    return push_hit(d, docs->numbers[doc], queries->numbers[query], err);
}

/* The bits of documents [lo, hi) of a block in the mask of a query. */
static dpl_status take_hits(dpl__detector *d, const uint64_t *mask, const side *docs,
                            size_t block, size_t lo, size_t hi, const side *queries,
                            size_t query, dpl_error *err)
{
    for (size_t w = lo / 64; 64 * w < hi; w++) {
        uint64_t m = mask[w];
        if (64 * w < lo)
            m &= ~(uint64_t)0 << (lo - 64 * w);
        if (64 * w + 64 > hi)
            m &= ~(uint64_t)0 >> (64 * w + 64 - hi);
        for (size_t i = 64 * w; m; m >>= 1, i++)
            if (m & 1)
                DPL_TRY(hit(d, docs, block + i, queries, query, err));
    }
    return DPL_OK;
}

/* Documents [block, end) with the queries of [first, last) that are near enough. */
static dpl_status compare_block(dpl__detector *d, const side *docs, size_t block, size_t end,
                                const side *queries, size_t first, size_t last,
                                uint64_t *n_compared, dpl_error *err)
{
    bool is_self = docs == queries;
    size_t n_words = d->rows->n_words, new_doc = dpl__min(find_place(docs, 0, d->n_old), end);
    size_t lo = block, hi = block;
    for (size_t begin = first; begin < last; begin += QUERIES) {
        size_t n = dpl__min(QUERIES, last - begin);
        d->ctx->kernels->hamming_mask(
            d->mask, aligned(d->scratch), queries->words + begin * n_words, n,
            docs->words + block * n_words, end - block, first_words(d), n_words, first_cut(d));
        for (size_t q = begin; q < begin + n; q++) {
            size_t place = queries->places[q], most = place + (is_self ? 0 : d->window + 1);
            while (lo < end && docs->places[lo] + d->window < place)
                lo++;
            while (hi < end && docs->places[hi] < most)
                hi++;
            size_t from = place < d->n_old ? dpl__max(lo, new_doc) : lo;
            if (from >= hi)
                continue;
            *n_compared += hi - from;
            DPL_TRY(take_hits(d, d->mask + 8 * (q - begin), docs, block, from - block,
                              hi - block, queries, q, err));
        }
    }
    return DPL_OK;
}

dpl_status dpl__detect_chunk(dpl__detector *d, const dpl__chunk *chunk, uint64_t *n_compared,
                             dpl_error *err)
{
    assert(chunk->n <= d->n_most && chunk->n_old <= chunk->n);
    gather(d, chunk);
    d->table = chunk->table;
    d->n_old = chunk->n_old;
    bool is_self = !d->rows->right;
    /* Documents are of the side that has more: their blocks are shorter stretches. */
    const side *docs = &d->sides[!is_self && d->sides[1].n > d->sides[0].n];
    const side *queries = is_self ? docs : &d->sides[docs == d->sides];
    for (size_t block = 0; block < docs->n; block += DOCS) {
        size_t end = dpl__min(block + DOCS, docs->n);
        uint64_t least = docs->places[block], most = docs->places[end - 1];
        uint64_t from = is_self ? least + 1 : least > d->window ? least - d->window : 0;
        if (is_self || most < d->n_old)
            from = dpl__max(from, d->n_old);
        size_t first = find_place(queries, 0, from);
        size_t last = find_place(queries, first, most + d->window + 1);
        DPL_TRY(compare_block(d, docs, block, end, queries, first, last, n_compared, err));
    }
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
    size_t n_words = d->rows->n_words;
    const uint64_t *row = dpl__table_row(d->rows, number);
    for (size_t i = 0; i < d->n_queue; i++) {
        if (d->rows->right && is_right(d, d->numbers[i]) == is_right(d, number))
            continue;
        const uint64_t *other = d->words + i * n_words;
        ++*n_compared;
        if (d->ctx->kernels->hamming(row, other, first_words(d)) <= first_cut(d) &&
            (!d->cuts.first_words || passes_whole(d, row, other)))
            DPL_TRY(push_hit(d, number, d->numbers[i], err));
    }
    /* The oldest one makes room. */
    memcpy(d->words + d->queue_at * n_words, row, n_words * sizeof *row);
    d->numbers[d->queue_at] = number;
    d->queue_at = (d->queue_at + 1) % d->window;
    d->n_queue = dpl__min(d->n_queue + 1, d->window);
    return DPL_OK;
}
