#include "lab/plot.h"

#include "lab/experiment_table.h"
#include "test.h"

/* An experiment with a table of two sources, and the script of its plots. */
typedef struct bench {
    dpl__lab lab;
    dpl__lab_table *table;
} bench;

static const dpl_lab_experiment about = {
    .name = "e", .paper = "Paper", .item = "Figure 1", .title = "a title"};
static const dpl_lab_options set = DPL_INIT(dpl_lab_options);

static void bench_open(bench *b, dpl_ctx *ctx)
{
    static const char *const rows[][2] = {{"ours", "small"}, {"peer", "tiny"}, {"ours", "big"}};
    b->lab = (dpl__lab){.ctx = ctx, .about = &about, .set = &set, .folder = test_dir()};
    dpl__arena_init(&b->lab.arena, ctx);
    b->table = dpl__lab_table_new(&b->lab, NULL, "source\tsize\tseconds\tlow\thigh");
    for (size_t i = 0; i < DPL_LEN(rows); i++) {
        dpl__lab_text(b->table, "%s", rows[i][0]);
        dpl__lab_text(b->table, "%s", rows[i][1]);
        for (unsigned k = 0; k < 3; k++)
            dpl__lab_count(b->table, 10 * i + k);
    }
}

static void bench_close(bench *b)
{
    dpl__lab_tables_clear(&b->lab);
    dpl__vec_clear(b->lab.ctx, &b->lab.plots, &b->lab.pictures);
    dpl__arena_clear(&b->lab.arena);
}

/* The script of a plot with these curves; begins with the plot, not with the head. */
static const char *draw(bench *b, dpl__lab_plot p)
{
    const size_t before = b->lab.plots.n;
    p.table = b->table;
    p.x_label = p.y_label = "";
    dpl__lab_draw(&b->lab, &p);
    CHECK(dpl__vec_push(b->lab.ctx, &b->lab.plots, '\0'));
    CHECK_OK(dpl__lab_status(&b->lab, &test_err));
    return b->lab.plots.data + before;
}

static bool has(const char *script, const char *text)
{
    return strstr(script, text) != NULL;
}

DPL_TEST(plot, a_curve_is_the_rows_of_its_source)
{
    dpl_ctx *ctx = test_ctx(1);
    bench b;
    bench_open(&b, ctx);
    const dpl__lab_curve curves[] = {
        {.title = "all", .x = 2, .y = 3},
        {.rows = "ours", .x = 4, .y = 3, .low = 4, .high = 5, .label = 2, .label_below = true},
        {.rows = "peer", .x = 2, .y = 3, .style = DPL_LAB_DASHED, .colour = 2}};
    const char *script = draw(&b, (dpl__lab_plot){.curves = curves, .n_curves = 3});
    CHECK(has(script, "\"e.tsv\" every ::1 using 2:3 with linespoints ls 1 title \"all\""));
    CHECK(has(script,
              "using (strcol(1) eq \"ours\" ? column(4) : NaN):(strcol(1) eq \"ours\" ? "
              "column(3) : NaN) with linespoints ls 2 notitle"));
    CHECK(has(script, ":4:5 with yerrorbars ls 2 lw 1 notitle"));
    CHECK(has(script, ":(strcol(2)) with labels offset 0.5,-0.6"));
    CHECK(has(script, "with lines ls 2 dt (4,4) lw 1.5 notitle"));
    CHECK(has(script, "set title \"Paper, Figure 1: a title\""));
    CHECK(has(script, "set output 'e.svg'") && has(script, "set output 'e.png'"));
    bench_close(&b);
    test_ctx_done(ctx);
}

DPL_TEST(plot, bars_stand_in_groups_beside_each_other)
{
    dpl_ctx *ctx = test_ctx(1);
    bench b;
    bench_open(&b, ctx);
    const dpl__lab_curve curves[] = {{.rows = "ours", .x = 2, .y = 3, .style = DPL_LAB_BARS},
                                     {.rows = "peer", .x = 2, .y = 3, .style = DPL_LAB_BARS}};
    const char *script =
        draw(&b, (dpl__lab_plot){.curves = curves, .n_curves = 2, .more = "bars"});
    CHECK(has(script, "set xtics (\"small\" 1, \"big\" 2)\n")); /* as the first curve has */
    CHECK(has(script, "set boxwidth 0.4\n"));
    CHECK(has(script, "? (n1 = n1 + 1) + -0.2 : NaN)"));
    CHECK(has(script, "? (n2 = n2 + 1) + 0.2 : NaN)"));
    CHECK(has(script, "fill solid 0.9") && has(script, "fill pattern 4"));
    CHECK(!has(script, "linespoints ls"));
    CHECK_STR(dpl__cstr(dpl__lab_picture(&b.lab, 0)), "e-bars");
    CHECK(dpl__lab_picture(&b.lab, 1) == NULL);
    bench_close(&b);
    test_ctx_done(ctx);
}

DPL_TEST(plot, axes_are_set_anew_for_every_plot)
{
    dpl_ctx *ctx = test_ctx(1);
    bench b;
    bench_open(&b, ctx);
    const dpl__lab_curve curve = {.x = 2, .y = 3};
    dpl__lab_plot p = {.curves = &curve, .n_curves = 1, .x_log = true, .x_step = 10};
    const char *script = draw(&b, p);
    CHECK(has(script, "\nset logscale x\nunset logscale y\nset xtics 1, 10\n"));
    CHECK(has(script, "set format x \"%.0s%c\"\n") && has(script, "set format y \"%h\"\n"));
    CHECK(has(script, "set xrange [*:*]\nset yrange [*:*]\n"));
    p = (dpl__lab_plot){.curves = &curve,
                        .n_curves = 1,
                        .x_log = true,
                        .y_log = true,
                        .x_min = 1,
                        .x_max = 1e5,
                        .y_min = 1,
                        .y_max = 1000};
    script = draw(&b, p);
    CHECK(has(script, "\nset logscale x\nset logscale y\nset xtics autofreq\n"));
    CHECK(has(script, "set format x \"%g\"\n") && has(script, "set format y \"10^{%L}\"\n"));
    CHECK(has(script, "set xrange [1:100000]\nset yrange [1:1000]\n"));
    p.y_min = 0.01;
    CHECK(has(draw(&b, p), "set format y \"%h\"\n")); /* decimals below 1 */
    bench_close(&b);
    test_ctx_done(ctx);
}

DPL_TEST(plot, colours_go_round_and_can_be_asked_for)
{
    dpl_ctx *ctx = test_ctx(1);
    bench b;
    bench_open(&b, ctx);
    dpl__lab_curve curves[9] = {{.x = 2, .y = 3}};
    for (size_t i = 0; i < DPL_LEN(curves); i++)
        curves[i] = (dpl__lab_curve){.x = 2, .y = (unsigned)i + 10, .colour = i == 4 ? 8 : 0};
    const dpl__lab_plot p = {
        .curves = curves, .n_curves = 9, .line = 0.25, .line_label = "by \"chance\""};
    const char *script = draw(&b, p);
    CHECK(has(script, "using 2:13 with linespoints ls 4"));
    CHECK(has(script, "using 2:14 with linespoints ls 8"));
    CHECK(has(script, "using 2:17 with linespoints ls 8"));
    CHECK(has(script, "using 2:18 with linespoints ls 1"));
    CHECK(has(script, "0.25 with lines lc rgb '#000000' lw 3 title \"by \\\"chance\\\"\""));
    bench_close(&b);
    test_ctx_done(ctx);
}
