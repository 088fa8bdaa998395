/*
 * experiment_page.c - findings and notes of an experiment, and its Markdown page.
 */
#include "lab/experiment_page.h"

#include "lab/experiment_table.h"
#include "lab/plot.h"

#include "doppel/file.h"
#include "io/text_output.h"

#include <stdarg.h>
#include <stdio.h>

enum { MOST_ROWS = 40 }; /* of a table on the page; the .tsv has all */

static void add_line(dpl__lab *lab, dpl__bytes *to, const char *fmt, va_list args)
{
    char text[1200];
    int n = vsnprintf(text, sizeof text, fmt, args);
    n = n < 0 ? 0 : n < (int)sizeof text ? n : (int)sizeof text - 1;
    if (!dpl__vec_append(lab->ctx, to, "- ", 2) ||
        !dpl__vec_append(lab->ctx, to, text, (size_t)n) || !dpl__vec_push(lab->ctx, to, '\n'))
        lab->failed = DPL_E_NOMEM;
}

void dpl__lab_find(dpl__lab *lab, const char *fmt, ...)
{
    va_list args;
    va_start(args, fmt);
    add_line(lab, &lab->findings, fmt, args);
    va_end(args);
}

void dpl__lab_note(dpl__lab *lab, const char *fmt, ...)
{
    va_list args;
    va_start(args, fmt);
    add_line(lab, &lab->notes, fmt, args);
    va_end(args);
}

/* ---- the page ------------------------------------------------------------------------- */

static void put_bytes(dpl_output *out, const char *title, const dpl__bytes *bytes)
{
    if (!bytes->n)
        return;
    dpl__put(out, "\n## %s\n\n", title);
    dpl_output_write(out, bytes->data, bytes->n);
}

/* Cells of a line as a row of a Markdown table. */
static const char *put_row(dpl_output *out, const char *at, const char *end)
{
    dpl__put(out, "|");
    for (; at < end && *at != '\n'; at++)
        if (*at == '\t' || *at == '|')
            dpl__put(out, *at == '\t' ? " |" : "\\|");
        else
            dpl_output_write(out, at, 1);
    dpl__put(out, " |\n");
    return at < end ? at + 1 : end;
}

static void put_table(dpl_output *out, const dpl__lab_table *t)
{
    const char *at = t->cells.data, *end = at + t->cells.n;
    dpl__put(out, "\n[%s.tsv](%s.tsv)\n\n", t->name, t->name);
    put_row(out, t->columns, t->columns + strlen(t->columns));
    dpl__put(out, "|");
    for (unsigned i = 0; i < t->n_columns; i++)
        dpl__put(out, "---|");
    dpl__put(out, "\n");
    for (size_t row = 0; row < t->n_rows && row < MOST_ROWS; row++)
        at = put_row(out, at, end);
    if (t->n_rows > MOST_ROWS)
        dpl__put(out, "\n%zu more rows are in the file.\n", t->n_rows - MOST_ROWS);
}

/* The oldest first: it is the main one. */
static void put_tables(dpl_output *out, const dpl__lab_table *t)
{
    if (!t)
        return;
    put_tables(out, t->next);
    put_table(out, t);
}

/* "model name" of the first processor; "" when the system does not say. */
static void processor(char *out, size_t n)
{
    char line[256];
    FILE *f = fopen("/proc/cpuinfo", "re");
    out[0] = 0;
    while (f && !out[0] && fgets(line, sizeof line, f))
        if (strncmp(line, "model name", 10) == 0 && strchr(line, ':'))
            snprintf(out, n, "%s", strchr(line, ':') + 2);
    if (f)
        fclose(f);
    out[strcspn(out, "\n")] = 0;
}

static void put_origin(dpl_output *out, const dpl__lab *lab, double seconds)
{
    char model[200];
    processor(model, sizeof model);
    dpl__put(out, "\n## Made by\n\n");
    if (lab->set->command)
        dpl__put(out, "    %s\n\n", lab->set->command);
    dpl__put(out, "doppel %s, %u threads, %s", dpl_version(), dpl_ctx_threads(lab->ctx),
             dpl_cpu_name(dpl_ctx_cpu(lab->ctx)));
    dpl__put(out, "%s%s; %.1f s. Inputs:", model[0] ? ", " : "", model, seconds);
    for (size_t i = 0; i < lab->n_inputs; i++)
        dpl__put(out, "%s `%s`", i ? "," : "", dpl_input_name(&lab->inputs[i]));
    dpl__put(out, "%s.\n", lab->n_inputs ? "" : " synthetic");
}

dpl_status dpl__lab_page_write(const dpl__lab *lab, double seconds, dpl_error *err)
{
    const dpl_lab_experiment *a = lab->about;
    char path[4200];
    snprintf(path, sizeof path, "%s/%s.md", lab->folder, a->name);
    dpl_output *out = NULL;
    DPL_TRY(dpl_output_new(&out, lab->ctx, path, err));
    dpl__put(out, "# %s, %s: %s\n\n%s\n", a->paper, a->item, a->title, a->claim);
    for (size_t i = 0; !lab->no_picture && dpl__lab_picture(lab, i); i++)
        dpl__put(out, "\n![%s](%s.svg)\n", a->title, dpl__lab_picture(lab, i));
    put_bytes(out, "Found", &lab->findings);
    put_bytes(out, "How", &lab->notes);
    put_origin(out, lab, seconds);
    dpl__put(out, "\n## Numbers\n");
    put_tables(out, lab->tables);
    return dpl__output_end(out, DPL_OK, err);
}
