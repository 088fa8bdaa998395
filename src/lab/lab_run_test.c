#include "doppel-lab/lab.h"

#include "lab/data.h"
#include "lab/experiment_page.h"
#include "lab/experiment_table.h"
#include "lab/plot.h"
#include "test.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static const dpl_lab_experiment about = {.name = "test-figure-1",
                                         .paper = "A Paper",
                                         .item = "Figure 1",
                                         .title = "more against less",
                                         .claim = "More is more."};

static dpl__lab lab_new(dpl_ctx *ctx, const dpl_lab_options *set)
{
    dpl__lab lab = {.ctx = ctx, .about = &about, .set = set, .folder = test_dir()};
    dpl__arena_init(&lab.arena, ctx);
    return lab;
}

static void lab_done(dpl__lab *lab)
{
    dpl__lab_tables_clear(lab);
    dpl__vec_clear(lab->ctx, &lab->findings, &lab->notes, &lab->plots, &lab->pictures);
    dpl__arena_clear(&lab->arena);
}

/* What a file of the folder holds. */
static const char *content(const char *ending)
{
    static char *text;
    char name[64];
    snprintf(name, sizeof name, "test-figure-1.%s", ending);
    free(text);
    text = test_read(test_path(name), NULL);
    return text;
}

static void fill(dpl__lab *lab)
{
    dpl__lab_table *t = dpl__lab_table_new(lab, NULL, "source\tless\tmore [s]");
    dpl__lab_text(t, "paper");
    dpl__lab_count(t, 1);
    dpl__lab_none(t);
    dpl__lab_text(t, "measured\tby us");
    dpl__lab_count(t, 2);
    dpl__lab_number(t, 0.5, 2);
    dpl__lab_find(lab, "half of %d", 1);
    dpl__lab_note(lab, "by hand");
    const dpl__lab_curve curves[] = {
        {.title = "\"ours\"", .rows = "measured by us", .x = 2, .y = 3}};
    const dpl__lab_plot plot = {.table = t,
                                .x_label = "less `id`",
                                .y_label = "more [s]",
                                .x_log = true,
                                .y_max = 1,
                                .curves = curves,
                                .n_curves = 1};
    dpl__lab_draw(lab, &plot);
}

DPL_TEST(lab, an_experiment_leaves_table_script_and_page)
{
    dpl_ctx *ctx = test_ctx(1);
    const dpl_lab_options set = DPL_INIT(dpl_lab_options, .command = "doppel-lab x");
    dpl__lab lab = lab_new(ctx, &set);
    fill(&lab);
    CHECK_OK(dpl__lab_status(&lab, &test_err));
    CHECK_OK(dpl__lab_table_write(lab.tables, &test_err));
    CHECK_OK(dpl__lab_render(&lab, &test_err));
    CHECK(lab.no_picture != NULL); /* no renderer */
    CHECK_OK(dpl__lab_page_write(&lab, 1.25, &test_err));
    CHECK_STR(dpl__cstr(content("tsv")),
              "source\tless\tmore [s]\npaper\t1\t\nmeasured by us\t2\t0.50\n");
    CHECK(strstr(content("gp"), "title \"\\\"ours\\\"\"") != NULL);
    CHECK(strstr(content("gp"), "set logscale x") != NULL);
    CHECK(strstr(content("gp"), "set xlabel \"less \\140id\\140\"") != NULL); /* no command */
    CHECK(strchr(content("gp"), '`') == NULL);
    CHECK(strstr(content("md"), "# A Paper, Figure 1: more against less\n") != NULL);
    CHECK(strstr(content("md"), "- half of 1\n") != NULL);
    CHECK(strstr(content("md"), "    doppel-lab x\n") != NULL);
    CHECK(strstr(content("md"), "| measured by us | 2 | 0.50 |\n") != NULL ||
          strstr(content("md"), "|measured by us |2 |0.50 |\n") != NULL);
    lab_done(&lab);
    test_ctx_done(ctx);
}

DPL_TEST(lab, a_renderer_that_fails_is_told_and_is_no_failure)
{
    static const char *const programs[] = {"false", "no-such-program-of-ours", "true"};
    for (size_t i = 0; i < DPL_LEN(programs); i++) {
        dpl_ctx *ctx = test_ctx(1);
        const dpl_lab_options set = DPL_INIT(dpl_lab_options, .renderer = programs[i]);
        dpl__lab lab = lab_new(ctx, &set);
        fill(&lab);
        CHECK_OK(dpl__lab_render(&lab, &test_err));
        CHECK_EQ(lab.no_picture != NULL, i < 2);
        if (i < 2)
            CHECK(strstr(lab.no_picture, programs[i]) != NULL);
        lab_done(&lab);
        test_ctx_done(ctx);
    }
}

DPL_TEST(lab, a_line_through_points_on_a_line_is_that_line)
{
    const double x[] = {1, 2, 5, 7}, y[] = {5, 7, 13, 17}, noisy[] = {5, 8, 12, 17};
    const dpl__lab_fit f = dpl__lab_line(x, y, 4), g = dpl__lab_line(x, noisy, 4);
    CHECK(f.slope > 1.999999 && f.slope < 2.000001);
    CHECK(f.intercept > 2.999999 && f.intercept < 3.000001);
    CHECK(f.r2 > 0.999999);
    CHECK(g.r2 < 0.999 && g.r2 > 0.9);
    CHECK(dpl__lab_line(x, y, 0).slope == 0);
}

DPL_TEST(lab, names_that_are_none_are_refused)
{
    dpl_ctx *ctx = test_ctx(1);
    dpl_lab_result *r = NULL;
    const char *name = "no-such-figure";
    CHECK_EQ(dpl_lab_run(&r, ctx, "/tmp/doppel-lab-none", &name, 1, NULL, 0, NULL, &test_err),
             DPL_E_USAGE);
    CHECK(strcmp(test_err.code, "lab-unknown") == 0);
    CHECK(r == NULL);
    CHECK(access("/tmp/doppel-lab-none", F_OK) != 0);
    CHECK(dpl_lab_find_experiment(name) == NULL);
    test_ctx_done(ctx);
}
