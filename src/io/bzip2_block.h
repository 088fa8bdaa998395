/*
 * bzip2_block.h - decodes one bzip2 block.
 *
 * In: the bits from the block's magic on. Out: the bytes that the block was made of, in which
 * runs are still counted (bzip2_runs.h), and the bit behind the block. It does not matter where
 * in a stream the block stands, so blocks can be decoded in any order and by any thread.
 */
#ifndef DPL_IO_BZIP2_BLOCK_H
#define DPL_IO_BZIP2_BLOCK_H

#include "kernels/bzip2.h"

#include "base/base.h"

enum { DPL__BZ_CODES = 6, DPL__BZ_SELECTORS = 18002, DPL__BZ_UNIT = 100000 };

/* Memory for one block at a time; it grows with the blocks. Owned. */
typedef struct dpl__bz_decoder {
    dpl_ctx *ctx;
    uint32_t *runs, *rows;
    size_t room_runs, room_rows; /* bytes */
    uint8_t *text;               /* of the last block */
    size_t room_text;
    dpl__bz_code codes[DPL__BZ_CODES];
    uint8_t selectors[DPL__BZ_SELECTORS];
} dpl__bz_decoder;

dpl__bz_decoder *dpl__bz_decoder_new(dpl_ctx *ctx, dpl_error *err);
void dpl__bz_decoder_free(dpl__bz_decoder *d);

typedef struct dpl__bz_block {
    size_t bit;     /* where its magic begins, set by the caller */
    unsigned level; /* of its stream, too */
    dpl__bz_outcome outcome;
    size_t end;   /* the bit behind the block, or where the damage is seen */
    uint32_t crc; /* as stored */
    size_t n;     /* bytes of d->text. One more follows: what a decoder that goes on finds */
} dpl__bz_block;

/* Decodes a block of p[0, n); d->text receives its bytes. Fails only for lack of memory. */
dpl_status dpl__bz_decode(dpl__bz_block *b, dpl__bz_decoder *d, const uint8_t *p, size_t n,
                          dpl_error *err);

/* ---- bzip2_order.c ---- */

/* Bytes of scratch for a text of n bytes. */
size_t dpl__bz_order_scratch(size_t n);
/* Inverts the Burrows-Wheeler transform. rows[i] is j << 8 | b: the i-th of the sorted
 * rotations begins with the byte b, and the rotation by one more byte is the j-th; j < n <
 * 2^20. Writes the n bytes of the given rotation, and the one at which the next step would
 * arrive. rows has room for n + 1, and changes. */
void dpl__bz_order(uint8_t *text, uint32_t *rows, size_t n, uint32_t row, void *scratch);

/* ---- what stands around the blocks ------------------------------------------------------ */

#define DPL__BZ_BLOCK 0x314159265359u /* 48 bits, then the block's CRC */
#define DPL__BZ_END 0x177245385090u   /* 48 bits, then the combined CRC */

enum { DPL__BZ_MARK_BITS = 80 }; /* magic and CRC */

/* n <= 56 bits of p, first bit first. Reads only the bytes that contain them. */
uint64_t dpl__bz_bits(const uint8_t *p, size_t bit, unsigned n);

/* The combined CRC after one more block. */
static inline uint32_t dpl__bz_combine(uint32_t combined, uint32_t block)
{
    return (combined << 1 | combined >> 31) ^ block;
}

/* Finds magics. Frozen. */
typedef struct dpl__bz_finder {
    uint16_t first[256], second[256];
} dpl__bz_finder;

void dpl__bz_finder_init(dpl__bz_finder *f);
/* The first bit in [from, to) of p at which one of the two magics begins; false when there is
 * none. The 48 bits behind each of them must be there. */
bool dpl__bz_find(size_t *bit, const dpl__bz_finder *f, const uint8_t *p, size_t from,
                  size_t to);

#endif
