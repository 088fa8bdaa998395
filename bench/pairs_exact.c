/*
 * pairs_exact.c - exact cosine of at least 0.3 between 20,000 and 20,000 documents.
 */
#include "windows.h"

#include "pairs/search.h"

#include "base/ctx.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static double core_seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

typedef struct tally {
    uint64_t n;
    double sum;
    DPL_VEC(dpl__candidate) kept;
} tally;

static dpl_status count(void *user, const dpl_pair *pairs, size_t n, dpl_error *err)
{
    (void)err;
    tally *t = user;
    t->n += n;
    for (size_t i = 0; i < n; i++)
        t->sum += (double)pairs[i].score;
    return DPL_OK;
}

int main(int argc, char **argv)
{
    const char *data = argc > 1 ? argv[1] : "/work/shared/data";
    uint32_t n_rows = argc > 2 ? (uint32_t)atoi(argv[2]) : 20000;
    double threshold = argc > 3 ? atof(argv[3]) : 0.3;
    int self = argc > 4 ? atoi(argv[4]) : 0;
    const char *out = argc > 5 ? argv[5] : NULL;
    dpl_error err = {0};
    for (unsigned n_threads = 1; n_threads <= 2; n_threads++) {
        dpl_ctx *ctx = NULL;
        dpl_ctx_options o = {.n_threads = n_threads};
        windows w;
        dpl__sides sides;
        dpl__spill spill;
        if (dpl_ctx_new(&ctx, &o, &err) || windows_make(&w, ctx, data, n_rows, &err) ||
            dpl__sides_init(&sides, ctx, &w.left, self ? NULL : &w.right, &err) ||
            dpl__spill_init(&spill, ctx, "/tmp", &err)) {
            fprintf(stderr, "%s\n", err.text);
            return 1;
        }
        if (out && n_threads == 1) {
            char path[4096];
            for (int side = 0; side < 2; side++) {
                snprintf(path, sizeof path, "%s/%s.bin", out, side ? "right" : "left");
                if (windows_write(&w, side, path, &err))
                    return 1;
            }
        }
        if (n_threads == 1)
            printf("terms per row %.1f %.1f, terms %u %u\n",
                   (double)w.left.sizes.n_entries / n_rows,
                   (double)w.right.sizes.n_entries / n_rows, w.left.sizes.n_terms,
                   w.right.sizes.n_terms);
        for (int round = 0; round < 1; round++) {
            tally t = {0};
            dpl__pair_sink sink = {&t, count};
            uint64_t n_multiplied;
            double core = core_seconds(), wall = dpl__now();
            if (dpl__exact(ctx, &sides, threshold, NULL, 0, &spill, &sink, &n_multiplied,
                           &err)) {
                fprintf(stderr, "%s\n", err.text);
                return 1;
            }
            printf("%u threads: wall %.3f core %.3f s, %llu multiply-adds, %llu pairs, sum "
                   "%.3f\n",
                   n_threads, dpl__now() - wall, core_seconds() - core,
                   (unsigned long long)n_multiplied, (unsigned long long)t.n, t.sum);
        }
        dpl__spill_clear(&spill);
        dpl__sides_clear(&sides, ctx);
        windows_clear(&w);
        dpl_ctx_free(ctx);
    }
    return 0;
}
