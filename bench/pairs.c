/*
 * pairs.c - how fast are signatures made, and pairs found?
 *
 *     build/bench/pairs --work DIR [--data DIR] [--python PATH] [--rounds N] [--only TEXT]
 *                       [--smoke]
 *
 * One table of all topics (pairs_<topic>.c), each beside its peers. Rounds go through all rows
 * of a topic in turn; the fastest and the median are printed. "core" is CPU time of the process
 * (peers in Python measure their own), "wall" the clock's.
 */
#include "pairs.h"

#include "doppel/doppel.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <time.h>

enum { MOST_ROUNDS = 100 };

static const bench_topic *const topics[] = {&bench_hamming, &bench_bytes, &bench_window,
                                            &bench_exact, &bench_sign};

typedef struct series {
    double figures[MOST_ROUNDS];
    unsigned n;
    dpl_status status;
    dpl_error err;
} series;

static double seconds(clockid_t clock)
{
    struct timespec t;
    clock_gettime(clock, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static double figure_of(const bench_row *row, const bench_result *r)
{
    switch (row->figure) {
    case BENCH_CORE_NS: return r->core * 1e9 / r->amount;
    case BENCH_WALL: return r->wall;
    case BENCH_TIMES: return r->core / r->amount;
    default: return r->amount / r->core;
    }
}

static void measure(series *s, void *state, const bench_row *row)
{
    bench_result r = {0};
    double wall = seconds(CLOCK_MONOTONIC), core = seconds(CLOCK_PROCESS_CPUTIME_ID);
    s->status = row->run(state, row, &r, &s->err);
    wall = seconds(CLOCK_MONOTONIC) - wall;
    core = seconds(CLOCK_PROCESS_CPUTIME_ID) - core;
    r.wall = r.wall > 0 ? r.wall : wall;
    r.core = r.core > 0 ? r.core : core;
    if (s->status == DPL_OK)
        s->figures[s->n++] = figure_of(row, &r);
}

static int rising(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static void print_row(const bench_row *row, series *s)
{
    static const char *const units[] = {"core-ns", "s, wall", "times", "/core-s"};
    printf("  %-52s", row->name);
    if (s->status != DPL_OK) {
        printf("  %s\n", s->err.text);
        return;
    }
    qsort(s->figures, s->n, sizeof *s->figures, rising);
    const bool is_rate = row->figure == BENCH_RATE;
    const double best = s->figures[is_rate ? s->n - 1 : 0], median = s->figures[s->n / 2];
    printf(is_rate ? "%10.0f %10.0f %s" : "%10.3f %10.3f %s", best, median, units[row->figure]);
    if (row->goal > 0) { /* the luckiest of several ratios says nothing */
        const double told = row->figure == BENCH_TIMES ? median : best;
        const bool is_met = is_rate ? told >= row->goal : told <= row->goal;
        const bool is_beyond = is_rate ? told >= row->stretch : told <= row->stretch;
        printf("  goal %g %s, stretch %g %s", row->goal, is_met ? "met" : "MISSED",
               row->stretch, is_beyond ? "met" : "not met");
    }
    putchar('\n');
}

static bool is_wanted(const bench_row *row, const char *only)
{
    return !only || strstr(row->name, only);
}

static dpl_status run_topic(const bench_topic *t, const bench_settings *settings,
                            const char *only, unsigned n_rounds, dpl_error *err)
{
    bool has_any = false;
    for (size_t i = 0; i < t->n_rows; i++)
        has_any = has_any || is_wanted(&t->rows[i], only);
    if (!has_any)
        return DPL_OK;
    void *state = NULL;
    series *all = calloc(t->n_rows, sizeof *all);
    dpl_status status = all ? t->init(&state, settings, err) : dpl__fail_nomem(err);
    for (unsigned round = 0; status == DPL_OK && round < n_rounds; round++)
        for (size_t i = 0; i < t->n_rows; i++)
            if (all[i].status == DPL_OK && is_wanted(&t->rows[i], only))
                measure(&all[i], state, &t->rows[i]);
    printf("\n%-54s%10s %10s\n", t->heading, "fastest", "median");
    for (size_t i = 0; status == DPL_OK && i < t->n_rows; i++)
        if (all[i].n || all[i].status != DPL_OK)
            print_row(&t->rows[i], &all[i]);
    for (size_t i = 0; status == DPL_OK && i < t->n_rows; i++)
        if (all[i].status != DPL_OK && all[i].status != DPL_E_UNSUPPORTED)
            status = dpl__fail(err, all[i].status, "%s: failed", t->rows[i].name);
    t->clear(state);
    free(all);
    return status;
}

typedef struct arguments {
    bench_settings settings;
    const char *only;
    unsigned n_rounds;
} arguments;

static bool read_arguments(arguments *a, int argc, char **argv)
{
    *a = (arguments){.settings = {.data = "../shared/data", .peers = "bench/pairs_peers.py"},
                     .n_rounds = 5};
    for (int i = 1; i < argc; i++) {
        const char *value = i + 1 < argc ? argv[i + 1] : NULL;
        if (strcmp(argv[i], "--smoke") == 0) {
            a->settings.is_smoke = true;
            a->n_rounds = 1;
            continue;
        }
        if (!value)
            return false;
        if (strcmp(argv[i], "--data") == 0)
            a->settings.data = value;
        else if (strcmp(argv[i], "--work") == 0)
            a->settings.work = value;
        else if (strcmp(argv[i], "--python") == 0)
            a->settings.python = value;
        else if (strcmp(argv[i], "--only") == 0)
            a->only = value;
        else if (strcmp(argv[i], "--rounds") == 0)
            a->n_rounds = (unsigned)atoi(value);
        else
            return false;
        i++;
    }
    return a->settings.work && a->n_rounds >= 1 && a->n_rounds <= MOST_ROUNDS;
}

int main(int argc, char **argv)
{
    arguments a;
    dpl_error err = {0};
    if (!read_arguments(&a, argc, argv)) {
        fprintf(stderr, "usage: pairs --work DIR [--data DIR] [--python PATH] [--rounds N] "
                        "[--only TEXT] [--smoke]\n");
        return 2;
    }
    dpl_status status = DPL_OK;
    if (mkdir(a.settings.work, 0777) != 0 && errno != EEXIST)
        status = dpl__fail_errno(&err, errno, "cannot make '%s'", a.settings.work);
    printf("%u rounds; %s; %s\n", a.n_rounds, dpl_compiler(), dpl_cpu_name(dpl_cpu_best()));
    for (size_t i = 0; i < DPL_LEN(topics) && status == DPL_OK; i++)
        status = run_topic(topics[i], &a.settings, a.only, a.n_rounds, &err);
    if (status != DPL_OK)
        fprintf(stderr, "pairs: %s\n", err.text);
    return status != DPL_OK;
}
