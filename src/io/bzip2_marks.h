/*
 * bzip2_marks.h - what stands around the blocks of a bzip2 file, and where.
 *
 * A stream is "BZh1".."BZh9", blocks, an end mark; blocks begin at any bit, with a magic of 48
 * bits and the CRC of their output. The end mark has a magic, too, and all the CRCs combined.
 */
#ifndef DPL_IO_BZIP2_MARKS_H
#define DPL_IO_BZIP2_MARKS_H

#include "base/base.h"

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
