/*
 * mph_build.c - makes a minimal perfect hash function of 64-bit keys.
 *
 * Botelho, Pagh, Ziviani (BDZ, 2007): each key is an edge between three cells of a graph; when
 * the edges can be taken away one by one, each with a cell that no other edge has any more,
 * cells can be given two bits such that the sum of a key's three says which of them is its own.
 * The number of a key is how many cells before its own belong to keys. The graph is that of
 * binary fuse filters (Graf, Lemire 2022), whose edges have cells in neighbouring
 * segments: 1.14 cells for each key are enough, instead of 1.23, which makes 2.3 bits, and 2.45
 * with the counts in the blocks.
 *
 * Keys are in parts of some 100,000, which fit into the cache, are made on all threads, and
 * try seeds until the graph is one. Cost: about four memory accesses in the cache for each key
 * and attempt. bench/index compares it with cmph.
 */
#include "index/mph.h"

#include "base/ctx.h"
#include "index/index_params.h"
#include "par/pool.h"

enum { HEADER = 32, MOST_SEEDS = 200 };

typedef struct maker {
    dpl_ctx *ctx;
    const uint64_t *keys; /* mixed, those of a part together */
    const uint64_t *begins;
    dpl__mph_part *parts;
    uint64_t n_parts;
    uint8_t *blocks;
    struct part_scratch *scratch; /* of each worker */
} maker;

/* Scratch of a worker, as large as the largest part. */
typedef struct part_scratch {
    uint64_t *sums;  /* of each cell: xor of the keys that have it */
    uint8_t *counts; /* of each cell: keys, times 4, and xor of which of their cells it is */
    uint32_t *queue; /* cells that one key has */
    uint64_t *order; /* keys in the order they were taken away */
    uint8_t *which;  /* and which of their cells is their own */
    uint8_t *cells;  /* values */
    size_t n_cells, n_keys;
} part_scratch;

/* ---- sizes -------------------------------------------------------------------------- */

/* log2 of the cells of a segment, as binary fuse filters have it: ln n / ln 3.33 + 2.25. */
static unsigned segment_log(uint64_t n)
{
    unsigned log = 2;
    for (double least = 2.467; least <= (double)n && log < 18; least *= 3.33)
        log++;
    return log > 3 ? log - 1 : 2;
}

static void set_shape(dpl__mph_part *part, uint64_t n)
{
    const unsigned log = n > 1 ? segment_log(n) : 2;
    const uint64_t segment = (uint64_t)1 << log;
    double factor = n < 1000 ? 1.5 : n < 10000 ? 1.35 : n < 50000 ? 1.2 : DPL__P(index, cells);
    const uint64_t n_cells = (uint64_t)((double)n * factor) + 1;
    uint64_t n_segments = (n_cells + segment - 1) / segment;
    n_segments = n_segments > 2 ? n_segments - 2 : 1;
    part->log = log;
    part->starts = (uint32_t)(n_segments * segment);
}

static size_t n_cells_of(const dpl__mph_part *part)
{
    return (size_t)part->starts + ((size_t)2 << part->log);
}

static size_t n_blocks_of(const dpl__mph_part *part)
{
    return (n_cells_of(part) + DPL__MPH_CELLS - 1) / DPL__MPH_CELLS;
}

/* ---- a part ------------------------------------------------------------------------- */

/* Adds the edges; false when a cell has too many to be counted. */
static bool add_edges(part_scratch *s, const dpl__mph_part *part, const uint64_t *keys,
                      size_t n)
{
    uint32_t at[3];
    uint8_t overflow = 0;
    memset(s->sums, 0, n_cells_of(part) * sizeof *s->sums);
    memset(s->counts, 0, n_cells_of(part));
    for (size_t i = 0; i < n; i++) {
        dpl__mph_cells(at, part, keys[i]);
        for (unsigned j = 0; j < 3; j++) {
            s->sums[at[j]] ^= keys[i];
            s->counts[at[j]] = (uint8_t)((s->counts[at[j]] + 4) ^ j);
            overflow |= s->counts[at[j]] < 4;
        }
    }
    return !overflow;
}

/* Takes edges away as long as there is a cell that has one; true when none is left. */
static bool peel(part_scratch *s, const dpl__mph_part *part, size_t n)
{
    const size_t n_cells = n_cells_of(part);
    size_t n_queue = 0, n_taken = 0;
    for (size_t c = 0; c < n_cells; c++) {
        s->queue[n_queue] = (uint32_t)c;
        n_queue += s->counts[c] >> 2 == 1;
    }
    while (n_queue) {
        const uint32_t c = s->queue[--n_queue];
        if (s->counts[c] >> 2 != 1)
            continue;
        const uint64_t key = s->sums[c];
        const unsigned own = s->counts[c] & 3;
        uint32_t at[3];
        s->order[n_taken] = key;
        s->which[n_taken++] = (uint8_t)own;
        dpl__mph_cells(at, part, key);
        for (unsigned k = 1; k < 3; k++) {
            const unsigned j = (own + k) % 3;
            const uint32_t other = at[j];
            s->queue[n_queue] = other;
            n_queue += s->counts[other] >> 2 == 2;
            s->counts[other] = (uint8_t)((s->counts[other] - 4) ^ j);
            s->sums[other] ^= key;
        }
    }
    return n_taken == n;
}

/* Values of cells, so that those of a key add up to the number of its own, modulo 3. */
static void give_values(part_scratch *s, const dpl__mph_part *part, size_t n)
{
    memset(s->cells, 3, n_cells_of(part));
    for (size_t i = n; i-- > 0;) {
        uint32_t at[3];
        const unsigned own = s->which[i];
        dpl__mph_cells(at, part, s->order[i]);
        const unsigned others = s->cells[at[(own + 1) % 3]] + s->cells[at[(own + 2) % 3]];
        s->cells[at[own]] = (uint8_t)((own + 9 - others) % 3);
    }
}

static void put_blocks(const maker *m, const part_scratch *s, const dpl__mph_part *part,
                       uint64_t first_key)
{
    const size_t n_cells = n_cells_of(part), n_blocks = n_blocks_of(part);
    uint8_t *block = m->blocks + (size_t)part->block * DPL__MPH_BLOCK;
    uint32_t rank = (uint32_t)first_key;
    for (size_t b = 0; b < n_blocks; b++, block += DPL__MPH_BLOCK) {
        memset(block, 0xFF, DPL__MPH_BLOCK);
        memcpy(block, &rank, 4);
        for (size_t i = 0; i < DPL__MPH_CELLS && b * DPL__MPH_CELLS + i < n_cells; i++) {
            const unsigned value = s->cells[b * DPL__MPH_CELLS + i], bit = 32 + 2 * (unsigned)i;
            block[bit / 8] &= (uint8_t) ~(unsigned)((3 - value) << bit % 8);
            rank += value != 3;
        }
    }
}

static dpl_status make_part(void *user, size_t i, unsigned worker, dpl_error *err)
{
    maker *m = user;
    part_scratch *s = &m->scratch[worker];
    dpl__mph_part *part = &m->parts[i];
    const uint64_t *keys = m->keys + m->begins[i];
    const size_t n = (size_t)(m->begins[i + 1] - m->begins[i]);
    for (part->seed = 0; part->seed < MOST_SEEDS; part->seed++)
        if (add_edges(s, part, keys, n) && peel(s, part, n)) {
            give_values(s, part, n);
            put_blocks(m, s, part, m->begins[i]);
            return DPL_OK;
        }
    return dpl__fail(err, DPL_E_USAGE,
                     "a perfect hash function of keys that are not different");
}

/* ---- parts -------------------------------------------------------------------------- */

static void scratch_free(dpl_ctx *ctx, part_scratch *s)
{
    dpl__free(ctx, s->sums, s->counts, s->queue, s->order, s->which, s->cells);
}

static dpl_status scratch_new(dpl_ctx *ctx, part_scratch *s, dpl_error *err)
{
    s->sums = dpl__alloc(ctx, s->n_cells * sizeof *s->sums);
    s->counts = dpl__alloc(ctx, s->n_cells);
    s->queue = dpl__alloc(ctx, (s->n_cells + 2) * sizeof *s->queue);
    s->order = dpl__alloc(ctx, s->n_keys * sizeof *s->order);
    s->which = dpl__alloc(ctx, s->n_keys);
    s->cells = dpl__alloc(ctx, s->n_cells);
    return dpl__need(s->sums && s->counts && s->queue && s->order && s->which && s->cells, err);
}

static dpl_status make_parts(maker *m, dpl_error *err)
{
    part_scratch most = {.n_keys = 1, .n_cells = 1};
    for (uint64_t i = 0; i < m->n_parts; i++) {
        most.n_cells = dpl__max(most.n_cells, n_cells_of(&m->parts[i]));
        most.n_keys = dpl__max(most.n_keys, (size_t)(m->begins[i + 1] - m->begins[i]));
    }
    m->scratch = dpl__calloc(m->ctx, m->ctx->n_threads, sizeof *m->scratch);
    DPL_TRY(dpl__need(m->scratch, err));
    dpl_status status;
    for (unsigned i = 0; i < m->ctx->n_threads; i++) {
        m->scratch[i] = most;
        DPL__STEP(scratch_new(m->ctx, &m->scratch[i], err));
    }
    DPL__STEP(dpl__parallel_for(m->ctx, (size_t)m->n_parts, m, make_part, err));
done:
    for (unsigned i = 0; i < m->ctx->n_threads; i++)
        scratch_free(m->ctx, &m->scratch[i]);
    dpl__free(m->ctx, m->scratch);
    return status;
}

/* Mixed keys, those of a part together: by counting. begins has n_parts + 1 entries. */
static void sort_keys(uint64_t *out, uint64_t *begins, uint64_t *ends, const uint64_t *keys,
                      size_t n, uint64_t n_parts)
{
    memset(begins, 0, ((size_t)n_parts + 1) * sizeof *begins);
    for (size_t i = 0; i < n; i++)
        begins[dpl__mph_high(dpl__mix(keys[i]), n_parts) + 1]++;
    for (uint64_t p = 0; p < n_parts; p++) {
        ends[p] = begins[p];
        begins[p + 1] += begins[p];
    }
    for (size_t i = 0; i < n; i++) {
        const uint64_t x = dpl__mix(keys[i]);
        out[ends[dpl__mph_high(x, n_parts)]++] = x;
    }
}

/* Makes the function from sorted keys. */
static dpl_status make(uint8_t **bytes, size_t *n_bytes, maker *m, size_t n, dpl_error *err)
{
    const uint64_t *begins = m->begins;
    uint64_t n_blocks = 0;
    const size_t table = HEADER + (size_t)m->n_parts * sizeof(dpl__mph_part);
    const size_t first = (table + DPL__MPH_BLOCK - 1) / DPL__MPH_BLOCK * DPL__MPH_BLOCK;
    m->parts = dpl__calloc(m->ctx, (size_t)m->n_parts + 1, sizeof *m->parts);
    DPL_TRY(dpl__need(m->parts, err));
    for (uint64_t i = 0; i < m->n_parts; i++) {
        m->parts[i].block = (uint32_t)n_blocks;
        set_shape(&m->parts[i], begins[i + 1] - begins[i]);
        n_blocks += n_blocks_of(&m->parts[i]);
    }
    *n_bytes = first + (size_t)n_blocks * DPL__MPH_BLOCK;
    *bytes = dpl__calloc(m->ctx, *n_bytes, 1);
    dpl_status status;
    DPL__STEP(dpl__need(*bytes, err));
    m->blocks = *bytes + first;
    DPL__STEP(make_parts(m, err));
    const uint64_t header[4] = {n, m->n_parts, n_blocks, 0};
    memcpy(*bytes, header, sizeof header);
    memcpy(*bytes + HEADER, m->parts, (size_t)m->n_parts * sizeof *m->parts);
done:
    dpl__free(m->ctx, m->parts);
    return status;
}

dpl_status dpl__mph_make(uint8_t **bytes, size_t *n_bytes, dpl_ctx *ctx, const uint64_t *keys,
                         size_t n, dpl_error *err)
{
    const size_t per_part = (size_t)DPL__P(index, part_keys);
    *bytes = NULL;
    *n_bytes = 0;
    if (n >= UINT32_MAX)
        return dpl__fail(err, DPL_E_UNSUPPORTED, "a perfect hash function of %zu keys", n);
    maker m = {.ctx = ctx, .n_parts = (n + per_part - 1) / per_part};
    const size_t n_begins = 2 * (size_t)m.n_parts + 2;
    uint64_t *sorted = dpl__alloc(ctx, (n + 1) * sizeof *sorted);
    uint64_t *begins = dpl__alloc(ctx, n_begins * sizeof *begins);
    dpl_status status = DPL_OK;
    if (sorted && begins) {
        sort_keys(sorted, begins, begins + m.n_parts + 1, keys, n, m.n_parts);
        m.keys = sorted;
        m.begins = begins;
        status = make(bytes, n_bytes, &m, n, err);
    } else {
        status = dpl__fail_nomem(err);
    }
    dpl__free(ctx, begins, sorted);
    if (status != DPL_OK) {
        dpl__free(ctx, *bytes);
        *bytes = NULL;
        *n_bytes = 0;
    }
    return status;
}
