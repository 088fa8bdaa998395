/*
 * symmetrize.c - intersection, union, and growing from one to the other (Koehn, Och, Marcu
 * 2003).
 *
 * grow-diag starts with the intersection and adds links of the union that are adjacent to a
 * link (also diagonally) and have a word without a link, until nothing changes. final-and then
 * adds links of the union whose words both have no link, first those of left_of, then those of
 * right_of.
 */
#include "lexicon/symmetrize.h"

enum {
    IS_LINK = 1,
    OF_RIGHT = 2,
    OF_LEFT = 4
}; /* OF_RIGHT: in left_of, the alignment of right words */

typedef struct grid {
    uint8_t *matrix, *left_taken, *right_taken;
    size_t n_left, n_right;
} grid;

static uint8_t *cell(const grid *g, size_t i, size_t j)
{
    assert(i < g->n_left && j < g->n_right);
    return &g->matrix[i * g->n_right + j];
}

static void take(const grid *g, size_t i, size_t j)
{
    *cell(g, i, j) |= IS_LINK;
    g->left_taken[i] = g->right_taken[j] = 1;
}

static bool grow_around(const grid *g, size_t i, size_t j)
{
    bool has_grown = false;
    for (size_t k = i ? i - 1 : 0; k <= i + 1 && k < g->n_left; k++)
        for (size_t l = j ? j - 1 : 0; l <= j + 1 && l < g->n_right; l++) {
            uint8_t c = *cell(g, k, l);
            if (c && !(c & IS_LINK) && !(g->left_taken[k] && g->right_taken[l])) {
                take(g, k, l);
                has_grown = true;
            }
        }
    return has_grown;
}

static void grow(const grid *g)
{
    bool has_grown = true;
    while (has_grown) {
        has_grown = false;
        for (size_t i = 0; i < g->n_left; i++)
            for (size_t j = 0; j < g->n_right; j++)
                if (*cell(g, i, j) & IS_LINK)
                    has_grown |= grow_around(g, i, j);
    }
}

static void final_and(const grid *g, uint8_t from)
{
    for (size_t i = 0; i < g->n_left; i++)
        for (size_t j = 0; j < g->n_right; j++)
            if ((*cell(g, i, j) & from) && !g->left_taken[i] && !g->right_taken[j])
                take(g, i, j);
}

void dpl__symmetrize(uint8_t *matrix, uint8_t *taken, dpl__symmetry how,
                     const dpl__directions *both)
{
    assert(matrix && taken && both->n_left && both->n_right);
    const uint32_t *left_of = both->left_of, *right_of = both->right_of;
    size_t n_left = both->n_left, n_right = both->n_right;
    grid g = {matrix, taken, taken + n_left, n_left, n_right};
    memset(matrix, 0, n_left * n_right);
    memset(taken, 0, n_left + n_right);
    for (size_t j = 0; j < n_right; j++)
        if (left_of[j] != DPL__UNALIGNED)
            *cell(&g, left_of[j], j) |= OF_RIGHT;
    for (size_t i = 0; i < n_left; i++)
        if (right_of[i] != DPL__UNALIGNED)
            *cell(&g, i, right_of[i]) |= OF_LEFT;
    for (size_t i = 0; i < n_left; i++)
        for (size_t j = 0; j < n_right; j++) {
            uint8_t c = *cell(&g, i, j);
            if (c == (OF_RIGHT | OF_LEFT) || (c && how == DPL__SYMMETRY_UNION))
                take(&g, i, j);
        }
    if (how == DPL__SYMMETRY_GROW_DIAG || how == DPL__SYMMETRY_GROW_DIAG_FINAL_AND)
        grow(&g);
    if (how == DPL__SYMMETRY_GROW_DIAG_FINAL_AND) {
        final_and(&g, OF_RIGHT);
        final_and(&g, OF_LEFT);
    }
    for (size_t k = 0; k < n_left * n_right; k++)
        matrix[k] &= IS_LINK;
}
