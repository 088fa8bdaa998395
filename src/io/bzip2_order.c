/*
 * bzip2_order.c - from the sorted rotations of a text to the text.
 *
 * rows is a linked list: each row has a byte and the number of the row with the next one. The
 * list goes through 3.6 MB in no order, so a step takes as long as it takes to load from the
 * third cache, and each load waits for the one before. But a list can be walked from several
 * places at once: every STRIDE-th row is the beginning of a segment, which ends where another
 * begins. LANES segments are followed side by side, and when one ends, its lane takes the next;
 * then the segments are copied in the order in which they lead to each other. (The idea is
 * that of list ranking in parallel: Reid-Miller, List ranking and list scan on the Cray C90,
 * SPAA 1994.)
 *
 * Texts that repeat themselves consist of several cycles, of which only one is wanted.
 *
 * Cost: one visit per row, some 2 ns instead of 10 or, when others use the cache, of 70.
 */
#include "io/bzip2_block.h"

enum {
    LANES = 16,
    LANE_BYTES = 256,       /* of a lane before the next one's follow */
    STRIDE = 512,           /* rows from one beginning to the next */
    LAST = 2 * STRIDE,      /* steps of all lanes when there is not enough for all of them */
    SMALL = LANES * STRIDE, /* rows that are not worth it */
};

/* Marks a row at which a segment begins; the other bits are the number of the segment. */
#define MARK 0x80000000u

/* Byte t of lane k is at (t / LANE_BYTES * LANES + k) * LANE_BYTES + t % LANE_BYTES. */
typedef struct segment {
    uint32_t row;            /* what stood in rows at its beginning */
    uint32_t lane, from, to; /* the bytes [from, to) of a lane */
    uint32_t tail, n_tail;   /* and n_tail bytes at the place `tail` */
    uint32_t next;           /* the segment behind it */
} segment;

typedef struct walk {
    const uint32_t *rows;
    uint8_t *bytes;
    segment *segments;
    size_t n_segments, n_begun;
    uint32_t time;           /* bytes of each lane so far */
    uint32_t last;           /* when to stop; 0 while there are enough segments */
    unsigned n_busy;         /* lanes */
    segment *of_lane[LANES]; /* NULL when there are no more for it */
    uint32_t at[LANES];      /* rows */
    uint32_t nowhere;        /* a row that leads to itself */
} walk;

static size_t most_segments(size_t n)
{
    return (n + STRIDE - 1) / STRIDE + 1;
}

size_t dpl__bz_order_scratch(size_t n)
{
    size_t idle = LANES * (LAST + 3 * LANE_BYTES);
    return n < SMALL ? 0 : most_segments(n) * sizeof(segment) + n + idle;
}

/* ---- the walk ------------------------------------------------------------------------ */

static void add_segment(walk *w, uint32_t *row)
{
    assert(w->n_segments < MARK);
    w->segments[w->n_segments].row = *row;
    *row = MARK | (uint32_t)w->n_segments++;
}

static void begin_segment(walk *w, unsigned lane)
{
    bool is_left = w->n_begun < w->n_segments;
    segment *s = is_left ? &w->segments[w->n_begun++] : NULL;
    w->of_lane[lane] = s;
    w->at[lane] = is_left ? s->row : w->nowhere;
    w->n_busy -= !is_left;
    if (is_left)
        *s = (segment){.row = s->row, .lane = lane, .from = w->time};
    else if (!w->last)
        w->last = w->time + LAST;
}

/* Some lanes came to the end of their segments. False when most have nothing left to do. */
static bool change_segments(walk *w)
{
    for (unsigned lane = 0; lane < LANES; lane++)
        if (w->at[lane] & MARK) {
            w->of_lane[lane]->to = w->time;
            w->of_lane[lane]->next = w->at[lane] & ~MARK;
            begin_segment(w, lane);
        }
    return w->n_busy > LANES / 4;
}

/* All lanes step by step, until few of them have segments left to follow or it is time. */
static void follow_lanes(walk *w)
{
    const uint32_t *rows = w->rows;
    uint32_t at[LANES];
    memcpy(at, w->at, sizeof at);
    for (uint8_t *out = w->bytes; !w->last || w->time < w->last;
         out += LANES * LANE_BYTES, w->time = (uint32_t)((size_t)(out - w->bytes) / LANES))
        for (unsigned i = 0; i < LANE_BYTES; i++) {
            uint32_t marks = 0;
#define STEP(lane)                                                                             \
    out[(lane)*LANE_BYTES + i] = (uint8_t)at[lane];                                            \
    at[lane] = rows[at[lane] >> 8];                                                            \
    marks |= at[lane];
#define STEPS(lane) STEP(lane) STEP(lane + 1) STEP(lane + 2) STEP(lane + 3)
            STEPS(0);
            STEPS(4);
            STEPS(8);
            STEPS(12);
#undef STEPS
#undef STEP
            if (DPL_LIKELY(!(marks & MARK)))
                continue;
            w->time = (uint32_t)((size_t)(out - w->bytes) / LANES + i + 1);
            memcpy(w->at, at, sizeof at);
            if (!change_segments(w))
                return;
            memcpy(at, w->at, sizeof at);
        }
    memcpy(w->at, at, sizeof at);
}

/* What is left of the last segments, one after the other. */
static void follow_tails(walk *w)
{
    size_t n = (w->time + LANE_BYTES - 1) / LANE_BYTES * LANES * LANE_BYTES;
    for (unsigned lane = 0; lane < LANES; lane++) {
        segment *s = w->of_lane[lane];
        if (!s)
            continue;
        s->to = w->time;
        s->tail = (uint32_t)n;
        uint32_t at = w->at[lane];
        for (; !(at & MARK); at = w->rows[at >> 8])
            w->bytes[n++] = (uint8_t)at;
        s->n_tail = (uint32_t)n - s->tail;
        s->next = at & ~MARK;
    }
}

/* ---- the text ------------------------------------------------------------------------ */

/* Up to `room` bytes of a segment. */
static size_t copy_segment(uint8_t *out, size_t room, const walk *w, const segment *s)
{
    size_t n = 0;
    for (uint32_t t = s->from; t < s->to && n < room;) {
        const uint8_t *p =
            w->bytes + ((size_t)t / LANE_BYTES * LANES + s->lane) * LANE_BYTES + t % LANE_BYTES;
        uint32_t piece =
            (uint32_t)dpl__min(dpl__min(LANE_BYTES - t % LANE_BYTES, s->to - t), room - n);
        memcpy(out + n, p, piece);
        n += piece;
        t += piece;
    }
    size_t rest = dpl__min(s->n_tail, room - n);
    memcpy(out + n, w->bytes + s->tail, rest);
    return n + rest;
}

/* n bytes from the first segment on; a cycle that is shorter begins again. */
static void copy_segments(uint8_t *text, size_t n, const walk *w, size_t first)
{
    size_t at = 0, s = first;
    do {
        at += copy_segment(text + at, n - at, w, &w->segments[s]);
        s = w->segments[s].next;
    } while (at < n && s != first);
    for (size_t period = at; at < n; period *= 2) {
        size_t piece = dpl__min(period, n - at);
        memcpy(text + at, text, piece);
        at += piece;
    }
}

static void order_serially(uint8_t *text, const uint32_t *rows, size_t n, uint32_t row)
{
    for (size_t i = 0; i < n; i++) {
        text[i] = (uint8_t)rows[row];
        row = rows[row] >> 8;
    }
}

void dpl__bz_order(uint8_t *text, uint32_t *rows, size_t n, uint32_t row, void *scratch)
{
    assert(row < n && n < 1 << 20); /* MARK is free */
    if (n < SMALL) {
        order_serially(text, rows, n + 1, row);
        return;
    }
    walk w = {.rows = rows, .segments = scratch, .n_busy = LANES};
    rows[n] = w.nowhere = (uint32_t)n << 8;
    w.bytes = (uint8_t *)(w.segments + most_segments(n));
    for (size_t i = 0; i < n; i += STRIDE)
        add_segment(&w, &rows[i]);
    if (row % STRIDE != 0)
        add_segment(&w, &rows[row]);
    for (unsigned lane = 0; lane < LANES; lane++)
        begin_segment(&w, lane);
    follow_lanes(&w);
    follow_tails(&w);
    copy_segments(text, n + 1, &w, row % STRIDE != 0 ? w.n_segments - 1 : row / STRIDE);
}
