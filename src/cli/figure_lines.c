/*
 * figure_lines.c - lines of a summary from its table.
 */
#include "cli/figure_lines.h"

#include "cli/arguments.h"
#include "cli/notes.h"

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
    size_t position; /* in a list: {#} */
} room;

static void put(room *out, const char *text, size_t n)
{
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

/* ".2f", ".1%", ".1p", "+.2f", a noun, or nothing. */
static void put_value(room *out, const dpl_figure_value *v, dpl_str how)
{
    char number[48];
    const char *point = how.n ? memchr(how.data, '.', how.n) : NULL;
    if (!how.n) {
        put_plain(out, v);
    } else if (!point) {
        snprintf(number, sizeof number, "%s ", cli_grouped((char[32]){0}, v->number));
        put_text(out, number);
        put(out, how.data, how.n);
        put_text(out, v->number == 1 ? "" : "s");
    } else {
        const char unit = how.data[how.n - 1];
        snprintf(number, sizeof number, how.data[0] == '+' ? "%+.*f%s" : "%.*f%s",
                 atoi(point + 1), unit == 'f' ? v->real : 100 * v->real,
                 unit == '%' ? " %" : "");
        put_text(out, number);
    }
}

/* ---- texts -------------------------------------------------------------------------- */

static void expand(room *out, const dpl_figures *in, dpl_str text);

/* The end of the text that begins at i: its '|' or ']' outside of inner brackets. */
static size_t end_of(dpl_str text, size_t i, bool stops_at_bar)
{
    unsigned depth = 0;
    for (; i < text.n; i++) {
        if (!depth && (text.data[i] == ']' || (stops_at_bar && text.data[i] == '|')))
            return i;
        depth += text.data[i] == '[';
        depth -= text.data[i] == ']';
    }
    return i;
}

static void expand_part(room *out, const dpl_figures *in, dpl_str text)
{
    const size_t n = out->n == 0 && text.n >= 2 && memcmp(text.data, ", ", 2) == 0 ? 2 : 0;
    expand(out, in, (dpl_str){text.data + n, text.n - n});
}

/* [condition?text|text] at i; returns where it ends. */
static size_t expand_choice(room *out, const dpl_figures *in, dpl_str text, size_t i)
{
    char condition[100];
    const char *mark = memchr(text.data + i, '?', text.n - i);
    assert(mark);
    const size_t begin = (size_t)(mark - text.data) + 1, bar = end_of(text, begin, true);
    const size_t end = end_of(text, begin, false);
    snprintf(condition, sizeof condition, "%.*s", (int)(begin - 2 - i), text.data + i + 1);
    if (dpl_figure_holds(in, condition))
        expand_part(out, in, (dpl_str){text.data + begin, bar - begin});
    else if (bar < end)
        expand_part(out, in, (dpl_str){text.data + bar + 1, end - bar - 1});
    return end + 1;
}

/* {name:how} at i; returns where it ends. */
static size_t expand_name(room *out, const dpl_figures *in, dpl_str text, size_t i)
{
    const char *close = memchr(text.data + i, '}', text.n - i);
    assert(close);
    dpl_str name = {text.data + i + 1, (size_t)(close - text.data) - i - 1}, how = {0};
    const char *colon = memchr(name.data, ':', name.n);
    if (colon) {
        how = (dpl_str){colon + 1, name.n - (size_t)(colon + 1 - name.data)};
        name.n = (size_t)(colon - name.data);
    }
    dpl_figure_value v;
    const bool is_position = name.n == 1 && *name.data == '#';
    const bool is_there = !is_position && dpl_figure_find(&v, in, name);
    assert(is_there || is_position); /* a test walks all tables */
    if (is_position)
        put_text(out, cli_grouped((char[32]){0}, out->position));
    else if (is_there && v.figure->type == DPL_FIGURE_WORDS)
        expand(out, in, (dpl_str){v.text, strlen(v.text)});
    else if (is_there)
        put_value(out, &v, how);
    return (size_t)(close - text.data) + 1;
}

static void expand(room *out, const dpl_figures *in, dpl_str text)
{
    for (size_t i = 0; i < text.n;) {
        if (text.data[i] == '[') {
            i = expand_choice(out, in, text, i);
        } else if (text.data[i] == '{') {
            i = expand_name(out, in, text, i);
        } else {
            put(out, &text.data[i++], 1);
        }
    }
}

static void expand_into(room r, const dpl_figures *in, const char *text)
{
    *r.at = '\0';
    if (text)
        expand(&r, in, (dpl_str){text, strlen(text)});
}

const char *cli_expand(char *out, size_t n_out, const dpl_figures *in, const char *text)
{
    expand_into((room){out, 0, n_out, 0}, in, text);
    return out;
}

/* ---- lines -------------------------------------------------------------------------- */

typedef void row_fn(const char *label, const char *value, const char *remark);

static void show_line(const dpl_figures *in, const dpl_figure_value *v, size_t position,
                      row_fn *row)
{
    const dpl_figure *f = v->figure;
    char label[64], value[100], remark[560];
    room plain = {value, 0, sizeof value, 0}, reasons = {remark, 0, sizeof remark, 0};
    expand_into((room){label, 0, sizeof label, position}, in, f->label);
    expand_into((room){value, 0, sizeof value, position}, in, f->value);
    expand_into((room){remark, 0, sizeof remark, position}, in, f->remark);
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

void cli_note_figures(const dpl_figures *in)
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
        cli_note_figures(&figures);
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
