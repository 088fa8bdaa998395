/*
 * random_lists_test.h - random rows of two sides with the nearest of each, for tests.
 */
#ifndef DPL_MINE_RANDOM_LISTS_TEST_H
#define DPL_MINE_RANDOM_LISTS_TEST_H

#include "base/hash.h"
#include "mine/mutual_pairs.h"
#include "test.h"

enum { MOST_ROWS = 24 };

/* Rows of two sides with cosines between all of them, and the lists that a search gives. */
typedef struct made {
    uint32_t n[2];
    float score[MOST_ROWS][MOST_ROWS]; /* left, right */
    dpl__near near[2][MOST_ROWS * DPL__NEAREST];
    uint64_t keys[2][MOST_ROWS];
    uint32_t groups[2][MOST_ROWS];
    uint8_t absent[2][MOST_ROWS];
    bool has_groups, has_absent;
    dpl__neighbours c;
} made;

static inline float score_of(const made *m, int side, uint32_t row, uint32_t other)
{
    return side ? m->score[other][row] : m->score[row][other];
}

/* The best by score, then key, one after the other, up to a number. */
static inline void make_list(made *m, int side, uint32_t row, size_t most)
{
    bool is_listed[MOST_ROWS] = {false};
    for (size_t i = 0; i < DPL__NEAREST; i++) {
        dpl__near *best = &m->near[side][row * DPL__NEAREST + i];
        *best = (dpl__near){DPL__NO_ROW, 0};
        for (uint32_t other = 0; other < m->n[!side]; other++) {
            const float score = score_of(m, side, row, other);
            if (i < most && !is_listed[other] && score >= (float)m->c.threshold &&
                (best->row == DPL__NO_ROW || score > best->score ||
                 (score >= best->score && m->keys[!side][other] < m->keys[!side][best->row])))
                *best = (dpl__near){other, score};
        }
        if (best->row != DPL__NO_ROW)
            is_listed[best->row] = true;
    }
}

/* Few different scores, so that some are equal; near-copies have the row with the lowest key
 * for their group. */
static inline void make_lists(made *m, dpl_ctx *ctx, dpl__rng *rng)
{
    static const unsigned different[] = {3, 20, 1000};
    const unsigned n_scores = different[dpl__rng_below(rng, DPL_LEN(different))];
    *m = (made){.has_groups = dpl__rng_below(rng, 2), .has_absent = dpl__rng_below(rng, 2)};
    const bool is_short = dpl__rng_below(rng, 2);
    m->c = (dpl__neighbours){.ctx = ctx, .threshold = 0.125};
    for (int side = 0; side < 2; side++) {
        const uint32_t n = m->n[side] = (uint32_t)dpl__rng_below(rng, MOST_ROWS + 1);
        uint32_t first[MOST_ROWS];
        for (uint32_t i = 0; i < n; i++) {
            m->keys[side][i] = dpl__rng_next(rng);
            m->absent[side][i] = m->has_absent && dpl__rng_below(rng, 5) == 0;
            m->groups[side][i] = m->has_groups ? (uint32_t)dpl__rng_below(rng, n) : i;
            if (dpl__rng_below(rng, 2))
                m->groups[side][i] = i;
            first[i] = DPL__NO_ROW;
        }
        for (uint32_t i = 0; i < n; i++) {
            uint32_t *of = &first[m->groups[side][i]];
            *of = *of == DPL__NO_ROW || m->keys[side][i] < m->keys[side][*of] ? i : *of;
        }
        for (uint32_t i = 0; i < n; i++)
            m->groups[side][i] = first[m->groups[side][i]];
        m->c.n[side] = n;
        m->c.near[side] = m->near[side];
        m->c.keys[side] = m->keys[side];
        m->c.groups[side] = m->has_groups ? m->groups[side] : NULL;
    }
    for (uint32_t l = 0; l < m->n[0]; l++)
        for (uint32_t r = 0; r < m->n[1]; r++)
            m->score[l][r] =
                (float)dpl__rng_below(rng, n_scores) / (float)n_scores + (l == r ? 0.25f : 0);
    for (int side = 0; side < 2; side++)
        for (uint32_t row = 0; row < m->n[side]; row++)
            make_list(m, side, row, is_short ? 1 + dpl__rng_below(rng, 4) : DPL__NEAREST);
}

#endif
