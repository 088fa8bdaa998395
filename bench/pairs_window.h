/*
 * pairs_window.h - the window search as a part of the pairs benchmark.
 */
#ifndef BENCH_PAIRS_WINDOW_H
#define BENCH_PAIRS_WINDOW_H

#include "doppel/base.h"

typedef struct window_bench {
    size_t n_rows;
    unsigned n_bits, n_tables, window, n_threads;
    unsigned first_words; /* of the early test; 0: none */
    uint64_t memory;      /* 0: the default */
    dpl_cpu cpu;
} window_bench;

/* Measures and prints. */
void bench_window(const window_bench *options);

#endif
