/*
 * pairs_hamming.c - all pairs of signatures by Hamming distance, matches collected.
 *
 * Random signatures of 1024 bits; one right row in ten is a left row with up to 450 bits
 * changed. Cut 409 stands for a cosine of 0.3, cut 449 for keeping 0.99 of those pairs. Peers
 * look at 512 x 65536 of the same rows and must find the same number of pairs.
 */
#define _POSIX_C_SOURCE 200809L
#include "pairs.h"

#include "base/ctx.h"
#include "base/hash.h"
#include "pairs/searches.h"

#include <stdio.h>
#include <stdlib.h>

enum { WORDS = 16, CUT = 409, LOOSE_CUT = 449 };

/* Left and right rows of each job. */
typedef struct shape {
    uint32_t n_left, n_right;
} shape;

static const shape small = {1024, 4096}, large = {8192, 16384}, join = {20000, 200000},
                   peer = {512, 65536}, tiny = {600, 2000};

typedef struct hamming {
    const bench_settings *settings;
    uint64_t *left, *right; /* as many rows as the largest shape has */
    char left_path[4000], right_path[4000];
    uint64_t n_peer_matches;
} hamming;

/* ---- ours --------------------------------------------------------------------------- */

typedef struct collected {
    uint64_t n, sum;
} collected;

static dpl_status collect(void *user, const dpl__candidate *c, size_t n, dpl_error *err)
{
    (void)err;
    collected *out = user;
    out->n += n;
    for (size_t i = 0; i < n; i++)
        out->sum += c[i].distance;
    return DPL_OK;
}

static dpl_status find(const hamming *h, uint64_t *n_found, shape s, dpl_cpu cpu,
                       unsigned n_threads, unsigned cut, dpl_error *err)
{
    dpl_ctx *ctx = NULL;
    dpl_ctx_options o = DPL_INIT(dpl_ctx_options, .n_threads = n_threads, .cpu = cpu);
    DPL_TRY(dpl_ctx_new(&ctx, &o, err));
    const dpl__bits left = {s.n_left, WORDS, h->left}, right = {s.n_right, WORDS, h->right};
    collected found = {0};
    dpl_status status =
        dpl__brute(ctx,
                   &(dpl__bit_search){&left, &right, false, &(dpl__cuts){.cut = cut},
                                      &(dpl__candidate_sink){&found, collect}, NULL, NULL},
                   err);
    dpl_ctx_free(ctx);
    *n_found = found.n;
    return status;
}

static dpl_status run_shape(void *topic, shape s, dpl_cpu cpu, unsigned n_threads, unsigned cut,
                            bench_result *result, dpl_error *err)
{
    hamming *h = topic;
    uint64_t n_found;
    s = h->settings->is_smoke ? tiny : s;
    result->amount = (double)s.n_left * s.n_right;
    return find(h, &n_found, s, cpu, n_threads, cut, err);
}

static dpl_status run_level(void *topic, const bench_row *row, bench_result *result,
                            dpl_error *err)
{
    if (row->which > (int)dpl_cpu_best())
        return dpl__fail(err, DPL_E_UNSUPPORTED, "not on this machine");
    return run_shape(topic, row->which == DPL_CPU_SCALAR ? small : large, (dpl_cpu)row->which,
                     1, CUT, result, err);
}

static dpl_status run_loose(void *topic, const bench_row *row, bench_result *result,
                            dpl_error *err)
{
    (void)row;
    return run_shape(topic, large, DPL_CPU_AUTO, 1, LOOSE_CUT, result, err);
}

static dpl_status run_join(void *topic, const bench_row *row, bench_result *result,
                           dpl_error *err)
{
    return run_shape(topic, join, DPL_CPU_AUTO, (unsigned)row->which, CUT, result, err);
}

/* ---- peers -------------------------------------------------------------------------- */

/* pairs_peers.py NAME prints its CPU seconds and how many pairs it found. */
static dpl_status run_peer(void *topic, const bench_row *row, bench_result *result,
                           dpl_error *err)
{
    static const char *const names[] = {"faiss", "numkong", "numkong-matrix"};
    hamming *h = topic;
    const bench_settings *s = h->settings;
    if (!s->python)
        return dpl__fail(err, DPL_E_UNSUPPORTED, "no Python with it");
    char command[16000];
    snprintf(command, sizeof command, "'%s' '%s' %s '%s' '%s' %d %d", s->python, s->peers,
             names[row->which], h->left_path, h->right_path, WORDS, CUT);
    FILE *pipe = popen(command, "r");
    double core = 0;
    unsigned long long n_found = 0;
    int n_read = pipe ? fscanf(pipe, "%lf %llu", &core, &n_found) : 0;
    int status = pipe ? pclose(pipe) : -1;
    if (status != 0 || n_read != 2)
        return dpl__fail(err, DPL_E_UNSUPPORTED, "did not run");
    if (n_found != h->n_peer_matches)
        return dpl__fail(err, DPL_E_FORMAT, "finds %llu pairs, we %llu", n_found,
                         (unsigned long long)h->n_peer_matches);
    result->amount = (double)peer.n_left * peer.n_right;
    result->core = core;
    return DPL_OK;
}

/* ---- rows --------------------------------------------------------------------------- */

static uint64_t *make_rows(size_t n, uint64_t seed)
{
    uint64_t *rows = aligned_alloc(64, n * WORDS * sizeof *rows);
    dpl__rng rng = {dpl__mix(seed)};
    for (size_t i = 0; rows && i < n * WORDS; i++)
        rows[i] = dpl__rng_next(&rng);
    return rows;
}

/* Near copies are of the first left rows, so that every shape has some. */
static void plant(hamming *h, size_t n_right)
{
    dpl__rng rng = {7};
    for (size_t i = 0; i < n_right; i += 10) {
        uint64_t *row = h->right + i * WORDS;
        memcpy(row, h->left + dpl__rng_below(&rng, peer.n_left) * WORDS, 8 * WORDS);
        for (uint64_t k = dpl__rng_below(&rng, 450); k; k--)
            row[dpl__rng_below(&rng, WORDS)] ^= (uint64_t)1 << dpl__rng_below(&rng, 64);
    }
}

static dpl_status write_rows(const char *path, const uint64_t *rows, size_t n, dpl_error *err)
{
    FILE *f = fopen(path, "wb");
    if (!f)
        return dpl__fail_errno(err, errno, "cannot write '%s'", path);
    const bool is_written = fwrite(rows, 8 * WORDS, n, f) == n;
    return fclose(f) == 0 && is_written
               ? DPL_OK
               : dpl__fail_errno(err, errno, "cannot write '%s'", path);
}

static dpl_status init(void **topic, const bench_settings *settings, dpl_error *err)
{
    hamming *h = calloc(1, sizeof *h);
    *topic = h;
    if (!h)
        return dpl__fail_nomem(err);
    h->settings = settings;
    const shape most = settings->is_smoke ? tiny : join;
    h->left = make_rows(most.n_left, 1);
    h->right = make_rows(most.n_right, 2);
    if (!h->left || !h->right)
        return dpl__fail_nomem(err);
    plant(h, most.n_right);
    if (!settings->python)
        return DPL_OK;
    snprintf(h->left_path, sizeof h->left_path, "%s/left.bits", settings->work);
    snprintf(h->right_path, sizeof h->right_path, "%s/right.bits", settings->work);
    DPL_TRY(write_rows(h->left_path, h->left, peer.n_left, err));
    DPL_TRY(write_rows(h->right_path, h->right, peer.n_right, err));
    return find(h, &h->n_peer_matches, peer, DPL_CPU_AUTO, 1, CUT, err);
}

static void clear(void *topic)
{
    hamming *h = topic;
    if (h) {
        free(h->left);
        free(h->right);
    }
    free(h);
}

static const bench_row rows[] = {
    {"scalar (the specification)", BENCH_CORE_NS, 5.0, 4.7, run_level, DPL_CPU_SCALAR},
    {"sse4.2", BENCH_CORE_NS, 5.0, 4.7, run_level, DPL_CPU_SSE42},
    {"avx2", BENCH_CORE_NS, 2.5, 1.5, run_level, DPL_CPU_AVX2},
    {"avx512", BENCH_CORE_NS, 0.8, 0.55, run_level, DPL_CPU_AVX512},
    {"best level, cut 449", BENCH_CORE_NS, 0, 0, run_loose, 0},
    {"20,000 x 200,000, two threads", BENCH_WALL, 1.8, 1.2, run_join, 2},
    {"20,000 x 200,000, two threads, CPU time per pair", BENCH_CORE_NS, 0, 0, run_join, 2},
    {"FAISS, IndexBinaryFlat.range_search", BENCH_CORE_NS, 0, 0, run_peer, 0},
    {"NumKong, distances and numpy's nonzero", BENCH_CORE_NS, 0, 0, run_peer, 1},
    {"NumKong, distances alone", BENCH_CORE_NS, 0, 0, run_peer, 2},
};

const bench_topic bench_hamming = {
    .heading = "Hamming distance, 1024 bits, cut 409, one thread",
    .rows = rows,
    .n_rows = DPL_LEN(rows),
    .init = init,
    .clear = clear,
};
