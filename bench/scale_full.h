/*
 * scale_full.h - searches of the paper's collection size, with made-up vectors.
 */
#ifndef DPL_BENCH_SCALE_FULL_H
#define DPL_BENCH_SCALE_FULL_H

#include "doppel/base.h"

typedef struct full_size {
    const char *work;    /* folder for files: 6 GB at factor 1 */
    double factor;       /* of 1,470,000 x 3,440,000 rows */
    double left;         /* share of the left ones: 1 */
    const char *device;  /* NULL: as the library chooses */
    double threshold;    /* 0.3 */
    double recall;       /* of brute force */
    unsigned k, bits;    /* neighbours of every row and column; of signatures; 0: chosen */
    double most_seconds; /* searches that would take longer are predicted only */
    uint64_t memory;     /* 0: as the machine has */
    unsigned n_threads;  /* 2 */
    const char *only;    /* names of searches: "exact,brute-nearest"; NULL: all */
} full_size;

/* Prints a row for each search: exact, brute and window, all pairs and the nearest. */
dpl_status measure_full_size(const full_size *set, dpl_error *err);

#endif
