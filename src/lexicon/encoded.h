/*
 * encoded.h - a parallel corpus as numbers. Frozen.
 *
 * Row r has the left words side[DPL__LEFT].tokens[begin[r]] .. tokens[begin[r + 1] - 1] and the
 * right words likewise; a token is the number of its word. Whoever reads a corpus fills the
 * arrays and keeps them.
 */
#ifndef DPL_LEXICON_ENCODED_H
#define DPL_LEXICON_ENCODED_H

#include "base/base.h"

/* Also the direction of a probability: which side is given. */
enum { DPL__LEFT, DPL__RIGHT };

typedef struct dpl__encoded_side {
    const uint64_t *begin; /* n_rows + 1 */
    const uint32_t *tokens;
    uint32_t n_words;        /* tokens are below it */
    const uint32_t *classes; /* of each word, below n_classes; NULL when there are none */
} dpl__encoded_side;

typedef struct dpl__encoded {
    size_t n_rows;
    dpl__encoded_side side[2];
    /* Words of a class have the same prefix, also those of different sides (prefix_classes.h):
     * its distribution is the prior of rare words. 0: no classes. */
    uint32_t n_classes;
} dpl__encoded;

static inline size_t dpl__encoded_length(const dpl__encoded *b, int side, size_t row)
{
    assert(row < b->n_rows);
    return (size_t)(b->side[side].begin[row + 1] - b->side[side].begin[row]);
}

static inline const uint32_t *dpl__encoded_tokens(const dpl__encoded *b, int side, size_t row)
{
    assert(row < b->n_rows);
    return b->side[side].tokens + b->side[side].begin[row];
}

/* Cells of a row, which are its (left token, right token) pairs; 0 when a side is empty or has
 * more than max_tokens: such rows are skipped. */
static inline size_t dpl__encoded_cells(const dpl__encoded *b, size_t row, size_t max_tokens)
{
    size_t n = dpl__encoded_length(b, DPL__LEFT, row),
           m = dpl__encoded_length(b, DPL__RIGHT, row);
    return n <= max_tokens && m <= max_tokens ? n * m : 0;
}

/* Tokens on the longest side of a row that is not skipped; 0 when all are. */
static inline size_t dpl__encoded_longest(const dpl__encoded *b, size_t max_tokens)
{
    size_t longest = 0;
    for (size_t row = 0; row < b->n_rows; row++)
        for (int side = 0; side < 2 && dpl__encoded_cells(b, row, max_tokens); side++)
            longest = dpl__max(longest, dpl__encoded_length(b, side, row));
    return longest;
}

#endif
