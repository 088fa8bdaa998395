#include "lab/experiment_page.h"

#include "lab/experiment_table.h"
#include "lab/plot.h"

#include "base/ctx.h"
#include "test.h"

#include <stdio.h>
#include <stdlib.h>

static const dpl_lab_experiment about = {.name = "page-test",
                                         .paper = "A Paper",
                                         .item = "Table 2",
                                         .title = "what it is",
                                         .claim = "It is so."};

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

static char *page_of(const dpl__lab *lab)
{
    CHECK_OK(dpl__lab_page_write(lab, 12.34, &test_err));
    return test_read(test_path("page-test.md"), NULL);
}

static size_t count(const char *text, const char *what)
{
    size_t n = 0;
    for (const char *at = text; (at = strstr(at, what)); at += strlen(what))
        n++;
    return n;
}

/* ---- the page ---------------------------------------------------------------------------- */

DPL_TEST(experiment_page, parts_are_there_only_if_they_hold_something)
{
    dpl_ctx *ctx = test_ctx(1);
    const dpl_lab_options set = DPL_INIT(dpl_lab_options);
    const dpl_input inputs[] = {{.path = "/data/de.jsonl"}, {.path = "en.jsonl"}};
    dpl__lab lab = lab_new(ctx, &set);
    char *page = page_of(&lab);
    CHECK(strncmp(page, "# A Paper, Table 2: what it is\n\nIt is so.\n\n## Made by\n\ndoppel ",
                  62) == 0);
    const char *made = strstr(page, "\ndoppel "), *inputs_of = strstr(page, "12.3 s. Inputs: ");
    CHECK(made && inputs_of && !memchr(made + 1, '\n', (size_t)(inputs_of - made - 1)));
    CHECK(strstr(page, "12.3 s. Inputs: synthetic.\n\n## Numbers\n"));
    CHECK(!strstr(page, "## Found") && !strstr(page, "## How"));
    free(page);
    lab.inputs = inputs;
    lab.n_inputs = 1;
    dpl__lab_find(&lab, "%d of %s", 3, "four");
    page = page_of(&lab);
    CHECK(strstr(page, "It is so.\n\n## Found\n\n- 3 of four\n\n## Made by\n"));
    CHECK(strstr(page, " Inputs: `/data/de.jsonl`.\n"));
    free(page);
    lab.n_inputs = 2;
    dpl__lab_note(&lab, "one");
    dpl__lab_note(&lab, "two");
    page = page_of(&lab);
    CHECK(strstr(page, "- 3 of four\n\n## How\n\n- one\n- two\n\n## Made by\n"));
    CHECK(strstr(page, " Inputs: `/data/de.jsonl`, `en.jsonl`.\n"));
    free(page);
    lab_done(&lab);
    test_ctx_done(ctx);
}

/* Cells with bars, many rows, and tables in the order they were made. */
DPL_TEST(experiment_page, tables_are_shown_as_far_as_there_is_room)
{
    static const unsigned n_rows[] = {0, 1, 39, 40, 41, 100};
    dpl_ctx *ctx = test_ctx(1);
    const dpl_lab_options set = DPL_INIT(dpl_lab_options);
    for (size_t i = 0; i < DPL_LEN(n_rows); i++) {
        dpl__lab lab = lab_new(ctx, &set);
        dpl__lab_table *t = dpl__lab_table_new(&lab, NULL, "a|b\tnumber");
        for (unsigned row = 0; row < n_rows[i]; row++) {
            dpl__lab_text(t, "r|%u", row);
            dpl__lab_count(t, row);
        }
        dpl__lab_table *more = dpl__lab_table_new(&lab, "more", "one column");
        dpl__lab_number(more, 2.0 / 3, 3);
        char *page = page_of(&lab), expected[60];
        const char *first = strstr(page, "\n[page-test.tsv](page-test.tsv)\n\n"
                                         "|a\\|b |number |\n|---|---|\n"),
                   *second = strstr(page, "\n[page-test-more.tsv](page-test-more.tsv)\n\n"
                                          "|one column |\n|---|\n|0.667 |\n");
        CHECK(first && second && first < second);
        CHECK_EQ(count(page, "r\\|"), n_rows[i] < 40 ? n_rows[i] : 40);
        snprintf(expected, sizeof expected, "\n%d more rows are in the file.\n",
                 (int)n_rows[i] - 40);
        CHECK_EQ(strstr(page, expected) != NULL, n_rows[i] > 40);
        CHECK_EQ(count(page, "more rows"), n_rows[i] > 40);
        free(page);
        lab_done(&lab);
    }
    test_ctx_done(ctx);
}

DPL_TEST(experiment_page, pictures_are_shown_if_they_were_made)
{
    dpl_ctx *ctx = test_ctx(1);
    const dpl_lab_options set = DPL_INIT(dpl_lab_options);
    dpl__lab lab = lab_new(ctx, &set);
    dpl__lab_table *t = dpl__lab_table_new(&lab, NULL, "x\ty");
    dpl__lab_count(t, 1);
    dpl__lab_count(t, 2);
    const dpl__lab_curve curve = {.title = "c", .x = 1, .y = 2};
    for (int i = 0; i < 2; i++)
        dpl__lab_draw(
            &lab,
            &(dpl__lab_plot){
                .table = t, .x_label = "x", .y_label = "y", .curves = &curve, .n_curves = 1});
    size_t n_pictures = 0;
    while (dpl__lab_picture(&lab, n_pictures))
        n_pictures++;
    CHECK_EQ(n_pictures, 2);
    char *page = page_of(&lab);
    CHECK_EQ(count(page, "\n![what it is]("), 2);
    free(page);
    lab.no_picture = "no renderer";
    page = page_of(&lab);
    CHECK_EQ(count(page, "!["), 0);
    free(page);
    lab_done(&lab);
    test_ctx_done(ctx);
}

/* Lines of a thousand bytes and more are cut, and the next one begins a line. */
DPL_TEST(experiment_page, long_findings_are_cut)
{
    enum { MOST = 1199 };
    dpl_ctx *ctx = test_ctx(1);
    const dpl_lab_options set = DPL_INIT(dpl_lab_options);
    for (int n = MOST - 1; n <= MOST + 1; n++) {
        dpl__lab lab = lab_new(ctx, &set);
        dpl__lab_find(&lab, "%0*d", n, 7);
        dpl__lab_find(&lab, "next");
        const size_t n_line = 2 + (size_t)(n < MOST ? n : MOST) + 1;
        CHECK_EQ(lab.findings.n, n_line + strlen("- next\n"));
        CHECK(memcmp(lab.findings.data, "- 000", 5) == 0);
        CHECK_EQ(lab.findings.data[n_line - 2], n <= MOST ? '7' : '0');
        CHECK(memcmp(lab.findings.data + n_line - 1, "\n- next\n", 8) == 0);
        lab_done(&lab);
    }
    test_ctx_done(ctx);
}

/* ---- tables ------------------------------------------------------------------------ */

DPL_TEST(experiment_table, cells_are_as_they_were_put_without_control_characters)
{
    dpl_ctx *ctx = test_ctx(1);
    const dpl_lab_options set = DPL_INIT(dpl_lab_options);
    dpl__lab lab = lab_new(ctx, &set);
    dpl__lab_table *t = dpl__lab_table_new(&lab, "x", "a\tb\tc");
    CHECK_EQ(t->n_columns, 3);
    CHECK_STR(dpl__cstr(t->name), "page-test-x");
    dpl__lab_text(t, "a\nb\x01\x1f c");
    CHECK_EQ(t->n_rows, 0);
    dpl__lab_none(t);
    dpl__lab_number(t, -0.125, 2);
    CHECK_EQ(t->n_rows, 1);
    dpl__lab_count(t, UINT64_MAX);
    dpl__lab_number(t, 1e6, 0);
    dpl__lab_text(t, "%s", "");
    CHECK_EQ(t->n_rows, 2);
    CHECK_OK(dpl__lab_table_write(t, &test_err));
    char *text = test_read(test_path("page-test-x.tsv"), NULL);
    CHECK_STR(dpl__cstr(text), "a\tb\tc\na b   c\t\t-0.12\n18446744073709551615\t1000000\t\n");
    free(text);
    lab_done(&lab);
    test_ctx_done(ctx);
}

/* What is put nowhere is lost, and the experiment fails. */
static dpl_status fill_tables(void *user, dpl_ctx *ctx, dpl_error *err)
{
    dpl__lab lab = lab_new(ctx, user);
    for (unsigned i = 0; i < 3; i++) {
        dpl__lab_table *t = dpl__lab_table_new(&lab, "t", "a\tb");
        dpl__lab_text(t, "%0*d", 900, 1);
        dpl__lab_count(t, i);
    }
    dpl__lab_find(&lab, "%0*d", 1000, 1);
    dpl__lab_note(&lab, "%0*d", 1000, 1);
    dpl_status status = dpl__lab_status(&lab, err);
    if (status == DPL_OK)
        status = dpl__lab_page_write(&lab, 1, err);
    lab_done(&lab);
    return status;
}

DPL_TEST(experiment_table, tables_and_findings_survive_every_failing_allocation)
{
    dpl_lab_options set = DPL_INIT(dpl_lab_options);
    test_allocation_failures(fill_tables, &set);
}
