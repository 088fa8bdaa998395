/*
 * experiment_table.c - tables of an experiment: cells as texts, written as tab-separated
 * columns.
 */
#include "lab/experiment_table.h"

#include "doppel/file.h"
#include "io/text_output.h"

#include <stdarg.h>
#include <stdio.h>

dpl__lab_table *dpl__lab_table_new(dpl__lab *lab, const char *more, const char *columns)
{
    static dpl__lab_table nowhere = {.n_columns = 1};
    dpl__lab_table *t = dpl__arena_alloc(&lab->arena, sizeof *t);
    if (!t) {
        lab->failed = DPL_E_NOMEM;
        return &nowhere; /* drops what is put into it */
    }
    *t = (dpl__lab_table){.lab = lab, .next = lab->tables, .columns = columns, .n_columns = 1};
    for (const char *c = columns; *c; c++)
        t->n_columns += *c == '\t';
    char name[160];
    snprintf(name, sizeof name, "%s%s%s", lab->about->name, more ? "-" : "", more ? more : "");
    t->name = dpl__arena_copy(&lab->arena, dpl__cstr(name)).data;
    if (!t->name)
        lab->failed = DPL_E_NOMEM;
    lab->tables = t;
    return t;
}

/* A cell ends with a tab or, the last of a row, with a line end; neither is in it. */
static void put(dpl__lab_table *t, const char *text)
{
    if (!t->lab)
        return;
    const size_t n = strlen(text), begin = t->cells.n;
    t->column = (t->column + 1) % t->n_columns;
    t->n_rows += t->column == 0;
    if (!dpl__vec_append(t->lab->ctx, &t->cells, text, n) ||
        !dpl__vec_push(t->lab->ctx, &t->cells, t->column ? '\t' : '\n')) {
        t->lab->failed = DPL_E_NOMEM;
        return;
    }
    for (size_t i = begin; i < begin + n; i++)
        if ((unsigned char)t->cells.data[i] < 0x20)
            t->cells.data[i] = ' ';
}

void dpl__lab_text(dpl__lab_table *t, const char *fmt, ...)
{
    char text[1000];
    va_list args;
    va_start(args, fmt);
    vsnprintf(text, sizeof text, fmt, args);
    va_end(args);
    put(t, text);
}

void dpl__lab_number(dpl__lab_table *t, double value, unsigned decimals)
{
    dpl__lab_text(t, "%.*f", (int)decimals, value);
}

void dpl__lab_count(dpl__lab_table *t, uint64_t value)
{
    dpl__lab_text(t, "%llu", (unsigned long long)value);
}

void dpl__lab_none(dpl__lab_table *t)
{
    put(t, "");
}

dpl_status dpl__lab_table_write(const dpl__lab_table *t, dpl_error *err)
{
    assert(t->column == 0); /* the last row is full */
    char name[200];
    snprintf(name, sizeof name, "%s.tsv", t->name);
    dpl_output *out = NULL;
    DPL_TRY(dpl__open_output(&out, t->lab->ctx, t->lab->folder, name, err));
    dpl__put(out, "%s\n", t->columns);
    if (t->cells.n)
        dpl_output_write(out, t->cells.data, t->cells.n);
    return dpl__output_end(out, DPL_OK, err);
}

void dpl__lab_tables_clear(dpl__lab *lab)
{
    for (dpl__lab_table *t = lab->tables; t; t = t->next)
        dpl__vec_clear(lab->ctx, &t->cells);
    lab->tables = NULL;
}
