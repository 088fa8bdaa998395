/*
 * tables_test.h - the window method reduced to what a model is checked with: given pairs, in
 * which table are they first within B places? No distances, no search. For tests and bench.
 */
#ifndef DPL_TABLES_TEST_H
#define DPL_TABLES_TEST_H

#include "base/hash.h"

#include <stdlib.h>

typedef struct tables_pair {
    uint32_t a, b; /* rows */
} tables_pair;

typedef struct tables_entry {
    uint64_t key;
    uint32_t row;
} tables_entry;

static int tables_order(const void *x, const void *y)
{
    const tables_entry *a = x, *b = y;
    if (a->key != b->key)
        return a->key < b->key ? -1 : 1;
    return (a->row > b->row) - (a->row < b->row);
}

static uint64_t tables_key(const uint64_t *row, const uint32_t *bits)
{
    uint64_t key = 0;
    for (int i = 0; i < 64; i++)
        key = key << 1 | (row[bits[i] / 64] >> bits[i] % 64 & 1);
    return key;
}

/* The first 64 of a random order of the bits. */
static void tables_draw(uint32_t *bits, unsigned n_bits, dpl__rng *rng)
{
    for (unsigned i = 0; i < n_bits; i++)
        bits[i] = i;
    for (unsigned i = 0; i < 64 && i < n_bits; i++) {
        unsigned j = i + (unsigned)dpl__rng_below(rng, n_bits - i);
        uint32_t swap = bits[i];
        bits[i] = bits[j];
        bits[j] = swap;
    }
}

/* first[i * n_windows + j]: the table in which pair i is first within windows[j] places,
 * n_tables when there is none. */
static void tables_run(uint32_t *first, const uint64_t *words, size_t n_rows, unsigned n_bits,
                       const tables_pair *pairs, size_t n_pairs, const unsigned *windows,
                       size_t n_windows, unsigned n_tables, uint64_t seed)
{
    dpl__rng rng = {seed};
    tables_entry *entries = malloc(n_rows * sizeof *entries);
    uint32_t *place = malloc(n_rows * sizeof *place), *bits = malloc(n_bits * sizeof *bits);
    for (size_t i = 0; i < n_pairs * n_windows; i++)
        first[i] = n_tables;
    for (unsigned table = 0; table < n_tables && entries && place && bits; table++) {
        tables_draw(bits, n_bits, &rng);
        for (size_t i = 0; i < n_rows; i++)
            entries[i] =
                (tables_entry){tables_key(words + i * (n_bits / 64), bits), (uint32_t)i};
        qsort(entries, n_rows, sizeof *entries, tables_order);
        for (size_t i = 0; i < n_rows; i++)
            place[entries[i].row] = (uint32_t)i;
        for (size_t i = 0; i < n_pairs; i++) {
            uint32_t x = place[pairs[i].a], y = place[pairs[i].b], gap = x < y ? y - x : x - y;
            for (size_t j = 0; j < n_windows; j++)
                if (gap <= windows[j] && first[i * n_windows + j] == n_tables)
                    first[i * n_windows + j] = table;
        }
    }
    free(entries);
    free(place);
    free(bits);
}

/* The share of pairs found by the first n_tables tables with window j. */
static double tables_recall(const uint32_t *first, size_t n_pairs, size_t n_windows, size_t j,
                            unsigned n_tables)
{
    size_t n = 0;
    for (size_t i = 0; i < n_pairs; i++)
        n += first[i * n_windows + j] < n_tables;
    return n_pairs ? (double)n / (double)n_pairs : 0;
}

#endif
