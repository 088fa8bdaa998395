/*
 * mph.h - a minimal perfect hash function as bytes that are used where they lie.
 *
 * Bytes: four numbers of 64 bits (keys, parts, blocks, 0), then 16 bytes of each part, then
 * from the next multiple of 64 on blocks of 64 bytes. A block has the number of keys before
 * it (32 bits) and 240 cells of two bits. Little-endian.
 */
#ifndef DPL_INDEX_MPH_H
#define DPL_INDEX_MPH_H

#include "doppel/index.h"

#include "base/base.h"
#include "base/hash.h"

enum {
    DPL__MPH_CELLS = 240, /* of a block */
    DPL__MPH_BLOCK = 64,  /* bytes */
};

/* A set of about 100,000 keys with cells of its own. Layout of the file. */
typedef struct dpl__mph_part {
    uint32_t block;  /* its first one */
    uint32_t starts; /* number of places of a key's first cell: a multiple of the segment */
    uint32_t seed;
    uint32_t log; /* of the cells of a segment */
} dpl__mph_part;

/* Frozen. */
typedef struct dpl__mph {
    uint64_t n_keys, n_parts, n_blocks;
    const dpl__mph_part *parts;
    const uint8_t *blocks;
} dpl__mph;

/* Opens bytes that are 8-byte aligned and do not move. Returns NULL, or the reason why they are
 * invalid. After success no key leads outside of them. */
const char *dpl__mph_open(dpl__mph *out, const void *bytes, size_t n_bytes);

/* Makes the bytes, to be freed with their size. DPL_E_USAGE when two keys are the same. */
dpl_status dpl__mph_make(uint8_t **bytes, size_t *n_bytes, dpl_ctx *ctx, const uint64_t *keys,
                         size_t n, dpl_error *err);

/* Where a key's three cells are. */
typedef struct dpl__mph_place {
    const uint8_t *blocks; /* of its part */
    uint32_t cells[3];
} dpl__mph_place;

static inline uint64_t dpl__mph_high(uint64_t a, uint64_t b)
{
    return (uint64_t)(((dpl__u128)a * b) >> 64);
}

static inline void dpl__mph_cells(uint32_t out[3], const dpl__mph_part *part, uint64_t x)
{
    const uint64_t h = dpl__mum(x ^ DPL__K1, DPL__K0 + 2 * (uint64_t)part->seed);
    const uint32_t mask = ((uint32_t)1 << part->log) - 1;
    const uint32_t start = (uint32_t)dpl__mph_high(h, part->starts);
    out[0] = start;
    out[1] = (start + mask + 1) ^ ((uint32_t)(h >> 18) & mask);
    out[2] = (start + 2 * mask + 2) ^ ((uint32_t)h & mask);
}

/* n_keys > 0. */
static inline dpl__mph_place dpl__mph_find(const dpl__mph *m, uint64_t key)
{
    assert(m->n_keys > 0);
    const uint64_t x = dpl__mix(key);
    const dpl__mph_part *part = &m->parts[dpl__mph_high(x, m->n_parts)];
    dpl__mph_place p = {.blocks = m->blocks + (size_t)part->block * DPL__MPH_BLOCK};
    dpl__mph_cells(p.cells, part, x);
    return p;
}

static inline const uint8_t *dpl__mph_block(const dpl__mph_place *p, unsigned i)
{
    return p->blocks + (size_t)(p->cells[i] / DPL__MPH_CELLS) * DPL__MPH_BLOCK;
}

static inline void dpl__mph_prefetch(const dpl__mph_place *p)
{
    for (unsigned i = 0; i < 3; i++)
        DPL_PREFETCH(dpl__mph_block(p, i));
}

/* Cells of a word that belong to no key (both bits set), one bit in two. */
static inline uint64_t dpl__mph_empty(const uint8_t *block, unsigned word)
{
    const uint64_t x = dpl__load64(block + 8 * word);
    return x & x >> 1 & 0x5555555555555555u;
}

/* Numbers of two bits become numbers of four. */
static inline uint64_t dpl__mph_fold(uint64_t x)
{
    return (x & 0x3333333333333333u) + (x >> 2 & 0x3333333333333333u);
}

/* Keys in the cells of a block before number n: without the instruction that counts bits, up
 * to three words are added before their parts are. */
static inline uint32_t dpl__mph_rank(const uint8_t *block, unsigned n)
{
    assert(n < DPL__MPH_CELLS);
    uint32_t before;
    memcpy(&before, block, 4);
    const unsigned bits = 32 + 2 * n, last = bits / 64; /* the first 32 are the number */
    uint64_t sums[3] = {0, 0, 0};
    for (unsigned w = 1; w < last; w++)
        sums[w / 3] += dpl__mph_empty(block, w);
    if (last > 0)
        sums[0] += dpl__mph_empty(block, 0) & ~(uint64_t)0xFFFFFFFF;
    uint64_t end =
        bits % 64 ? dpl__mph_empty(block, last) & (((uint64_t)1 << bits % 64) - 1) : 0;
    if (last == 0)
        end &= ~(uint64_t)0xFFFFFFFF;
    sums[2] += end;
    uint64_t x = dpl__mph_fold(sums[0]) + dpl__mph_fold(sums[1]);
    x = (x & 0x0F0F0F0F0F0F0F0Fu) + (x >> 4 & 0x0F0F0F0F0F0F0F0Fu);
    uint64_t y = dpl__mph_fold(sums[2]);
    y = (y & 0x0F0F0F0F0F0F0F0Fu) + (y >> 4 & 0x0F0F0F0F0F0F0F0Fu);
    const uint32_t empty = (uint32_t)((x + y) * 0x0101010101010101u >> 56);
    return before + n - empty;
}

static inline unsigned dpl__mph_cell(const uint8_t *block, unsigned n)
{
    const unsigned bit = 32 + 2 * n;
    return block[bit / 8] >> bit % 8 & 3;
}

/* The key's number, below n_keys; of damaged bytes, too. */
static inline uint64_t dpl__mph_number(const dpl__mph *m, const dpl__mph_place *p)
{
    unsigned sum = 0;
    for (unsigned i = 0; i < 3; i++)
        sum += dpl__mph_cell(dpl__mph_block(p, i), p->cells[i] % DPL__MPH_CELLS);
    const unsigned i = sum % 3;
    const uint64_t number = dpl__mph_rank(dpl__mph_block(p, i), p->cells[i] % DPL__MPH_CELLS);
    return number < m->n_keys ? number : m->n_keys - 1;
}

/* n_keys > 0. */
static inline uint64_t dpl__mph_get(const dpl__mph *m, uint64_t key)
{
    const dpl__mph_place p = dpl__mph_find(m, key);
    return dpl__mph_number(m, &p);
}

/* Many at a time, which wait for memory together. */
void dpl__mph_get_many(const dpl__mph *m, const uint64_t *keys, size_t n, uint64_t *out);

#endif
