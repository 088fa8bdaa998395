/*
 * sql_table.h - the rows of one table of a MySQL dump, one at a time, decompressed by magic.
 * Owned.
 *
 *     DPL_TRY(dpl__sql_open(&table, ctx, path, err));
 *     size_t title = dpl__sql_column(&table, "page_title");
 *     while ((st = dpl__sql_next(&table, &row, err)) == DPL_OK)
 *         use(row[title]);
 *
 * Wikimedia publishes its tables in this form: comments, CREATE TABLE, INSERT statements.
 */
#ifndef DPL_LANGLINKS_SQL_TABLE_H
#define DPL_LANGLINKS_SQL_TABLE_H

#include "io/lines.h"

enum { DPL__SQL_NAME = 64, DPL__SQL_COLUMNS = 64 };

typedef struct dpl__sql_table {
    dpl_ctx *ctx;
    dpl__lines lines;
    char database[DPL__SQL_NAME]; /* "" when the dump does not say it */
    char name[DPL__SQL_NAME];
    char columns[DPL__SQL_COLUMNS][DPL__SQL_NAME];
    size_t n_columns;
    dpl_str row;     /* what is left of the line of rows being read */
    bool has_rows;   /* rows follow, here or on the next line */
    dpl__bytes text; /* strings of the row without their escapes */
    dpl_str fields[DPL__SQL_COLUMNS];
} dpl__sql_table;

/* Reads up to the first row. DPL_E_FORMAT where there is no CREATE TABLE. Zeroed memory may be
 * closed. */
dpl_status dpl__sql_open(dpl__sql_table *table, dpl_ctx *ctx, const char *path, dpl_error *err);
dpl_status dpl__sql_open_memory(dpl__sql_table *table, dpl_ctx *ctx, const char *name,
                                const void *data, size_t n, dpl_error *err);
void dpl__sql_close(dpl__sql_table *table);

/* Number of the column, SIZE_MAX: there is none of that name. */
size_t dpl__sql_column(const dpl__sql_table *table, const char *name);

/* *row: n_columns values, borrowed until the next call; data NULL: the value is NULL. Strings
 * are bytes, not known to be UTF-8. DPL_END after the last row. */
dpl_status dpl__sql_next(dpl__sql_table *table, const dpl_str **row, dpl_error *err);

#endif
