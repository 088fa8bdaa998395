/*
 * lunch_bench_test.h - a lab over dense vectors, for the tests of "No Free Lunch".
 */
#ifndef DPL_LAB_LUNCH_BENCH_TEST_H
#define DPL_LAB_LUNCH_BENCH_TEST_H

#include "lab/lunch.h"

#include "base/ctx.h"
#include "base/hash.h"
#include "lab/data.h"
#include "test.h"

#include <stdio.h>

enum { N_ROWS = 400, DIM = 64, BITS = 256, N_WORDS = BITS / 64 };

static const dpl_lab_experiment about = {.name = "lunch", .paper = "", .item = "", .title = ""};

static inline double normal(dpl__rng *rng)
{
    double sum = 0;
    for (int i = 0; i < 12; i++)
        sum += (double)(dpl__rng_next(rng) >> 11) * 0x1p-53;
    return sum - 6;
}

/* Row i of both sides has a cosine of about 0.6 with row i of the other; all rows a little with
 * all. */
static inline const char *write_rows(const char *name, bool is_right)
{
    static float rows[N_ROWS][DIM + 1];
    dpl__rng own = {is_right ? 1000000 : 2000000}, shared = {3000000};
    int dim = DIM;
    for (size_t i = 0; i < N_ROWS; i++) {
        memcpy(&rows[i][0], &dim, sizeof dim);
        for (size_t j = 0; j < DIM; j++)
            rows[i][j + 1] =
                (float)(0.7 * normal(&shared) + 0.63 * normal(&own) + (j == 0 ? 2.0 : 0.0));
    }
    return test_write(name, rows, sizeof rows);
}

/* A lab over two files of vectors, or one. */
typedef struct bench {
    dpl__lab lab;
    dpl__lab_data data;
    dpl_lab_options set;
    dpl_input inputs[2];
    char paths[2][300];
    dpl__lunch lunch;
} bench;

static inline void open_bench(bench *b, dpl_ctx *ctx, size_t n_inputs)
{
    *b = (bench){.set = DPL_INIT(dpl_lab_options, .threshold = 0.5, .bits = BITS, .sample = 150,
                                 .repeats = 1, .small = true)};
    snprintf(b->paths[0], sizeof b->paths[0], "%s", write_rows("left.fvecs", false));
    snprintf(b->paths[1], sizeof b->paths[1], "%s", write_rows("right.fvecs", true));
    for (size_t i = 0; i < n_inputs; i++)
        b->inputs[i] = (dpl_input){.path = b->paths[i]};
    b->lab = (dpl__lab){.ctx = ctx,
                        .about = &about,
                        .set = &b->set,
                        .inputs = b->inputs,
                        .n_inputs = n_inputs,
                        .folder = test_dir(),
                        .scratch = test_dir(),
                        .data = &b->data};
    dpl__arena_init(&b->lab.arena, ctx);
    dpl__lab_data_init(&b->data, ctx);
    CHECK_OK(dpl__lunch_open(&b->lunch, &b->lab, 0, &test_err));
}

static inline void close_bench(bench *b)
{
    dpl__lunch_close(&b->lunch);
    dpl__lab_data_clear(&b->data);
    dpl__arena_clear(&b->lab.arena);
}

#endif
