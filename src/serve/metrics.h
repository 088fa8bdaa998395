/*
 * metrics.h - what the server counts, and the text that Prometheus reads. Locked.
 */
#ifndef DPL_SERVE_METRICS_H
#define DPL_SERVE_METRICS_H

#include "base/vec.h"

#include <stdatomic.h>

enum { DPL__METRIC_BUCKETS = 14, DPL__MOST_ROUTES = 24 };

typedef struct dpl__route_counts {
    _Atomic uint64_t by_class[6];                      /* 1xx to 5xx at 1 to 5 */
    _Atomic uint64_t buckets[DPL__METRIC_BUCKETS + 1]; /* by duration; the last: longer */
    _Atomic uint64_t micros;
} dpl__route_counts;

typedef struct dpl__metrics {
    dpl__route_counts routes[DPL__MOST_ROUTES];
    _Atomic uint64_t n_running, n_open;                  /* now */
    _Atomic uint64_t n_accepted, n_timed_out, n_evicted; /* connections */
    _Atomic uint64_t n_body_bytes, n_answer_bytes;
    _Atomic uint64_t n_judgements;
    double began; /* monotonic seconds */
} dpl__metrics;

void dpl__metrics_count(dpl__metrics *m, unsigned route, unsigned status, double seconds,
                        size_t n_bytes);

/* A number that belongs to what is served. */
typedef struct dpl__gauge {
    const char *name, *help;
    uint64_t value;
} dpl__gauge;

/* names: of the routes, NULL ends. False: there is no memory. */
bool dpl__metrics_print(dpl_ctx *ctx, dpl__bytes *out, const dpl__metrics *m,
                        const char *const *names, const dpl__gauge *gauges, size_t n_gauges);

#endif
