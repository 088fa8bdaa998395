/*
 * bzip2_frame.h - the bits around a bzip2 block, so that one block can be decoded alone.
 *
 * A stream is "BZh1".."BZh9", blocks, an end mark; blocks begin at any bit, with a magic of 48
 * bits and the CRC of their output. The end mark carries all the CRCs combined, so a decoder
 * that starts in the middle needs their state up to there. libbz2 has no call for that, but a
 * stream can express it: the prefix made here is a header and one small block of bytes chosen
 * to have exactly that CRC, as many bits long as bring the real block to its own place in a
 * byte. What follows is the file's bytes, uncopied.
 */
#ifndef DPL_IO_BZIP2_FRAME_H
#define DPL_IO_BZIP2_FRAME_H

#include "base/base.h"

#define DPL__BZ_BLOCK 0x314159265359u /* 48 bits, then the block's CRC */
#define DPL__BZ_END 0x177245385090u   /* 48 bits, then the combined CRC */

enum {
    DPL__BZ_MARK_BITS = 80, /* magic and CRC */
    DPL__BZ_STARTER = 5,    /* bytes the prefix decodes to */
    DPL__BZ_PREFIX = 48,    /* bytes of the longest prefix */
    DPL__BZ_TRAILER = 11,   /* bytes of the longest trailer */
};

/* n <= 56 bits of p, first bit first. Reads only the bytes they stand in. */
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

/* What to feed before the byte p[1], to start decoding at bit `bit` < 8 of p[0] with `combined`
 * as the CRC of the blocks before: returns how many bytes. The decoder then puts out
 * DPL__BZ_STARTER bytes first. */
size_t dpl__bz_prefix(uint8_t out[DPL__BZ_PREFIX], unsigned level, uint32_t combined,
                      const uint8_t *p, unsigned bit);
/* What to feed instead of p[0], to end the stream at bit `bit` < 8 of it. */
size_t dpl__bz_trailer(uint8_t out[DPL__BZ_TRAILER], uint32_t combined, const uint8_t *p,
                       unsigned bit);

#endif
