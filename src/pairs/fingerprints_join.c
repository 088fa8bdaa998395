/*
 * fingerprints_join.c - pairs of 64-bit fingerprints that differ in a few bits.
 *
 * Manku, Jain, Das Sarma 2007: cut into radius + 1 blocks, two fingerprints within the radius
 * agree on a block. So there is a table for each block, in which fingerprints are put into
 * buckets by it, and each is compared with those before it in its bucket. A pair counts in the
 * first block on which it agrees, so that it is found once. A bucket has about eight rows, or
 * as many as 16 bits leave. Cost for 1 M, radius 3: four counting sorts, 30 M comparisons.
 */
#include "base/ctx.h"
#include "base/hash.h"
#include "base/sized.h"
#include "kernels/kernels.h"
#include "pairs/buckets.h"
#include "par/pool.h"

enum { MOST_RADIUS = 7, MOST_BUCKET_BITS = 20, FEW = 64, ROW_BYTES = 12 };

typedef struct join {
    dpl_ctx *ctx;
    const uint64_t *sides[2];
    uint32_t n[2];
    unsigned n_sides, radius, bucket_bits;
    uint32_t most;
    size_t n_slabs;
    dpl__pair_buffer *buffers;
} join;

/* The fingerprints of one side of a slab, by bucket and then row. */
typedef struct table {
    size_t *begins; /* of each bucket of the slab, and the end */
    uint64_t *words;
    uint32_t *rows;
    size_t n, n_buckets;
} table;

/* ---- blocks and buckets ------------------------------------------------------------- */

static unsigned block_begin(const join *j, unsigned block)
{
    return 64 * block / (j->radius + 1);
}

static uint64_t block_of(const join *j, uint64_t word, unsigned block)
{
    const unsigned begin = block_begin(j, block), end = block_begin(j, block + 1);
    return end - begin == 64 ? word : word >> begin & (((uint64_t)1 << (end - begin)) - 1);
}

static unsigned block_bits(const join *j, unsigned block)
{
    return block_begin(j, block + 1) - block_begin(j, block);
}

static size_t bucket_of(const join *j, uint64_t word, unsigned block)
{
    const uint64_t key = block_of(j, word, block);
    return (size_t)(block_bits(j, block) <= j->bucket_bits
                        ? key
                        : dpl__mix(key) >> (64 - j->bucket_bits));
}

static size_t n_buckets_of(const join *j, unsigned block)
{
    const unsigned bits = block_bits(j, block);
    return (size_t)1 << (bits < j->bucket_bits ? bits : j->bucket_bits);
}

static bool is_first_agreement(const join *j, uint64_t a, uint64_t b, unsigned block)
{
    const uint64_t x = a ^ b;
    for (unsigned i = 0; i < block; i++)
        if (block_of(j, x, i) == 0)
            return false;
    return block_of(j, x, block) == 0;
}

/* ---- a slab of a table -------------------------------------------------------------- */

static void table_clear(const join *j, table *t)
{
    dpl__free(j->ctx, t->rows, t->words, t->begins);
}

/* Buckets [first, end) of the table of a block. */
typedef struct slab {
    unsigned block;
    size_t first, end;
} slab;

static dpl_status table_make(const join *j, table *t, unsigned side, const slab *s,
                             dpl_error *err)
{
    const size_t first = s->first;
    const unsigned block = s->block;
    const uint64_t *words = j->sides[side];
    const uint32_t n = j->n[side];
    t->n_buckets = s->end - first;
    t->begins = dpl__calloc(j->ctx, t->n_buckets + 2, sizeof *t->begins);
    DPL_TRY(dpl__need(t->begins, err));
    for (uint32_t i = 0; i < n; i++) {
        const size_t b = bucket_of(j, words[i], block) - first;
        if (b < t->n_buckets)
            t->begins[b + 2]++;
    }
    for (size_t b = 2; b < t->n_buckets + 2; b++)
        t->begins[b] += t->begins[b - 1];
    t->n = t->begins[t->n_buckets + 1];
    if (t->n == 0)
        return DPL_OK;
    t->words = dpl__alloc(j->ctx, t->n * sizeof *t->words);
    t->rows = dpl__alloc(j->ctx, t->n * sizeof *t->rows);
    DPL_TRY(dpl__need(t->words && t->rows, err));
    for (uint32_t i = 0; i < n; i++) {
        const size_t b = bucket_of(j, words[i], block) - first;
        if (b < t->n_buckets) {
            const size_t at = t->begins[b + 1]++;
            t->words[at] = words[i];
            t->rows[at] = i;
        }
    }
    return DPL_OK;
}

/* A fingerprint, and the entries [begin, end) that it is compared with. */
typedef struct query {
    uint64_t word;
    uint32_t row;
    size_t begin, end;
} query;

/* The last ones first. */
static dpl_status compare(const join *j, dpl__pair_buffer *b, const table *t, const query *q,
                          unsigned block, dpl_error *err)
{
    const uint64_t word = q->word;
    const size_t begin = q->begin;
    size_t end = q->end;
    uint32_t n_found = 0;
    while (end > begin && n_found < j->most) {
        const size_t n = dpl__min(end - begin, FEW);
        end -= n;
        uint64_t mask = j->ctx->kernels->hamming_few(&word, t->words + end, n, 1, 1, j->radius);
        if (DPL_LIKELY(mask == 0))
            continue;
        for (size_t i = n; i-- > 0 && n_found < j->most;) {
            if (!(mask >> i & 1) || !is_first_agreement(j, word, t->words[end + i], block))
                continue;
            DPL_TRY(dpl__pair_buffer_put(b, t->rows[end + i], q->row, err));
            b->n_shared++;
            n_found++;
        }
    }
    return DPL_OK;
}

static dpl_status scan(const join *j, dpl__pair_buffer *b, const table t[2], unsigned block,
                       dpl_error *err)
{
    const bool is_self = j->n_sides == 1;
    const table *queries = is_self ? &t[0] : &t[1];
    for (size_t k = 0; k < t[0].n_buckets; k++) {
        const size_t begin = t[0].begins[k], end = t[0].begins[k + 1];
        b->largest = dpl__max(b->largest, end - begin);
        for (size_t i = queries->begins[k]; i < queries->begins[k + 1]; i++) {
            const query q = {queries->words[i], queries->rows[i], begin, is_self ? i : end};
            DPL_TRY(compare(j, b, &t[0], &q, block, err));
        }
    }
    return DPL_OK;
}

static dpl_status join_slab(void *user, size_t job, unsigned worker, dpl_error *err)
{
    const join *j = user;
    const unsigned block = (unsigned)(job / j->n_slabs);
    const size_t number = job % j->n_slabs, n = n_buckets_of(j, block);
    const slab part = {block, number * n / j->n_slabs, (number + 1) * n / j->n_slabs};
    if (dpl__is_cancelled(j->ctx))
        return dpl__fail(err, DPL_E_STOPPED, "stopped");
    table t[2] = {0};
    dpl_status status = DPL_OK;
    for (unsigned side = 0; side < j->n_sides; side++) {
        DPL__STEP(table_make(j, &t[side], side, &part, err));
    }
    status = scan(j, &j->buffers[worker], t, block, err);
done:
    table_clear(j, &t[1]);
    table_clear(j, &t[0]);
    return status;
}

/* Enough that tables of all workers fit into a quarter of the memory, and that there is work
 * for all of them. */
static void choose_slabs(join *j)
{
    const uint64_t n = (uint64_t)j->n[0] + j->n[1];
    j->bucket_bits = 10;
    while (j->bucket_bits < MOST_BUCKET_BITS && n >> j->bucket_bits > 8)
        j->bucket_bits++;
    const uint64_t share = j->ctx->memory / 4 / j->ctx->n_threads;
    const uint64_t need = n * ROW_BYTES + ((uint64_t)sizeof(size_t) << j->bucket_bits);
    const size_t by_memory = (size_t)(need / (share ? share : 1) + 1);
    const size_t by_work = 2 * (size_t)j->ctx->n_threads / (j->radius + 1);
    j->n_slabs = dpl__min(dpl__max(by_memory, n > 10000 ? by_work : 1), 1 << 8);
    j->n_slabs = dpl__max(j->n_slabs, 1);
}

dpl_status dpl_fingerprints_join(dpl_buckets **out, dpl_ctx *ctx, const uint64_t *left,
                                 uint32_t n_left, const uint64_t *right, uint32_t n_right,
                                 unsigned radius, const dpl_join_options *options,
                                 dpl_error *err)
{
    *out = NULL;
    dpl_join_options o;
    DPL_TRY(DPL__TAKE(&o, options, err));
    if (radius > MOST_RADIUS)
        return dpl__fail(err, DPL_E_USAGE, "a radius of %u bits is more than %u", radius,
                         MOST_RADIUS);
    join j = {.ctx = ctx,
              .sides = {left, right},
              .n = {n_left, right ? n_right : 0},
              .n_sides = right ? 2 : 1,
              .radius = radius,
              .most = o.most ? o.most : UINT32_MAX};
    choose_slabs(&j);
    const dpl__join_work work = {o.temp, (radius + 1) * j.n_slabs, join_slab, &j, &j.buffers};
    return dpl__join_run(out, ctx, &work, err);
}
