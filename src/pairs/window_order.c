/*
 * window_order.c - the rows in the order of their permuted signatures.
 *
 * Signatures are not permuted. A row's entry is its first 32 permuted bits above its number, so
 * that sorting numbers sorts rows; only among rows whose 32 bits are equal are further bits
 * looked at. The order is that of the whole permuted signatures, equal ones by number. Rows
 * that do not fit into the share are sorted in runs, which go to a temporary file and are
 * merged.
 *
 * Cost of a table: the keys, a radix sort of 8 bytes for each row, and reading the rows of
 * equal keys.
 */
#include "pairs/window.h"

#include "base/ctx.h"
#include "base/hash.h"
#include "io/merge.h"
#include "kernels/kernels.h"
#include "pairs/radix.h"
#include "par/pool.h"

enum {
    KEY_BITS = DPL__KEY_BITS,
    BLOCK = DPL__COLUMN_ROWS,
    PART = 64 * BLOCK, /* rows that a thread works on at a time */
    BUCKETS = 256,     /* by the first byte of the key */
    ENTRY = sizeof(uint64_t),
    SMALL = 32 /* rows that are sorted by comparing */
};

struct dpl__order {
    dpl_ctx *ctx;
    const dpl__table_rows *rows;
    bool is_serial;
    uint32_t n_bits, *positions;
    size_t n_run;                /* rows that are sorted at a time */
    uint64_t *entries, *scratch; /* n_run each */
    size_t n_parts;              /* of a run */
    size_t (*counts)[BUCKETS];   /* of each part */
    size_t buckets[BUCKETS + 1]; /* where they begin */
    /* More than one run: */
    size_t n_runs;
    dpl__spool file;
    dpl__run *runs;
    dpl__merge merge;
    const uint64_t *at; /* one run: what comes next */
};

void dpl__permutation(uint32_t *positions, uint32_t n_bits, uint64_t seed, unsigned table)
{
    dpl__rng rng = {dpl__mix(dpl__mix(seed) + table)};
    for (uint32_t i = 0; i < n_bits; i++)
        positions[i] = i;
    for (uint32_t i = n_bits; i > 1; i--) {
        uint32_t j = (uint32_t)dpl__rng_below(&rng, i), swap = positions[i - 1];
        positions[i - 1] = positions[j];
        positions[j] = swap;
    }
}

static size_t square_root(size_t n)
{
    size_t root = 1;
    while (root < n / root)
        root *= 2;
    return root;
}

static dpl_status allocate(dpl__order *o, dpl__spill *spill, size_t share, dpl_error *err)
{
    size_t n = o->rows->n;
    /* So that windows of the runs have some entries, too. */
    size_t fits = dpl__max(share / 2 / ENTRY, 4 * square_root(n));
    o->n_run = dpl__min(n, (fits + BLOCK - 1) / BLOCK * BLOCK);
    o->n_runs = (n + o->n_run - 1) / o->n_run;
    dpl__spool_init(&o->file, spill, 0);
    o->positions = dpl__alloc(o->ctx, o->n_bits * sizeof *o->positions);
    o->entries = dpl__alloc(o->ctx, o->n_run * ENTRY);
    o->scratch = dpl__alloc(o->ctx, o->n_run * ENTRY);
    o->n_parts = (o->n_run + PART - 1) / PART;
    o->counts = dpl__alloc(o->ctx, o->n_parts * sizeof *o->counts);
    if (o->n_runs > 1) {
        o->runs = dpl__calloc(o->ctx, o->n_runs, sizeof *o->runs);
        o->merge.heap = dpl__calloc(o->ctx, o->n_runs, sizeof *o->merge.heap);
    }
    bool has_all = o->positions && o->entries && o->scratch && o->counts &&
                   (o->n_runs == 1 || (o->runs && o->merge.heap));
    return dpl__need(has_all, err);
}

dpl_status dpl__order_new(dpl__order **out, dpl__spill *spill, const dpl__table_rows *rows,
                          size_t share, bool is_serial, dpl_error *err)
{
    *out = NULL;
    dpl__order *o = dpl__calloc(spill->ctx, 1, sizeof *o);
    DPL_TRY(dpl__need(o, err));
    o->ctx = spill->ctx;
    o->rows = rows;
    o->is_serial = is_serial;
    o->n_bits = 64 * rows->n_words;
    dpl_status status = allocate(o, spill, share, err);
    if (status != DPL_OK) {
        dpl__order_free(o);
        return status;
    }
    *out = o;
    return DPL_OK;
}

void dpl__order_free(dpl__order *o)
{
    if (!o)
        return;
    dpl__free(o->ctx, o->merge.heap, o->runs, o->counts, o->scratch, o->entries, o->positions);
    dpl__spool_clear(&o->file);
    dpl__free(o->ctx, o);
}

/* ---- bits --------------------------------------------------------------------------- */

static unsigned bit_at(const uint64_t *row, uint32_t position)
{
    return (unsigned)(row[position / 64] >> position % 64 & 1);
}

/* KEY_BITS permuted bits from `first` on; 0 behind the last one. */
static uint32_t permuted_bits(const dpl__order *o, const uint64_t *row, uint32_t first)
{
    uint32_t bits = 0;
    for (uint32_t i = first; i < first + KEY_BITS; i++)
        bits = bits << 1 | (i < o->n_bits ? bit_at(row, o->positions[i]) : 0);
    return bits;
}

static uint32_t number_of(uint64_t entry)
{
    return (uint32_t)entry;
}

static uint32_t key_of(uint64_t entry)
{
    return (uint32_t)(entry >> KEY_BITS);
}

static const uint64_t *row_of(const dpl__order *o, uint64_t entry)
{
    return dpl__table_row(o->rows, number_of(entry));
}

static bool are_equal(const dpl__order *o, const uint64_t *a, const uint64_t *b)
{
    return memcmp(a, b, o->rows->n_words * sizeof *a) == 0;
}

static bool is_before(const dpl__order *o, uint64_t a, uint64_t b)
{
    if (key_of(a) != key_of(b))
        return a < b;
    const uint64_t *x = row_of(o, a), *y = row_of(o, b);
    if (are_equal(o, x, y))
        return a < b;
    uint32_t i = KEY_BITS;
    while (bit_at(x, o->positions[i]) == bit_at(y, o->positions[i]))
        i++;
    return bit_at(x, o->positions[i]) < bit_at(y, o->positions[i]);
}

/* ---- sorting a run ------------------------------------------------------------------ */

/* Rows [begin, begin + n) in parts; each part knows how many of its entries begin with which
 * byte, then where to put them. */
typedef struct run {
    dpl__order *o;
    size_t begin, n;
} run;

static dpl_status for_each(dpl__order *o, size_t n, run *r,
                           dpl_status (*work)(void *user, size_t i, unsigned worker,
                                              dpl_error *err),
                           dpl_error *err)
{
    if (!o->is_serial)
        return dpl__parallel_for(o->ctx, n, r, work, err);
    for (size_t i = 0; i < n; i++)
        DPL_TRY(work(r, i, 0, err));
    return DPL_OK;
}

/* Keys of rows [begin, begin + n), n <= BLOCK, begin a multiple of BLOCK. */
static void make_keys(const dpl__order *o, uint32_t *keys, size_t begin, size_t n)
{
    if (o->rows->columns) {
        dpl__columns_keys(o->rows->columns, keys, begin / BLOCK, o->positions);
        return;
    }
    for (size_t i = 0; i < n; i++)
        keys[i] = permuted_bits(o, dpl__table_row(o->rows, (uint32_t)(begin + i)), 0);
}

static dpl_status make_entries(void *user, size_t part, unsigned worker, dpl_error *err)
{
    (void)worker, (void)err;
    const run *r = user;
    dpl__order *o = r->o;
    size_t *counts = o->counts[part], end = dpl__min((part + 1) * PART, r->n);
    memset(counts, 0, sizeof o->counts[part]);
    for (size_t at = part * PART; at < end; at += BLOCK) {
        uint32_t keys[BLOCK];
        size_t n = dpl__min(BLOCK, end - at);
        make_keys(o, keys, r->begin + at, n);
        for (size_t i = 0; i < n; i++) {
            counts[keys[i] >> 24]++;
            o->entries[at + i] = (uint64_t)keys[i] << KEY_BITS | (r->begin + at + i);
        }
    }
    return DPL_OK;
}

static void counts_to_places(dpl__order *o, size_t n_parts)
{
    size_t at = 0;
    for (size_t b = 0; b < BUCKETS; b++) {
        o->buckets[b] = at;
        for (size_t part = 0; part < n_parts; part++) {
            size_t count = o->counts[part][b];
            o->counts[part][b] = at;
            at += count;
        }
    }
    o->buckets[BUCKETS] = at;
}

static dpl_status fill_buckets(void *user, size_t part, unsigned worker, dpl_error *err)
{
    (void)worker, (void)err;
    const run *r = user;
    size_t *places = r->o->counts[part], end = dpl__min((part + 1) * PART, r->n);
    for (size_t i = part * PART; i < end; i++) {
        uint64_t e = r->o->entries[i];
        r->o->scratch[places[e >> 56]++] = e;
    }
    return DPL_OK;
}

static void sort_by_comparing(const dpl__order *o, uint64_t *entries, size_t n)
{
    for (size_t i = 1; i < n; i++) {
        uint64_t x = entries[i];
        size_t j = i;
        for (; j > 0 && is_before(o, x, entries[j - 1]); j--)
            entries[j] = entries[j - 1];
        entries[j] = x;
    }
}

static bool all_equal(const dpl__order *o, const uint64_t *entries, size_t n)
{
    const uint64_t *first = row_of(o, entries[0]);
    for (size_t i = 1; i < n; i++)
        if (!are_equal(o, first, row_of(o, entries[i])))
            return false;
    return true;
}

/* Sorts entries whose bits before `first` are equal, and which stand by number. They hold other
 * bits in place of their keys meanwhile; the key is put back. */
static void sort_ties(dpl__order *o, uint64_t *entries, size_t n, uint32_t first)
{
    if (n < 2 || first >= o->n_bits || all_equal(o, entries, n))
        return;
    if (n <= SMALL) {
        sort_by_comparing(o, entries, n);
        return;
    }
    uint64_t key = entries[0] >> KEY_BITS << KEY_BITS;
    for (size_t i = 0; i < n; i++)
        entries[i] = (uint64_t)permuted_bits(o, row_of(o, entries[i]), first) << KEY_BITS |
                     number_of(entries[i]);
    uint64_t *scratch = o->scratch + (entries - o->entries);
    const uint64_t *sorted = dpl__radix_sort_bytes(entries, scratch, n, 4, 8);
    if (sorted != entries)
        memcpy(entries, sorted, n * ENTRY);
    for (size_t a = 0, b; a < n; a = b) {
        for (b = a + 1; b < n && key_of(entries[b]) == key_of(entries[a]);)
            b++;
        sort_ties(o, entries + a, b - a, first + KEY_BITS);
    }
    for (size_t i = 0; i < n; i++)
        entries[i] = key | number_of(entries[i]);
}

/* Entries whose keys begin with the same three bytes. */
static void sort_near(dpl__order *o, uint64_t *entries, size_t n)
{
    if (n <= SMALL) {
        sort_by_comparing(o, entries, n);
        return;
    }
    uint64_t *scratch = o->scratch + (entries - o->entries);
    if (dpl__radix_sort_bytes(entries, scratch, n, 4, 5) != entries)
        memcpy(entries, scratch, n * ENTRY);
    for (size_t a = 0, b; a < n; a = b) {
        for (b = a + 1; b < n && key_of(entries[b]) == key_of(entries[a]);)
            b++;
        sort_ties(o, entries + a, b - a, KEY_BITS);
    }
}

/* The second and third byte of the key leave little to do. */
static dpl_status sort_bucket(void *user, size_t bucket, unsigned worker, dpl_error *err)
{
    (void)worker, (void)err;
    dpl__order *o = ((const run *)user)->o;
    size_t begin = o->buckets[bucket], n = o->buckets[bucket + 1] - begin;
    uint64_t *entries = o->entries + begin, *from = o->scratch + begin;
    const uint64_t *sorted = n > SMALL ? dpl__radix_sort_bytes(from, entries, n, 5, 7) : from;
    if (sorted != entries)
        memcpy(entries, sorted, n * ENTRY);
    for (size_t a = 0, b; a < n; a = b) {
        for (b = a + 1; b < n && (n <= SMALL || entries[b] >> 40 == entries[a] >> 40);)
            b++;
        if (b - a > 1)
            sort_near(o, entries + a, b - a);
    }
    return DPL_OK;
}

static dpl_status sort_run(dpl__order *o, size_t begin, size_t n, dpl_error *err)
{
    run r = {o, begin, n};
    size_t n_parts = (n + PART - 1) / PART;
    DPL_TRY(for_each(o, n_parts, &r, make_entries, err));
    counts_to_places(o, n_parts);
    DPL_TRY(for_each(o, n_parts, &r, fill_buckets, err));
    return for_each(o, BUCKETS, &r, sort_bucket, err);
}

/* ---- runs in a file ----------------------------------------------------------------- */

/* The arrays of the sort become the windows of the runs: half of them in each. */
static size_t window_size(const dpl__order *o)
{
    return o->n_run / ((o->n_runs + 1) / 2);
}

static uint64_t head(const dpl__run *from)
{
    return *(const uint64_t *)(const void *)from->at;
}

static bool run_before(const void *user, const void *a, const void *b)
{
    return is_before(user, head(a), head(b));
}

static dpl_status sort_in_runs(dpl__order *o, dpl_error *err)
{
    dpl__spill *spill = o->file.spill;
    dpl__spool_clear(&o->file);
    dpl__spool_init(&o->file, spill, 0);
    for (size_t i = 0; i < o->n_runs; i++) {
        size_t begin = i * o->n_run, n = dpl__min(o->n_run, o->rows->n - begin);
        DPL_TRY(sort_run(o, begin, n, err));
        o->runs[i] = (dpl__run){.file = &o->file, .file_at = dpl__spool_size(&o->file)};
        DPL_TRY(dpl__spool_append(&o->file, o->entries, n * ENTRY, err));
        o->runs[i].file_end = dpl__spool_size(&o->file);
    }
    return DPL_OK;
}

static dpl_status begin_merge(dpl__order *o, dpl_error *err)
{
    size_t window = window_size(o), half = (o->n_runs + 1) / 2;
    o->merge.n = 0;
    for (size_t i = 0; i < o->n_runs; i++) {
        dpl__run *r = &o->runs[i];
        r->window = i < half ? o->entries + i * window : o->scratch + (i - half) * window;
        r->n_window = window * ENTRY;
        DPL_TRY(dpl__run_fill(r, err));
        dpl__merge_add(&o->merge, r, dpl__run_has_one(r));
    }
    dpl__merge_begin(&o->merge, run_before, o);
    return DPL_OK;
}

static dpl_status next_merged(dpl__order *o, uint32_t *numbers, size_t n, dpl_error *err)
{
    for (size_t i = 0; i < n; i++) {
        dpl__run *first = o->merge.heap[0];
        numbers[i] = number_of(head(first));
        DPL_TRY(dpl__run_next(first, ENTRY, err));
        dpl__merge_next(&o->merge, dpl__run_has_one(first), run_before, o);
    }
    return DPL_OK;
}

/* ---- a table ------------------------------------------------------------------------ */

dpl_status dpl__order_sort(dpl__order *o, uint64_t seed, unsigned table, dpl_error *err)
{
    dpl__permutation(o->positions, o->n_bits, seed, table);
    if (o->n_runs > 1) {
        DPL_TRY(sort_in_runs(o, err));
        return begin_merge(o, err);
    }
    DPL_TRY(sort_run(o, 0, o->rows->n, err));
    o->at = o->entries;
    return DPL_OK;
}

dpl_status dpl__order_next(dpl__order *o, uint32_t *numbers, size_t n, dpl_error *err)
{
    if (o->n_runs > 1)
        return next_merged(o, numbers, n, err);
    for (size_t i = 0; i < n; i++)
        numbers[i] = number_of(o->at[i]);
    o->at += n;
    return DPL_OK;
}
