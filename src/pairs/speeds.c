/*
 * speeds.c - how fast this machine is at what the methods do.
 *
 * Each speed is one small job over made-up rows, run through the code that a search runs, on
 * all threads of the context. What counts is the processor time of all threads together, so
 * that other work on the machine does little harm. A job starts with a small part of its rows
 * and takes more while it is too short to be timed; then it is repeated for a tenth of a
 * second, and the fastest run counts.
 */
#include "pairs/searches.h"

#include "base/arena.h"
#include "base/ctx.h"
#include "base/hash.h"
#include "base/maths.h"
#include "base/sized.h"
#include "devices/device.h"
#include "kernels/kernels.h"
#include "par/pool.h"

#include <math.h>
#include <time.h>

enum {
    N_WORDS = 16,        /* of a signature: 1024 bits */
    N_SIGNED = 1 << 15,  /* signatures */
    N_QUERIES = 1 << 11, /* of which are compared with all */
    N_DEVICE = 1 << 19,  /* on a device: all pairs of these */
    N_BYTES = 1 << 13,   /* signatures of signed bytes ... */
    BYTES_WORDS = 56,    /* ... of 448 dimensions */
    WINDOW =
        64, /* in wider ones a comparison takes 1.2 to 1.4 times as long as in brute force */
    TABLES = 16,
    LEAST_SORTED = 1 << 13, /* rows of a table: most have a whole window */
    N_SINGLE = 1 << 16,     /* comparisons one by one */
    N_ROWS = 2048,          /* sparse rows */
    N_TOKENS = 260,         /* of a row; about 120 of them differ */
    N_TERMS = 30000,
    N_DIGITS = 5,      /* of a term's name */
    N_PAIRS = 1 << 16, /* that are verified */
    COPIES = 32,       /* of the rows: verified ones are 64 MB apart, and not in the cache */
    N_DENSE = 1024,
    DIM = 256,
    PARTS = 32, /* of the rows, for machines on which all would take too long */
    LEAST_RUNS = 3,
    MOST_RUNS = 5
};

static const double least_seconds = 0.02; /* of a run that counts */
static const double most_seconds = 0.1;   /* for the runs of one job */
static const double long_seconds = 0.2; /* of a thread: after them, fewer than LEAST_RUNS do */

/* Rows to work on. */
typedef struct material {
    dpl_ctx *ctx;
    dpl__rng rng;
    uint32_t n_parts; /* of PARTS, that a job takes */
    dpl__spill spill;
    dpl__arena arena; /* of all that follows */
    uint64_t *words;  /* N_SIGNED signatures */
    dpl__bits bits;
    uint64_t *bytes; /* N_BYTES signatures of signed bytes */
    /* sparse rows */
    uint64_t *offsets;
    uint32_t *terms;
    float *weights;
    uint64_t *name_offsets; /* names of terms, and of rows */
    char *names;
    dpl_vectors sparse, far; /* far: COPIES of them, or the same */
    dpl__candidate *pairs;
    dpl_pair *scored;
    /* dense rows */
    float *values;
    dpl_vectors dense;
} material;

/* ---- making rows -------------------------------------------------------------------- */

static double uniform(dpl__rng *rng)
{
    return (double)(dpl__rng_next(rng) >> 11) * 0x1p-53;
}

static void make_words(material *m)
{
    for (size_t i = 0; i < (size_t)N_SIGNED * N_WORDS; i++)
        m->words[i] = dpl__rng_next(&m->rng);
    m->bits = (dpl__bits){N_SIGNED, N_WORDS, m->words};
    for (size_t i = 0; i < (size_t)N_BYTES * BYTES_WORDS; i++) /* odd ones: none is -128 */
        m->bytes[i] = dpl__rng_next(&m->rng) | 0x0101010101010101u;
}

/* The number i as text of five digits: terms in byte order. */
static void make_names(material *m)
{
    for (uint32_t i = 0; i < N_TERMS; i++) {
        m->name_offsets[i] = (uint64_t)i * N_DIGITS;
        for (uint32_t k = N_DIGITS, x = i; k-- > 0; x /= 10)
            m->names[i * N_DIGITS + k] = (char)('0' + x % 10);
    }
    m->name_offsets[N_TERMS] = (uint64_t)N_TERMS * N_DIGITS;
}

/* Zipf's law: the k-th most frequent word has a share of about 1/k. Numbers are mixed, so that
 * frequent words are not neighbours. */
static uint32_t draw_term(dpl__rng *rng)
{
    uint32_t rank = (uint32_t)(dpl__pow(N_TERMS, uniform(rng))) - 1;
    return (uint32_t)(rank * (uint64_t)7919 % N_TERMS);
}

/* One row: the words of N_TOKENS draws, the rarer the heavier. Returns its length. */
static size_t make_row(material *m, uint32_t *terms, float *weights, uint8_t *is_in)
{
    size_t n = 0;
    double sum = 0;
    for (int i = 0; i < N_TOKENS; i++)
        is_in[draw_term(&m->rng)] = 1;
    for (uint32_t t = 0; t < N_TERMS; t++) {
        if (!is_in[t])
            continue;
        is_in[t] = 0;
        /* 7919 * 7679 = 1 mod 30000: back to the rank */
        double rank = (double)(t * (uint64_t)7679 % N_TERMS);
        weights[n] = (float)(0.2 + dpl__log1p(rank));
        sum += (double)weights[n] * (double)weights[n];
        terms[n++] = t;
    }
    for (size_t i = 0; i < n; i++)
        weights[i] = (float)((double)weights[i] / sqrt(sum));
    return n;
}

static dpl_status make_sparse(material *m, dpl_error *err)
{
    uint8_t *is_in = dpl__arena_alloc(&m->arena, N_TERMS);
    DPL_TRY(dpl__need(is_in, err));
    memset(is_in, 0, N_TERMS);
    m->offsets[0] = 0;
    for (size_t i = 0; i < N_ROWS; i++)
        m->offsets[i + 1] = m->offsets[i] + make_row(m, m->terms + m->offsets[i],
                                                     m->weights + m->offsets[i], is_in);
    make_names(m);
    dpl__strings names = {m->name_offsets, m->names, N_TERMS};
    m->sparse = (dpl_vectors){
        .ctx = m->ctx,
        .path = (char *)"",
        .sizes = {.n_rows = N_ROWS, .n_terms = N_TERMS, .n_entries = m->offsets[N_ROWS]},
        .rows = {N_ROWS, N_TERMS, m->offsets, m->terms, m->weights},
        .terms = names,
        .ids = names};
    return DPL_OK;
}

/* Makes more rows than a cache holds, unless memory is short. */
static dpl_status make_far(material *m, dpl_error *err)
{
    const uint64_t n = m->offsets[N_ROWS];
    const size_t n_copies =
        n * COPIES * 32 < dpl_ctx_memory(m->ctx) ? COPIES : 1; /* a quarter of it */
    uint64_t *offsets = dpl__arena_alloc(&m->arena, (N_ROWS * n_copies + 1) * sizeof *offsets);
    uint32_t *terms = dpl__arena_alloc(&m->arena, n * n_copies * sizeof *terms);
    float *weights = dpl__arena_alloc(&m->arena, n * n_copies * sizeof *weights);
    DPL_TRY(dpl__need(offsets && terms && weights, err));
    offsets[0] = 0;
    for (size_t i = 0; i < n_copies; i++) {
        for (size_t row = 0; row < N_ROWS; row++)
            offsets[i * N_ROWS + row + 1] = i * n + m->offsets[row + 1];
        memcpy(terms + i * n, m->terms, n * sizeof *terms);
        memcpy(weights + i * n, m->weights, n * sizeof *weights);
    }
    m->far = m->sparse;
    m->far.sizes.n_rows = m->far.rows.n_rows = (uint32_t)(N_ROWS * n_copies);
    m->far.sizes.n_entries = n * n_copies;
    m->far.rows.offsets = offsets;
    m->far.rows.terms = terms;
    m->far.rows.weights = weights;
    for (size_t i = 0; i < N_PAIRS; i++)
        m->pairs[i] =
            (dpl__candidate){(uint32_t)(i * N_ROWS / N_PAIRS),
                             (uint32_t)dpl__rng_below(&m->rng, m->far.rows.n_rows), 0};
    return DPL_OK;
}

static void make_dense(material *m)
{
    for (size_t i = 0; i < N_DENSE; i++) {
        float *row = m->values + i * DIM;
        double sum = 0;
        for (size_t j = 0; j < DIM; j++) {
            row[j] = (float)(uniform(&m->rng) - 0.5);
            sum += (double)row[j] * (double)row[j];
        }
        for (size_t j = 0; j < DIM; j++)
            row[j] = (float)((double)row[j] / sqrt(sum));
    }
    m->dense = (dpl_vectors){
        .ctx = m->ctx,
        .path = (char *)"",
        .sizes = {.n_rows = N_DENSE, .dim = DIM, .n_entries = (uint64_t)N_DENSE * DIM},
        .dense = {N_DENSE, DIM, m->values}};
}

/* ---- the jobs: each returns how many times it did what it measures ------------------- */

static dpl_status take_nothing(void *user, const dpl__candidate *candidates, size_t n,
                               dpl_error *err)
{
    (void)user, (void)candidates, (void)n, (void)err;
    return DPL_OK;
}

static dpl_status take_no_pair(void *user, const dpl_pair *pairs, size_t n, dpl_error *err)
{
    (void)user, (void)pairs, (void)n, (void)err;
    return DPL_OK;
}

static uint32_t part(const material *m, uint32_t n)
{
    return n / PARTS * m->n_parts;
}

static dpl_status compare_with(material *m, unsigned cut, double *n, dpl_error *err)
{
    /* the kernels compare with 512 at a time, whether there are so many or not */
    uint32_t n_queries = (uint32_t)dpl__max(part(m, N_QUERIES), DPL__HAMMING_DOCS);
    dpl__bits queries = {n_queries, N_WORDS, m->words};
    dpl__cuts cuts = {.cut = cut};
    dpl__candidate_sink sink = {NULL, take_nothing};
    *n = (double)queries.n_rows * N_SIGNED;
    return dpl__brute(
        m->ctx, &(dpl__bit_search){&queries, &m->bits, false, &cuts, &sink, NULL, NULL}, err);
}

static dpl_status compare(material *m, double *n, dpl_error *err)
{
    return compare_with(m, 300, n, err);
}

/* Three deviations from the mean of 512. */
static dpl_status compare_near(material *m, double *n, dpl_error *err)
{
    return compare_with(m, 464, n, err);
}

static dpl_status multiply_bytes(material *m, double *n, dpl_error *err)
{
    uint32_t n_queries = (uint32_t)dpl__max(part(m, N_QUERIES), DPL__HAMMING_DOCS);
    dpl__bits queries = {n_queries, BYTES_WORDS, m->bytes};
    dpl__bits all = {N_BYTES, BYTES_WORDS, m->bytes};
    dpl__cuts cuts = {.cut = 0};
    dpl__candidate_sink sink = {NULL, take_nothing};
    *n = (double)queries.n_rows * all.n_rows;
    return dpl__brute_bytes(
        m->ctx, &(dpl__bit_search){&queries, &all, false, &cuts, &sink, NULL, NULL}, err);
}

static void compare_some(void *user, size_t i)
{
    material *m = user;
    for (uint32_t k = 0; k < part(m, N_SINGLE); k++)
        m->ctx->kernels->hamming(dpl__bits_row(&m->bits, (uint32_t)((i + k / 64) % N_SIGNED)),
                                 dpl__bits_row(&m->bits, k * 79 % 4096), N_WORDS);
}

static dpl_status single(material *m, double *n, dpl_error *err)
{
    *n = (double)part(m, N_SINGLE) * m->ctx->n_threads;
    return dpl__parallel_each(m->ctx, m->ctx->n_threads, m, compare_some, err);
}

static dpl_status window(material *m, double *n, dpl_error *err)
{
    uint32_t half = (uint32_t)dpl__max(part(m, N_SIGNED), LEAST_SORTED) / 2;
    dpl__bits left = {half, N_WORDS, m->words};
    dpl__bits right = {half, N_WORDS, m->words + (size_t)half * N_WORDS};
    dpl__window o = {.n_tables = TABLES, .size = WINDOW, .chunk = N_SIGNED};
    dpl__cuts cuts = {.cut = 300};
    dpl__candidate_sink sink = {NULL, take_nothing};
    *n = (double)o.n_tables * 2 * half;
    return dpl__window_search(
        m->ctx, &(dpl__bit_search){&left, &right, false, &cuts, &sink, NULL, NULL}, &o, 1,
        &m->spill, err);
}

static dpl_vectors some_rows(const material *m, const dpl_vectors *all)
{
    dpl_vectors some = *all;
    some.sizes.n_rows = part(m, all->sizes.n_rows);
    some.rows.n_rows = some.dense.n_rows = some.sizes.n_rows;
    return some;
}

static dpl_status search_exactly(material *m, const dpl_vectors *all, double *n, dpl_error *err)
{
    dpl__sides sides;
    dpl__pair_sink sink = {NULL, take_no_pair};
    dpl_vectors some = some_rows(m, all);
    uint64_t n_multiplied = 0;
    DPL_TRY(dpl__sides_init(&sides, m->ctx, &some, &some, err));
    dpl_status status = dpl__exact(
        m->ctx, &(dpl__exact_search){&sides, 0.5, NULL, 0, &sink, &n_multiplied, NULL},
        &m->spill, err);
    dpl__sides_clear(&sides, m->ctx);
    *n = (double)n_multiplied;
    return status;
}

static dpl_status multiply(material *m, double *n, dpl_error *err)
{
    return search_exactly(m, &m->sparse, n, err);
}

static dpl_status multiply_dense(material *m, double *n, dpl_error *err)
{
    return search_exactly(m, &m->dense, n, err);
}

static dpl_status verify(material *m, double *n, dpl_error *err)
{
    dpl__sides sides;
    DPL_TRY(dpl__sides_init(&sides, m->ctx, &m->sparse, &m->far, err));
    *n = part(m, N_PAIRS);
    dpl_status status = dpl__verify(m->ctx, &sides, m->scored, m->pairs, part(m, N_PAIRS), err);
    dpl__sides_clear(&sides, m->ctx);
    return status;
}

static dpl_status sign(material *m, double *n, dpl_error *err)
{
    dpl_signatures *s = NULL;
    dpl_vectors some = some_rows(m, &m->sparse);
    dpl_sign_options o = DPL_INIT(dpl_sign_options, .length = 64 * N_WORDS);
    *n = some.sizes.n_rows;
    dpl_status status = dpl_signatures_make(&s, m->ctx, &some, &o, err);
    dpl_signatures_close(s);
    return status;
}

/* Seconds that all threads together have worked. */
static double cpu_now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

/* Nanoseconds of one thread for each of what the job does. */
static dpl_status measure(double *ns, material *m,
                          dpl_status (*job)(material *m, double *n, dpl_error *err),
                          dpl_error *err)
{
    double begin = dpl__now(), now = begin, worked = 0;
    m->n_parts = 1;
    for (int i = 0; i < MOST_RUNS; i++) {
        if (i >= LEAST_RUNS ? now - begin >= most_seconds
                            : i > 0 && worked >= long_seconds * m->ctx->n_threads)
            break;
        double n = 1, before = cpu_now();
        DPL_TRY(job(m, &n, err));
        now = dpl__now();
        double took = cpu_now() - before;
        worked += took;
        *ns = i > 0 && *ns < took * 1e9 / n ? *ns : took * 1e9 / n;
        if (took < least_seconds && m->n_parts < PARTS) { /* this does not count */
            m->n_parts *= 2;
            i = -1;
        }
    }
    return DPL_OK;
}

/* A device is asked by itself, through the operation of a search: there it is the time until
 * the answer that counts. Times the threads, as the plan divides by them. */
static dpl_status measure_device(double *ns, dpl_ctx *ctx, dpl_error *err)
{
    const size_t n_bytes = (size_t)N_DEVICE * N_WORDS * sizeof(uint64_t);
    uint64_t *words = dpl__alloc(ctx, n_bytes);
    DPL_TRY(dpl__need(words, err));
    dpl__rng rng = {1};
    for (size_t i = 0; i < (size_t)N_DEVICE * N_WORDS; i++)
        words[i] = dpl__rng_next(&rng);
    dpl__bits bits = {N_DEVICE, N_WORDS, words};
    dpl__cuts cuts = {.cut = 300};
    dpl__candidate_sink sink = {NULL, take_nothing};
    dpl__bit_search search = {&bits, &bits, true, &cuts, &sink, NULL, NULL};
    const double n = 0.5 * N_DEVICE * (double)N_DEVICE;
    dpl_status status = DPL_OK;
    for (int i = 0; i < LEAST_RUNS && status == DPL_OK; i++) {
        double begin = dpl__now();
        status = dpl__brute(ctx, &search, err);
        double took = (dpl__now() - begin) * 1e9 / n * ctx->n_threads;
        *ns = i == 0 || took < *ns ? took : *ns;
    }
    dpl__free(ctx, words);
    return status;
}

/* ---- all of it ---------------------------------------------------------------------- */

static dpl_status make_material(material *m, dpl_error *err)
{
    dpl__arena *a = &m->arena;
    /* 63 more: signatures stand at multiples of 64 bytes */
    uintptr_t words =
        (uintptr_t)dpl__arena_alloc(a, (size_t)N_SIGNED * N_WORDS * sizeof *m->words + 63);
    m->words = (uint64_t *)((words + 63) / 64 * 64);
    m->bytes = dpl__arena_alloc(a, (size_t)N_BYTES * BYTES_WORDS * sizeof *m->bytes);
    m->offsets = dpl__arena_alloc(a, (N_ROWS + 1) * sizeof *m->offsets);
    m->terms = dpl__arena_alloc(a, N_ROWS * N_TOKENS * sizeof *m->terms);
    m->weights = dpl__arena_alloc(a, N_ROWS * N_TOKENS * sizeof *m->weights);
    m->name_offsets = dpl__arena_alloc(a, (N_TERMS + 1) * sizeof *m->name_offsets);
    m->names = dpl__arena_alloc(a, N_TERMS * N_DIGITS);
    m->pairs = dpl__arena_alloc(a, N_PAIRS * sizeof *m->pairs);
    m->scored = dpl__arena_alloc(a, N_PAIRS * sizeof *m->scored);
    m->values = dpl__arena_alloc(a, N_DENSE * DIM * sizeof *m->values);
    DPL_TRY(dpl__need(words && m->bytes && m->offsets && m->terms && m->weights &&
                          m->name_offsets && m->names && m->pairs && m->scored && m->values,
                      err));
    make_words(m);
    make_dense(m);
    DPL_TRY(make_sparse(m, err));
    return make_far(m, err);
}

static dpl_status measure_all(dpl_speeds *out, material *m, dpl_error *err)
{
    double in_window;
    DPL_TRY(make_material(m, err));
    DPL_TRY(measure(&out->compare_ns, m, compare, err));
    DPL_TRY(measure(&out->near_ns, m, compare_near, err));
    DPL_TRY(measure(&out->product_ns, m, multiply_bytes, err));
    DPL_TRY(measure(&out->single_ns, m, single, err));
    DPL_TRY(measure(&in_window, m, window, err));
    DPL_TRY(measure(&out->multiply_ns, m, multiply, err));
    DPL_TRY(measure(&out->dense_ns, m, multiply_dense, err));
    DPL_TRY(measure(&out->verify_ns, m, verify, err));
    DPL_TRY(measure(&out->sign_ns, m, sign, err));
    /* half of the rows in a window are of the other side */
    out->permute_ns = fmax(1, in_window - WINDOW * out->compare_ns / 2);
    return DPL_OK;
}

dpl_status dpl_speeds_measure(dpl_speeds *out, dpl_ctx *ctx, dpl_error *err)
{
    DPL_TRY(DPL__CHECK_OUT(out, err));
    dpl_speeds measured = DPL_INIT(dpl_speeds);
    material m = {.rng = {1}};
    DPL_TRY(dpl_job_new(&m.ctx, ctx, NULL, err));
    m.ctx->device = &dpl__cpu_device;
    dpl__arena_init(&m.arena, m.ctx);
    dpl_status status;
    DPL__STEP(dpl__spill_init(&m.spill, m.ctx, "/tmp", err));
    DPL__STEP(measure_all(&measured, &m, err));
    if (dpl__device_of(ctx) != &dpl__cpu_device && dpl__device_of(ctx)->within)
        DPL__STEP(measure_device(&measured.device_ns, ctx, err));
    DPL__GIVE(out, &measured);
done:
    dpl__spill_clear(&m.spill);
    dpl__arena_clear(&m.arena);
    dpl_ctx_free(m.ctx);
    return status;
}
