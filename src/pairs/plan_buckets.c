/*
 * plan_buckets.c - how likely windows find the pairs of a real collection.
 *
 * In: some rows of the tables, and pairs. Out: for each pair the probability to be found in one
 * table. The model for rows like coins takes C 2^-n rows that share a prefix of n bits. Real
 * rows are alike: more of them share it, most of all where a pair lies among many similar ones,
 * and most of all those bits on which the pair agrees. So they are counted. For each pair some
 * random orders of the bits on which it agrees are drawn; the rows that have its first 0, 1, 2
 * .. bits, too, are a shrinking set, kept as a bitmap over the columns of the transposed
 * signatures. The model then says for each n what a window does in a bucket of that size. That
 * n bits agree has a known probability, so that nothing rare must be waited for: pairs that
 * need a thousand tables are measured as well as others.
 *
 * When the rows are a sample, small buckets hold too few of them; they go on shrinking at the
 * rate they had.
 *
 * Cost: about ten microseconds for a pair among 65,536 rows.
 */
#include "pairs/plan.h"

#include "base/ctx.h"
#include "base/hash.h"
#include "base/maths.h"
#include "kernels/kernels.h"
#include "par/pool.h"

enum {
    ORDERS = 8, /* drawn for each pair; even */
    PAIRS_AT_A_TIME = 16,
    FEW = 24, /* sampled rows in a bucket that are too few to go on counting */
    LEVELS = DPL__PREFIX_MOST
};

struct dpl__buckets {
    dpl_ctx *ctx;
    const dpl__bits *rows;
    size_t n_words; /* of a column */
    uint64_t *columns;
    uint64_t *counted; /* which rows are */
    double n_counted, n_all;
};

/* ---- columns ------------------------------------------------------------------------ */

/* Bit j of x[i] becomes bit i of x[j]: halves are swapped, then quarters, and so on. */
static void transpose(uint64_t x[64])
{
    uint64_t mask = 0x00000000FFFFFFFFu;
    for (unsigned size = 32; size; size /= 2, mask ^= mask << size)
        for (unsigned i = 0; i < 64; i = (i + size + 1) & ~size) {
            uint64_t swap = (x[i] >> size ^ x[i + size]) & mask;
            x[i] ^= swap << size;
            x[i + size] ^= swap;
        }
}

static void fill_columns(void *user, size_t block)
{
    dpl__buckets *b = user;
    size_t first = 64 * block, n = dpl__min(64, b->rows->n_rows - first);
    for (size_t word = 0; word < b->rows->n_words; word++) {
        uint64_t x[64] = {0};
        for (size_t i = 0; i < n; i++)
            x[i] = dpl__bits_row(b->rows, (uint32_t)(first + i))[word];
        transpose(x);
        for (size_t bit = 0; bit < 64; bit++)
            b->columns[(64 * word + bit) * b->n_words + block] = x[bit];
    }
}

static size_t columns_bytes(const dpl__buckets *b)
{
    return 64 * (size_t)b->rows->n_words * b->n_words * sizeof *b->columns;
}

dpl_status dpl__buckets_new(dpl__buckets **out, dpl_ctx *ctx, const dpl__bits *rows,
                            dpl_error *err)
{
    dpl__buckets *b = *out = dpl__calloc(ctx, 1, sizeof *b);
    DPL_TRY(dpl__need(b, err));
    *b = (dpl__buckets){.ctx = ctx, .rows = rows, .n_words = (rows->n_rows + 63) / 64};
    b->columns = dpl__alloc(ctx, columns_bytes(b));
    b->counted = dpl__calloc(ctx, b->n_words, sizeof *b->counted);
    if (b->columns && b->counted)
        return dpl__parallel_each(ctx, b->n_words, b, fill_columns, err);
    dpl__buckets_free(b);
    *out = NULL;
    return dpl__fail_nomem(err);
}

void dpl__buckets_free(dpl__buckets *b)
{
    if (!b)
        return;
    dpl__free(b->ctx, b->counted, b->columns, b);
}

void dpl__buckets_count(dpl__buckets *b, uint32_t row)
{
    assert(row < b->rows->n_rows);
    b->counted[row / 64] |= (uint64_t)1 << row % 64;
    b->n_counted++;
}

void dpl__buckets_stand_for(dpl__buckets *b, double n_all)
{
    b->n_all = n_all;
}

/* ---- one order of the bits ---------------------------------------------------------- */

/* What a thread works with. */
typedef struct scratch {
    uint32_t *agreeing; /* bits on which the pair agrees */
    uint64_t *bucket, *nothing;
} scratch;

typedef struct job {
    dpl__buckets *b;
    const dpl__model *model;
    const uint64_t *const *u, *const *v;
    size_t n_pairs;
    const double *windows;
    size_t n_windows;
    double (*p)[2];
    double (*shares)[LEVELS]; /* of each pair */
    scratch *scratch;         /* of each thread */
} job;

static bool bit_of(const uint64_t *row, uint32_t bit)
{
    return row[bit / 64] >> bit % 64 & 1;
}

static uint32_t list_agreeing(uint32_t *out, const uint64_t *u, const uint64_t *v,
                              uint32_t n_words)
{
    uint32_t n = 0;
    for (uint32_t bit = 0; bit < 64 * n_words; bit++) {
        out[n] = bit;
        n += bit_of(u, bit) == bit_of(v, bit);
    }
    return n;
}

static void draw_front(uint32_t *list, uint32_t n, uint32_t n_front, dpl__rng *rng)
{
    for (uint32_t i = 0; i < n_front && i < n; i++) {
        uint32_t j = i + (uint32_t)dpl__rng_below(rng, n - i), swap = list[i];
        list[i] = list[j];
        list[j] = swap;
    }
}

/* sizes[n]: rows, of all, that share the first n bits of this order with the pair. */
static void count_buckets(double sizes[LEVELS], const dpl__buckets *b, const scratch *s,
                          const uint64_t *u, uint32_t n_agreeing)
{
    double scale = b->n_all / b->n_counted;
    size_t n_words = b->n_words;
    memcpy(s->bucket, b->counted, n_words * sizeof *s->bucket);
    double rate = 0.5;
    bool is_counting = true;
    for (uint32_t n = 0; n < LEVELS; n++) {
        if (!is_counting) {
            sizes[n] = sizes[n - 1] * rate;
            continue;
        }
        unsigned count = b->ctx->kernels->hamming(s->bucket, s->nothing, n_words);
        sizes[n] = count > 2 ? (count - 2) * scale : 0; /* the pair itself is in */
        if (n >= 4 && sizes[n] > 0)
            rate = dpl__pow(sizes[n] / sizes[n - 4], 0.25);
        is_counting = n < n_agreeing && count > (scale > 1 ? FEW : 2);
        if (!is_counting)
            continue;
        const uint64_t *column = b->columns + s->agreeing[n] * n_words;
        uint64_t flip = bit_of(u, s->agreeing[n]) ? 0 : UINT64_MAX;
        for (size_t i = 0; i < n_words; i++)
            s->bucket[i] &= column[i] ^ flip;
    }
}

static dpl_status look_at(void *user, size_t part, unsigned worker, dpl_error *err)
{
    (void)err;
    job *j = user;
    const scratch *s = &j->scratch[worker];
    uint32_t n_words = j->b->rows->n_words, bits = 64 * n_words;
    size_t end = dpl__min((part + 1) * PAIRS_AT_A_TIME, j->n_pairs);
    for (size_t i = part * PAIRS_AT_A_TIME; i < end; i++) {
        dpl__rng rng = {dpl__mix(i)};
        uint32_t n_agreeing = list_agreeing(s->agreeing, j->u[i], j->v[i], n_words);
        for (int k = 0; k < ORDERS; k++) {
            double sizes[LEVELS];
            draw_front(s->agreeing, n_agreeing, LEVELS, &rng);
            count_buckets(sizes, j->b, s, j->u[i], n_agreeing);
            for (size_t w = 0; w < j->n_windows; w++)
                j->p[i * j->n_windows + w][k % 2] +=
                    dpl__model_in_buckets(j->model, bits, bits - n_agreeing, sizes,
                                          j->windows[w]) /
                    (ORDERS / 2);
            for (int n = 0; n < LEVELS; n++)
                j->shares[i][n] += sizes[n] / j->b->n_all / ORDERS;
        }
    }
    return DPL_OK;
}

/* ---- all pairs ---------------------------------------------------------------------- */

static void free_scratch(job *j)
{
    dpl_ctx *ctx = j->b->ctx;
    for (unsigned i = 0; j->scratch && i < ctx->n_threads; i++) {
        scratch *s = &j->scratch[i];
        dpl__free(ctx, s->agreeing, s->bucket, s->nothing);
    }
    dpl__free(ctx, j->scratch, j->shares);
}

static dpl_status make_scratch(job *j, dpl_error *err)
{
    dpl_ctx *ctx = j->b->ctx;
    size_t n_bits = 64 * (size_t)j->b->rows->n_words, n_words = j->b->n_words;
    j->shares = dpl__calloc(ctx, j->n_pairs, sizeof *j->shares);
    j->scratch = dpl__calloc(ctx, ctx->n_threads, sizeof *j->scratch);
    DPL_TRY(dpl__need(j->shares && j->scratch, err));
    for (unsigned i = 0; i < ctx->n_threads; i++) {
        scratch *s = &j->scratch[i];
        /* one more: list_agreeing writes ahead */
        s->agreeing = dpl__alloc(ctx, (n_bits + 1) * sizeof *s->agreeing);
        s->bucket = dpl__alloc(ctx, n_words * sizeof *s->bucket);
        s->nothing = dpl__calloc(ctx, n_words, sizeof *s->nothing);
        DPL_TRY(dpl__need(s->agreeing && s->bucket && s->nothing, err));
    }
    return DPL_OK;
}

dpl_status dpl__buckets_measure(dpl__buckets *b, double (*p)[2], double *share,
                                const dpl__model *model, const dpl__bucket_pairs *pairs,
                                dpl_error *err)
{
    const size_t n_pairs = pairs->n_pairs, n_windows = pairs->n_windows;
    job j = {b, model, pairs->u, pairs->v, n_pairs, pairs->windows, n_windows, p, NULL, NULL};
    if (n_pairs > 0 &&
        n_windows > 0) /* of no pairs or windows there may be no memory to point to */
        memset(p, 0, n_pairs * n_windows * sizeof *p);
    dpl_status status;
    DPL__STEP(make_scratch(&j, err));
    DPL__STEP(dpl__parallel_for(b->ctx, (n_pairs + PAIRS_AT_A_TIME - 1) / PAIRS_AT_A_TIME, &j,
                                look_at, err));
    for (int n = 0; n < LEVELS; n++) {
        share[n] = 0;
        for (size_t i = 0; i < n_pairs; i++)
            share[n] += j.shares[i][n] / (double)n_pairs;
    }
done:
    free_scratch(&j);
    return status;
}
