/*
 * bzip2.h - what the symbols of a bzip2 block are decoded with and to.
 *
 * A block is a sequence of symbols in canonical prefix codes, of which there are two to six; a
 * selector names the code of every fifty symbols. Symbol 0 and 1 are digits of the number of
 * repetitions of the byte before (weights 1 and 2 times 1, 2, 4 ...), symbol s from 2 on is the
 * byte at index s - 1 of a list that each byte used moves to the front of, the last symbol is
 * the end. Out come runs: a byte and how often it stands there.
 */
#ifndef DPL_KERNELS_BZIP2_H
#define DPL_KERNELS_BZIP2_H

#include "base/base.h"

enum {
    DPL__BZ_FAST = 10,    /* bits looked up at once */
    DPL__BZ_LONGEST = 20, /* bits of a code */
    DPL__BZ_GROUP = 50,   /* symbols for each selector */
    DPL__BZ_SYMBOLS = 258,
};

/* A symbol, ready for use: its index in the list (0 for digits), the length of its code, and
 * what it is. A shift by entry >> 8 is one by the length, since only six bits of it count. */
#define DPL__BZ_ENTRY(index, length, kind) ((uint16_t)((index) | (length) << 8 | (kind) << 14))

enum { DPL__BZ_MOVE, DPL__BZ_DIGIT_1, DPL__BZ_DIGIT_2, DPL__BZ_SPECIAL }; /* kinds */
enum { DPL__BZ_STOP, DPL__BZ_NO_CODE, DPL__BZ_LONG_CODE };                /* special ones */

typedef struct dpl__bz_code {
    uint16_t fast[1 << DPL__BZ_FAST]; /* entries by the next bits */
    /* For longer codes, by their length: the next 20 bits are less than `beyond` for the first
     * time; then the entry is by_rank[those of the bits that are the code - base]. */
    uint32_t beyond[DPL__BZ_LONGEST + 1];
    int32_t base[DPL__BZ_LONGEST + 1];
    uint16_t by_rank[DPL__BZ_SYMBOLS];
} dpl__bz_code;

typedef enum dpl__bz_outcome {
    DPL__BZ_DONE,
    DPL__BZ_SHORT,  /* the bytes end before the block does */
    DPL__BZ_DAMAGED /* not what an encoder writes: found at `bit` */
} dpl__bz_outcome;

typedef struct dpl__bz_symbols {
    const uint8_t *p;
    size_t n;   /* bytes of p; none behind them are read */
    size_t bit; /* of p: where the symbols begin; then where they end */
    const dpl__bz_code *codes;
    const uint8_t *selectors;
    size_t n_selectors;
    uint8_t list[256]; /* changes */
    uint32_t *runs;    /* length << 8 | byte; room for DPL__BZ_GROUP n_selectors + 1 */
    size_t n_runs;     /* the first may have the length 0; each length is below 2^24 */
} dpl__bz_symbols;

#endif
