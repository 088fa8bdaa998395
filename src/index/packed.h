/*
 * packed.h - small numbers of the same number of bits, one behind the other, and offsets made
 * of them.
 *
 * A packed section: how many numbers (64 bits), bits of each (64 bits, at most 57), then the
 * bits, low ones first, and 8 bytes that may be read behind them. Offsets: how many, less one
 * (64 bits), bits (64 bits), the number of 64-bit bases, then a base for every 64 of them and
 * packed differences to it. Little-endian.
 */
#ifndef DPL_INDEX_PACKED_H
#define DPL_INDEX_PACKED_H

#include "base/hash.h"
#include "base/vec.h"

enum { DPL__PACKED_MOST = 57, DPL__OFFSET_BLOCK = 64 };

typedef struct dpl__packed {
    const uint8_t *bytes;
    uint64_t n;
    unsigned width;
} dpl__packed;

static inline uint64_t dpl__packed_get(const dpl__packed *p, uint64_t i)
{
    assert(i < p->n && p->width <= DPL__PACKED_MOST);
    const uint64_t bit = i * p->width;
    return dpl__load64(p->bytes + bit / 8) >> bit % 8 & (((uint64_t)1 << p->width) - 1);
}

static inline void dpl__packed_prefetch(const dpl__packed *p, uint64_t i)
{
    DPL_PREFETCH(p->bytes + i * p->width / 8);
}

/* n + 1 numbers that do not fall. */
typedef struct dpl__offsets {
    const uint64_t *bases;
    dpl__packed rest;
    uint64_t n;
} dpl__offsets;

static inline uint64_t dpl__offset(const dpl__offsets *o, uint64_t i)
{
    assert(i <= o->n);
    return o->bases[i / DPL__OFFSET_BLOCK] + dpl__packed_get(&o->rest, i);
}

/* NULL, or what is wrong with the bytes, which are 8-byte aligned. */
const char *dpl__packed_open(dpl__packed *out, const void *bytes, size_t n_bytes);
/* Opens offsets; they must rise from 0 to `end`. */
const char *dpl__offsets_open(dpl__offsets *out, const void *bytes, size_t n_bytes,
                              uint64_t end);

/* ---- making them -------------------------------------------------------------------- */

/* Bits that the number has. */
static inline unsigned dpl__width_of(uint64_t most)
{
    unsigned width = 0;
    while (width < 64 && most >> width)
        width++;
    return width;
}

/* Zeros of the bytes of a packed section; put fills them in. */
bool dpl__packed_new(dpl_ctx *ctx, dpl__bytes *out, uint64_t n, unsigned width);
void dpl__packed_put(dpl__bytes *out, uint64_t i, uint64_t value);

/* Offsets that are given one by one: lengths, in order. */
typedef struct dpl__offsets_writer {
    dpl_ctx *ctx;
    DPL_VEC(uint64_t) ends;
} dpl__offsets_writer;

dpl_status dpl__offsets_add(dpl__offsets_writer *w, uint64_t length, dpl_error *err);
/* The bytes of the section. */
dpl_status dpl__offsets_finish(dpl__offsets_writer *w, dpl__bytes *out, dpl_error *err);
void dpl__offsets_clear(dpl__offsets_writer *w);

#endif
