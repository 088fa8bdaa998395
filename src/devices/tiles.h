/*
 * tiles.h - pairs of near rows, tile by tile, while the cuts of rows fall.
 *
 * What is compared, and how, is the caller's: bits and Hamming distances (cpu_best.c), or any
 * other signature with a distance in whole numbers. A tile is a block of left rows against a
 * range of right rows. Before each tile the cuts of its rows are read again, and what was found
 * in it goes to the taker at once, which lowers them.
 */
#ifndef DPL_DEVICES_TILES_H
#define DPL_DEVICES_TILES_H

#include "doppel/device.h"

#include "base/vec.h"

enum {
    DPL__TILE_ROWS = 512,     /* left rows of a tile, at the most; blocks begin at multiples */
    DPL__TILE_COLUMNS = 4096, /* right rows, at the most */
    DPL__FEW = 64,            /* one of so many rows may have a cut above the usual one */
};

typedef DPL_VEC(dpl_near_pair) dpl__near_pairs;

typedef struct dpl__tile {
    uint32_t left, n_left, right, n_right;
    const uint32_t *left_cuts, *right_cuts; /* of each of its rows */
} dpl__tile;

typedef struct dpl__tiles {
    uint32_t n_left, n_right;
    bool is_self; /* right is left: pairs with left < right */
    /* Appends the pairs of the tile with a distance of at most the larger of their two cuts, in
     * any order. scratch is the thread's own: n_scratch bytes, 64-byte aligned. False when
     * there is no memory. */
    void *user;
    size_t n_scratch;
    bool (*find)(void *user, dpl_ctx *ctx, void *scratch, const dpl__tile *tile,
                 dpl__near_pairs *out);
    /* As in dpl_best. */
    void *taker;
    void (*read_cuts)(void *taker, int side, uint32_t first, uint32_t n, uint32_t *out);
    dpl_status (*take)(void *taker, unsigned worker, const dpl_near_pair *pairs, size_t n,
                       dpl_error *err);
} dpl__tiles;

static inline uint32_t dpl__larger(uint32_t a, uint32_t b)
{
    return a > b ? a : b;
}

/* The cut that all but n / DPL__FEW of a tile's rows have at the most; *most: that all have. */
uint32_t dpl__usual_cut(const uint32_t *cuts, uint32_t n, uint32_t *most);

/* Runs all tiles on all threads of the context. */
dpl_status dpl__tiles_run(dpl_ctx *ctx, const dpl__tiles *tiles, dpl_error *err);

#endif
