/*
 * pairs_sign_main.c - the signatures' topic of bench/pairs alone, until there is bench/pairs.
 *
 *     build/bench/pairs_sign DATA [PYTHON]
 */
#include "pairs.h"

#include <stdio.h>
#include <time.h>

extern const bench_topic bench_sign;

static double cpu_seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

int main(int argc, char **argv)
{
    enum { ROUNDS = 15, MOST = 32 };
    double best[MOST] = {0};
    void *state = NULL;
    dpl_error err = {0};
    bench_settings s = {
        .data = argc > 1 ? argv[1] : "", .work = "/tmp", .python = argc > 2 ? argv[2] : NULL};
    dpl_status status = bench_sign.init(&state, &s, &err);
    for (int round = 0; round < ROUNDS && status == DPL_OK; round++)
        for (size_t i = 0; i < bench_sign.n_rows; i++) {
            if (round && best[i] < 50e3)
                continue; /* the slow ones once */
            bench_result r = {0};
            double began = cpu_seconds();
            if (bench_sign.rows[i].run(state, &bench_sign.rows[i], &r, &err) == DPL_OK) {
                double rate = r.amount / (r.core > 0 ? r.core : cpu_seconds() - began);
                best[i] = rate > best[i] ? rate : best[i];
            }
        }
    if (status != DPL_OK)
        fprintf(stderr, "%s\n", err.text);
    for (size_t i = 0; i < bench_sign.n_rows; i++)
        printf("  %-44s %10.0f /core-s  goal %.0f, stretch %.0f\n", bench_sign.rows[i].name,
               best[i], bench_sign.rows[i].goal, bench_sign.rows[i].stretch);
    bench_sign.clear(state);
    return status != DPL_OK;
}
