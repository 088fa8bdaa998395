/*
 * tables_test.h - the window method reduced to what a model is checked with: which of the given
 * pairs stand within B places in one of Q tables? No distances, no search. For tests and bench.
 */
#ifndef DPL_TABLES_TEST_H
#define DPL_TABLES_TEST_H

#include "base/hash.h"
#include "pairs/window.h"

#include <stdlib.h>

typedef struct tables_pair {
    uint32_t a, b; /* rows */
} tables_pair;

typedef struct tables_input {
    const uint64_t *words; /* of n_rows signatures, one behind the other */
    size_t n_rows;
    unsigned n_bits;
    const tables_pair *pairs;
    size_t n_pairs;
    const unsigned *windows;
    size_t n_windows;
    const unsigned *tables; /* Q: rising; as many runs of each as fit into the last one */
    size_t n_tables;
    uint64_t seed; /* permutations are those of the window search */
} tables_input;

/* The share of the pairs that is found, by the first run and over all of them. */
typedef struct tables_recall {
    double first, mean, least, most;
    unsigned n_runs;
} tables_recall;

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

/* place[row]: where it stands in the table. */
static void tables_sort(uint32_t *place, tables_entry *entries, const tables_input *in,
                        const uint32_t *bits)
{
    for (size_t i = 0; i < in->n_rows; i++)
        entries[i] =
            (tables_entry){tables_key(in->words + i * (in->n_bits / 64), bits), (uint32_t)i};
    qsort(entries, in->n_rows, sizeof *entries, tables_order);
    for (size_t i = 0; i < in->n_rows; i++)
        place[entries[i].row] = (uint32_t)i;
}

/* A run of Q tables ends: what it found is counted and forgotten. */
static void tables_end_run(tables_recall *r, unsigned char *found, size_t n_pairs)
{
    size_t n = 0;
    for (size_t i = 0; i < n_pairs; i++)
        n += found[i];
    memset(found, 0, n_pairs);
    double share = n_pairs ? (double)n / (double)n_pairs : 0;
    r->first = r->n_runs ? r->first : share;
    r->least = r->n_runs && r->least < share ? r->least : share;
    r->most = r->most > share ? r->most : share;
    r->mean = (r->mean * r->n_runs + share) / (r->n_runs + 1);
    r->n_runs++;
}

/* out[i * n_tables + j]: for windows[i] and tables[j]. */
static void tables_run(tables_recall *out, const tables_input *in)
{
    size_t n_cells = in->n_windows * in->n_tables;
    tables_entry *entries = malloc(in->n_rows * sizeof *entries);
    uint32_t *place = malloc(in->n_rows * sizeof *place);
    uint32_t *bits = malloc(in->n_bits * sizeof *bits);
    unsigned char *found = calloc(n_cells, in->n_pairs); /* cell by cell */
    memset(out, 0, n_cells * sizeof *out);
    for (unsigned t = 0; t < in->tables[in->n_tables - 1] && entries && place && bits && found;
         t++) {
        dpl__permutation(bits, in->n_bits, in->seed, t);
        tables_sort(place, entries, in, bits);
        for (size_t cell = 0; cell < n_cells; cell++) {
            unsigned window = in->windows[cell / in->n_tables];
            unsigned char *of_cell = found + cell * in->n_pairs;
            for (size_t i = 0; i < in->n_pairs; i++) {
                uint32_t x = place[in->pairs[i].a], y = place[in->pairs[i].b];
                of_cell[i] |= (x < y ? y - x : x - y) <= window;
            }
            if ((t + 1) % in->tables[cell % in->n_tables] == 0)
                tables_end_run(&out[cell], of_cell, in->n_pairs);
        }
    }
    free(found);
    free(bits);
    free(place);
    free(entries);
}

#endif
