/*
 * pairs.h - what the topics of the pairs benchmark give to its table: rows, each with a
 * function that does the job once. pairs.c measures them in rounds and prints.
 */
#ifndef DPL_BENCH_PAIRS_H
#define DPL_BENCH_PAIRS_H

#include "base/base.h"

typedef struct bench_settings {
    const char *data;   /* folder of the data sets */
    const char *work;   /* folder for files */
    const char *python; /* with the peers of pairs_requirements.txt; NULL: there is none */
    const char *peers;  /* pairs_peers.py */
    bool is_smoke;      /* tiny, to see that everything runs */
} bench_settings;

/* How a row is told. */
typedef enum bench_figure {
    BENCH_CORE_NS, /* CPU time per piece, in ns */
    BENCH_WALL,    /* seconds by the clock for everything */
    BENCH_TIMES,   /* core / amount as it is: a ratio */
    BENCH_RATE     /* pieces per second of CPU time */
} bench_figure;

typedef struct bench_result {
    double amount;     /* pieces done: pairs, documents */
    double core, wall; /* seconds; the table's own clock counts where they stay 0 */
} bench_result;

typedef struct bench_row {
    const char *name;
    bench_figure figure;
    double goal, stretch; /* 0: none */
    /* Does it once. DPL_E_UNSUPPORTED with a reason: the row cannot be measured here. */
    dpl_status (*run)(void *topic, const struct bench_row *row, bench_result *result,
                      dpl_error *err);
    int which; /* for run */
} bench_row;

typedef struct bench_topic {
    const char *heading;
    const bench_row *rows;
    size_t n_rows;
    /* The state that run receives; cleared also after a failure, when it may be NULL. */
    dpl_status (*init)(void **topic, const bench_settings *settings, dpl_error *err);
    void (*clear)(void *topic);
} bench_topic;

extern const bench_topic bench_hamming, bench_bytes, bench_window, bench_exact, bench_sign;

#endif
