#include "serve/metrics.h"

#include "base/ctx.h"
#include "test.h"

#include <stdio.h>

static const char *const names[] = {"first", "second", NULL};

/* The text, with a terminator. */
static const char *print(dpl_ctx *ctx, dpl__bytes *out, const dpl__metrics *m,
                         const dpl__gauge *gauges, size_t n_gauges)
{
    out->n = 0;
    CHECK(dpl__metrics_print(ctx, out, m, names, gauges, n_gauges));
    CHECK(dpl__vec_push(ctx, out, '\0'));
    return out->data;
}

/* Upper bounds belong to their bucket; each holds those below it, too. */
DPL_TEST(metrics, a_duration_is_in_the_first_bucket_that_reaches_it)
{
    static const struct {
        double bound;
        const char *text;
    } buckets[] = {{0.0001, "0.0001"}, {0.00025, "0.00025"},
                   {0.0005, "0.0005"}, {0.001, "0.001"},
                   {0.0025, "0.0025"}, {0.005, "0.005"},
                   {0.01, "0.01"},     {0.025, "0.025"},
                   {0.05, "0.05"},     {0.1, "0.1"},
                   {0.25, "0.25"},     {0.5, "0.5"},
                   {1, "1"},           {10, "10"}};
    dpl_ctx *ctx = test_ctx(1);
    dpl__bytes out = {0};
    for (size_t i = 0; i < DPL_LEN(buckets); i++)
        for (int is_above = 0; is_above < 2; is_above++) {
            static dpl__metrics m;
            memset(&m, 0, sizeof m);
            dpl__metrics_count(&m, 0, 200, buckets[i].bound + is_above * 2e-6 + 4e-7, 0);
            const char *text = print(ctx, &out, &m, NULL, 0);
            for (size_t k = 0; k < DPL_LEN(buckets); k++) {
                char line[100];
                snprintf(
                    line, sizeof line,
                    "doppel_http_request_duration_seconds_bucket{route=\"first\",le=\"%s\"} "
                    "%d\n",
                    buckets[k].text, k >= i + (size_t)is_above);
                CHECK(strstr(text, line));
            }
            CHECK(strstr(text, "{route=\"first\",le=\"+Inf\"} 1\n"));
            CHECK(strstr(text, "_count{route=\"first\"} 1\n"));
            CHECK(!strstr(text, "route=\"second\""));
        }
    dpl__vec_clear(ctx, &out);
    test_ctx_done(ctx);
}

DPL_TEST(metrics, requests_are_counted_by_route_and_class)
{
    static const struct {
        unsigned route, status;
    } requests[] = {{0, 200}, {0, 204}, {0, 199}, {0, 301}, {0, 404}, {0, 499},
                    {0, 500}, {0, 599}, {0, 700}, {1, 200}, {1, 400}};
    static dpl__metrics m;
    dpl_ctx *ctx = test_ctx(1);
    dpl__bytes out = {0};
    memset(&m, 0, sizeof m);
    for (size_t i = 0; i < DPL_LEN(requests); i++)
        dpl__metrics_count(&m, requests[i].route, requests[i].status, -1, 7);
    m.n_running = 3;
    m.n_open = 4;
    m.n_accepted = 5;
    m.n_timed_out = 6;
    m.n_evicted = 8;
    m.n_body_bytes = 9;
    m.n_judgements = 11;
    m.began = dpl__now() - 100.5;
    const dpl__gauge gauges[] = {{"documents", "Documents.", 12}, {"pairs", "Pairs.", 0}};
    const char *text = print(ctx, &out, &m, gauges, 2);
    static const char *const lines[] = {
        "doppel_http_requests_total{route=\"first\",code=\"1xx\"} 1\n",
        "doppel_http_requests_total{route=\"first\",code=\"2xx\"} 2\n",
        "doppel_http_requests_total{route=\"first\",code=\"3xx\"} 1\n",
        "doppel_http_requests_total{route=\"first\",code=\"4xx\"} 2\n",
        "doppel_http_requests_total{route=\"first\",code=\"5xx\"} 3\n",
        "doppel_http_requests_total{route=\"second\",code=\"2xx\"} 1\n",
        "doppel_http_requests_total{route=\"second\",code=\"4xx\"} 1\n",
        "doppel_http_request_duration_seconds_sum{route=\"first\"} 0.000000\n",
        "doppel_http_requests_running 3\n",
        "doppel_connections_open 4\n",
        "doppel_connections_total 5\n",
        "doppel_connections_timed_out_total 6\n",
        "doppel_connections_evicted_total 8\n",
        "doppel_http_request_body_bytes_total 9\n",
        "doppel_http_response_body_bytes_total 77\n",
        "doppel_judgements_total 11\n",
        "doppel_uptime_seconds 100\n",
        "# HELP doppel_documents Documents.\n# TYPE doppel_documents gauge\n"
        "doppel_documents 12\n",
        "doppel_pairs 0\n"};
    for (size_t i = 0; i < DPL_LEN(lines); i++)
        if (!strstr(text, lines[i]))
            dpl__test_fail(__FILE__, __LINE__, "no line %s", lines[i]);
    CHECK(!strstr(text, "route=\"second\",code=\"5xx\""));
    static const char *const heads[] = {
        "http_requests_total counter\n", "http_request_duration_seconds histogram\n",
        "connections_open gauge\n", "judgements_total counter\n"};
    for (size_t i = 0; i < DPL_LEN(heads); i++) { /* each once, with its type */
        char line[100];
        snprintf(line, sizeof line, "# TYPE doppel_%s", heads[i]);
        const char *at = strstr(text, line);
        CHECK(at && !strstr(at + 1, line));
    }
    dpl__vec_clear(ctx, &out);
    test_ctx_done(ctx);
}

DPL_TEST(metrics, durations_add_up_to_seconds_and_microseconds)
{
    static dpl__metrics m;
    dpl_ctx *ctx = test_ctx(1);
    dpl__bytes out = {0};
    memset(&m, 0, sizeof m);
    static const double seconds[] = {1.25, 0.5, 2.000001, 0};
    for (size_t i = 0; i < DPL_LEN(seconds); i++)
        dpl__metrics_count(&m, 1, 200, seconds[i] + 4e-7, 1);
    CHECK(strstr(print(ctx, &out, &m, NULL, 0), "_sum{route=\"second\"} 3.750001\n"));
    dpl__metrics_count(&m, 1, 200, 1e7, 1);
    CHECK(strstr(print(ctx, &out, &m, NULL, 0), "_sum{route=\"second\"} 10000003.750001\n"));
    dpl__vec_clear(ctx, &out);
    test_ctx_done(ctx);
}

static dpl_status print_some(void *user, dpl_ctx *ctx, dpl_error *err)
{
    dpl__bytes out = {0};
    const bool is_done = dpl__metrics_print(ctx, &out, user, names, NULL, 0);
    dpl__vec_clear(ctx, &out);
    return dpl__need(is_done, err);
}

DPL_TEST(metrics, no_memory_is_said)
{
    static dpl__metrics m;
    dpl__metrics_count(&m, 1, 200, 0.5, 1);
    test_allocation_failures(print_some, &m);
}
