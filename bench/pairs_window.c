/*
 * pairs_window.c - the window search: what a comparison costs, beside brute force.
 *
 * Random signatures of 1024 bits, 500,000 on either side, one in a hundred with a near copy;
 * B = 2000. Only comparisons of rows within the window (and of different sides) count. A chunk
 * is gathered and compared; keys and sort are those of a table, whose costs each comparison
 * shares. "Against brute" divides both together by as many comparisons of brute force, done
 * right after, so that both see the same machine. The whole search runs a few tables; all cost
 * the same.
 */
#define _POSIX_C_SOURCE 200809L
#include "pairs.h"

#include "base/ctx.h"
#include "base/hash.h"
#include "kernels/kernels.h"
#include "pairs/window.h"

#include <stdlib.h>
#include <time.h>

enum { WORDS = 16, CUT = 409, TABLES = 300, TABLES_RUN = 2, NARROW_RUN = 128, CHUNKS = 4 };

/* One way to search: within one set, or two sides. */
typedef struct side {
    dpl__table_rows rows;
    dpl__columns *columns;
    dpl__order *order;
    dpl__detector *detector;
    uint32_t *numbers; /* of the chunk */
    size_t n_old;      /* what it has of the one before */
    uint32_t n_left;   /* rows of the table that are in no chunk yet */
    unsigned table;
    double order_ns;    /* of a row, the fastest so far */
    double order_share; /* rows for each comparison */
} side;

typedef struct window {
    const bench_settings *settings;
    dpl_ctx *ctx;
    dpl__spill spill;
    dpl__candidates *found;
    void *memory; /* of words */
    size_t n_bytes;
    uint64_t *words;
    dpl__bits left, right, all;
    unsigned size;
    size_t chunk;
    side sides[2];
} window;

static const dpl__cuts cuts = {.cut = CUT};

static double core_seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static dpl_status count(void *user, const dpl__candidate *c, size_t n, dpl_error *err)
{
    (void)c, (void)err;
    *(uint64_t *)user += n;
    return DPL_OK;
}

/* ---- parts -------------------------------------------------------------------------- */

static dpl_status sort_table(side *s, dpl_error *err)
{
    double begin = core_seconds();
    DPL_TRY(dpl__order_sort(s->order, 1, s->table++ % TABLES, err));
    double ns = (core_seconds() - begin) * 1e9 / s->rows.n;
    s->order_ns = s->order_ns == 0 || ns < s->order_ns ? ns : s->order_ns;
    s->n_left = s->rows.n;
    s->n_old = 0;
    return DPL_OK;
}

/* The next chunk, of a new table where this one has no whole one left. */
static dpl_status compare_chunk(const window *w, side *s, double *core, uint64_t *n_compared,
                                dpl_error *err)
{
    if (s->n_left + s->n_old < w->chunk)
        DPL_TRY(sort_table(s, err));
    size_t n_new = w->chunk - s->n_old;
    DPL_TRY(dpl__order_next(s->order, s->numbers + s->n_old, n_new, err));
    dpl__chunk chunk = {s->table, s->numbers, w->chunk, s->n_old};
    uint64_t n = 0;
    double begin = core_seconds();
    DPL_TRY(dpl__detect_chunk(s->detector, &chunk, &n, err));
    *core += core_seconds() - begin;
    *n_compared += n;
    s->order_share = (double)n_new / (double)n;
    s->n_left -= (uint32_t)n_new;
    s->n_old = w->size;
    memmove(s->numbers, s->numbers + w->chunk - s->n_old, s->n_old * sizeof *s->numbers);
    return DPL_OK;
}

static dpl_status run_chunks(void *topic, const bench_row *row, bench_result *result,
                             dpl_error *err)
{
    window *w = topic;
    uint64_t n = 0;
    for (int i = 0; i < CHUNKS; i++)
        DPL_TRY(compare_chunk(w, &w->sides[row->which], &result->core, &n, err));
    result->amount = (double)n;
    return DPL_OK;
}

static dpl_status run_order(void *topic, const bench_row *row, bench_result *result,
                            dpl_error *err)
{
    window *w = topic;
    result->amount = w->sides[row->which].rows.n;
    return sort_table(&w->sides[row->which], err);
}

/* The least that a row of a table costs beside its key: it is fetched from where it lies. */
static dpl_status run_fetch(void *topic, const bench_row *row, bench_result *result,
                            dpl_error *err)
{
    enum { AHEAD = 16, ROOM = 64 };
    window *w = topic;
    side *s = &w->sides[row->which];
    DPL_TRY(sort_table(s, err));
    _Alignas(64) uint64_t to[ROOM][WORDS];
    for (size_t done = 0, n; done + w->chunk <= s->rows.n; done += n) {
        n = w->chunk;
        DPL_TRY(dpl__order_next(s->order, s->numbers, n, err));
        double begin = core_seconds();
        for (size_t i = 0; i < n; i++) {
            const uint64_t *ahead =
                dpl__table_row(&s->rows, s->numbers[dpl__min(i + AHEAD, n - 1)]);
            DPL_PREFETCH(ahead);
            DPL_PREFETCH(ahead + 8);
            memcpy(to[i % ROOM], dpl__table_row(&s->rows, s->numbers[i]), sizeof to[0]);
        }
        result->core += core_seconds() - begin;
        result->amount += (double)n;
    }
    s->n_left = 0;
    s->n_old = 0;
    return to[0][0] == to[1][0] && to[2][3] == 12345 ? DPL_END : DPL_OK; /* is used */
}

/* About as many pairs as the chunks had. */
static dpl_status run_brute(const window *w, double *core, uint64_t *n, dpl_error *err)
{
    dpl__bits left = w->left, right = w->right;
    left.n_rows = (uint32_t)dpl__min(8 * DPL__HAMMING_DOCS, left.n_rows);
    right.n_rows = (uint32_t)dpl__min(*n / left.n_rows + 1, right.n_rows);
    uint64_t n_found = 0;
    dpl__candidate_sink sink = {&n_found, count};
    double begin = core_seconds();
    DPL_TRY(dpl__brute(w->ctx, &(dpl__bit_search){&left, &right, false, &cuts, &sink, n, NULL},
                       err));
    *core = core_seconds() - begin;
    return DPL_OK;
}

static dpl_status run_against_brute(void *topic, const bench_row *row, bench_result *result,
                                    dpl_error *err)
{
    window *w = topic;
    side *s = &w->sides[row->which];
    double ours = 0, brute = 0;
    for (int i = 0; i < CHUNKS; i++) {
        double core = 0, brute_core = 0;
        uint64_t n = 0;
        DPL_TRY(compare_chunk(w, s, &core, &n, err));
        ours += core / (double)n + s->order_share * s->order_ns * 1e-9;
        DPL_TRY(run_brute(w, &brute_core, &n, err));
        brute += brute_core / (double)n;
    }
    result->core = ours;
    result->amount = brute;
    return DPL_OK;
}

/* ---- the whole ---------------------------------------------------------------------- */

static dpl_status run_search(void *topic, const bench_row *row, bench_result *result,
                             dpl_error *err)
{
    window *w = topic;
    const dpl__table_rows *rows = &w->sides[row->which].rows;
    dpl__window o = {.n_tables = TABLES_RUN, .size = w->size, .chunk = UINT64_MAX};
    uint64_t n_found = 0;
    dpl__candidate_sink sink = {&n_found, count};
    double begin = dpl__now();
    DPL_TRY(dpl__window_search(
        w->ctx,
        &(dpl__bit_search){rows->left, rows->right, !rows->right, &cuts, &sink, NULL, NULL}, &o,
        1, &w->spill, err));
    result->wall = (dpl__now() - begin) / TABLES_RUN * TABLES;
    return DPL_OK;
}

/* What a comparison takes with all that belongs to it: keys, sort, gathering, comparing and
 * the pairs that are found. */
static dpl_status run_narrow(void *topic, const bench_row *row, bench_result *result,
                             dpl_error *err)
{
    window *w = topic;
    const dpl__table_rows *rows = &w->sides[0].rows;
    unsigned size = (unsigned)row->which;
    if (w->settings->is_smoke && size > w->size)
        size = w->size;
    dpl__window o = {.n_tables = size < 100    ? NARROW_RUN
                                 : size < 1000 ? NARROW_RUN / 4
                                               : TABLES_RUN,
                     .size = size,
                     .chunk = UINT64_MAX};
    uint64_t n_found = 0, n_compared = 0;
    dpl__candidate_sink sink = {&n_found, count};
    double begin = core_seconds();
    DPL_TRY(dpl__window_search(
        w->ctx,
        &(dpl__bit_search){rows->left, rows->right, false, &cuts, &sink, &n_compared, NULL}, &o,
        1, &w->spill, err));
    result->core = core_seconds() - begin;
    result->amount = (double)n_compared;
    return DPL_OK;
}

/* ---- rows --------------------------------------------------------------------------- */

static dpl_status make_rows(window *w, dpl_error *err)
{
    uint32_t n = w->settings->is_smoke ? 4000 : 1000000, half = n / 2;
    dpl__rng rng = {1};
    w->n_bytes = (size_t)n * WORDS * sizeof *w->words + 64;
    w->memory = dpl__alloc(w->ctx, w->n_bytes); /* in huge pages, as signatures are */
    if (!w->memory)
        return dpl__fail_nomem(err);
    w->words = (uint64_t *)(((uintptr_t)w->memory + 63) / 64 * 64);
    for (size_t i = 0; i < (size_t)n * WORDS; i++)
        w->words[i] = dpl__rng_next(&rng);
    for (uint32_t i = 0; i < half; i += 100) {
        uint64_t *row = w->words + (half + dpl__rng_below(&rng, half)) * WORDS;
        memcpy(row, w->words + (size_t)i * WORDS, WORDS * sizeof *row);
        for (uint64_t k = dpl__rng_below(&rng, 450); k; k--)
            row[dpl__rng_below(&rng, WORDS)] ^= (uint64_t)1 << dpl__rng_below(&rng, 64);
    }
    w->all = (dpl__bits){n, WORDS, w->words};
    w->left = (dpl__bits){half, WORDS, w->words};
    w->right = (dpl__bits){half, WORDS, w->words + (size_t)half * WORDS};
    return DPL_OK;
}

static dpl_status make_side(window *w, side *s, dpl_error *err)
{
    s->numbers = malloc(w->chunk * sizeof *s->numbers);
    if (!s->numbers)
        return dpl__fail_nomem(err);
    DPL_TRY(dpl__columns_new(&s->columns, w->ctx, &s->rows, err));
    s->rows.columns = s->columns;
    DPL_TRY(dpl__order_new(&s->order, &w->spill, &s->rows, SIZE_MAX / 2, true, err));
    const dpl__detector_options o = {&s->rows, &cuts, w->size, w->chunk, NULL, w->found};
    return dpl__detector_new(&s->detector, w->ctx, &o, err);
}

static dpl_status init(void **topic, const bench_settings *settings, dpl_error *err)
{
    window *w = calloc(1, sizeof *w);
    *topic = w;
    if (!w)
        return dpl__fail_nomem(err);
    w->settings = settings;
    w->size = settings->is_smoke ? 700 : 2000;
    w->chunk = settings->is_smoke ? 3000 : 1 << 16;
    DPL_TRY(
        dpl_ctx_new(&w->ctx, &(dpl_ctx_options)DPL_INIT(dpl_ctx_options, .n_threads = 2), err));
    DPL_TRY(dpl__spill_init(&w->spill, w->ctx, settings->work, err));
    DPL_TRY(dpl__candidates_new(&w->found, &w->spill, 1 << 24, err));
    DPL_TRY(make_rows(w, err));
    w->sides[0].rows = (dpl__table_rows){&w->left, &w->right, w->all.n_rows, WORDS, NULL};
    w->sides[1].rows = (dpl__table_rows){&w->all, NULL, w->all.n_rows, WORDS, NULL};
    DPL_TRY(make_side(w, &w->sides[0], err));
    return make_side(w, &w->sides[1], err);
}

static void clear(void *topic)
{
    window *w = topic;
    for (int i = 0; w && i < 2; i++) {
        dpl__detector_free(w->sides[i].detector);
        dpl__order_free(w->sides[i].order);
        dpl__columns_free(w->sides[i].columns);
        free(w->sides[i].numbers);
    }
    if (w) {
        dpl__free(w->ctx, w->memory);
        dpl__candidates_free(w->found);
        dpl__spill_clear(&w->spill);
        dpl_ctx_free(w->ctx);
    }
    free(w);
}

static const bench_row rows[] = {
    {"window, keys and sort of a row", BENCH_CORE_NS, 0, 0, run_order, 0},
    {"window, a row of a table fetched", BENCH_CORE_NS, 0, 0, run_fetch, 0},
    {"window, two sides, a comparison in a chunk", BENCH_CORE_NS, 0, 0, run_chunks, 0},
    {"window, one set, a comparison in a chunk", BENCH_CORE_NS, 0, 0, run_chunks, 1},
    {"window, two sides, against brute", BENCH_TIMES, 1.1, 1.05, run_against_brute, 0},
    {"window, one set, against brute", BENCH_TIMES, 1.1, 1.05, run_against_brute, 1},
    {"window, two sides, B = 20, all of a comparison", BENCH_CORE_NS, 1.5, 0, run_narrow, 20},
    {"window, two sides, B = 102, all of a comparison", BENCH_CORE_NS, 1.5, 0, run_narrow, 102},
    {"window, two sides, B = 407, all of a comparison", BENCH_CORE_NS, 1.5, 0, run_narrow, 407},
    {"window, two sides, B = 1629, all of a comparison", BENCH_CORE_NS, 1.5, 0, run_narrow,
     1629},
    {"window, two sides, 300 tables, two threads", BENCH_WALL, 0, 0, run_search, 0},
    {"window, one set, 300 tables, two threads", BENCH_WALL, 0, 0, run_search, 1},
};

const bench_topic bench_window = {
    .heading = "Sorted tables, 1 M signatures, B = 2000",
    .rows = rows,
    .n_rows = DPL_LEN(rows),
    .init = init,
    .clear = clear,
};
