#include "lab/lab_seeds.h"

#include "lab/experiment_table.h"
#include "test.h"

#include <math.h>

static const dpl_lab_experiment about = {.name = "seeds"};

static dpl_str pool(dpl__bytes *out, dpl__lab *lab, const char *const *texts, size_t n,
                    bool with_interval, double bounds[2])
{
    dpl_str all[DPL__LAB_MOST_SEEDS];
    for (size_t i = 0; i < n; i++)
        all[i] = dpl__cstr(texts[i]);
    out->n = 0;
    dpl__lab_pool(out, lab, all, n, with_interval, &bounds[0], &bounds[1]);
    return (dpl_str){out->data, out->n};
}

DPL_TEST(lab_seeds, numbers_of_several_seeds_become_means_with_intervals)
{
    dpl__lab lab = {.ctx = test_ctx(1), .about = &about};
    dpl__bytes out = {0};
    double bounds[2];
    const char *const cells[] = {"0.30", "0.20", "0.40"};
    CHECK_STR(pool(&out, &lab, cells, 3, false, bounds), "0.30");
    /* t of 2 degrees of freedom, 4.303, times 0.1 / sqrt(3) */
    CHECK(fabs(bounds[0] - (0.3 - 0.2484)) < 1e-3 && fabs(bounds[1] - (0.3 + 0.2484)) < 1e-3);
    const char *const found[] = {"F1 is 0.5 of 7", "F1 is 0.7 of 7"};
    CHECK_STR(pool(&out, &lab, found, 2, true, bounds), "F1 is 0.6 (-0.7 to 1.9) of 7");
    CHECK(isnan(bounds[0]));
    const char *const same[] = {"12", "12"};
    CHECK_STR(pool(&out, &lab, same, 2, true, bounds), "12");
    const char *const other[] = {"window", "brute"};
    CHECK_STR(pool(&out, &lab, other, 2, true, bounds), "window");
    dpl__vec_clear(lab.ctx, &out);
    test_ctx_done(lab.ctx);
}

static void fill(dpl__lab *lab, double value)
{
    dpl__lab_table *t = dpl__lab_table_new(lab, NULL, "series\trecall\trows");
    dpl__lab_text(t, "measured");
    dpl__lab_number(t, value, 2);
    dpl__lab_count(t, 10);
    dpl__lab_find(lab, "recall %.2f", value);
}

DPL_TEST(lab_seeds, columns_that_differ_get_their_bounds)
{
    dpl_ctx *ctx = test_ctx(1);
    dpl__lab runs[2] = {{.ctx = ctx, .about = &about}, {.ctx = ctx, .about = &about}};
    for (int i = 0; i < 2; i++) {
        dpl__arena_init(&runs[i].arena, ctx);
        fill(&runs[i], i ? 0.52 : 0.50);
    }
    CHECK_OK(dpl__lab_pool_runs(runs, 2, &test_err));
    const dpl__lab_table *t = runs[0].tables;
    CHECK_STR(dpl__cstr(t->columns), "series\trecall\trows\trecall, low\trecall, high");
    CHECK_STR(((dpl_str){t->cells.data, t->cells.n}), "measured\t0.51\t10\t0.38294\t0.63706\n");
    CHECK(runs[0].notes.n > 0);
    for (int i = 0; i < 2; i++) {
        dpl__lab_tables_clear(&runs[i]);
        dpl__vec_clear(ctx, &runs[i].findings, &runs[i].notes);
        dpl__arena_clear(&runs[i].arena);
    }
    test_ctx_done(ctx);
}
