/*
 * window_band.c - comparing along the diagonal.
 *
 * Documents come in blocks of 512, and the kernels compare a query with a whole block whatever
 * part of it is in the query's range. Most queries want all of a block: those go with it in one
 * call. What is left are a triangle of queries that want the first part of it, because it is
 * just coming into their ranges, and one of those that want the last part. When one block comes
 * another one goes: the first part of the one and the last part of the other make a block that
 * is changed every STEP queries, and no place in it is idle. Where the two parts need more than
 * a block, by up to STEP documents, the pairs of the middle are compared one by one; where they
 * need much more, each of the blocks is compared as a whole. Windows of few documents are
 * compared one by one.
 *
 * Cost: 512 comparisons for each query and block in its range, rounded up once instead of
 * twice, and the tables of a changed block every STEP queries.
 */
#include "pairs/window_detect.h"

enum {
    DOCS = DPL__DETECT_DOCS,
    QUERIES = DPL__DETECT_QUERIES,
    STEP = 80,
    /* For choosing, in comparisons of a block: */
    TABLE_COST = 16 * DOCS, /* a changed block */
    PAIR_COST = 2           /* a pair on its own */
};

/* Queries with one value of low / DOCS and one of high / DOCS. */
typedef struct stretch {
    size_t begin, end;    /* queries */
    size_t going, coming; /* blocks; the same, or with whole ones between them */
} stretch;

static size_t n_blocks(const dpl__detector *d)
{
    return (d->docs.n + DOCS - 1) / DOCS;
}

/* Blocks are turned when they are needed first, and kept while a window lasts. */
static dpl__hamming_block block_at(dpl__detector *d, size_t block)
{
    size_t begin = block * DOCS, n_words = d->n_words, slot = block % d->n_turned;
    assert(begin < d->docs.n);
    char *turned = d->turned + slot * dpl__hamming_turned(n_words);
    dpl__hamming_block b = {.docs = d->docs.words + begin * n_words,
                            .n_docs = dpl__min(DOCS, d->docs.n - begin),
                            .turned = turned};
    if (d->turned_blocks[slot] != block)
        d->ctx->kernels->hamming_turn(turned, b.docs, b.n_docs, n_words, n_words);
    d->turned_blocks[slot] = block;
    return b;
}

/* The documents of a mask, from the first one on. Those that passed the early test lie anywhere
 * in memory: they are fetched together. */
static dpl_status try_all(dpl__detector *d, size_t first, uint64_t mask, size_t query,
                          dpl_error *err)
{
    const uint32_t *numbers = d->docs.numbers + first;
    enum { LINE = 64 / sizeof(uint64_t) };
    for (uint64_t m = d->cuts.first_words ? mask : 0; m; m &= m - 1) {
        const uint64_t *row = dpl__table_row(d->rows, numbers[__builtin_ctzll(m)]);
        for (size_t word = 0; word < d->rows->n_words; word += LINE)
            DPL_PREFETCH(row + word);
    }
    for (uint64_t m = mask; m; m &= m - 1)
        DPL_TRY(
            dpl__detector_try(d, numbers[__builtin_ctzll(m)], d->queries.numbers[query], err));
    return DPL_OK;
}

/* The documents of a range of a block in the mask of a query. */
static dpl_status take_hits(dpl__detector *d, const uint64_t *mask, size_t block,
                            dpl__detect_range range, size_t query, dpl_error *err)
{
    const size_t low = range.low, high = range.high;
    for (size_t w = low / 64; 64 * w < high; w++) {
        uint64_t m = mask[w];
        if (64 * w < low)
            m &= ~(uint64_t)0 << (low - 64 * w);
        if (64 * w + 64 > high)
            m &= ~(uint64_t)0 >> (64 * w + 64 - high);
        DPL_TRY(try_all(d, block * DOCS + 64 * w, m, query, err));
    }
    return DPL_OK;
}

static bool has_hits(const uint64_t *mask)
{
    uint64_t all = 0;
    for (size_t w = 0; w < DOCS / 64; w++)
        all |= mask[w];
    return all != 0;
}

/* The part of a query's range in a block, from its begin. */
static dpl__detect_range part_of(const dpl__detector *d, size_t query, size_t block)
{
    size_t begin = block * DOCS;
    dpl__detect_range r = d->ranges[query];
    assert(r.low <= r.high);
    size_t low = r.low > begin ? dpl__min(r.low - begin, DOCS) : 0;
    size_t high = r.high > begin ? dpl__min(r.high - begin, DOCS) : 0;
    return (dpl__detect_range){(uint32_t)low, (uint32_t)high};
}

/* ---- a block ------------------------------------------------------------------------ */

/* Queries [at, at + n). */
static dpl__mask_rows queries_at(const dpl__detector *d, size_t at, size_t n)
{
    return (dpl__mask_rows){.queries = d->queries.words + at * d->n_words,
                            .n_queries = n,
                            .n_words = d->n_words,
                            .stride = d->n_words};
}

static dpl_status compare_block(dpl__detector *d, size_t block, size_t begin, size_t end,
                                dpl_error *err)
{
    if (begin == end)
        return DPL_OK;
    const dpl__hamming_block b = block_at(d, block);
    const dpl__hamming_turns docs = {.block = &b};
    for (size_t at = begin; at < end; at += QUERIES) {
        size_t n = dpl__min(QUERIES, end - at);
        const dpl__mask_rows rows = queries_at(d, at, n);
        d->ctx->kernels->hamming_turned(d->mask, d->scratch, &rows, &docs, d->cut);
        for (size_t i = 0; i < n; i++) {
            const uint64_t *mask = d->mask + 8 * i;
            if (!has_hits(mask))
                continue;
            dpl__detect_range r = part_of(d, at + i, block);
            DPL_TRY(take_hits(d, mask, block, r, at + i, err));
        }
    }
    return DPL_OK;
}

/* ---- two blocks at the seam --------------------------------------------------------- */

/* Queries [begin, end) of a stretch, and where the coming block takes the going one's place:
 * documents before the turn are of the coming one. */
typedef struct turn {
    size_t begin, end, at;
    bool is_complete; /* nothing is left out */
} turn;

static turn turn_for(const dpl__detector *d, const stretch *s, size_t begin)
{
    turn t = {.begin = begin, .end = dpl__min(begin + STEP, s->end)};
    size_t coming = part_of(d, t.end - 1, s->coming).high,
           going = part_of(d, begin, s->going).low;
    t.is_complete = coming <= going;
    t.at = t.is_complete ? coming : (coming + going) / 2;
    return t;
}

/* What of a query's range is left out: [turn, .high) of the coming block and [.low, turn) of
 * the going one. */
static dpl__detect_range left_out(const dpl__detector *d, const stretch *s, const turn *t,
                                  size_t query)
{
    size_t high = part_of(d, query, s->coming).high, low = part_of(d, query, s->going).low;
    return (dpl__detect_range){(uint32_t)dpl__min(low, t->at), (uint32_t)dpl__max(high, t->at)};
}

static bool pays(const dpl__detector *d, const stretch *s)
{
    size_t cost = 0, most = (s->end - s->begin) * DOCS;
    if (s->coming == s->going || s->coming == n_blocks(d))
        return false;
    for (size_t at = s->begin; at < s->end && cost < most; at += STEP) {
        turn t = turn_for(d, s, at);
        cost += TABLE_COST;
        for (size_t q = t.begin; !t.is_complete && q < t.end; q++) {
            dpl__detect_range out = left_out(d, s, &t, q);
            cost += PAIR_COST * (out.high - out.low);
        }
    }
    return cost < most;
}

/* A query with documents [begin, end), which may be none. */
static dpl_status compare_few(dpl__detector *d, size_t begin, size_t end, size_t query,
                              dpl_error *err)
{
    size_t n_words = d->n_words;
    const uint64_t *row = d->queries.words + query * n_words;
    for (; begin < end; begin += 64) {
        size_t n = dpl__min(end - begin, 64);
        uint64_t mask = d->ctx->kernels->hamming_few(row, d->docs.words + begin * n_words, n,
                                                     n_words, n_words, d->cut);
        if (mask)
            DPL_TRY(try_all(d, begin, mask, query, err));
    }
    return DPL_OK;
}

/* What was found for queries [t->begin, t->end), whose masks begin at `masks`. */
static dpl_status take_turn(dpl__detector *d, const stretch *s, const turn *t,
                            const uint64_t *masks, dpl_error *err)
{
    for (size_t q = t->begin; q < t->end; q++, masks += 8) {
        if (has_hits(masks)) {
            size_t high = part_of(d, q, s->coming).high, low = part_of(d, q, s->going).low;
            const dpl__detect_range coming = {0, (unsigned)dpl__min(high, t->at)},
                                    going = {(unsigned)dpl__max(low, t->at), DOCS};
            DPL_TRY(take_hits(d, masks, s->coming, coming, q, err));
            DPL_TRY(take_hits(d, masks, s->going, going, q, err));
        }
        if (!t->is_complete) {
            dpl__detect_range out = left_out(d, s, t, q);
            size_t coming = s->coming * DOCS, going = s->going * DOCS;
            DPL_TRY(compare_few(d, coming + t->at, coming + out.high, q, err));
            DPL_TRY(compare_few(d, going + out.low, going + t->at, q, err));
        }
    }
    return DPL_OK;
}

static dpl_status compare_seam(dpl__detector *d, const stretch *s, dpl_error *err)
{
    enum { TURNS = QUERIES / STEP };
    dpl__hamming_block going = block_at(d, s->going), coming = block_at(d, s->coming);
    for (size_t at = s->begin; at < s->end; at += TURNS * STEP) {
        turn turns[TURNS];
        uint16_t places[TURNS];
        size_t n = 0;
        for (size_t q = at; n < TURNS && q < s->end; q += STEP, n++) {
            turns[n] = turn_for(d, s, q);
            places[n] = (uint16_t)turns[n].at;
        }
        const dpl__mask_rows rows = queries_at(d, at, turns[n - 1].end - at);
        const dpl__hamming_turns docs = {&going, &coming, places, STEP};
        d->ctx->kernels->hamming_turned(d->mask, d->scratch, &rows, &docs, d->cut);
        for (size_t i = 0; i < n; i++)
            DPL_TRY(take_turn(d, s, &turns[i], d->mask + 8 * i * STEP, err));
    }
    return DPL_OK;
}

/* ---- the band ----------------------------------------------------------------------- */

/* Queries that are to be compared with a block as a whole, as far as they are known. */
typedef struct pending {
    size_t begin, end;
} pending;

/* Blocks in a window are few: that many are pending at the most, others are compared at once.
 */
enum { PENDING = 256 };

typedef struct band {
    dpl__detector *d;
    pending blocks[PENDING]; /* by block % PENDING */
    size_t first, last;      /* blocks that may be pending: [first, last) */
} band;

static dpl_status finish_block(band *b, size_t block, dpl_error *err)
{
    pending *p = &b->blocks[block % PENDING];
    size_t begin = p->begin, end = p->end;
    p->begin = p->end = 0;
    return compare_block(b->d, block, begin, end, err);
}

static dpl_status finish_before(band *b, size_t block, dpl_error *err)
{
    for (; b->first < block && b->first < b->last; b->first++)
        DPL_TRY(finish_block(b, b->first, err));
    return DPL_OK;
}

static dpl_status add_queries(band *b, size_t block, size_t begin, size_t end, dpl_error *err)
{
    if (block >= n_blocks(b->d))
        return DPL_OK;
    if (b->first == b->last)
        b->first = b->last = block;
    if (block >= b->first + PENDING)
        return compare_block(b->d, block, begin, end, err);
    pending *p = &b->blocks[block % PENDING];
    if (block < b->last && p->end != begin)
        DPL_TRY(finish_block(b, block, err));
    b->last = dpl__max(b->last, block + 1);
    if (p->begin == p->end)
        p->begin = begin;
    p->end = end;
    return DPL_OK;
}

static stretch stretch_at(const dpl__detector *d, size_t begin, size_t last)
{
    dpl__detect_range first = d->ranges[begin];
    stretch s = {begin, begin, first.low / DOCS, first.high / DOCS};
    if (first.high == d->docs.n) /* the last block may be short, but all of it is wanted */
        s.coming = n_blocks(d);
    for (; s.end < last; s.end++) {
        dpl__detect_range r = d->ranges[s.end];
        size_t coming = r.high == d->docs.n ? n_blocks(d) : r.high / DOCS;
        if (r.low / DOCS != s.going || coming != s.coming)
            break;
    }
    return s;
}

/* Ranges are so short that blocks would be compared mostly in vain. */
static bool is_narrow(const dpl__detector *d, size_t first, size_t last)
{
    size_t n_pairs = 0;
    for (size_t q = first; q < last; q++)
        n_pairs += d->ranges[q].high - d->ranges[q].low;
    return PAIR_COST * n_pairs < (last - first) * DOCS;
}

dpl_status dpl__detect_band(dpl__detector *d, size_t first, size_t last, dpl_error *err)
{
    band b = {.d = d};
    while (first < last && d->ranges[first].low == d->ranges[first].high)
        first++;
    if (is_narrow(d, first, last)) {
        for (size_t q = first; q < last; q++)
            DPL_TRY(compare_few(d, d->ranges[q].low, d->ranges[q].high, q, err));
        return DPL_OK;
    }
    for (size_t at = first; at < last;) {
        stretch s = stretch_at(d, at, last);
        at = s.end;
        DPL_TRY(finish_before(&b, s.going, err));
        bool is_seam = pays(d, &s);
        for (size_t block = s.going + is_seam; block < s.coming + !is_seam; block++)
            DPL_TRY(add_queries(&b, block, s.begin, s.end, err));
        if (is_seam)
            DPL_TRY(compare_seam(d, &s, err));
    }
    return finish_before(&b, SIZE_MAX, err);
}
