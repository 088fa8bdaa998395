/*
 * pairs_bytes.c - all pairs of rp8 signatures by dot product, matches collected.
 *
 * Random signatures; the cut keeps 0.99 of the pairs at a cosine of 0.3. Beside them what the
 * multiplications alone take: dim / (multiply-adds of a cycle) cycles, at the clock that a
 * chain of additions tells.
 */
#define _POSIX_C_SOURCE 200809L
#include "pairs.h"

#include "base/ctx.h"
#include "base/hash.h"
#include "kernels/kernels.h"
#include "pairs/searches.h"

#include <math.h>
#include <stdlib.h>
#include <time.h>

enum { MOST_DIMS = 512, N_LEFT = 8192, N_RIGHT = 16384, FEW = 1024, TINY = 300 };

typedef struct bytes {
    const bench_settings *settings;
    int8_t *left, *right; /* rows of MOST_DIMS; shorter ones are taken from the same numbers */
} bytes;

static dpl_status count(void *user, const dpl__candidate *c, size_t n, dpl_error *err)
{
    (void)c, (void)err;
    *(uint64_t *)user += n;
    return DPL_OK;
}

static dpl_status find(const bytes *b, uint32_t n_left, uint32_t n_right, uint32_t dims,
                       dpl_cpu cpu, dpl_error *err)
{
    dpl_ctx *ctx = NULL;
    dpl_ctx_options o = DPL_INIT(dpl_ctx_options, .n_threads = 1, .cpu = cpu);
    DPL_TRY(dpl_ctx_new(&ctx, &o, err));
    const dpl__bits left = {n_left, dims / 8, (const void *)b->left};
    const dpl__bits right = {n_right, dims / 8, (const void *)b->right};
    uint64_t n_found = 0;
    const dpl__cuts cuts = {.cut = dpl_sign_cut(DPL_SIGN_RP8, dims, 0.3, 0.99)};
    const dpl__candidate_sink sink = {&n_found, count};
    dpl_status status = dpl__brute_bytes(
        ctx, &(dpl__bit_search){&left, &right, false, &cuts, &sink, NULL, NULL}, err);
    dpl_ctx_free(ctx);
    return status;
}

static dpl_status run(bytes *b, dpl_cpu cpu, uint32_t dims, bench_result *result,
                      dpl_error *err)
{
    uint32_t n_left = N_LEFT, n_right = N_RIGHT;
    if (cpu > dpl_cpu_best())
        return dpl__fail(err, DPL_E_UNSUPPORTED, "not on this machine");
    if (b->settings->is_smoke)
        n_left = n_right = TINY;
    else if (cpu != DPL_CPU_AUTO && cpu < DPL_CPU_AVX512)
        n_left = n_right = FEW;
    result->amount = (double)n_left * n_right;
    return find(b, n_left, n_right, dims, cpu, err);
}

static dpl_status run_level(void *topic, const bench_row *row, bench_result *result,
                            dpl_error *err)
{
    return run(topic, (dpl_cpu)row->which, 448, result, err);
}

static dpl_status run_dims(void *topic, const bench_row *row, bench_result *result,
                           dpl_error *err)
{
    return run(topic, DPL_CPU_AUTO, (uint32_t)row->which, result, err);
}

/* 64-bit additions that wait for each other take a cycle each. */
static dpl_status run_floor(void *topic, const bench_row *row, bench_result *result,
                            dpl_error *err)
{
    (void)topic, (void)err;
    enum { N = 1 << 26 };
    static const double products[] = {[DPL_CPU_AVX512] = 64, [DPL_CPU_AMX] = 1024};
    struct timespec begin, end;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &begin);
    uint64_t x = (uint64_t)row->which;
    for (long i = 0; i < N; i++) {
        x += 3;
        __asm__ volatile("" : "+r"(x));
    }
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &end);
    const double ns =
        (double)(end.tv_sec - begin.tv_sec) * 1e9 + (double)(end.tv_nsec - begin.tv_nsec);
    if (row->which > (int)dpl_cpu_best())
        return dpl__fail(err, DPL_E_UNSUPPORTED, "not on this machine");
    result->amount = 1;
    result->core = ns / N * 448 / products[row->which] * 1e-9;
    return DPL_OK;
}

/* Sums of three uniform numbers: near enough to normal ones of deviation 32. */
static int8_t *make_rows(size_t n, uint64_t seed)
{
    int8_t *rows = aligned_alloc(64, n * MOST_DIMS);
    dpl__rng rng = {dpl__mix(seed)};
    for (size_t i = 0; rows && i < n * MOST_DIMS; i++) {
        const uint64_t r = dpl__rng_next(&rng);
        rows[i] = (int8_t)((int)(r >> 58) + (int)(r >> 52 & 63) + (int)(r >> 46 & 63) - 94);
    }
    return rows;
}

static dpl_status init(void **topic, const bench_settings *settings, dpl_error *err)
{
    bytes *b = calloc(1, sizeof *b);
    *topic = b;
    if (!b)
        return dpl__fail_nomem(err);
    b->settings = settings;
    b->left = make_rows(settings->is_smoke ? TINY : N_LEFT, 1);
    b->right = make_rows(settings->is_smoke ? TINY : N_RIGHT, 2);
    return b->left && b->right ? DPL_OK : dpl__fail_nomem(err);
}

static void clear(void *topic)
{
    bytes *b = topic;
    if (b) {
        free(b->left);
        free(b->right);
    }
    free(b);
}

static const bench_row rows[] = {
    {"scalar (the specification), 448", BENCH_CORE_NS, 0, 0, run_level, DPL_CPU_SCALAR},
    {"sse4.2, 448", BENCH_CORE_NS, 0, 0, run_level, DPL_CPU_SSE42},
    {"avx2, 448", BENCH_CORE_NS, 0, 0, run_level, DPL_CPU_AVX2},
    {"avx512 (VNNI), 448", BENCH_CORE_NS, 0, 0, run_level, DPL_CPU_AVX512},
    {"64 multiply-adds in every cycle (Zen 4), 448", BENCH_CORE_NS, 0, 0, run_floor,
     DPL_CPU_AVX512},
    {"amx, 448", BENCH_CORE_NS, 0.30, 0.20, run_level, DPL_CPU_AMX},
    {"1024 multiply-adds in every cycle, 448", BENCH_CORE_NS, 0, 0, run_floor, DPL_CPU_AMX},
    {"best level, 384", BENCH_CORE_NS, 0, 0, run_dims, 384},
    {"best level, 512", BENCH_CORE_NS, 0, 0, run_dims, 512},
};

const bench_topic bench_bytes = {
    .heading = "Dot product of signed bytes (rp8), one thread",
    .rows = rows,
    .n_rows = DPL_LEN(rows),
    .init = init,
    .clear = clear,
};
