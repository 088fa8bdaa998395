/*
 * permute_keys.h - the bodies of column_turn and column_keys, included by each level with the
 * number of 64-bit LANES of its vectors: words or columns of 64 LANES rows are transposed at a
 * time.
 */
#ifndef DPL_KERNELS_PERMUTE_KEYS_H
#define DPL_KERNELS_PERMUTE_KEYS_H

#include "kernels/kernels.h"

typedef uint64_t vec __attribute__((vector_size(8 * LANES)));

/* Swaps bit k of word i with bit i of word k, in every 32 bits. */
static inline void transpose32(vec a[32])
{
    static const uint64_t masks[5] = {0x0000FFFF0000FFFFu, 0x00FF00FF00FF00FFu,
                                      0x0F0F0F0F0F0F0F0Fu, 0x3333333333333333u,
                                      0x5555555555555555u};
    for (int level = 0; level < 5; level++) {
        const unsigned step = 16u >> level;
        for (unsigned i = 0; i < 32; i = ((i | step) + 1) & ~step) {
            vec t = (a[i] >> step ^ a[i | step]) & masks[level];
            a[i | step] ^= t;
            a[i] ^= t << step;
        }
    }
}

static void column_turn(uint64_t *columns, const uint64_t *const *rows, size_t n_words)
{
    for (size_t at = 0; at < DPL__COLUMN_ROWS / 64; at += LANES, rows += 64 * LANES)
        for (size_t w = 0; w < n_words; w++) {
            union {
                vec words[64];
                uint64_t of[64][LANES];
            } a;
            for (size_t lane = 0; lane < LANES; lane++)
                for (size_t i = 0; i < 64; i++)
                    a.of[i][lane] = rows[64 * lane + i] ? rows[64 * lane + i][w] : 0;
            for (size_t i = 0; i < 32; i++) {
                vec t = (a.words[i] >> 32 ^ a.words[i + 32]) & 0xFFFFFFFFu;
                a.words[i + 32] ^= t;
                a.words[i] ^= t << 32;
            }
            transpose32(a.words);
            transpose32(a.words + 32);
            for (size_t i = 0; i < 64; i++)
                memcpy(columns + 8 * (64 * w + i) + at, &a.words[i], sizeof(vec));
        }
}

static void column_keys(uint32_t *keys, const uint64_t *columns, const uint32_t *positions)
{
    for (size_t at = 0; at < DPL__COLUMN_ROWS / 64; at += LANES) {
        union {
            vec words[DPL__KEY_BITS];
            uint32_t keys[DPL__KEY_BITS][2 * LANES];
        } a;
        for (size_t k = 0; k < DPL__KEY_BITS; k++)
            memcpy(&a.words[DPL__KEY_BITS - 1 - k], columns + 8 * (size_t)positions[k] + at,
                   sizeof(vec));
        transpose32(a.words);
        for (size_t half = 0; half < 2 * LANES; half++)
            for (size_t i = 0; i < 32; i++)
                *keys++ = a.keys[i][half];
    }
}

#endif
