/*
 * pairs_sign.c - how many documents a second become signatures? A topic of bench/pairs.
 *
 * Rows of some 120 terms, from real text where the data sets are (windows.h). Ours is measured
 * through the library, from rows to finished signatures in memory, on one thread. Peers
 * (sign_peers.py) get the same rows, and count their own time.
 */
#include "pairs.h"

#include "doppel/doppel.h"
#include "windows.h"

#include <stdio.h>
#include <stdlib.h>

enum { N_DOCS = 20000, N_SMOKE = 50 };

/* Digits of `which`: method and level; peers from 100 on. */
enum { LEVELS = 10, PEERS = 100 };
#define OURS(method, cpu) ((method)*LEVELS + (cpu))
static const char *const peers[] = {"scipy", "datasketch"};

static const unsigned lengths[] = {[DPL_SIGN_RP] = 1024,
                                   [DPL_SIGN_SIMHASH] = 64,
                                   [DPL_SIGN_MINHASH] = 128,
                                   [DPL_SIGN_RP8] = 448};

typedef struct topic {
    const bench_settings *settings;
    dpl_ctx *ctx; /* for the rows */
    dpl_ctx *levels[DPL_CPU_AVX512 + 1];
    windows windows;
    char rows[4096]; /* the file that peers read */
} topic;

static dpl_status init(void **out, const bench_settings *settings, dpl_error *err)
{
    topic *t = *out = calloc(1, sizeof *t);
    if (!t)
        return dpl__fail_nomem(err);
    t->settings = settings;
    DPL_TRY(dpl_ctx_new(&t->ctx, NULL, err));
    for (int cpu = DPL_CPU_SCALAR; cpu <= (int)dpl_cpu_best(); cpu++)
        DPL_TRY(dpl_ctx_new(
            &t->levels[cpu],
            &(dpl_ctx_options)DPL_INIT(dpl_ctx_options, .n_threads = 1, .cpu = (dpl_cpu)cpu),
            err));
    DPL_TRY(windows_make(&t->windows, t->ctx, settings->data,
                         settings->is_smoke ? N_SMOKE : N_DOCS, err));
    t->windows.left.path = (char *)(uintptr_t) "documents";
    snprintf(t->rows, sizeof t->rows, "%s/sign-rows.bin", settings->work);
    return settings->python ? windows_write(&t->windows, 0, t->rows, err) : DPL_OK;
}

static void clear(void *state)
{
    topic *t = state;
    if (!t)
        return;
    if (*t->rows)
        remove(t->rows);
    if (t->windows.arena.ctx)
        windows_clear(&t->windows);
    for (size_t i = 0; i < DPL_LEN(t->levels); i++)
        dpl_ctx_free(t->levels[i]);
    dpl_ctx_free(t->ctx);
    free(t);
}

static dpl_status run_ours(void *state, const bench_row *row, bench_result *result,
                           dpl_error *err)
{
    topic *t = state;
    dpl_sign_method method = (dpl_sign_method)(row->which / LEVELS);
    dpl_ctx *ctx = t->levels[row->which % LEVELS];
    dpl_sign_options o =
        DPL_INIT(dpl_sign_options, .method = method, .length = lengths[method]);
    dpl_signatures *s = NULL;
    if (!ctx)
        return dpl__fail(err, DPL_E_UNSUPPORTED, "not on this machine");
    result->amount = t->windows.left.sizes.n_rows;
    dpl_status status = dpl_signatures_make(&s, ctx, &t->windows.left, &o, err);
    dpl_signatures_close(s);
    return status;
}

static dpl_status run_peer(void *state, const bench_row *row, bench_result *result,
                           dpl_error *err)
{
    topic *t = state;
    char command[9000];
    const char *name = peers[row->which - PEERS];
    if (!t->settings->python)
        return dpl__fail(err, DPL_E_UNSUPPORTED, "no Python with %s", name);
    snprintf(command, sizeof command, "'%s' bench/sign_peers.py %s '%s' 2>/dev/null",
             t->settings->python, name, t->rows);
    FILE *f = popen(command, "r");
    bool is_read = f && fscanf(f, "%lf %lf", &result->core, &result->amount) == 2;
    if (!f || pclose(f) != 0 || !is_read)
        return dpl__fail(err, DPL_E_UNSUPPORTED, "no Python with %s", name);
    return DPL_OK;
}

static const bench_row rows[] = {
    {"rp 1024, AVX-512", BENCH_RATE, 400e3, 1e6, run_ours, OURS(DPL_SIGN_RP, DPL_CPU_AVX512)},
    {"rp 1024, AVX2", BENCH_RATE, 0, 0, run_ours, OURS(DPL_SIGN_RP, DPL_CPU_AVX2)},
    {"rp 1024, SSE4.2", BENCH_RATE, 0, 0, run_ours, OURS(DPL_SIGN_RP, DPL_CPU_SSE42)},
    {"rp 1024, plain C", BENCH_RATE, 0, 0, run_ours, OURS(DPL_SIGN_RP, DPL_CPU_SCALAR)},
    {"rp8 448, AVX-512", BENCH_RATE, 0, 0, run_ours, OURS(DPL_SIGN_RP8, DPL_CPU_AVX512)},
    {"rp8 448, AVX2", BENCH_RATE, 0, 0, run_ours, OURS(DPL_SIGN_RP8, DPL_CPU_AVX2)},
    {"rp8 448, plain C", BENCH_RATE, 0, 0, run_ours, OURS(DPL_SIGN_RP8, DPL_CPU_SCALAR)},
    {"  scipy: rows x Gaussian, sign, packbits", BENCH_RATE, 0, 0, run_peer, PEERS},
    {"minhash 128, AVX-512", BENCH_RATE, 1e6, 1.5e6, run_ours,
     OURS(DPL_SIGN_MINHASH, DPL_CPU_AVX512)},
    {"minhash 128, AVX2", BENCH_RATE, 0, 0, run_ours, OURS(DPL_SIGN_MINHASH, DPL_CPU_AVX2)},
    {"minhash 128, plain C", BENCH_RATE, 0, 0, run_ours,
     OURS(DPL_SIGN_MINHASH, DPL_CPU_SCALAR)},
    {"  datasketch: MinHash.bulk, 128", BENCH_RATE, 0, 0, run_peer, PEERS + 1},
    {"simhash 64, AVX-512", BENCH_RATE, 3e6, 4e6, run_ours,
     OURS(DPL_SIGN_SIMHASH, DPL_CPU_AVX512)},
    {"simhash 64, plain C", BENCH_RATE, 0, 0, run_ours, OURS(DPL_SIGN_SIMHASH, DPL_CPU_SCALAR)},
};

const bench_topic bench_sign = {"Signatures of documents of 120 terms, one thread", rows,
                                DPL_LEN(rows), init, clear};
