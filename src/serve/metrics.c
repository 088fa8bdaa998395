/*
 * metrics.c - counters and their text:
 * https://prometheus.io/docs/instrumenting/exposition_formats
 */
#include "serve/metrics.h"

#include "base/ctx.h"

#include <stdarg.h>
#include <stdio.h>

/* Upper bounds of durations in microseconds. */
static const uint32_t bounds[DPL__METRIC_BUCKETS] = {100,    250,    500,     1000,    2500,
                                                     5000,   10000,  25000,   50000,   100000,
                                                     250000, 500000, 1000000, 10000000};

void dpl__metrics_count(dpl__metrics *m, unsigned route, unsigned status, double seconds,
                        size_t n_bytes)
{
    assert(route < DPL__MOST_ROUTES);
    dpl__route_counts *r = &m->routes[route];
    const uint64_t micros = seconds > 0 ? (uint64_t)(seconds * 1e6) : 0;
    unsigned bucket = 0;
    while (bucket < DPL__METRIC_BUCKETS && micros > bounds[bucket])
        bucket++;
    r->by_class[status / 100 < 6 ? status / 100 : 5]++;
    r->buckets[bucket]++;
    r->micros += micros;
    m->n_answer_bytes += n_bytes;
}

/* ---- the text --------------------------------------------------------------------------- */

typedef struct printer {
    dpl_ctx *ctx;
    dpl__bytes *out;
    bool has_failed;
} printer;

DPL_PRINTF(2, 3) static void put(printer *p, const char *fmt, ...)
{
    char line[400];
    va_list args;
    va_start(args, fmt);
    const int n = vsnprintf(line, sizeof line, fmt, args);
    va_end(args);
    assert(n >= 0 && (size_t)n < sizeof line);
    if (!dpl__vec_append(p->ctx, p->out, line, (size_t)n))
        p->has_failed = true;
}

static void put_head(printer *p, const char *name, const char *type, const char *help)
{
    put(p, "# HELP doppel_%s %s\n# TYPE doppel_%s %s\n", name, help, name, type);
}

static void put_one(printer *p, const char *name, const char *type, const char *help,
                    uint64_t value)
{
    put_head(p, name, type, help);
    put(p, "doppel_%s %llu\n", name, (unsigned long long)value);
}

static void put_requests(printer *p, const dpl__metrics *m, const char *const *names)
{
    put_head(p, "http_requests_total", "counter", "Requests answered.");
    for (unsigned r = 0; names[r]; r++)
        for (unsigned c = 1; c < 6; c++) {
            const uint64_t n = m->routes[r].by_class[c];
            if (n)
                put(p, "doppel_http_requests_total{route=\"%s\",code=\"%uxx\"} %llu\n",
                    names[r], c, (unsigned long long)n);
        }
}

static void put_durations(printer *p, const dpl__metrics *m, const char *const *names)
{
    static const char name[] = "http_request_duration_seconds";
    put_head(p, name, "histogram", "Time from the end of a request to its answer.");
    for (unsigned r = 0; names[r]; r++) {
        const dpl__route_counts *c = &m->routes[r];
        uint64_t n = 0;
        for (unsigned b = 0; b <= DPL__METRIC_BUCKETS; b++)
            n += c->buckets[b];
        if (!n)
            continue;
        n = 0;
        for (unsigned b = 0; b < DPL__METRIC_BUCKETS; b++) {
            n += c->buckets[b];
            put(p, "doppel_%s_bucket{route=\"%s\",le=\"%g\"} %llu\n", name, names[r],
                bounds[b] / 1e6, (unsigned long long)n);
        }
        n += c->buckets[DPL__METRIC_BUCKETS];
        put(p, "doppel_%s_bucket{route=\"%s\",le=\"+Inf\"} %llu\n", name, names[r],
            (unsigned long long)n);
        const uint64_t micros = c->micros;
        put(p, "doppel_%s_sum{route=\"%s\"} %llu.%06u\n", name, names[r],
            (unsigned long long)(micros / 1000000), (unsigned)(micros % 1000000));
        put(p, "doppel_%s_count{route=\"%s\"} %llu\n", name, names[r], (unsigned long long)n);
    }
}

static void put_connections(printer *p, const dpl__metrics *m)
{
    put_one(p, "http_requests_running", "gauge", "Requests under way.", m->n_running);
    put_one(p, "connections_open", "gauge", "Connections open.", m->n_open);
    put_one(p, "connections_total", "counter", "Connections accepted.", m->n_accepted);
    put_one(p, "connections_timed_out_total", "counter",
            "Connections closed because the client took too long.", m->n_timed_out);
    put_one(p, "connections_evicted_total", "counter",
            "Silent connections closed to make room for others.", m->n_evicted);
    put_one(p, "http_request_body_bytes_total", "counter", "Bytes of request bodies.",
            m->n_body_bytes);
    put_one(p, "http_response_body_bytes_total", "counter", "Bytes of answers.",
            m->n_answer_bytes);
    put_one(p, "judgements_total", "counter", "Judgements written.", m->n_judgements);
}

bool dpl__metrics_print(dpl_ctx *ctx, dpl__bytes *out, const dpl__metrics *m,
                        const char *const *names, const dpl__gauge *gauges, size_t n_gauges)
{
    printer p = {ctx, out, false};
    put_head(&p, "build_info", "gauge", "Version of the program.");
    put(&p, "doppel_build_info{version=\"%s\"} 1\n", dpl_version());
    put_one(&p, "uptime_seconds", "gauge", "Time since the server was started.",
            (uint64_t)(dpl__now() - m->began));
    put_requests(&p, m, names);
    put_durations(&p, m, names);
    put_connections(&p, m);
    for (size_t i = 0; i < n_gauges; i++)
        put_one(&p, gauges[i].name, "gauge", gauges[i].help, gauges[i].value);
    return !p.has_failed;
}
