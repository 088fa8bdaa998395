/*
 * pairs_exact.c - every pair of a true cosine of at least 0.3, and the true cosine of
 * candidates.
 *
 * Two sets of 20,000 rows of about 125 terms from real text (windows.h): between the sets,
 * within one of them, for 500 left rows as the receipt does; candidates are random, 50 for each
 * left row. The peers look at the same rows and must find the same number of pairs, but for
 * those that the rounding of their sums moves over the threshold.
 */
#define _POSIX_C_SOURCE 200809L
#include "pairs.h"

#include "windows.h"

#include "base/hash.h"
#include "pairs/searches.h"

#include <stdio.h>
#include <stdlib.h>

enum { ROWS = 20000, TINY = 600, SAMPLE = 500, CANDIDATES = 50, DIM = 384 };
static const double THRESHOLD = 0.3, LOW = 0.1;

typedef struct exact {
    const bench_settings *settings;
    dpl_ctx *ctx[2]; /* one thread, two */
    windows rows;
    dpl__sides sides, self, dense;
    dpl_vectors dense_rows;
    float *values;
    dpl__spill spill;
    uint32_t n_rows, sample[SAMPLE];
    dpl__candidate *candidates;
    dpl_pair *scored;
    uint64_t n_found;
    char left_path[4000], right_path[4000], script[4000];
} exact;

/* ---- ours --------------------------------------------------------------------------- */

static dpl_status count(void *user, const dpl_pair *pairs, size_t n, dpl_error *err)
{
    (void)pairs, (void)err;
    *(uint64_t *)user += n;
    return DPL_OK;
}

static dpl_status find(exact *e, uint64_t *n_found, const dpl__sides *sides, double threshold,
                       unsigned n_threads, dpl_error *err)
{
    *n_found = 0;
    dpl__pair_sink sink = {n_found, count};
    return dpl__exact(
        e->ctx[n_threads - 1],
        &(dpl__exact_search){.sides = sides, .threshold = threshold, .sink = &sink}, &e->spill,
        err);
}

static dpl_status run_between(void *topic, const bench_row *row, bench_result *result,
                              dpl_error *err)
{
    exact *e = topic;
    result->amount = (double)e->n_rows * e->n_rows;
    return find(e, &e->n_found, &e->sides, THRESHOLD, (unsigned)row->which, err);
}

static dpl_status run_low(void *topic, const bench_row *row, bench_result *result,
                          dpl_error *err)
{
    exact *e = topic;
    uint64_t n_found;
    result->amount = (double)e->n_rows * e->n_rows;
    return find(e, &n_found, &e->sides, LOW, (unsigned)row->which, err);
}

static dpl_status run_within(void *topic, const bench_row *row, bench_result *result,
                             dpl_error *err)
{
    exact *e = topic;
    uint64_t n_found;
    result->amount = (double)e->n_rows * e->n_rows / 2;
    return find(e, &n_found, &e->self, THRESHOLD, (unsigned)row->which, err);
}

static dpl_status run_dense(void *topic, const bench_row *row, bench_result *result,
                            dpl_error *err)
{
    exact *e = topic;
    uint64_t n_found;
    result->amount = (double)e->dense_rows.sizes.n_rows * e->dense_rows.sizes.n_rows / 2;
    return find(e, &n_found, &e->dense, THRESHOLD, (unsigned)row->which, err);
}

static dpl_status run_sample(void *topic, const bench_row *row, bench_result *result,
                             dpl_error *err)
{
    (void)row;
    exact *e = topic;
    uint64_t n_found = 0;
    dpl__pair_sink sink = {&n_found, count};
    result->amount = (double)SAMPLE * e->n_rows;
    return dpl__exact(
        e->ctx[0],
        &(dpl__exact_search){&e->sides, THRESHOLD, e->sample, SAMPLE, &sink, NULL, NULL},
        &e->spill, err);
}

static dpl_status run_verify(void *topic, const bench_row *row, bench_result *result,
                             dpl_error *err)
{
    (void)row;
    exact *e = topic;
    size_t n = (size_t)e->n_rows * CANDIDATES;
    result->amount = (double)n;
    return dpl__verify(e->ctx[0], &e->sides, e->scored, e->candidates, n, err);
}

/* ---- peers -------------------------------------------------------------------------- */

/* exact_peers.py prints CPU seconds, seconds, and how many pairs it found. */
static dpl_status run_peer(void *topic, const bench_row *row, bench_result *result,
                           dpl_error *err)
{
    exact *e = topic;
    if (!e->settings->python)
        return dpl__fail(err, DPL_E_UNSUPPORTED, "no Python with it");
    char command[16000];
    snprintf(command, sizeof command, "'%s' '%s' %s '%s' '%s' %g %d", e->settings->python,
             e->script, row->which ? "topn" : "scipy", e->left_path, e->right_path, THRESHOLD,
             row->which);
    FILE *pipe = popen(command, "r");
    unsigned long long n_found = 0;
    int n_read =
        pipe ? fscanf(pipe, "%lf %lf %llu", &result->core, &result->wall, &n_found) : 0;
    int status = pipe ? pclose(pipe) : -1;
    if (status != 0 || n_read != 3)
        return dpl__fail(err, DPL_E_UNSUPPORTED, "did not run");
    uint64_t more = n_found > e->n_found ? n_found - e->n_found : e->n_found - n_found;
    if (more > 1 + e->n_found / 1000)
        return dpl__fail(err, DPL_E_FORMAT, "finds %llu pairs, we %llu", n_found,
                         (unsigned long long)e->n_found);
    result->amount = (double)e->n_rows * e->n_rows;
    return DPL_OK;
}

/* ---- rows --------------------------------------------------------------------------- */

/* Random directions. */
static dpl_status make_dense(exact *e, dpl_error *err)
{
    uint32_t n = e->n_rows / 4;
    e->values = calloc((size_t)n * DIM, sizeof *e->values);
    if (!e->values)
        return dpl__fail_nomem(err);
    dpl__rng rng = {3};
    for (size_t i = 0; i < (size_t)n * DIM; i++)
        e->values[i] = (float)((double)dpl__rng_below(&rng, 20001) / 10000 - 1) / 11.3f;
    e->dense_rows =
        (dpl_vectors){.sizes = {.n_rows = n, .dim = DIM}, .dense = {n, DIM, e->values}};
    return dpl__sides_init(&e->dense, e->ctx[0], &e->dense_rows, NULL, err);
}

static dpl_status write_peers_rows(exact *e, dpl_error *err)
{
    const bench_settings *s = e->settings;
    const char *slash = strrchr(s->peers, '/'); /* the script stands beside the others' */
    snprintf(e->script, sizeof e->script, "%.*sexact_peers.py",
             slash ? (int)(slash + 1 - s->peers) : 0, s->peers);
    snprintf(e->left_path, sizeof e->left_path, "%s/left.rows", s->work);
    snprintf(e->right_path, sizeof e->right_path, "%s/right.rows", s->work);
    DPL_TRY(windows_write(&e->rows, 0, e->left_path, err));
    DPL_TRY(windows_write(&e->rows, 1, e->right_path, err));
    return find(e, &e->n_found, &e->sides, THRESHOLD, 1, err);
}

static dpl_status init(void **topic, const bench_settings *settings, dpl_error *err)
{
    exact *e = calloc(1, sizeof *e);
    *topic = e;
    if (!e)
        return dpl__fail_nomem(err);
    e->settings = settings;
    e->n_rows = settings->is_smoke ? TINY : ROWS;
    for (unsigned i = 0; i < 2; i++) {
        dpl_ctx_options o = DPL_INIT(dpl_ctx_options, .n_threads = i + 1);
        DPL_TRY(dpl_ctx_new(&e->ctx[i], &o, err));
    }
    DPL_TRY(windows_make(&e->rows, e->ctx[0], settings->is_smoke ? NULL : settings->data,
                         e->n_rows, err));
    DPL_TRY(dpl__sides_init(&e->sides, e->ctx[0], &e->rows.left, &e->rows.right, err));
    DPL_TRY(dpl__sides_init(&e->self, e->ctx[0], &e->rows.left, NULL, err));
    DPL_TRY(dpl__spill_init(&e->spill, e->ctx[0], settings->work, err));
    DPL_TRY(make_dense(e, err));
    size_t n = (size_t)e->n_rows * CANDIDATES;
    e->candidates = calloc(n, sizeof *e->candidates);
    e->scored = calloc(n, sizeof *e->scored);
    if (!e->candidates || !e->scored)
        return dpl__fail_nomem(err);
    dpl__rng rng = {1};
    for (size_t i = 0; i < n; i++)
        e->candidates[i] = (dpl__candidate){(uint32_t)(i / CANDIDATES),
                                            (uint32_t)dpl__rng_below(&rng, e->n_rows), 0};
    for (uint32_t i = 0; i < SAMPLE; i++)
        e->sample[i] = (uint32_t)((uint64_t)i * e->n_rows / SAMPLE);
    return settings->python ? write_peers_rows(e, err) : DPL_OK;
}

static void clear(void *topic)
{
    exact *e = topic;
    if (!e)
        return;
    free(e->scored);
    free(e->candidates);
    free(e->values);
    if (e->spill.dir)
        dpl__spill_clear(&e->spill);
    if (e->sides.left)
        dpl__sides_clear(&e->sides, e->ctx[0]);
    windows_clear(&e->rows);
    dpl_ctx_free(e->ctx[1]);
    dpl_ctx_free(e->ctx[0]);
    free(e);
}

static const bench_row rows[] = {
    {"one thread", BENCH_WALL, 0, 0, run_between, 1},
    {"two threads", BENCH_WALL, 0.9, 0.3, run_between, 2},
    {"one thread, per pair", BENCH_CORE_NS, 0, 0, run_between, 1},
    {"one thread, threshold 0.1", BENCH_WALL, 0, 0, run_low, 1},
    {"within the left set, one thread", BENCH_WALL, 0, 0, run_within, 1},
    {"500 of the left rows, one thread", BENCH_WALL, 0, 0, run_sample, 1},
    {"true cosine of a candidate", BENCH_CORE_NS, 150, 75, run_verify, 1},
    {"dense rows of 384 numbers, 5,000 x 5,000 / 2, per pair", BENCH_CORE_NS, 0, 0, run_dense,
     1},
    {"scipy, one thread", BENCH_WALL, 0, 0, run_peer, 0},
    {"sparse_dot_topn, one thread", BENCH_WALL, 0, 0, run_peer, 1},
    {"sparse_dot_topn, two threads", BENCH_WALL, 0, 0, run_peer, 2},
};

const bench_topic bench_exact = {
    .heading = "Exact cosine, 20,000 x 20,000 rows, threshold 0.3",
    .rows = rows,
    .n_rows = DPL_LEN(rows),
    .init = init,
    .clear = clear,
};
