/*
 * figure_lines.c - lines of a summary from its table.
 */
#include "cli/figure_lines.h"

#include "cli/arguments.h"
#include "cli/notes.h"
#include "cli/talk.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- the machine -------------------------------------------------------------------- */

static const dpl_figure machine[] = {
    {.name = "tells_memory", .type = DPL_FIGURE_FLAG, CLI_FIELD(cli_machine, tells_memory)},
    {.name = "peak_bytes",
     .type = DPL_FIGURE_BYTES,
     CLI_FIELD(cli_machine, peak_bytes),
     .help = "largest amount of memory in use",
     .label = "memory",
     .remark = "at most",
     .shown_with = "tells_memory"},
    {.name = "threads",
     .type = DPL_FIGURE_COUNT,
     CLI_FIELD(cli_machine, threads),
     .help = "number of threads"},
    {.name = "cpu",
     .type = DPL_FIGURE_TEXT,
     CLI_FIELD(cli_machine, cpu),
     .help = "instruction set in use",
     .label = "time",
     .value = "{seconds:.2f} s",
     .remark = "[pace?{pace}, ]{threads:thread}"},
};
const dpl_summary_table cli_machine_figures = CLI_SUMMARY(cli_machine, machine);

cli_machine cli_machine_of(const dpl_ctx *ctx, bool tells_memory)
{
    return (cli_machine){dpl_ctx_peak(ctx), dpl_ctx_threads(ctx),
                         dpl_cpu_name(dpl_ctx_cpu(ctx)), tells_memory};
}

/* ---- values ------------------------------------------------------------------------- */

/* A text under construction; what does not fit is cut. */
typedef struct room {
    char *at;
    size_t n, size;
} room;

static void put(void *user, const char *text, size_t n)
{
    room *out = user;
    const size_t left = out->size - 1 - out->n;
    n = n < left ? n : left;
    memcpy(out->at + out->n, text, n);
    out->n += n;
    out->at[out->n] = '\0';
}

static void put_text(room *out, const char *text)
{
    put(out, text, strlen(text));
}

/* "10 empty, 2 too long"; of a single reason, its name */
static void put_counts(room *out, const dpl_figure_value *v)
{
    const uint64_t *counts = v->field;
    char number[32];
    const char *between = "";
    for (unsigned i = 0; counts && i < v->figure->n_bytes / sizeof *counts; i++) {
        const char *name = v->figure->choice(i);
        if (!name)
            break;
        if (!counts[i])
            continue;
        put_text(out, between);
        if (counts[i] != v->number) {
            put_text(out, cli_grouped(number, counts[i]));
            put_text(out, " ");
        }
        put_text(out, name);
        between = ", ";
    }
}

static void put_plain(room *out, const dpl_figure_value *v)
{
    char number[32];
    switch (v->figure->type) {
    case DPL_FIGURE_BYTES: put_text(out, cli_bytes(number, v->number)); break;
    case DPL_FIGURE_COUNT:
    case DPL_FIGURE_COUNTS:
    case DPL_FIGURE_LIST: put_text(out, cli_grouped(number, v->number)); break;
    case DPL_FIGURE_REAL:
        snprintf(number, sizeof number, "%g", v->real);
        put_text(out, number);
        break;
    case DPL_FIGURE_FLAG: put_text(out, v->number ? "true" : "false"); break;
    default: put_text(out, v->text ? v->text : ""); break;
    }
}

/* What a letter behind the digits stands for. */
static const struct unit {
    char letter, style;
    double factor;
    const char *sign;
} units[] = {
    {'f', 'f', 1, ""},    {'%', 'f', 100, " %"}, {'p', 'f', 100, ""},
    {'e', 'e', 1, ""},    {'g', 'g', 1, ""},     {'h', 'g', 1 / 3600.0, ""}, /* hours */
    {'G', 'g', 1e-9, ""}, {'T', 'g', 1e-12, ""},
};

static void put_real(room *out, double x, bool has_sign, int digits, char letter)
{
    const struct unit *u = units;
    char format[8], number[48];
    while (u->letter != letter)
        u++;
    snprintf(format, sizeof format, has_sign ? "%%+.*%c" : "%%.*%c", u->style);
    snprintf(number, sizeof number, format, digits, u->factor * x);
    put_text(out, number);
    put_text(out, u->sign);
}

/* ".2f", ".1%", ".1p", "+.2f", ".2e", "s" and "b" (a time, bytes), a noun, or nothing. */
static void put_value(void *user, const dpl_figure_value *v, dpl_str how)
{
    room *out = user;
    char number[32];
    const char *point = how.n ? memchr(how.data, '.', how.n) : NULL;
    if (!how.n) {
        put_plain(out, v);
    } else if (point) {
        put_real(out, v->real, how.data[0] == '+', atoi(point + 1), how.data[how.n - 1]);
    } else if (how.n == 1 && *how.data == 's') {
        put_text(out, cli_about(number, v->real));
    } else if (how.n == 1 && *how.data == 'b') {
        put_text(out, cli_bytes(number, (uint64_t)v->real));
    } else {
        put_text(out, cli_grouped(number, v->number));
        put_text(out, " ");
        put(out, how.data, how.n);
        put_text(out, v->number == 1 ? "" : "s");
    }
}

const char *cli_expand(char *out, size_t n_out, const dpl_figures *in, size_t position,
                       const char *text)
{
    room r = {out, 0, n_out};
    *out = '\0';
    dpl_figure_text(&(dpl_figure_sink){&r, put, put_value}, in, position, text);
    return out;
}

/* ---- lines -------------------------------------------------------------------------- */

typedef void row_fn(const char *label, const char *value, const char *remark);

static void show_line(const dpl_figures *in, const dpl_figure_value *v, size_t position,
                      row_fn *row)
{
    const dpl_figure *f = v->figure;
    char label[64], value[100], remark[560];
    room plain = {value, 0, sizeof value}, reasons = {remark, 0, sizeof remark};
    cli_expand(label, sizeof label, in, position, f->label);
    cli_expand(value, sizeof value, in, position, f->value);
    cli_expand(remark, sizeof remark, in, position, f->remark);
    if (!f->value)
        put_plain(&plain, v);
    if (f->type == DPL_FIGURE_COUNTS)
        put_counts(&reasons, v);
    row(label, value, remark);
}

static void show_figures(const dpl_figures *in, row_fn *row);

static const char *drop_name(unsigned i)
{
    return i < DPL_N_DROPS ? dpl_drop_name((dpl_drop)i) : NULL;
}

/* How many records were left out for which reason, and the first of them. */
static void show_skipped(const dpl_figures *in, const dpl_figure_value *v, row_fn *row)
{
    uint64_t counts[DPL_N_DROPS];
    const dpl_figure all = {.type = DPL_FIGURE_COUNTS,
                            .n_bytes = sizeof counts,
                            .choice = drop_name,
                            .label = v->figure->label};
    dpl_figure_value dropped = {.figure = &all, .field = counts};
    for (unsigned i = 0; i < DPL_N_DROPS; i++) {
        counts[i] = dpl_skip_list_count(v->field, (dpl_drop)i);
        dropped.number += counts[i];
    }
    if (all.label && dropped.number)
        show_line(in, &dropped, 0, row);
    cli_note_skipped(v->field);
}

/* An element is one line, or the lines of its figures. */
static void show_element(const dpl_figures *in, const dpl_figure_value *list, size_t i,
                         row_fn *row)
{
    const dpl_figures element = dpl_figure_element(in, *list, i);
    if (!list->figure->label)
        show_figures(&element, row);
    else if (dpl_figure_holds(&element, list->figure->shown_with))
        show_line(&element, list, i, row);
}

static void show_figure(const dpl_figures *in, const dpl_figure *f, row_fn *row)
{
    const dpl_figure_value v = dpl_figure_get(in, f);
    if (f->type == DPL_FIGURE_SKIPPED) {
        show_skipped(in, &v, row);
    } else if (f->type == DPL_FIGURE_LIST) {
        for (size_t i = 0; i < v.number; i++)
            show_element(in, &v, i, row);
    } else if (f->label) {
        if (dpl_figure_holds(in, f->shown_with) && (f->type != DPL_FIGURE_COUNTS || v.number))
            show_line(in, &v, 0, row);
    } else if (f->type == DPL_FIGURE_GROUP || f->type == DPL_FIGURE_PART) {
        const dpl_figures group = {f->group, v.field, in, f->only};
        if (v.field && dpl_figure_holds(in, f->shown_with))
            show_figures(&group, row);
    }
}

static void show_figures(const dpl_figures *in, row_fn *row)
{
    for (size_t i = 0; i < in->table->n_figures; i++) {
        const dpl_figure *f = &in->table->figures[i];
        if (dpl_figure_is_listed(in, f) && dpl_figure_holds(in, f->only_with))
            show_figure(in, f, row);
    }
}

/* Notes, one for each line. */
static void note_figures(const dpl_figures *in)
{
    show_figures(in, cli_note_row);
}

void cli_note_last(const dpl_figures *in, const char *list)
{
    dpl_figure_value v;
    const bool is_there = dpl_figure_find(&v, in, (dpl_str){list, strlen(list)});
    assert(is_there);
    if (is_there && v.number)
        show_element(in, &v, (size_t)v.number - 1, cli_note_row);
}

void cli_print_text(const dpl_figures *in, const char *text)
{
    char out[1000];
    cli_print("%s", cli_expand(out, sizeof out, in, 0, text));
}

void cli_print_columns(const dpl_figures *in, const char *list, const cli_column *columns,
                       const char *best)
{
    dpl_figure_value v, star = {0};
    const bool is_there = dpl_figure_find(&v, in, (dpl_str){list, strlen(list)}) &&
                          (!best || dpl_figure_find(&star, in, (dpl_str){best, strlen(best)}));
    assert(is_there);
    cli_print(best ? "  " : "");
    for (const cli_column *c = columns; c->text; c++)
        cli_print("%*s", c->width, c->name);
    cli_print("\n");
    for (size_t i = 0; is_there && i < v.number; i++) {
        const dpl_figures element = dpl_figure_element(in, v, i);
        char text[100];
        cli_print(!best ? "" : i == star.number ? "* " : "  ");
        for (const cli_column *c = columns; c->text; c++)
            cli_print("%*s", c->width, cli_expand(text, sizeof text, &element, i, c->text));
        cli_print("\n");
    }
}

static void put_summary(const dpl_figures *figures, bool is_stdout_taken)
{
    dpl_json j = cli_summary_begin(is_stdout_taken);
    dpl_summary_json(&j, figures);
    cli_summary_end(&j);
}

void cli_say_summary(const dpl_summary_table *table, const void *summary, bool is_stdout_taken)
{
    const dpl_figures figures = {table, summary, NULL, NULL};
    if (cli_set.json)
        put_summary(&figures, is_stdout_taken);
    else
        note_figures(&figures);
}

bool cli_print_json(const dpl_summary_table *table, const void *summary)
{
    if (cli_set.json)
        put_summary(&(dpl_figures){table, summary, NULL, NULL}, false);
    return cli_set.json;
}

void cli_print_summary(const dpl_summary_table *table, const void *summary)
{
    if (!cli_print_json(table, summary))
        show_figures(&(dpl_figures){table, summary, NULL, NULL}, cli_print_row);
}
