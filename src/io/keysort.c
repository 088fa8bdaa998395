/*
 * keysort.c - sample sort of strings with their first eight bytes beside them.
 *
 * Splitters taken from a sample divide the keys into parts, which threads count and move, then
 * sort one by one. Inside a part one counting pass over the leading bits that differ leaves
 * runs of a few keys, which a merge sort puts in order. Most comparisons touch no string.
 * Cost: about 40 ns a key for 200,000 words; twice the keys' memory.
 */
#include "io/keysort.h"

#include "base/ctx.h"
#include "base/hash.h"
#include "base/lower_bound.h"
#include "base/merge_sort.h"
#include "par/pool.h"

enum {
    FEW = 1 << 13, /* keys that one thread sorts faster than several */
    PARTS_A_THREAD = 4,
    MOST_PARTS = 256,
    SAMPLES_A_PART = 16,
    MOST_BUCKETS = 1 << 14
};

static bool is_before(const dpl__key *a, const dpl__key *b)
{
    if (a->prefix != b->prefix)
        return a->prefix < b->prefix;
    if (a->n <= 8 || b->n <= 8)
        return a->n < b->n;
    const int order = memcmp(a->data + 8, b->data + 8, dpl__min(a->n, b->n) - 8);
    return order < 0 || (order == 0 && a->n < b->n);
}

/* ---- one thread --------------------------------------------------------------------- */

DPL_MERGE_SORT(merge_sort, dpl__key, is_before);

/* By the leading bits of the prefix in which keys differ, then each bucket. `at` has room for
 * MOST_BUCKETS + 1 numbers. */
static void sort_part(dpl__key *k, dpl__key *scratch, size_t n, size_t *at)
{
    uint64_t low = UINT64_MAX, high = 0;
    for (size_t i = 0; i < n; i++) {
        low = k[i].prefix < low ? k[i].prefix : low; /* size_t may have 32 bits */
        high = k[i].prefix > high ? k[i].prefix : high;
    }
    size_t n_buckets = MOST_BUCKETS;
    while (n_buckets > n)
        n_buckets /= 2;
    if (n_buckets < 8 || low == high) {
        merge_sort(k, scratch, n);
        return;
    }
    unsigned shift = 0;
    while ((high - low) >> shift >= n_buckets)
        shift++;
    memset(at, 0, (n_buckets + 1) * sizeof *at);
    for (size_t i = 0; i < n; i++)
        at[((k[i].prefix - low) >> shift) + 1]++;
    for (size_t b = 0; b < n_buckets; b++)
        at[b + 1] += at[b];
    for (size_t i = 0; i < n; i++)
        scratch[at[(k[i].prefix - low) >> shift]++] = k[i];
    memcpy(k, scratch, n * sizeof *k); /* at[b] is now the end of bucket b */
    for (size_t b = 0, begin = 0; b < n_buckets; begin = at[b++])
        if (at[b] - begin <= DPL__SORT_PIECE)
            merge_sort_piece(k + begin, at[b] - begin);
        else
            merge_sort(k + begin, scratch + begin, at[b] - begin);
}

/* ---- all threads -------------------------------------------------------------------- */

typedef struct sort {
    dpl_ctx *ctx;
    dpl__key *keys, *scratch;
    size_t n, n_parts;              /* parts to sort, and slices that are counted and moved */
    dpl__key splitters[MOST_PARTS]; /* part i has the keys before the i-th, which is not */
    uint32_t *sizes;                /* [slice][part]; then where the next key goes */
    size_t part_begin[MOST_PARTS + 1];
} sort;

/* The number of splitters that are not after the key. */
static size_t part_of(const sort *s, const dpl__key *key)
{
    assert(s->n_parts > 0 && s->n_parts <= MOST_PARTS);
    size_t at;
    DPL__LOWER_BOUND(at, s->n_parts - 1, !is_before(key, &s->splitters[at]));
    return at;
}

static void choose_splitters(sort *s)
{
    dpl__key sample[MOST_PARTS * SAMPLES_A_PART], scratch[MOST_PARTS * SAMPLES_A_PART];
    const size_t n = s->n_parts * SAMPLES_A_PART;
    dpl__rng rng = {.state = 1};
    for (size_t i = 0; i < n; i++)
        sample[i] = s->keys[dpl__rng_below(&rng, s->n)];
    merge_sort(sample, scratch, n);
    for (size_t i = 0; i + 1 < s->n_parts; i++)
        s->splitters[i] = sample[(i + 1) * SAMPLES_A_PART];
}

static size_t slice_begin(const sort *s, size_t slice)
{
    assert(slice <= s->n_parts);
    return s->n * slice / s->n_parts;
}

static void count_slice(void *user, size_t slice)
{
    sort *s = user;
    uint32_t *sizes = s->sizes + slice * s->n_parts;
    for (size_t i = slice_begin(s, slice), end = slice_begin(s, slice + 1); i < end; i++)
        sizes[part_of(s, &s->keys[i])]++;
}

static void place_slices(sort *s)
{
    uint32_t at = 0;
    for (size_t part = 0; part < s->n_parts; part++) {
        s->part_begin[part] = at;
        for (size_t slice = 0; slice < s->n_parts; slice++) {
            uint32_t *size = &s->sizes[slice * s->n_parts + part];
            const uint32_t n = *size;
            *size = at;
            at += n;
        }
    }
    s->part_begin[s->n_parts] = at;
    assert(at == s->n);
}

static void move_slice(void *user, size_t slice)
{
    sort *s = user;
    uint32_t *at = s->sizes + slice * s->n_parts;
    for (size_t i = slice_begin(s, slice), end = slice_begin(s, slice + 1); i < end; i++)
        s->scratch[at[part_of(s, &s->keys[i])]++] = s->keys[i];
}

/* Copies a part from scratch back to the keys. */
static dpl_status sort_one(void *user, size_t part, unsigned worker, dpl_error *err)
{
    (void)worker;
    const sort *s = user;
    const size_t begin = s->part_begin[part], n = s->part_begin[part + 1] - begin;
    size_t *at = dpl__alloc(s->ctx, (MOST_BUCKETS + 1) * sizeof *at);
    DPL_TRY(dpl__need(at, err));
    sort_part(s->scratch + begin, s->keys + begin, n, at);
    dpl__free(s->ctx, at);
    if (n)
        memcpy(s->keys + begin, s->scratch + begin, n * sizeof *s->keys);
    return DPL_OK;
}

static dpl_status sort_parts(sort *s, dpl_error *err)
{
    choose_splitters(s);
    DPL_TRY(dpl__parallel_each(s->ctx, s->n_parts, s, count_slice, err));
    place_slices(s);
    DPL_TRY(dpl__parallel_each(s->ctx, s->n_parts, s, move_slice, err));
    return dpl__parallel_for(s->ctx, s->n_parts, s, sort_one, err);
}

static dpl_status sort_alone(dpl_ctx *ctx, dpl__key *keys, dpl__key *scratch, size_t n,
                             dpl_error *err)
{
    size_t *at = dpl__alloc(ctx, (MOST_BUCKETS + 1) * sizeof *at);
    DPL_TRY(dpl__need(at, err));
    sort_part(keys, scratch, n, at);
    dpl__free(ctx, at);
    return DPL_OK;
}

dpl_status dpl__sort_keys(dpl_ctx *ctx, dpl__key *keys, dpl__key *scratch, size_t n,
                          dpl_error *err)
{
    assert(n < UINT32_MAX);
    if (ctx->n_threads == 1 || n < FEW)
        return sort_alone(ctx, keys, scratch, n, err);
    sort *s = dpl__calloc(ctx, 1, sizeof *s);
    DPL_TRY(dpl__need(s, err));
    *s = (sort){.ctx = ctx, .keys = keys, .scratch = scratch, .n = n};
    s->n_parts = dpl__min(PARTS_A_THREAD * (size_t)ctx->n_threads, MOST_PARTS);
    const size_t n_sizes = s->n_parts * s->n_parts;
    s->sizes = dpl__calloc(ctx, n_sizes, sizeof *s->sizes);
    dpl_status status = s->sizes ? sort_parts(s, err) : dpl__fail_nomem(err);
    dpl__free(ctx, s->sizes, s);
    return status;
}
