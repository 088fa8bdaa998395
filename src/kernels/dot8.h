/*
 * dot8.h - what the levels of dot8_mask agree on: documents in groups, the valid ones, room.
 *
 * Documents are turned: of each group of some documents there is one vector for every four
 * numbers, which holds those four of every document. A 32-bit lane then adds up the products
 * of one document, and the four numbers of a query are the same for all lanes.
 */
#ifndef DPL_KERNELS_DOT8_H
#define DPL_KERNELS_DOT8_H

#include "kernels/kernels.h"

#include <math.h>

enum {
    DPL__DOT8_QUERIES = 64,     /* rows that a level may copy */
    DPL__DOT8_EXTRA = 32 << 10, /* bytes of tables and tiles */
};

/* What all numbers are multiplied with, from the eight sums of their squares. */
static inline double dpl__dot8_scale(const double sums[8], size_t n)
{
    double sum = 0;
    for (size_t k = 0; k < 8; k++)
        sum += sums[k];
    return sum > 0 ? DPL__DOT8_UNIT * sqrt((double)n / sum) : 0;
}

/* Bits [0, n) of a word. */
static inline uint64_t dpl__dot8_valid(size_t n)
{
    return n < 64 ? ((uint64_t)1 << n) - 1 : ~(uint64_t)0;
}

/* Groups of `lanes` documents, up to a multiple of 64; missing ones are 0. */
static inline void dpl__dot8_turn(uint32_t *out, const int8_t *docs, size_t n_docs, size_t dim,
                                  size_t lanes)
{
    const size_t n_steps = dim / 4, n_all = (n_docs + 63) / 64 * 64;
    for (size_t group = 0; group * lanes < n_all; group++, out += lanes * n_steps)
        for (size_t lane = 0; lane < lanes; lane++) {
            const size_t doc = group * lanes + lane;
            for (size_t k = 0; k < n_steps; k++) {
                uint32_t four = 0;
                if (doc < n_docs)
                    memcpy(&four, docs + doc * dim + 4 * k, sizeof four);
                out[k * lanes + lane] = four;
            }
        }
}

#endif
